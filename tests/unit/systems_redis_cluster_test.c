/* redis-cluster beyond the recorded placements: hash tags, masters on several IPs, reshard and drain, what redis-cli would not do. */
#include "model/hashes.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { SLOTS = 16384 };

static void tags(void)
{
    static const struct { const char *key, *part; } row[] = {
        {"{x}y", "x"}, {"{}x", "{}x"}, {"foo{}{bar}", "foo{}{bar}"}, {"foo{{bar}}zap", "{bar"}, {"{a}{b}", "a"}, {"foo}bar{baz}", "baz"},
        {"foo{bar", "foo{bar"}, {"foo}", "foo}"}, {"", ""}, {"}{", "}{"}, {"{", "{"}, {"a{b}", "b"},
    };
    struct registry *r = registry_create();
    struct spec *spec = spec_of("redis-cluster");
    struct placement *p = open_on_hash(spec, cluster_of(r, "3"), "xxh3");
    bool good = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t digest;
        good &= placement_digest(p, row[i].key, strlen(row[i].key), &digest) == KEY_HASHED &&
                digest == hash_crc16.one(row[i].part, strlen(row[i].part), 0);
    }
    ok(good, "hash tags");
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

/* Plans that redis-cli 7.0.15 printed: first and last slot of each master, in the order of its command line. */
static void interleaved(void)
{
    static const struct { const char *nodes; uint16_t range[6][2]; } row[] = {
        {"127.0.0.2:24201,127.0.0.2:24202,127.0.0.3:24201,127.0.0.3:24202,127.0.0.4:24201,127.0.0.4:24202",
         {{0, 2730}, {8192, 10922}, {2731, 5460}, {10923, 13652}, {5461, 8191}, {13653, 16383}}},
        {"127.0.0.2:24201,127.0.0.2:24202,127.0.0.2:24203,127.0.0.3:24201,127.0.0.3:24202,127.0.0.4:24201",
         {{0, 2730}, {8192, 10922}, {13653, 16383}, {2731, 5460}, {10923, 13652}, {5461, 8191}}},
        {"127.0.0.2:24201,127.0.0.3:24201,127.0.0.2:24202,127.0.0.3:24202", {{0, 4095}, {4096, 8191}, {8192, 12287}, {12288, 16383}}},
        {"b:1,a:1,b:2", {{0, 5460}, {5461, 10922}, {10923, 16383}}},
    };
    struct spec *spec = spec_of("redis-cluster:change=create");
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct registry *r = registry_create();
        const struct cluster *c = cluster_of(r, row[k].nodes);
        struct placement *p = open_on_hash(spec, c, "xxh3");
        bool good = true;
        for (uint32_t i = 0; i < c->size; i++)
            for (uint64_t s = row[k].range[i][0]; s <= row[k].range[i][1]; s++)
                good &= p->engine->lookup(p->state, s) == c->node[i].id;
        ok(good, "create on %s", row[k].nodes);
        placement_close(p);
        registry_destroy(r);
    }
    spec_destroy(spec);
}

static uint64_t moved(const struct placement *p, const uint32_t *before, uint64_t *counts, uint32_t ids)
{
    uint64_t n = 0;
    memset(counts, 0, ids * sizeof *counts);
    for (uint64_t s = 0; s < SLOTS; s++) {
        uint32_t id = p->engine->lookup(p->state, s);
        n += id != before[s];
        counts[id]++;
    }
    return n;
}

static void remember(const struct placement *p, uint32_t *owner)
{
    for (uint64_t s = 0; s < SLOTS; s++)
        owner[s] = p->engine->lookup(p->state, s);
}

static void reshard(void)
{
    static uint32_t before[SLOTS];
    static const struct { uint16_t first, last, id; } recorded[] = { /* real redis-cli: 4096 slots from all three to an empty fourth */
        {0, 1364, 3}, {1365, 5460, 0}, {5461, 6826, 3}, {6827, 10922, 1}, {10923, 12287, 3}, {12288, 16383, 2},
    };
    uint64_t count[8];
    struct registry *r = registry_create();
    struct spec *spec = spec_of("redis-cluster:change=reshard");
    const struct cluster *three = cluster_of(r, "3"), *four = changed(r, three, "+1"), *six = changed(r, three, "+3");
    struct placement *p = open_on_hash(spec, three, "xxh3");
    change_to(p, four);
    bool good = true;
    for (size_t k = 0; k < sizeof recorded / sizeof *recorded; k++)
        for (uint64_t s = recorded[k].first; s <= recorded[k].last; s++)
            good &= p->engine->lookup(p->state, s) == recorded[k].id;
    ok(good && (p->caps & CAP_HISTORY), "reshard: 3 to 4 as recorded");
    remember(p, before);
    change_to(p, changed(r, four, "-node-1"));
    uint64_t n = moved(p, before, count, 8);
    ok(n == 4096 && count[1] == 0 && count[0] == 4096 + 1365 && count[2] == 4096 + 1365 && count[3] == 4096 + 1366,
       "a leaving master is drained in even parts: %" PRIu64 " %" PRIu64 " %" PRIu64, count[0], count[2], count[3]);
    placement_close(p);
    p = open_on_hash(spec, three, "xxh3");
    change_to(p, six);
    moved(p, before, count, 8);
    bool even = true;
    for (int i = 0; i < 6; i++)
        even &= count[i] > 2700 && count[i] < 2760;
    ok(even, "three new masters get their parts one after the other");
    change_to(p, changed(r, six, "+x;-node-0;-node-1;-node-2;-node-3;-node-4;-node-5"));
    moved(p, before, count, 8);
    ok(count[6] == SLOTS, "all masters replaced by one");
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

/* Of 16384 slots 5 masters get 3276 each, and the rest goes round: not to one that leaves with nothing. */
static void empty_leaves(void)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of("redis-cluster");
    const struct cluster *two = cluster_of(r, "a,b"), *heavy = changed(r, two, "+c=2147483647"), *five = changed(r, heavy, "-b;-c;+d;+e;+f;+g");
    struct placement *p = open_on_hash(spec, two, "xxh3");
    unsigned strangers = 0, empty = 0;
    change_to(p, heavy);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        empty += p->engine->lookup(p->state, slot) != heavy->node[2].id;
    change_to(p, five);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        strangers += !cluster_by_id(five, p->engine->lookup(p->state, slot));
    ok(empty == 0 && strangers == 0, "a master without slots leaves: %u slots of others before, %u are its own after", empty, strangers);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

/* Slots that nodes bring are remembered until they are dealt: opened anew they would be there again. */
static void brought(void)
{
    char path[64], nodes[80], text[] = "a 1 slots=0-99\nb 1 slots=100-16383\n";
    struct registry *r = registry_create();
    struct spec *spec = spec_of("redis-cluster:change=create");
    temporary(text, path);
    snprintf(nodes, sizeof nodes, "@%s", path);
    struct placement *p = open_on_hash(spec, cluster_of(r, nodes), "xxh3");
    ok(p->caps & CAP_HISTORY, "create: slots that nodes bring are history");
    unlink(path);
    placement_close(p);
    spec_destroy(spec);

    static const struct { const char *spec; bool moves; } row[] = {{"redis-cluster", false}, {"redis-cluster:change=reshard", false}, {"redis-cluster:change=create", true}};
    temporary("a 1 slots=0-99\nb 1 slots=100-16382\nc 1\n", path);
    snprintf(nodes, sizeof nodes, "@%s", path);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cluster *c = cluster_of(r, nodes);
        char why[WHY] = "";
        spec = spec_of(row[i].spec);
        p = open_on_hash(spec, c, "xxh3");
        int e = placement_change(p, changed(r, c, "+d"), why);
        ok(strstr(p->warning, "1 of 16384 slots") && (row[i].moves ? e == 0 : e == -EINVAL && strstr(why, "1 slots are no node's")), "%s: a slot is no node's: %s",
           row[i].spec, row[i].moves ? "dealt anew" : why);
        placement_close(p);
        spec_destroy(spec);
    }
    unlink(path);
    registry_destroy(r);
}

/* Lists of slots: single ones and ranges, each number of 1 to 5 digits. */
static void lists(void)
{
    static const struct { const char *list; unsigned n; } row[] = {
        {"0-16383", 16384}, {"16383", 1}, {"10000-16383", 6384}, {"7,9-11,12345", 5}, {"00007", 1}, {"0", 1},
        {"-5", 0}, {"5-", 0}, {"5-6-7", 0}, {"5,", 0}, {",5", 0}, {"6-5", 0}, {"000007", 0}, {"16384", 0}, {"0-16384", 0}, {"x", 0},
    };
    const struct keyed_hash hash = {&hash_xxh3, 0};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char path[64], nodes[80], text[80], why[WHY] = "";
        unsigned owned = 0;
        struct registry *r = registry_create();
        struct spec *spec = spec_of("redis-cluster");
        struct placement *p = NULL;
        snprintf(text, sizeof text, "a 1 slots=%s\n", row[i].list);
        temporary(text, path);
        snprintf(nodes, sizeof nodes, "@%s", path);
        int e = placement_open(&p, spec, cluster_of(r, nodes), &hash, why);
        for (unsigned slot = 0; slot < SLOTS && !e; slot++)
            owned += p->engine->lookup(p->state, slot) == 0;
        ok(row[i].n ? e == 0 && owned == row[i].n : e == -EINVAL && strstr(why, "slots"), "slots=%s: %u%s%s", row[i].list, owned, *why ? ", refused: " : "", why);
        placement_close(p);
        unlink(path);
        spec_destroy(spec);
        registry_destroy(r);
    }
}

static void limits(void)
{
    static uint32_t before[SLOTS];
    char why[WHY] = "";
    struct registry *r = registry_create();
    struct spec *spec = spec_of("redis-cluster"), *create = spec_of("redis-cluster:change=create");
    const struct keyed_hash hash = {&hash_xxh3, 0};
    struct placement *p = NULL;
    ok(placement_open(&p, spec, cluster_of(r, "16385"), &hash, why) == -EINVAL && strstr(why, "16384"), "refused: %s", why);
    p = open_on_hash(spec, cluster_of(r, "2"), "xxh3");
    ok(strstr(p->warning, "3 masters"), "warned: %s", p->warning);
    placement_close(p);
    p = open_on_hash(create, cluster_of(r, "a=1,b=2,c"), "xxh3");
    ok(strstr(p->warning, "weights"), "warned: %s", p->warning);
    placement_close(p);
    p = open_on_hash(spec, cluster_of(r, "d=1,e=2,f=3"), "xxh3");
    ok(!*p->warning && (p->caps & CAP_WEIGHTS), "rebalance follows weights");
    placement_close(p);
    const struct cluster *three = cluster_of(r, "3"), *four = changed(r, three, "+1");
    p = open_on_hash(spec, three, "xxh3");
    remember(p, before);
    change_to(p, four);
    uint64_t *counts = mem_alloc(four->ids, sizeof *counts);
    ok(moved(p, before, counts, four->ids) == 4096, "rebalance: 3 to 4 moves a quarter");
    placement_close(p);
    p = open_on_hash(create, three, "xxh3");
    change_to(p, four);
    ok(moved(p, before, counts, four->ids) > SLOTS / 4 && !(p->caps & CAP_HISTORY), "create anew moves more, and remembers nothing");
    placement_close(p);
    mem_free(counts);
    spec_destroy(spec);
    spec_destroy(create);
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    tags();
    interleaved();
    reshard();
    empty_leaves();
    brought();
    lists();
    limits();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
