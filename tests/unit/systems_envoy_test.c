/* envoy-ring, envoy-maglev and maglev: what Envoy's own unit tests expect of rings, tables and histograms, and what is refused. */
#include "model/hashes.h"
#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { MOST = 12 };

/* Hosts are named by the last character of their names. */
static const struct ring {
    const char *name, *spec, *nodes, *owners; /* of the points in ring order */
    uint64_t position[MOST];
    struct { uint64_t digest; char owner; } lookup[5];
} rings[] = {
    {"Basic", "envoy-ring:min=12", "127.0.0.1:90,127.0.0.1:91,127.0.0.1:92,127.0.0.1:93,127.0.0.1:94,127.0.0.1:95", "420531135240",
     {833437586790550860u, 928266305478181108u, 1033482794131418490u, 3551244743356806947u, 3851675632748031481u, 5583722120771150861u,
      6311230543546372928u, 7700377290971790572u, 13144177310400110813u, 13444792449719432967u, 15516499411664133160u, 16117243373044804889u},
     {{0, '4'}, {UINT64_MAX, '4'}, {3551244743356806947u, '5'}, {3551244743356806948u, '3'}, {16117243373044804880u, '0'}}},
    {"BasicWithMurmur2", "envoy-ring:min=12,hash=murmur2", "127.0.0.1:80,127.0.0.1:81,127.0.0.1:82,127.0.0.1:83,127.0.0.1:84,127.0.0.1:85", "534124123050",
     {1358027074129602068u, 4361834613929391114u, 7224494972555149682u, 7701421856454313576u, 8649315368077433379u, 8739448859063030639u,
      9887544217113020895u, 10150910876324007731u, 15168472011420622455u, 15427156902705414897u, 16375050414328759093u, 17613279263364193813u},
     {{0, '5'}, {UINT64_MAX, '5'}, {1358027074129602068u, '5'}, {1358027074129602069u, '3'}, {10150910876324007730u, '2'}}},
    {"BasicWithHostname", "envoy-ring:min=12", "90,91,92,93,94,95", "553432021014",
     {1975508444536362413u, 2376063919839173711u, 2386806903309390596u, 6749904478991551885u, 6803900775736438537u, 7225015537174310577u,
      8787465352164086522u, 11282020843382717940u, 13723418369486627818u, 13776502110861797421u, 14338313586354474791u, 15364271037087512980u},
     {{0, '5'}, {UINT64_MAX, '5'}, {7225015537174310577u, '2'}, {6803900775736438537u, '3'}}},
    {"UnevenHosts, 80 and 81", "envoy-ring:min=3", "127.0.0.1:80,127.0.0.1:81", "0101",
     {5454692015285649509u, 7859399908942313493u, 13838424394637650569u, 16064866803292627174u}, {{0, '0'}}},
    {"UnevenHosts, 81 and 82", "envoy-ring:min=3", "127.0.0.1:81,127.0.0.1:82", "1221",
     {7859399908942313493u, 8241336090459785962u, 12882406409176325258u, 16064866803292627174u}, {{0, '1'}}},
    {"HostWeightedTinyRing", "envoy-ring:min=6,max=6", "127.0.0.1:90,127.0.0.1:91=2,127.0.0.1:92=3", "221120",
     {928266305478181108u, 4443673547860492590u, 5583722120771150861u, 6311230543546372928u, 13444792449719432967u, 16117243373044804889u}, {{0, '2'}}},
};

static char named(const struct registry *r, uint32_t id)
{
    const char *name = registry_name(r, id);
    return name[strlen(name) - 1];
}

static void ring_facts(void)
{
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
        const struct ring *f = &rings[k];
        struct registry *r = registry_create();
        struct spec *spec = spec_of(f->spec);
        struct placement *p = open_on_hash(spec, cluster_of(r, f->nodes), "xxh3");
        size_t distinct, points = ring_points(p, &distinct);
        bool same = points == strlen(f->owners), found = true;
        for (size_t i = 0; i < points && same; i++) {
            uint32_t id;
            same = ring_position(p, i, &id) == f->position[i] && named(r, id) == f->owners[i];
        }
        for (size_t i = 0; i < 5 && f->lookup[i].owner; i++)
            found &= named(r, p->engine->lookup(p->state, f->lookup[i].digest)) == f->lookup[i].owner;
        ok(same && found, "ring of Envoy's test %s", f->name);
        placement_close(p);
        spec_destroy(spec);
        registry_destroy(r);
    }
}

/* How many of `steps` evenly spaced digests each of the hosts 90, 91, 92 gets. */
static void histogram(const char *name, const char *text, const char *nodes, uint64_t steps, uint32_t zero, uint32_t one, uint32_t two)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(r, nodes), "xxh3");
    uint32_t count[3] = {0};
    for (uint64_t i = 0; i < steps; i++)
        count[named(r, p->engine->lookup(p->state, UINT64_MAX / steps * i)) - '0']++;
    ok(count[0] == zero && count[1] == one && count[2] == two, "histogram of Envoy's test %s: %u %u %u", name, count[0], count[1], count[2]);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

static void table_facts(void)
{
    static const struct { const char *name, *spec, *nodes, *owners; } row[] = {
        {"Basic", "envoy-maglev:table=7", "127.0.0.1:90,127.0.0.1:91,127.0.0.1:92,127.0.0.1:93,127.0.0.1:94,127.0.0.1:95", "2401503"},
        {"BasicWithHostName", "envoy-maglev:table=7", "90,91,92,93,94,95", "2503410"},
        {"Basic, hosts in another order", "envoy-maglev:table=7", "127.0.0.1:93,127.0.0.1:91,127.0.0.1:92,127.0.0.1:90,127.0.0.1:95,127.0.0.1:94", "2401503"},
        {"Weighted", "envoy-maglev:table=17", "127.0.0.1:90,127.0.0.1:91=2", "10010110111110101"},
        {"equal localities", "envoy-maglev:table=17", "127.0.0.1:90=7,127.0.0.1:91=7", "10010110010100101"},
        {"localities 8 to 2", "envoy-maglev:table=17", "127.0.0.1:90=8,127.0.0.1:91=2", "10000010010100000"},
        {"the algorithm alone, sorted nodes", "maglev:table=17", "127.0.0.1:90=8,127.0.0.1:91=2", "10000010010100000"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct registry *r = registry_create();
        struct spec *spec = spec_of(row[k].spec);
        struct placement *p = open_on_hash(spec, cluster_of(r, row[k].nodes), "xxh3");
        size_t size = strlen(row[k].owners);
        bool same = p->engine->cells(p->state) == size;
        for (size_t i = 0; i < size; i++)
            same &= named(r, p->engine->lookup(p->state, size * 1000 + i)) == row[k].owners[i];
        ok(same, "table of Envoy's test %s", row[k].name);
        placement_close(p);
        spec_destroy(spec);
        registry_destroy(r);
    }
}

static void digests(void)
{
    static const struct { const char *key; uint64_t xxh64, murmur2; } row[] = {
        {"foo", 3728699739546630719u, 9631199822919835226u}, {"bar", 5234164152756840025u, 11474628671133349555u},
        {"foo\nbar", 8917841378505826757u, 16306510975912980159u}, {"lyft", 4400747396090729504u, 12847078931730529320u},
        {"", 17241709254077376921u, 6142509188972423790u},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        same &= hash_xxh64.one(row[i].key, strlen(row[i].key), 0) == row[i].xxh64 &&
                hash_murmur2_64a.one(row[i].key, strlen(row[i].key), 0xC70F6907) == row[i].murmur2;
    ok(same, "hashes of Envoy's tests");
}

static void sizes(void)
{
    static const struct { const char *nodes; size_t points; } row[] = {{"1", 1024}, {"3", 1026}, {"5", 1025}, {"10", 1030}, {"a=1,b=2,c=3", 1026}};
    struct registry *r = registry_create();
    struct spec *spec = spec_of("envoy-ring");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct placement *p = open_on_hash(spec, cluster_of(r, row[i].nodes), "xxh3");
        size_t distinct;
        ok(ring_points(p, &distinct) == row[i].points && p->law == LAW_ARCS && !(p->caps & CAP_MINIMAL), "%s hosts: %zu points", row[i].nodes, row[i].points);
        placement_close(p);
    }
    spec_destroy(spec);
    registry_destroy(r);
}

static void refused(void)
{
    static const struct { const char *spec, *says; } row[] = {
        {"envoy-ring:min=20,max=10", "max=10"}, {"maglev:table=65536", "65537"}, {"envoy-maglev:table=9", "11"}, {"maglev:table=16777216", "16777259"},
    };
    struct registry *r = registry_create();
    const struct cluster *c = cluster_of(r, "30");
    const struct keyed_hash hash = {&hash_xxh3, 0};
    char why[WHY];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct placement *p;
        struct spec *spec = spec_of(row[i].spec);
        *why = 0;
        ok(placement_open(&p, spec, c, &hash, why) == -EINVAL && strstr(why, row[i].says), "refused: %s", why);
        spec_destroy(spec);
    }
    static const char *const crowded[] = {"maglev:table=7", "envoy-maglev:table=2", "envoy-ring:min=1,max=10"};
    for (size_t i = 0; i < sizeof crowded / sizeof *crowded; i++) {
        struct spec *spec = spec_of(crowded[i]);
        struct placement *p = open_on_hash(spec, c, "xxh3");
        ok(strstr(p->warning, "30"), "%s: %s", crowded[i], p->warning);
        placement_close(p);
        spec_destroy(spec);
    }
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    ring_facts();
    histogram("HostWeightedLargeRing", "envoy-ring:min=6144", "127.0.0.1:90,127.0.0.1:91=2,127.0.0.1:92=3", 6000, 987, 1932, 3081);
    histogram("LargeFractionalScale", "envoy-ring:min=1023,max=1023", "127.0.0.1:90,127.0.0.1:91", 1023, 526, 497, 0);
    table_facts();
    digests();
    sizes();
    refused();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
