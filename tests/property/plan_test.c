/* Who gives to whom: for strategies and changes drawn at random, the matrix against the shares and against map_compare; plans of several steps against
 * counting; keys against maps. */
#include "base/rng.h"
#include "experiments/plan.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const specs[] = {"modulo", "ring:vnodes=20", "ring:vnodes=3,bits=16", "slots", "slots:rebalance=contiguous", "slots:count=100,rebalance=redis", "redis-cluster",
                                    "maglev:table=251", "jump:hash=crc16", "haproxy", "envoy-ring:max=1024", "ring:vnodes=7,hash=crc16"};
enum { SPECS = sizeof specs / sizeof *specs };

/* The matrix of a change: rows and columns add up to what the nodes lose and gain, all of it to what moves. */
static bool adds_up(const struct map *a, const struct map *b, uint32_t ids, struct rng *g)
{
    char why[WHY] = "";
    struct moves moves, again;
    struct flows f = {0};
    double *share = mem_alloc(2 * (size_t)ids, sizeof *share), *net = mem_alloc(ids + (size_t)1, sizeof *net), unplaced[2], all = 0;
    bool *standing = mem_alloc(ids, sizeof *standing), good = true;
    for (uint32_t id = 0; id < ids; id++)
        standing[id] = rng_below(g, 4) > 0;
    must(map_flows(a, b, standing, ids, &moves, &f, why) || map_compare(a, b, standing, ids, &again, why) || map_shares(a, share, &unplaced[0], why) ||
             map_shares(b, share + ids, &unplaced[1], why), why);
    double bystander = 0;
    for (size_t i = 0; i < f.count; i++) {
        const struct flow *flow = &f.item[i];
        double part = (double)flow->amount / (double)f.total;
        good &= flow->from != flow->to && part > 0 && (i == 0 || flow[-1].from < flow->from || (flow[-1].from == flow->from && flow[-1].to < flow->to));
        net[flow->from == NO_NODE ? ids : flow->from] -= part;
        net[flow->to == NO_NODE ? ids : flow->to] += part;
        all += part;
        if (flow->from != NO_NODE && flow->to != NO_NODE && standing[flow->from] && standing[flow->to])
            bystander += part;
    }
    for (uint32_t id = 0; id < ids; id++)
        good &= fabs(net[id] - (share[ids + id] - share[id])) < 1e-12;
    good &= fabs(net[ids] - (unplaced[1] - unplaced[0])) < 1e-12;
    good &= fabs(all - moves.moved) < 1e-12 && fabs(bystander - moves.bystander) < 1e-12;
    good &= moves.moved == again.moved && moves.bystander == again.bystander;
    flows_release(&f);
    mem_free(share);
    mem_free(net);
    mem_free(standing);
    return good;
}

static void matrices(void)
{
    struct rng g = rng_start(rng_stream(1, "plan", "matrix", 0));
    for (size_t i = 0; i < SPECS; i++) {
        bool good = true;
        for (int k = 0; k < 6; k++) {
            struct registry *r = registry_create();
            char from[16], change[40];
            uint64_t n = 3 + rng_below(&g, 9), way = rng_below(&g, i == 8 ? 2 : 3);
            snprintf(from, sizeof from, "%" PRIu64, n);
            snprintf(change, sizeof change, way == 0 ? "+%d" : way == 1 ? "-%d" : "-node-%d;+fresh", (int)(1 + rng_below(&g, 2)));
            struct spec *spec = spec_of(specs[i]);
            const struct cluster *before = cluster_of(r, from), *after = changed(r, before, change);
            struct placement *p = open_on_hash(spec, before, "xxh3");
            struct map a = map_of(p);
            change_to(p, after);
            struct map b = map_of(p);
            a.ids = b.ids = p->cluster->ids;
            bool one = adds_up(&a, &b, a.ids, &g);
            if (!one)
                note("%s, %s nodes, %s", specs[i], from, change);
            good &= one;
            map_release(&a);
            map_release(&b);
            placement_close(p);
            spec_destroy(spec);
            registry_destroy(r);
        }
        ok(good, "%s: givers and receivers add up to the shares' differences, and all to what moves", specs[i]);
    }
}

/* A plan, run. */
struct staged {
    struct study study;
    struct plan plan;
    struct table *t;
    struct spec *spec[1];
    char text[16], *nodes[1];
};

static void stage(struct staged *s, const char *spec, const char *nodes, const char *to, const struct plan_wish *wish)
{
    char why[WHY] = "";
    s->nodes[0] = strcpy(s->text, nodes);
    s->spec[0] = spec_of(spec);
    s->study = (struct study){.registry = registry_create(), .spec = s->spec, .specs = 1, .nodes = s->nodes, .sizes = 1, .hash = {hash_find("xxh3"), 0},
                              .workload = "user:count=100k", .seed = 1, .placements = 1, .to = to};
    must(plan_open(&s->plan, &s->study, why) || plan_run(&s->plan, wish, &s->t, why), why);
}

static void unstage(struct staged *s)
{
    table_destroy(s->t);
    plan_close(&s->plan);
    registry_destroy(s->study.registry);
    spec_destroy(s->spec[0]);
}

static double last_of(const struct staged *s, const struct column *c)
{
    return table_get_real(s->t, table_rows(s->t) - 1, c);
}

/* Shares counted from keys, within five standard deviations (one in 2 million) of the exact ones, whose rows are the same but for flows too thin to be met. */
static void keys_against_maps(void)
{
    static const char *const some[] = {"ring:vnodes=20", "slots", "modulo", "redis-cluster", "maglev:table=251"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        struct staged exact, sampled;
        stage(&exact, some[i], "5", "7/6", &(struct plan_wish){0});
        stage(&sampled, some[i], "5", "7/6", &(struct plan_wish){.keys = true});
        double keys = 1e5, worst = 0;
        size_t met = 0;
        for (size_t a = 0; a < table_rows(exact.t); a++)
            for (size_t b = 0; b < table_rows(sampled.t); b++)
                if (table_get_count(exact.t, a, COL(step)) == table_get_count(sampled.t, b, COL(step)) &&
                    !strcmp(table_get_text(exact.t, a, COL(from)), table_get_text(sampled.t, b, COL(from))) &&
                    !strcmp(table_get_text(exact.t, a, COL(to)), table_get_text(sampled.t, b, COL(to)))) {
                    double p = table_get_real(exact.t, a, COL(share)), x = table_get_real(sampled.t, b, COL(share));
                    worst = fmax(worst, fabs(x - p) / sqrt(p * (1 - p) / keys));
                    met++;
                }
        double ever = last_of(&exact, COL(ever_share)), sum = last_of(&exact, COL(sum_share));
        double apart = fabs(last_of(&sampled, COL(ever_share)) - ever) / sqrt(ever * (1 - ever) / keys);
        ok(met == table_rows(sampled.t) && worst < 5 && apart < 5 && sum >= ever, "%s: %zu flows from keys lie within %.1f standard deviations of the exact", some[i], met, worst);
        ok(!strcmp(table_get_text(exact.t, 0, COL(method)), "exact") && !strcmp(table_get_text(sampled.t, 0, COL(method)), "sampled"), "%s: and each says what it is", some[i]);
        unstage(&exact);
        unstage(&sampled);
    }
}

/* What moved once or more, and all together, where it is known. */
static void steps(void)
{
    struct staged s;
    char why[WHY];
    stage(&s, "modulo", "3", "4/6/10", &(struct plan_wish){0});
    uint64_t ever = 0; /* digests 0 .. lcm(3, 4, 6, 10) - 1 */
    for (uint64_t d = 0; d < 60; d++)
        ever += d % 3 != d % 4 || d % 4 != d % 6 || d % 6 != d % 10;
    ok(fabs(last_of(&s, COL(ever_share)) - (double)ever / 60) < 1e-12, "modulo 3, 4, 6, 10: %" PRIu64 " of 60 residues move once or more", ever);
    ok(fabs(last_of(&s, COL(sum_share)) - (3. / 4 + 2. / 3 + 4. / 5)) < 1e-12, "modulo: 3/4 + 2/3 + 4/5 in all"); /* theory: 1 - gcd / max each */
    unstage(&s);
    stage(&s, "slots", "3", "4/6/10", &(struct plan_wish){0});
    ok(fabs(last_of(&s, COL(sum_share)) - (1. / 4 + 1. / 3 + 2. / 5)) < 1e-3, "slots: j/(N+j) each step");
    unstage(&s);
    stage(&s, "slots:rebalance=contiguous", "10", "11", &(struct plan_wish){0});
    ok(fabs(last_of(&s, COL(moved_share)) - 0.5) < 4. / 16384, "slots cut anew move one half, within four slots");
    double moved;
    ok(!plan_other(&s.plan, "modulo", &moved, why) && fabs(moved - 10. / 11) < 1e-12, "modulo would move 10/11");
    ok(!plan_other(&s.plan, "anchor", &moved, why) && isnan(moved), "no exact figure without a map");
    unstage(&s);
    stage(&s, "modulo", "5003", "5009/5011", &(struct plan_wish){0});
    ok(!strcmp(table_get_text(s.t, 0, COL(method)), "sampled"), "tables without a common refinement: from keys");
    unstage(&s);
}

static void slots(void)
{
    struct staged s;
    struct plan_slots *item;
    size_t n;
    uint64_t cells, sum = 0;
    char why[WHY] = "";
    stage(&s, "redis-cluster", "3", "4", &(struct plan_wish){0});
    must(plan_slots(&s.plan, 0, &item, &n, &cells, why), why);
    for (size_t i = 0; i < n; i++)
        sum += item[i].last - item[i].first + 1;
    /* redis-cli 7.0.15, 3 -> 4 equal masters: the new one owns 0-1364, 5461-6826, 10923-12287 */
    ok(cells == 16384 && sum == 4096 && n == 3 && item[0].first == 0 && item[0].last == 1364 && item[1].first == 5461 && item[1].last == 6826 &&
           item[2].first == 10923 && item[2].last == 12287,
       "redis-cli's slots of 3 to 4 masters");
    mem_free(item);
    unstage(&s);
    stage(&s, "ring:vnodes=5", "3", "4", &(struct plan_wish){0});
    ok(plan_slots(&s.plan, 0, &item, &n, &cells, why) == -EINVAL, "a ring has none: %s", why);
    unstage(&s);
}

/* 1 TB, of which the one receiver gets a quarter at 100 MB/s. */
static void hours(void)
{
    struct staged s;
    stage(&s, "slots", "3", "4", &(struct plan_wish){.rate = 1e8, .total = 1e12});
    ok(fabs(last_of(&s, COL(hours)) - 0.25e12 / 1e8 / 3600) < 1e-6, "250 GB at 100 MB/s: %.3f h", last_of(&s, COL(hours)));
    unstage(&s);
    char why[WHY] = "";
    struct table *t = NULL;
    stage(&s, "slots", "3", "4", &(struct plan_wish){0});
    ok(plan_run(&s.plan, &(struct plan_wish){.rate = 1e8}, &t, why) == -EINVAL && !t, "no hours without bytes: %s", why);
    unstage(&s);
}

/* Every allocation of a plan fails once: it says so and loses nothing. */
static void memory(void)
{
    for (int keys = 0; keys < 2; keys++) {
        struct staged s;
        stage(&s, "ring:vnodes=3", "3", "4/5", &(struct plan_wish){0});
        s.study.workload = "user:count=100";
        s.study.threads = 1;
        uint64_t live = mem_live(), nth = 1;
        char why[WHY] = "";
        struct table *t = NULL;
        bool good = true;
        for (int e = -1; e && nth < 5000; nth++) {
            mem_fail_at(nth);
            e = plan_run(&s.plan, &(struct plan_wish){.keys = keys}, &t, why);
            mem_fail_at(0);
            good &= e == 0 || e == -ENOMEM;
            if (e)
                good &= mem_live() == live;
        }
        table_destroy(t);
        ok(good && nth > 20 && mem_live() == live, "%s: each of %" PRIu64 " allocations may fail", keys ? "keys" : "maps", nth - 2);
        unstage(&s);
    }
}

int main(void)
{
    matrices();
    keys_against_maps();
    steps();
    slots();
    hours();
    memory();
    return tap_done();
}
