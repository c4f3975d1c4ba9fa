/* ipvs-mh and ipvs-sh beyond the recorded placements: how clients are written, weights, servers that are down, what is refused. */
#include "model/hashes.h"
#include "strategies/engines/ipvs.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *owner(const struct registry *r, const struct placement *p, const char *key)
{
    uint64_t digest;
    if (placement_digest(p, key, strlen(key), &digest) != KEY_HASHED)
        return "invalid";
    uint32_t id = placement_owner(p, key, strlen(key), digest);
    return id == NO_NODE ? "-" : registry_name(r, id);
}

static void clients(void)
{
    static const struct { const char *key; bool good; uint32_t number; } row[] = {
        {"1.2.3.4", true, 0x01020304}, {"1.2.3.4:0", true, 0x01020304}, {"1.2.3.4:80", true, 0x01020354}, {"255.255.255.255:2", true, 1},
        {"::1", true, 1}, {"[::1]:80", true, 81}, {"1:2:3:4:5:6:7:8", true, 0x00010002u ^ 0x00030004u ^ 0x00050006u ^ 0x00070008u},
        {"1.2.3.4:65535", true, 0x01030303}, {"", false, 0}, {"abc", false, 0}, {"1.2.3", false, 0}, {"1.2.3.256", false, 0}, {"1.2.3.4:", false, 0},
        {"1.2.3.4:65536", false, 0}, {"1.2.3.4:1k", false, 0}, {"1.2.3.4:99999999999", false, 0}, {":80", false, 0}, {"[::1]", false, 0}, {"[1.2.3.4]:80", false, 0},
        {" 1.2.3.4", false, 0}, {"1.2.3.4 ", false, 0}, {"[]:1", false, 0}, {"::1:", false, 0},
    };
    struct registry *r = registry_create();
    struct spec *spec = spec_of("ipvs-sh");
    struct placement *p = open_on_hash(spec, cluster_of(r, "10.0.0.1:80"), "xxh3");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        unsigned char buf[16];
        const void *part = NULL;
        size_t len = 0;
        char key[64];
        snprintf(key, sizeof key, "%s77", row[i].key); /* bytes behind the key are not its own */
        enum key_verdict v = p->key.filter(p->options, key, strlen(row[i].key), buf, &part, &len);
        ok(v == (row[i].good ? KEY_HASHED : KEY_INVALID) && (v == KEY_INVALID || (len == 4 && ipvs_number(part, len) == row[i].number)), "client '%s'", row[i].key);
    }
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

static void buckets(void)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of("ipvs-sh"), *fallback = spec_of("ipvs-sh:fallback=1");
    const struct cluster *c = cluster_of(r, "10.0.0.1:80=3,10.0.0.2:80=2"), *down = changed(r, c, "10.0.0.1:80=down");
    struct placement *p = open_on_hash(spec, c, "xxh3"), *q = open_on_hash(spec, down, "xxh3"), *f = open_on_hash(fallback, down, "xxh3");
    static const uint32_t up[] = {1, 1, 0, 0, 0}, fewer[] = {1, 1, NO_NODE}; /* added last, dealt first */
    bool dealt = true, one = true, other = true;
    for (uint64_t b = 0; b < 256; b++) {
        dealt &= p->engine->lookup(p->state, b) == up[b % 5];
        one &= q->engine->lookup(q->state, b) == fewer[b % 3];
        other &= f->engine->lookup(f->state, b) == 1;
    }
    ok(dealt && one && other, "sh: reversed order, weights in runs; a server that is down keeps one bucket a round; fallback finds the other");
    ok((p->caps & CAP_DOWN) && !*q->warning, "down is told from absent");
    placement_close(p);
    placement_close(q);
    placement_close(f);
    const struct cluster *heavy = cluster_of(r, "10.0.0.1:80=1,10.0.0.2:80=256");
    p = open_on_hash(spec, heavy, "xxh3");
    ok(strstr(p->warning, "256") && !strcmp(owner(r, p, "1.2.3.4"), "10.0.0.2:80"), "sh: weights beyond its buckets: %s", p->warning);
    placement_close(p);
    spec_destroy(spec);
    spec_destroy(fallback);
    registry_destroy(r);
}

static void counts(const struct placement *p, uint64_t cells, uint32_t *count)
{
    for (uint64_t i = 0; i < cells; i++) {
        uint32_t id = p->engine->lookup(p->state, i);
        if (id != NO_NODE)
            count[id]++;
    }
}

static void tables(void)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of("ipvs-mh:table=251"), *fallback = spec_of("ipvs-mh:table=251,fallback=1");
    uint32_t count[3] = {0}, scaled[3] = {0}, huge[3] = {0};
    struct placement *p = open_on_hash(spec, cluster_of(r, "10.0.0.1:80=1,10.0.0.2:80=2"), "xxh3");
    counts(p, 251, count);
    placement_close(p);
    ok(count[1] == 168 && count[0] == 83, "mh: two turns for weight 2, the server added last first: %u and %u of 251", count[1], count[0]);
    p = open_on_hash(spec, cluster_of(r, "10.0.0.1:80=500,10.0.0.2:80=1000"), "xxh3");
    counts(p, 251, scaled);
    placement_close(p);
    ok(!memcmp(count, scaled, 2 * sizeof *count), "mh: weights are divided by their common divisor");
    p = open_on_hash(spec, cluster_of(r, "10.0.0.1:80=1,10.0.0.2:80=1001"), "xxh3"); /* 1001 has 10 bits, the table takes 4: 15 turns */
    counts(p, 251, huge);
    placement_close(p);
    ok(huge[0] == 15 && huge[1] == 236, "mh: large weights are cut to half the table's bits, small ones keep a turn: %u and %u", huge[0], huge[1]);
    struct spec *larger = spec_of("ipvs-mh:table=1021");
    memset(huge, 0, sizeof huge);
    p = open_on_hash(larger, cluster_of(r, "10.0.0.1:80=1,10.0.0.2:80=1001"), "xxh3"); /* 31 turns; 31 rounds of 32 cells, and 29 cells */
    counts(p, 1021, huge);
    placement_close(p);
    spec_destroy(larger);
    ok(huge[0] == 31 && huge[1] == 990, "mh: a larger table takes one bit more: %u and %u of 1021", huge[0], huge[1]);

    const struct cluster *all = cluster_of(r, "10.0.0.1:80,10.0.0.2:80"), *down = changed(r, all, "10.0.0.2:80=down"),
                         *none = changed(r, down, "10.0.0.1:80=down");
    p = open_on_hash(spec, all, "xxh3");
    struct placement *q = open_on_hash(spec, down, "xxh3"), *f = open_on_hash(fallback, down, "xxh3"), *dead = open_on_hash(fallback, none, "xxh3");
    bool keeps = true, finds = true, gone = true;
    for (unsigned i = 0; i < 500; i++) {
        char key[32];
        snprintf(key, sizeof key, "10.9.%u.%u:%u", i / 250, i % 250, i);
        const char *was = owner(r, p, key);
        keeps &= !strcmp(owner(r, q, key), strcmp(was, "10.0.0.2:80") ? was : "-");
        finds &= !strcmp(owner(r, f, key), "10.0.0.1:80");
        gone &= !strcmp(owner(r, dead, key), "-");
    }
    ok(keeps && finds && gone, "mh: clients of a server that is down get none, with fallback another, and none when all are down");
    placement_close(p);
    placement_close(q);
    placement_close(f);
    placement_close(dead);
    spec_destroy(spec);
    spec_destroy(fallback);
    registry_destroy(r);
}

static void refused(void)
{
    static const char *const bad[] = {"a", "10.0.0.1:x", "10.0.0.1:80,node-1", "10.0.0.300:80"};
    struct registry *r = registry_create();
    struct spec *spec = spec_of("ipvs-mh");
    const struct keyed_hash hash = {&hash_xxh3, 0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[WHY] = "";
        struct placement *p;
        ok(placement_open(&p, spec, cluster_of(r, bad[i]), &hash, why) == -EINVAL && strstr(why, "10.0.0.1:80"), "refused: %s", why);
    }
    struct placement *p = open_on_hash(spec, cluster_of(r, "10.0.0.1:80=70000,[2001:db8::1]:80"), "xxh3");
    ok(strstr(p->warning, "65535") && strstr(p->warning, "10.0.0.1:80"), "warned: %s", p->warning);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
    struct spec **all = NULL;
    size_t n;
    char why[WHY] = "";
    ok(catalog_expand("ipvs-mh:table=4096", &all, &n, why) == -EINVAL && strstr(why, "4093"), "refused: %s", why);
}

int main(void)
{
    uint64_t live = mem_live();
    clients();
    buckets();
    tables();
    refused();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
