/* nginx: round robin, retries, texts of servers. The expected owners are computed here from the rules, point by point. */
#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

enum { KEYS = 4000 };

static struct registry *registry;

/* The owner of a key; NO_NODE with the verdict in *v. */
static uint32_t owner(struct placement *p, const char *key, size_t len, enum key_verdict *v)
{
    uint64_t digest;
    *v = placement_digest(p, key, len, &digest);
    return *v == KEY_HASHED ? placement_owner(p, key, len, digest) : NO_NODE;
}

static struct placement *open_it(struct spec *spec, const char *nodes, const char *change)
{
    const struct cluster *c = cluster_of(registry, nodes);
    return open_on_hash(spec, *change ? changed(registry, c, change) : c, "xxh3");
}

/* hash KEY: the peer that takes the key, by walking and counting. */
static uint32_t expected_hash(const struct cluster *c, const char *key, size_t len)
{
    uint64_t h = 0;
    uint32_t lone = NO_NODE, usable = 0;
    for (uint32_t i = 0; i < c->size; i++)
        if (!c->node[i].down && usable++ == 0)
            lone = c->node[i].id;
    for (unsigned r = 0; r <= 20; r++) {
        char text[64];
        int n = r ? snprintf(text, sizeof text, "%u%.*s", r, (int)len, key) : snprintf(text, sizeof text, "%.*s", (int)len, key);
        h += crc32(0, (const unsigned char *)text, (unsigned)n) >> 16 & 0x7fff;
        uint64_t w = h % cluster_weight(c);
        uint32_t i = 0;
        for (; w >= c->node[i].weight; i++)
            w -= c->node[i].weight;
        if (!c->node[i].down)
            return c->node[i].id;
    }
    return usable == 1 ? lone : NO_NODE;
}

static void retries(const char *nodes, const char *change)
{
    struct spec *spec = spec_of("nginx:method=hash");
    struct placement *p = open_it(spec, nodes, change);
    size_t wrong = 0, nowhere = 0;
    for (unsigned i = 0; i < KEYS; i++) {
        char key[16];
        enum key_verdict v;
        size_t len = (size_t)snprintf(key, sizeof key, "order:%u", i);
        uint32_t id = owner(p, key, len, &v);
        wrong += id != expected_hash(p->cluster, key, len);
        nowhere += id == NO_NODE;
    }
    ok(!wrong, "hash on %s with %s: by the rule, %zu keys end in round robin", nodes, change, nowhere);
    ok(!p->engine->ranges == !!*change, "a map only where no server is down");
    placement_close(p);
    spec_destroy(spec);
}

/* Whether key's owner is the first usable one of 21 distinct points from its own on. */
static void ring_with_down(const char *nodes, const char *change, bool to_round_robin)
{
    struct spec *spec = spec_of("nginx");
    struct placement *p = open_it(spec, nodes, change);
    size_t distinct, n = ring_points(p, &distinct), wrong = 0, nowhere = 0;
    for (unsigned k = 0; k < KEYS; k++) {
        char key[16];
        enum key_verdict v;
        size_t len = (size_t)snprintf(key, sizeof key, "user:%u", k), at = 0;
        uint64_t h = crc32(0, (const unsigned char *)key, (unsigned)len), last = 0;
        uint32_t id, want = NO_NODE;
        while (at < n && ring_position(p, at, &id) < h)
            at++;
        for (unsigned moved = 0; moved <= 20; at++) {
            uint64_t here = ring_position(p, at % n, &id);
            if (moved && here == last)
                continue;
            last = here;
            moved++;
            if (!cluster_by_id(p->cluster, id)->down) {
                want = id;
                break;
            }
        }
        id = owner(p, key, len, &v);
        wrong += id != want;
        nowhere += id == NO_NODE;
        uint32_t copies[4];
        bool salted;
        size_t found = placement_replicas(p, h, copies, 4, &salted);
        for (size_t i = 0; i < found; i++)
            wrong += cluster_by_id(p->cluster, copies[i])->down;
        wrong += found && copies[0] != id;
    }
    ok(!wrong && to_round_robin == (nowhere > 0), "consistent on %s with %s: by the rule, %zu keys end in round robin", nodes, change, nowhere);
    placement_close(p);
    spec_destroy(spec);
}

/* The points of a server's text, by the chain's definition: its first. */
static void texts(void)
{
    static const struct { const char *name, *host, *port; } row[] = {
        {"10.0.0.1:80", "10.0.0.1", "80"}, {"10.0.0.1", "10.0.0.1", ""}, {"[::1]:8080", "[::1]", "8080"}, {"[::1]", "[::1]", ""},
        {"unix:/run/a:80", "/run/a:80", ""}, {"UNIX:/x", "/x", ""}, {"h:80a", "h:80a", ""}, {"h:", "h", ""},
    };
    struct spec *spec = spec_of("nginx");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct placement *p = open_it(spec, row[i].name, "");
        unsigned char text[64];
        size_t len = strlen(row[i].host), port = strlen(row[i].port), distinct;
        memset(text, 0, sizeof text);
        memcpy(text, row[i].host, len);
        memcpy(text + len + 1, row[i].port, port);
        uint64_t first = crc32(0, text, (unsigned)(len + 1 + port + 4));
        uint32_t id;
        bool found = false;
        for (size_t k = 0; k < ring_points(p, &distinct); k++)
            found |= ring_position(p, k, &id) == first;
        ok(found && ring_points(p, &distinct) == 160, "%s: host '%s', port '%s'", row[i].name, row[i].host, row[i].port);
        placement_close(p);
    }
    spec_destroy(spec);
}

static void verdicts(void)
{
    static const struct { const char *spec, *nodes, *change, *key; enum key_verdict v; const char *node; } row[] = {
        {"nginx", "a,b", "", "", KEY_UNPLACED, "-"}, {"nginx", "a", "", "", KEY_HASHED, "a"}, {"nginx", "a,b", "a=down", "", KEY_HASHED, "b"},
        {"nginx:method=hash", "a,b", "", "", KEY_UNPLACED, "-"}, {"nginx:method=hash", "a,b,c", "a=down;b=down", "", KEY_HASHED, "c"},
        {"nginx", "a,b", "a=down;b=down", "k", KEY_HASHED, "-"}, {"nginx:method=hash", "a,b", "a=down;b=down", "k", KEY_HASHED, "-"},
        {"nginx:method=ip_hash", "a,b", "", "abc", KEY_INVALID, "-"}, {"nginx:method=ip_hash", "a,b", "", "", KEY_INVALID, "-"},
        {"nginx:method=ip_hash", "a,b", "", "1.2.3", KEY_INVALID, "-"}, {"nginx:method=ip_hash", "a,b", "", "1.2.3.256", KEY_INVALID, "-"},
        {"nginx:method=ip_hash", "a,b", "b=down", "1.2.3.4", KEY_HASHED, "a"}, {"nginx:method=ip_hash", "a,b", "a=down", "::1", KEY_HASHED, "b"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct spec *spec = spec_of(row[i].spec);
        struct placement *p = open_it(spec, row[i].nodes, row[i].change);
        enum key_verdict v;
        uint32_t id = owner(p, row[i].key, strlen(row[i].key), &v);
        const char *name = id == NO_NODE ? "-" : registry_name(registry, id);
        ok(v == row[i].v && !strcmp(name, row[i].node), "%s on %s %s: '%s' -> %s", row[i].spec, row[i].nodes, row[i].change, row[i].key, name);
        ok(v != KEY_INVALID || strstr(placement_wants(p), "address"), "it says what it wants: %s", placement_wants(p));
        placement_close(p);
        spec_destroy(spec);
    }
}

/* ip_hash looks at three bytes, and goes on over them when a server is down. */
static void addresses(void)
{
    struct spec *spec = spec_of("nginx:method=ip_hash");
    struct placement *p = open_it(spec, "a=1,b=2,c=3,d=4", "c=down");
    const struct cluster *c = p->cluster;
    size_t wrong = 0;
    for (unsigned i = 0; i < KEYS; i++) {
        char key[40], twin[40];
        enum key_verdict v;
        unsigned b[3] = {i % 251, i / 7 % 256, i * 13 % 256}, h = 89;
        uint32_t id = NO_NODE, k = 0;
        snprintf(key, sizeof key, "%u.%u.%u.%u", b[0], b[1], b[2], i % 256);
        snprintf(twin, sizeof twin, "%u.%u.%u.%u", b[0], b[1], b[2], (i + 77) % 256);
        for (unsigned time = 0; time <= 20 && id == NO_NODE; time++) {
            for (k = 0; k < 3; k++)
                h = (h * 113 + b[k]) % 6271;
            unsigned w = h % 10;
            for (k = 0; w >= c->node[k].weight; k++)
                w -= c->node[k].weight;
            id = c->node[k].down ? NO_NODE : c->node[k].id;
        }
        wrong += owner(p, key, strlen(key), &v) != id || owner(p, twin, strlen(twin), &v) != id;
    }
    ok(!wrong, "ip_hash: a /24 stays together, also with a server down");
    placement_close(p);
    spec_destroy(spec);
}

int main(void)
{
    registry = registry_create();
    retries("a,b,c", "");
    retries("a,b,c", "b=down");
    retries("a=5,b=1,c=2,d=9", "a=down;d=down");
    retries("a=100,b=1,c=1", "a=down"); /* most of 21 tries fail */
    retries("a=100,b=1", "a=down");
    ring_with_down("a,b,c", "b=down", false);
    ring_with_down("a=9,b,c", "a=down", true);
    ring_with_down("a=30,b=30,c,d=2", "a=down;b=down", true);
    ring_with_down("10", "node-1=down;node-2=down;node-3=down;node-4=down;node-5=down;node-6=down;node-7=down", false);
    texts();
    verdicts();
    addresses();
    registry_destroy(registry);
    ok(mem_live() == 0, "all memory given back");
    return tap_done();
}
