/* HAProxy: ids, parts of keys, equal points, refusals. */
#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static struct registry *registry;

/* A cluster written to a file, for attributes. */
static const struct cluster *lines(const char *text)
{
    char path[64], at[80], why[WHY] = "";
    const struct cluster *c = NULL;
    temporary(text, path);
    snprintf(at, sizeof at, "@%s", path);
    int e = cluster_read(registry, at, false, &c, why);
    unlink(path);
    must(e, why);
    return c;
}

static const char *owner(struct placement *p, const char *key, enum key_verdict *v)
{
    uint64_t digest;
    *v = placement_digest(p, key, strlen(key), &digest);
    uint32_t id = *v == KEY_HASHED ? placement_owner(p, key, strlen(key), digest) : NO_NODE;
    return id == NO_NODE ? "-" : registry_name(registry, id);
}

/* Do two clusters' servers, place by place, own the same keys? */
static bool same(const char *text, const struct cluster *a, const struct cluster *b)
{
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, a, "xxh3"), *q = open_on_hash(spec, b, "xxh3");
    bool all = true;
    for (uint64_t i = 0; i < 4000; i++) {
        uint64_t h = i * 0x9e3779b97f4a7c15u >> 32;
        uint32_t x = p->engine->lookup(p->state, h), y = q->engine->lookup(q->state, h), k = 0;
        while (a->node[k].id != x)
            k++;
        all &= b->node[k].id == y;
    }
    placement_close(p);
    placement_close(q);
    spec_destroy(spec);
    return all;
}

static void ids(void)
{
    const char *ring = "haproxy:type=consistent";
    ok(same(ring, lines("a\nb\nc\n"), lines("x id=1\ny id=2\nz id=3\n")), "ids count places from 1");
    ok(same(ring, lines("a\nb id=9\nc\n"), lines("x id=1\ny id=9\nz id=3\n")), "a given id takes its place in the count");
    ok(same(ring, lines("a\nb id=1\nc id=4\nd\ne\n"), lines("x id=2\ny id=1\nz id=4\nu id=5\nv id=6\n")), "ids that are taken are passed over");
    ok(!same(ring, lines("a\nb\nc\n"), lines("x id=3\ny id=2\nz id=1\n")), "and reordering servers moves keys");
    ok(same("haproxy", lines("a\nb\nc\n"), lines("x id=3\ny id=2\nz id=1\n")), "but not in the table");
}

static void refused(const char *text, const struct cluster *c, const char *words)
{
    char why[WHY] = "";
    struct spec *spec = spec_of(text);
    struct placement *p = NULL;
    int e = placement_open(&p, spec, c, &(struct keyed_hash){hash_find("xxh3"), 0}, why);
    ok(e == -EINVAL && !p && strstr(why, words), "refused: %s", why);
    spec_destroy(spec);
}

static void parts(void)
{
    static const struct { const char *spec, *key, *like; enum key_verdict v; } row[] = {
        {"haproxy", "a,b", "a", KEY_HASHED}, {"haproxy", " \ta b\t ,c", "a b", KEY_HASHED}, {"haproxy", "", NULL, KEY_UNPLACED}, {"haproxy", "  ", NULL, KEY_UNPLACED},
        {"haproxy", ",b", NULL, KEY_UNPLACED}, {"haproxy", "a\"x,y\"z,b", "a\"x,y\"z", KEY_HASHED}, {"haproxy", "\"a\\\",b\",c", "\"a\\\",b\"", KEY_HASHED},
        {"haproxy", "a\rb", NULL, KEY_INVALID}, {"haproxy", "a\nb", NULL, KEY_INVALID},
        {"haproxy:balance=uri", "/p?q", "/p", KEY_HASHED}, {"haproxy:balance=uri,whole=1", "/p?q", "/p?q", KEY_HASHED}, {"haproxy:balance=uri", "/%41", "/%41", KEY_HASHED},
        {"haproxy:balance=uri", "", NULL, KEY_INVALID},
        {"haproxy:balance=url_param", "v&k=w", "v", KEY_HASHED}, {"haproxy:balance=url_param", "", "", KEY_HASHED}, {"haproxy:balance=url_param", "&", "", KEY_HASHED},
        {"haproxy:balance=source", "abc", NULL, KEY_INVALID}, {"haproxy:balance=source", "1.2.3.4:80", NULL, KEY_INVALID},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct spec *spec = spec_of(row[i].spec);
        struct placement *p = open_on_hash(spec, cluster_of(registry, "3"), "xxh3");
        uint64_t digest;
        enum key_verdict v = placement_digest(p, row[i].key, strlen(row[i].key), &digest);
        ok(v == row[i].v && (!row[i].like || digest == hash_find("haproxy-sdbm")->one(row[i].like, strlen(row[i].like), 0)) && (v != KEY_INVALID || p->key.wants),
           "%s: key %zu is hashed as '%s'", row[i].spec, i, row[i].like ? row[i].like : "nothing");
        placement_close(p);
        spec_destroy(spec);
    }
    struct spec *source = spec_of("haproxy:balance=source");
    struct placement *p = open_on_hash(source, cluster_of(registry, "3"), "xxh3");
    uint64_t four, six;
    ok(placement_digest(p, "1.2.3.4", 7, &four) == KEY_HASHED && four == 0x01020304 && placement_digest(p, "1:2::3:4", 8, &six) == KEY_HASHED &&
       six == 0x00020006, "a client's address is what is hashed, not its text");
    placement_close(p);
    spec_destroy(source);
    ok(hash_find("haproxy-address")->one("\x01\x02\x03\x04", 4, 0) == 0x01020304 && hash_find("haproxy-address")->one("\x01\0\0\0\0\x02\0\0\0\0\x03\0\0\0\0\x04", 16, 0) == 0x01020304,
       "an address is the xor of its words");
}

static void defaults(void)
{
    static const struct { const char *spec, *hash; } row[] = {
        {"haproxy", "haproxy-sdbm"}, {"haproxy:type=consistent", "haproxy-sdbm-avalanche"}, {"haproxy:type=consistent,hash=sdbm", "haproxy-sdbm"},
        {"haproxy:type=consistent,hash=wt6,avalanche=1", "haproxy-wt6-avalanche"}, {"haproxy:avalanche=1", "haproxy-sdbm-avalanche"},
        {"haproxy:type=consistent,avalanche=0", "haproxy-sdbm"}, {"haproxy:balance=source,hash=crc32", "haproxy-address"},
        {"haproxy:balance=source,type=consistent", "haproxy-address-avalanche"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct spec *spec = spec_of(row[i].spec);
        struct placement *p = open_on_hash(spec, cluster_of(registry, "3"), "xxh3");
        ok(!strcmp(p->key.hash.hash->name, row[i].hash), "%s: %s", row[i].spec, p->key.hash.hash->name);
        placement_close(p);
        spec_destroy(spec);
    }
}

static void down(void)
{
    static const char *const spec_text[] = {"haproxy", "haproxy:type=consistent"};
    for (size_t i = 0; i < 2; i++) {
        struct spec *spec = spec_of(spec_text[i]);
        enum key_verdict v;
        struct placement *p = open_on_hash(spec, lines("a 10 down=1\nb 10\n"), "xxh3");
        ok(!strcmp(owner(p, "", &v), "b") && !strcmp(owner(p, "k", &v), "b"), "%s: one usable server takes all, the empty header too", spec_text[i]);
        placement_close(p);
        p = open_on_hash(spec, lines("a down=1\nb down=1\n"), "xxh3");
        ok(!strcmp(owner(p, "k", &v), "-"), "%s: none usable, none named", spec_text[i]);
        placement_close(p);
        spec_destroy(spec);
    }
    struct spec *spec = spec_of("haproxy");
    struct placement *p = open_on_hash(spec, lines("a 10\nb 20\nc 5 down=1\n"), "xxh3");
    ok(p->engine->cells(p->state) == 6, "the divisor is that of all weights, of servers that are down too: %" PRIu64 " cells", p->engine->cells(p->state));
    placement_close(p);
    spec_destroy(spec);
}

/* Ids that differ by 2^20 have the same points: the owner by HAProxy's own way, first at or after and the one before in the tree. */
static void equal_points(void)
{
    struct spec *spec = spec_of("haproxy:type=consistent");
    struct placement *p = open_on_hash(spec, lines("a 10 id=1\nc 3\nb 9 id=1048577\n"), "xxh3");
    size_t distinct, n = ring_points(p, &distinct), wrong = 0, tried = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        uint32_t id, before;
        uint64_t here = ring_position(p, i, &id), next;
        if (ring_position(p, i - 1, &before) != here || (next = ring_position(p, i + 1, &id)) < here + 4)
            continue;
        ring_position(p, i, &id);
        tried++;
        wrong += p->engine->lookup(p->state, here) != before || p->engine->lookup(p->state, here + 1) != id || p->engine->lookup(p->state, here - 1) != before;
    }
    ok(tried > 0 && !wrong, "equal points: the first of a pair from below and on it, the last from above (%zu pairs)", tried);
    placement_close(p);
    spec_destroy(spec);
}

int main(void)
{
    registry = registry_create();
    ids();
    refused("haproxy", lines("a 257\nb\n"), "0 to 256");
    refused("haproxy", lines("a id=0\n"), "whole number");
    refused("haproxy:type=consistent", lines("a id=x\n"), "whole number");
    refused("haproxy", lines("a id=2147483648\n"), "whole number");
    refused("haproxy", lines("a id=7\nb\nc id=7\n"), "nodes a and c both have id=7");
    parts();
    defaults();
    down();
    equal_points();
    registry_destroy(registry);
    ok(mem_live() == 0, "all memory given back");
    return tap_done();
}
