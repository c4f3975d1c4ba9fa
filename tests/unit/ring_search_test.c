/* The ring's three searches answer alike, and alike when changed in place: whatever the rule, on wide and narrow circles, with ids of 16 and of
 * 32 bits, with points so clustered that lines of the index overflow. */
#include "base/clock.h"
#include "base/rng.h"
#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <inttypes.h>
#include <string.h>

enum { KEYS = 3000 };

/* Digests at random, and those on and around points. */
static size_t draw(const struct placement *p, unsigned shift, uint64_t *digest)
{
    size_t distinct, points = ring_points(p, &distinct), n = 0;
    for (; n < KEYS / 2; n++)
        digest[n] = rng_at(21, n) & p->key.hash.hash->last;
    for (uint32_t id; n < KEYS && points; n++) {
        uint64_t at = ring_position(p, rng_at(22, n) % points, &id) << shift;
        digest[n] = (at + rng_at(23, n) % 3 - 1) & p->key.hash.hash->last;
    }
    digest[0] = 0;
    digest[1] = p->key.hash.hash->last;
    return n;
}

static size_t differences(const struct placement *a, const struct placement *b, unsigned shift)
{
    static const size_t blocks[] = {0, 1, 31, 32, 33, 97};
    static uint64_t digest[KEYS];
    static uint32_t many[KEYS];
    size_t n = draw(a, shift, digest), differ = 0;
    for (size_t i = 0, k = 0; i < n; k++) {
        size_t block = blocks[k % 6] < n - i ? blocks[k % 6] : n - i;
        a->engine->lookup_many(a->state, digest + i, block, many + i);
        i += block;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t one = b->engine->lookup(b->state, digest[i]), x[3] = {0}, y[3] = {0};
        differ += many[i] != one || a->engine->lookup(a->state, digest[i]) != one;
        differ += a->engine->replicas(a->state, digest[i], x, 3) != b->engine->replicas(b->state, digest[i], y, 3) || memcmp(x, y, sizeof x);
    }
    return differ;
}

/* A placement's options point into its spec. */
static struct spec *kept[256];
static size_t specs;

static struct placement *open_text(const char *text, const char *more, const struct cluster *c)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", text, more);
    must(specs == sizeof kept / sizeof *kept, "too many specs");
    kept[specs] = spec_of(whole);
    return open_on_hash(kept[specs++], c, "xxh3");
}

static void alike(struct registry *r)
{
    static const struct { const char *spec, *nodes; unsigned shift; } row[] = {
        {"ring:vnodes=150", "10", 0}, {"ring:vnodes=1", "1", 0}, {"ring:vnodes=40,seek=gt", "30", 0}, {"ring:vnodes=40,seek=le,wrap=clamp", "30", 0},
        {"ring:vnodes=40,seek=nearest", "30", 0}, {"ring:vnodes=90,bits=8", "20", 56}, {"ring:vnodes=90,bits=40,seek=nearest,wrap=clamp", "20", 24},
        {"ring:vnodes=50,size=1000", "20", 0}, {"ring:vnodes=500,hash=fnv1a-32", "9", 0}, {"ring:vnodes=500,hash=fnv1-64", "9", 0},
        {"ring:vnodes=99,hash=crc16,seek=gt", "50", 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cluster *c = cluster_of(r, row[i].nodes);
        struct placement *a = open_text(row[i].spec, "", c), *b = open_text(row[i].spec, ",search=binary", c),
                         *l = open_text(row[i].spec, ",search=branchless", c);
        size_t first = differences(a, b, row[i].shift) + differences(l, b, row[i].shift);
        const struct cluster *after = changed(r, c, "+1");
        change_to(a, after), change_to(b, after), change_to(l, after);
        size_t then = differences(a, b, row[i].shift) + differences(l, b, row[i].shift);
        ok(!first && !then, "%s: three searches answer alike, and after a change", row[i].spec);
        placement_close(a), placement_close(b), placement_close(l);
    }
}

/* All points in one corner of the circle but for a few. */
static int corner_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    int e = 0;
    for (uint32_t i = 0; i < (only ? 1 : p->cluster->size) && !e; i++) {
        const struct node *n = only ? only : &p->cluster->node[i];
        for (uint64_t k = 0; k < 20 && !e; k++)
            e = emit(to, &(struct point){.position = rng_at(n->id, k) >> (k ? 44 : 0), .id = n->id});
    }
    return e;
}

static void open_corner(struct placement *p, const struct cluster *c, enum ring_search search)
{
    static const struct strategy corner = {.name = "corner", .points = corner_points};
    char why[WHY] = "";
    *p = (struct placement){.strategy = &corner, .cluster = c, .key.hash.hash = hash_find("xxh3")};
    must(ring_attach(p, &(struct ring_rule){.last = UINT64_MAX, .search = search}, 20 * (uint64_t)c->size, why), why);
}

static void extremes(void)
{
    struct node *node = mem_alloc(100, sizeof *node);
    for (uint32_t i = 0; i < 100; i++)
        node[i] = (struct node){i, 1, false, "x", ""};
    static const uint32_t highest[] = {99, 65533, 65534, 65535, 65536, 1000000};
    for (size_t k = 0; k < sizeof highest / sizeof *highest; k++) {
        node[99].id = highest[k];
        struct placement a, b;
        char why[WHY] = "";
        const struct cluster c = {node, 99, highest[k] + 1}, after = {node, 100, highest[k] + 1};
        open_corner(&a, &c, SEARCH_INDEX);
        open_corner(&b, &c, SEARCH_BINARY);
        size_t differ = differences(&a, &b, 0);
        must(ring_change(&a, &after, 2000, false, why) || ring_change(&b, &after, 2000, false, why), why);
        a.cluster = b.cluster = &after;
        differ += differences(&a, &b, 0);
        ok(!differ, "clustered points, ids up to %" PRIu32, highest[k]);
        a.engine->destroy(a.state), b.engine->destroy(b.state);
    }
    mem_free(node);
}

/* A wide ring through many changes of one node and of several, against opening anew. */
static void changes(struct registry *r)
{
    static const char *const text[] = {"ring:vnodes=150", "ring:vnodes=150,seek=le", "ring:vnodes=150,seek=nearest", "ring:vnodes=150,hash=crc32", "dubbo"};
    static const char *const change[] = {"+1", "-node-7", "node-3=3", "node-3=1", "+2;-node-11", "-node-0", "+z=9", "-z", "-5", "+node-7;+4"};
    for (size_t t = 0; t < sizeof text / sizeof *text; t++) {
        const struct cluster *c = cluster_of(r, "60");
        struct placement *p = open_text(text[t], "", c);
        size_t differ = 0;
        for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
            c = changed(r, c, change[i]);
            change_to(p, c);
            struct placement *anew = open_text(text[t], "", c);
            size_t da, db, n = ring_points(p, &da);
            differ += n != ring_points(anew, &db) || da != db || differences(p, anew, 0);
            for (size_t k = 0; k < n && !differ; k++) {
                uint32_t x, y;
                differ += ring_position(p, k, &x) != ring_position(anew, k, &y) || x != y;
            }
            placement_close(anew);
        }
        ok(!differ, "%s: changes in place answer as opening anew", text[t]);
        placement_close(p);
    }
}

/* Circles so small that runs of equal positions are long, and a change that brings their points out of order. */
static void crowds(struct registry *r)
{
    static const char *const text[] = {"ring:vnodes=150,size=1", "ring:vnodes=150,size=2,seek=le"};
    const struct cluster *c = cluster_of(r, "1000");
    char change[4096];
    size_t n = 0;
    for (int i = 0; i < 200; i++)
        n += (size_t)snprintf(change + n, sizeof change - n, "%snode-%d=2", i ? ";" : "", 3 * i);
    const struct cluster *after = changed(r, c, change);
    for (size_t t = 0; t < sizeof text / sizeof *text; t++) {
        struct placement *p = open_text(text[t], "", c), *anew = open_text(text[t], "", after);
        uint64_t start = clock_ns();
        change_to(p, after);
        uint64_t took = clock_ns() - start;
        size_t distinct, points = ring_points(p, &distinct), differ = points != ring_points(anew, &distinct);
        for (size_t k = 0; k < points && !differ; k++) {
            uint32_t x, y;
            differ += ring_position(p, k, &x) != ring_position(anew, k, &y) || x != y;
        }
        ok(!differ && took < 1000000000, "%s: long ties come into order without a step for each pair", text[t]);
        placement_close(p), placement_close(anew);
    }
}

int main(void)
{
    uint64_t live = mem_live();
    struct registry *r = registry_create();
    alike(r);
    extremes();
    changes(r);
    crowds(r);
    while (specs > 0)
        spec_destroy(kept[--specs]);
    registry_destroy(r);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
