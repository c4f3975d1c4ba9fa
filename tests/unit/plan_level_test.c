/* Slots dealt by their load: level where whole slots allow it, nothing moved for nothing, never worse than by number; known answers by hand. */
#include "base/rng.h"
#include "base/text.h"
#include "experiments/plan.h"
#include "tests/stage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void write_loads(const char *head, const uint64_t *load, size_t n)
{
    FILE *f = fopen(path, "w");
    must(!f, "no file for loads");
    fprintf(f, "%s\n", head);
    for (size_t i = 0; i < n; i++)
        if (load[i])
            fprintf(f, "%zu,%llu\n", i, (unsigned long long)load[i]);
    fclose(f);
}

struct stage_set {
    struct study study;
    struct spec *spec;
    struct plan plan;
    struct plan_wish wish;
    char *nodes, *workload;
};

/* Plans with the loads of the file. 0, or what plan_level said. */
static int start(struct stage_set *s, const char *spec, const char *nodes, const char *to, char why[WHY])
{
    *s = (struct stage_set){.spec = spec_of(spec), .nodes = mem_copy(nodes, strlen(nodes))};
    s->study = (struct study){.registry = registry_create(), .spec = &s->spec, .specs = 1, .nodes = &s->nodes, .sizes = 1, .hash = {hash_find("xxh3"), 0},
                              .workload = "user:count=10", .seed = 1, .placements = 1, .to = to};
    must(plan_load_look(&s->wish.load, path, why), why);
    if (!s->wish.load.by_slot) {
        s->wish.keys = true;
        s->study.workload = s->workload = plan_load_workload(&s->wish.load);
    }
    int e = plan_open(&s->plan, &s->study, why);
    return e ? e : plan_level(&s->plan, &s->wish, why);
}

static void finish(struct stage_set *s)
{
    plan_close(&s->plan);
    registry_destroy(s->study.registry);
    spec_destroy(s->spec);
    mem_free(s->nodes);
    mem_free(s->workload);
}

static struct table *table_of(struct stage_set *s)
{
    char why[WHY] = "";
    struct table *t = NULL;
    must(plan_run(&s->plan, &s->wish, &t, why), why);
    return t;
}

static void by_hand(void)
{
    /* a has slots 0..2 and load 18, b 3..5 and 12; c comes, and each is due 10. Slot 0 is more than the 8 that a has too much; 1 and 2 fit. All of b's
     * are more than its 2; but as b is 2 over and c 2 under, slot 5 brings them closer, to 1 under and 1 over. */
    static const uint64_t load[] = {10, 6, 2, 5, 4, 3};
    char why[WHY] = "";
    struct stage_set s;
    write_loads("slot,load", load, 6);
    must(start(&s, "slots:count=6", "a,b", "a,b,c", why), why);
    struct plan_slots *item;
    size_t n;
    uint64_t cells;
    must(plan_slots(&s.plan, 0, &item, &n, &cells, why), why);
    ok(n == 2 && item[0].first == 1 && item[0].last == 2 && item[0].to == 2 && item[1].first == 5 && item[1].to == 2, "by hand: slots 1-2 of a, slot 5 of b");
    struct table *t = table_of(&s);
    ok(fabs(table_get_real(t, 0, COL(moved_share)) - 11.0 / 30) < 1e-12 && fabs(table_get_real(t, 0, COL(max_over_mean)) - 1.1) < 1e-12,
       "by hand: %.4f of the load moves (11/30), the fullest then has %.3f of its due (1.1)", table_get_real(t, 0, COL(moved_share)), table_get_real(t, 0, COL(max_over_mean)));
    table_destroy(t);
    mem_free(item);
    finish(&s);
}

/* Uneven loads at random, weights too: level to a thousandth, no more moved than the shares before demand, no bystander where all give. */
static void level(const char *spec, size_t slots, const char *nodes, const char *to, const char *what)
{
    static uint64_t load[16384];
    char why[WHY] = "";
    struct rng g = rng_start(rng_stream(1, "plan", what, 0));
    struct stage_set s;
    for (size_t i = 0; i < slots; i++)
        load[i] = rng_below(&g, 3) ? (uint64_t)(100 / sqrt(1 - rng_real(&g))) : 0;
    double slack = 18.0 / (double)slots; /* about the mean load of a slot, among a few nodes */
    write_loads("slot,load", load, slots);
    must(start(&s, spec, nodes, to, why), why);
    struct table *t = table_of(&s);
    size_t last = table_rows(t) - 1;
    double most = table_get_real(t, last, COL(max_over_mean)), number = table_get_real(t, last, COL(count_max_over_mean));
    double moved = table_get_real(t, 0, COL(moved_share)), needed = table_get_real(t, 0, COL(needed_share));
    ok(most < 1 + slack && most <= number && table_get_real(t, last, COL(min_over_mean)) > 1 - 2 * slack, "%s: the fullest has %.4f of its due, by number %.4f", what, most, number);
    ok(fabs(moved - needed) < slack, "%s: moves %.5f of the load, these shares need %.5f", what, moved, needed);
    table_destroy(t);
    finish(&s);
}

static void others(void)
{
    static const uint64_t load[] = {3, 4, 5};
    char why[WHY] = "";
    struct stage_set s;
    write_loads("key,load", load, 3);
    static const char *const decided[] = {"ring:vnodes=20", "slots:rebalance=contiguous", "slots:rebalance=rendezvous", "modulo", "jump"};
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++) {
        must(start(&s, decided[i], "3", "4", why), why);
        ok(!s.plan.levelled, "%s: the placement decides, so load is only measured", decided[i]);
        finish(&s);
    }
    must(start(&s, "redis-cluster", "10.0.0.1:1,10.0.0.2:1", "10.0.0.1:1", why), why);
    uint64_t keys = 0, all = 0;
    for (uint64_t i = 0; i < s.plan.piles.cells; i++) {
        keys += s.plan.piles.keys[i];
        all += s.plan.piles.load[i];
    }
    ok(s.plan.levelled && keys == 3 && all == 12 * TEXT_AMOUNT_ONE, "a key's load is its slot's: 3 keys, load 12");
    finish(&s);
}

/* Each allocation in turn fails. */
static void starved(void)
{
    static const uint64_t load[] = {10, 6, 2, 5, 4, 3};
    char why[WHY] = "";
    bool right = true;
    int e = -1;
    uint64_t n = 0;
    write_loads("slot,load", load, 6);
    struct stage_set s = {.wish = {.rate = 0}};
    must(start(&s, "slots:count=6", "a,b", "a,b,c", why), why);
    plan_close(&s.plan);
    for (; e && n < 2000; n++) {
        must(plan_open(&s.plan, &s.study, why), why);
        mem_fail_at(n + 1);
        e = plan_level(&s.plan, &s.wish, why);
        mem_fail_at(0);
        right &= e == 0 || e == -ENOMEM;
        plan_close(&s.plan);
    }
    ok(right && !e, "%d allocations fail, one a run: no memory, and no more", (int)n - 1);
    finish(&s);
}

int main(void)
{
    uint64_t live = mem_live();
    temporary("", path);
    by_hand();
    level("slots", 16384, "3", "4", "a node comes");
    level("slots", 16384, "5", "3", "two nodes leave");
    level("redis-cluster", 16384, "10.0.0.1:1=2,10.0.0.2:1", "10.0.0.1:1=2,10.0.0.2:1,10.0.0.3:1=3", "weights");
    level("slots:count=1000,rebalance=redis", 1000, "a,b,c", "b,c,d,e", "a node leaves and two come");
    others();
    starved();
    remove(path);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
