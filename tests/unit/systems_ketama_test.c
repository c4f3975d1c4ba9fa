/* libmemcached, libketama, twemproxy, Dubbo: what the vectors do not show. */
#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static struct registry *registry;

static struct placement *open_it(const char *text, const char *nodes)
{
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(registry, nodes), "xxh3");
    spec_destroy(spec); /* nothing reads it again: these open once */
    return p;
}

static size_t points_of(const char *text, const char *nodes)
{
    struct placement *p = open_it(text, nodes);
    size_t distinct, n = ring_points(p, &distinct);
    placement_close(p);
    return n;
}

static void refused(const char *text, const char *nodes, const char *words)
{
    char why[WHY] = "";
    struct spec *spec = spec_of(text);
    struct placement *p = NULL;
    const struct keyed_hash hash = {hash_find("xxh3"), 0};
    int e = placement_open(&p, spec, cluster_of(registry, nodes), &hash, why);
    ok(e == -EINVAL && !p && strstr(why, words), "refused: %s on %.40s: %s", text, nodes, why);
    spec_destroy(spec);
}

static void warned(const char *text, const char *nodes, const char *words)
{
    struct placement *p = open_it(text, nodes);
    ok(*words ? strstr(p->warning, words) != NULL : !*p->warning, "%s on %.40s: %s", text, nodes, *p->warning ? p->warning : "no warning");
    placement_close(p);
}

static const char *owner(struct placement *p, const char *key, size_t len)
{
    uint64_t digest;
    enum key_verdict v = placement_digest(p, key, len, &digest);
    uint32_t id = v == KEY_HASHED ? placement_owner(p, key, len, digest) : NO_NODE;
    return id == NO_NODE ? "-" : registry_name(registry, id);
}

static bool same(const char *a, const char *nodes, const char *b, const char *other_nodes)
{
    struct placement *p = open_it(a, nodes), *q = open_it(b, other_nodes);
    bool all = true;
    for (unsigned i = 0; i < 3000; i++) {
        char key[24];
        size_t len = (size_t)snprintf(key, sizeof key, "user:%u", i);
        all &= !strcmp(owner(p, key, len), owner(q, key, len));
    }
    placement_close(p);
    placement_close(q);
    return all;
}

/* How many labels rounding leaves of 40, for so many equal servers. */
static void lost_points(void)
{
    static const struct { uint32_t n, c_clients, libketama; } row[] = {
        {3, 40, 40},  {24, 40, 40}, {25, 39, 40}, {26, 40, 40}, {47, 39, 40}, {50, 39, 40}, {55, 39, 40},
        {61, 39, 39}, {71, 39, 40}, {94, 39, 40}, {99, 40, 40}, {100, 39, 40}, {122, 39, 39},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char nodes[16];
        snprintf(nodes, sizeof nodes, "%u", row[i].n);
        size_t want = 4 * (size_t)row[i].n;
        ok(points_of("libmemcached:distribution=ketama-weighted", nodes) == want * row[i].c_clients &&
               points_of("twemproxy", nodes) == want * row[i].c_clients && points_of("libketama", nodes) == want * row[i].libketama,
           "%u equal servers: %u labels each, %u in libketama", row[i].n, row[i].c_clients, row[i].libketama);
    }
}

static void libmemcached(void)
{
    struct placement *p = open_it("libmemcached", "3");
    ok(!strcmp(p->key.hash.hash->name, "libmemcached-one_at_a_time") && !is_ring(p), "libmemcached: modula and one_at_a_time by default");
    ok(p->caps == (CAP_ANY_REMOVAL | CAP_WEIGHTS) && p->law == LAW_FIXED, "modula: fixed shares where weights are alike");
    placement_close(p);
    p = open_it("libmemcached", "a=3,b");
    ok(p->caps == CAP_ANY_REMOVAL && p->law == LAW_NONE, "and shares that theory does not know where they are not");
    placement_close(p);
    ok(points_of("libmemcached:distribution=ketama", "7") == 700, "100 points a server, unweighted");
    ok(points_of("libmemcached:distribution=ketama", "a=1,b=3") == 4 * (40 + 0) * 2, "weights turn the ring into a weighted one: 20 and 60 labels");
    ok(points_of("libmemcached:distribution=spy", "a=1,b=3") == 320, "the spy's too");
    ok(same("libmemcached:distribution=ketama", "a,b:11211,c:2", "libmemcached:distribution=ketama,points=one_at_a_time", "a,b:11211,c:2"),
       "points=: the key's hash unless given");
    ok(!same("libmemcached:distribution=spy", "a,b", "libmemcached:distribution=ketama", "a,b"), "the spy labels otherwise");
    warned("libmemcached:distribution=ketama", "100", "");
    warned("libmemcached:distribution=ketama", "101", "101st");
    warned("libmemcached", "101", "");
    warned("libmemcached", "a=2,b", "knows no weights");
    warned("libmemcached:distribution=ketama", "a=2,b", "weighted");
    warned("libmemcached:distribution=ketama-weighted", "a=2,b", "");
    warned("libmemcached:distribution=ketama-weighted,hash=md5", "3", "");
    warned("libmemcached:distribution=spy-weighted,hash=crc", "3", "force MD5");
    warned("libmemcached:distribution=ketama", "a,b", "");
}

static void libketama(void)
{
    struct placement *p = open_it("libketama", "10.0.1.1:11211,10.0.1.2:11211,10.0.1.3:11211");
    bool all = true;
    for (unsigned i = 0; i < 200; i++) {
        char key[32];
        int len = snprintf(key, sizeof key, "k%u", i);
        all &= owner(p, key, (size_t)len + 2) == owner(p, key, (size_t)len);
    }
    ok(all, "libketama: a key ends at its zero byte");
    placement_close(p);
    warned("libketama", "117", "");
    warned("libketama", "118", "shared memory");
    refused("libketama", "a,twenty-two-bytes:11211", "at most 21 bytes");
    warned("libketama", "twenty-1-bytes1:11211", "");
}

static void twemproxy(void)
{
    ok(same("twemproxy", "b:1,a:1,cc:1", "twemproxy", "cc:1,a:1,b:1") && same("twemproxy:distribution=modula", "b:1=2,a:1,cc:1", "twemproxy:distribution=modula", "cc:1,a:1,b:1=2"),
       "twemproxy: the configuration's order does not matter");
    struct placement *p = open_it("twemproxy:distribution=modula", "longer:1,z:1,a:11211");
    ok(!strcmp(owner(p, "", 0), "a:11211"), "the empty key hashes to 0, the shortest name stands first");
    placement_close(p);
    static const struct { const char *tag, *key, *part; } row[] = {
        {"{}", "a{b}c", "b"}, {"{}", "a{}c", "a{}c"}, {"{}", "{b", "{b"}, {"{}", "}x{y}", "y"}, {"{}", "{a}{b}", "a"}, {"{}", "{{a}", "{a"},
        {"$$", "x$id$y", "id"}, {"$$", "x$$y$", "x$$y$"}, {"{}", "", ""}, {"{}", "{", "{"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[40];
        uint64_t a, b;
        snprintf(text, sizeof text, "twemproxy:tag=%s", row[i].tag);
        struct spec *spec = spec_of(text);
        p = open_on_hash(spec, cluster_of(registry, "3"), "xxh3");
        placement_digest(p, row[i].key, strlen(row[i].key), &a);
        b = hash_find("twemproxy-fnv1a_64")->one(row[i].part, strlen(row[i].part), 0);
        ok(a == b, "tag=%s: '%s' is hashed as '%s'", row[i].tag, row[i].key, row[i].part);
        placement_close(p);
        spec_destroy(spec);
    }
    refused("twemproxy:tag={", "3", "two characters");
    refused("twemproxy:tag={}}", "3", "two characters");
    refused("twemproxy", "h:11211,h", "both named 'h'");
    ok(hash_find("twemproxy-jenkins")->one("", 0, 0) == 0 && hash_find("libmemcached-jenkins")->one("", 0, 0) == 3735928572, "only twemproxy's empty key is 0");
}

static void dubbo(void)
{
    ok(points_of("dubbo", "5") == 800 && points_of("dubbo:nodes=163", "5") == 800 && points_of("dubbo:nodes=7", "5") == 20, "dubbo: nodes not divisible by four lose the rest");
    ok(same("dubbo", "x:0,y:1", "dubbo", "x:0,y:1"), "port 0");
    struct placement *p = open_it("dubbo", "h:2088,h:20881"), *q = open_it("dubbo", "h:20881,h:2088");
    /* h:2088 + "10" is h:20881 + "0": one point, the later provider's; the key is that label itself */
    ok(!strcmp(owner(p, "h:208810", 8), "h:20881") && !strcmp(owner(q, "h:208810", 8), "h:2088"), "of providers with the same label the later owns");
    placement_close(p);
    placement_close(q);
    warned("dubbo", "a=2,b", "knows no weights");
}

/* The hashes by values that others published or that follow from their rules. */
static void hashes(void)
{
    static const struct { const char *name, *key; uint64_t value; } row[] = {
        {"libmemcached-md5", "", 0xd98c1dd4}, {"libmemcached-crc", "123456789", 0x4bf4}, {"twemproxy-crc32", "123456789", 0x4bf4},
        {"twemproxy-crc32a", "123456789", 0xcbf43926}, {"libmemcached-fnv1_32", "", 2166136261u}, {"libmemcached-fnv1a_32", "a", 0xe40c292c},
        {"libmemcached-fnv1a_64", "a", 0x8601ec8c}, {"libmemcached-one_at_a_time", "a", 0xca2e9442}, {"twemproxy-crc16", "1", 0x2672},
        {"twemproxy-hsieh", "", 0}, {"nginx-hash", "123456789", 0x4bf4},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct hash *h = hash_find(row[i].name);
        uint64_t v = h ? h->one(row[i].key, strlen(row[i].key), 0) : 0;
        ok(h && v == row[i].value, "%s of '%s': %" PRIx64, row[i].name, row[i].key, v);
    }
    ok(hash_find("libmemcached-fnv1a_32")->one("\x80", 1, 0) != hash_find("fnv1a-32")->one("\x80", 1, 0), "a byte above 127 is signed");
}

int main(void)
{
    registry = registry_create();
    lost_points();
    libmemcached();
    libketama();
    twemproxy();
    dubbo();
    hashes();
    registry_destroy(registry);
    ok(mem_live() == 0, "all memory given back");
    return tap_done();
}
