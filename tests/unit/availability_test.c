/* Failures of several nodes: against Lynch and Snyder's neighbours, the hypergeometric law, counting by hand, and what is known of rings of 60 nodes on
 * three racks (means over placements). */
#include "experiments/availability.h"
#include "metrics/availability.h"
#include "metrics/chance.h"
#include "metrics/subsets.h"
#include "base/rng.h"
#include "tests/starve.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool near(double a, double b, double off)
{
    return fabs(a - b) <= off;
}

static void theory(void)
{
    static const struct { double others, points, neighbours; } row[] = {{40, 256, 40.0000}, {40, 16, 32.0867}, {40, 4, 13.3232},
                                                                        {200, 256, 198.8200}, {200, 16, 54.8867}, {200, 4, 15.4138}};
    bool right = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        right &= near(theory_neighbours(row[i].others, row[i].points, 3), row[i].neighbours, 5e-5);
    ok(right, "Lynch and Snyder's neighbours, 3 copies, 40 and 200 nodes in other racks");
    ok(quorum_losers(1) == 1 && quorum_losers(2) == 1 && quorum_losers(3) == 2 && quorum_losers(4) == 2 && quorum_losers(5) == 3,
       "dead copies that cost a quorum");
    ok(near(theory_dead_share(60, 3, 2, 2), 3. / 1770, 1e-12) && near(theory_dead_share(1000, 3, 2, 2), 3. / 499500, 1e-14),
       "two of N nodes dead: 3 / C(N, 2) of the keys without a quorum");
    ok(near(theory_dead_share(10, 3, 3, 3), 1. / 120, 1e-12) && theory_dead_share(10, 3, 2, 3) == 0 && near(theory_dead_share(10, 10, 9, 5), 1, 1e-12),
       "all copies dead; more copies than dead nodes; nearly all dead");
}

/* An interval holds the truth as often as it says. Known: 10 of 100 at 95 % is 0.0490 .. 0.1762. */
static void intervals(void)
{
    double low, high;
    chance_interval(10, 100, 0.95, &low, &high);
    ok(near(low, 0.04900, 5e-5) && near(high, 0.17622, 5e-5), "10 of 100: %.4f .. %.4f", low, high);
    chance_interval(0, 100, 0.95, &low, &high);
    ok(low == 0 && near(high, 0.03622, 5e-5), "0 of 100: up to %.4f", high);
    chance_interval(3, 100000, 0.95, &low, &high);
    ok(near(low, 6.187e-6, 1e-8) && near(high, 8.767e-5, 1e-7), "3 of 100000: %.3g .. %.3g", low, high);
}

enum { NODES = 9, SETS = 40 };

/* Every subset as a mask, every set looked at. */
static struct failures by_hand(const struct copysets *c, uint32_t fail)
{
    struct failures f = {0};
    for (unsigned mask = 0; mask < 1u << NODES; mask++) {
        double below = 0, lost = 0;
        bool broken = false, gone = false;
        if ((uint32_t)__builtin_popcount(mask) != fail)
            continue;
        for (size_t s = 0; s < c->count; s++) {
            uint32_t dead = 0;
            for (uint32_t k = 0; k < c->replicas; k++)
                dead += mask >> c->node[s * c->replicas + k] & 1;
            if (c->replicas - dead < c->replicas / 2 + 1) {
                below += c->share[s];
                broken = true;
            }
            if (dead == c->replicas) {
                lost += c->share[s];
                gone = true;
            }
        }
        f.subsets++;
        f.below_quorum += below;
        f.lost += lost;
        f.worst = below > f.worst ? below : f.worst;
        f.broken += broken;
        f.gone += gone;
    }
    f.below_quorum /= (double)f.subsets;
    f.lost /= (double)f.subsets;
    return f;
}

static void counted(uint32_t replicas)
{
    struct copysets c;
    struct rng r = rng_start(replicas);
    uint32_t index, set[NODES];
    bool right = true;
    copysets_init(&c, NODES, replicas);
    for (int i = 0; i < SETS; i++) {
        for (uint32_t k = 0; k < replicas; k++) { /* different ones */
            uint32_t j = 0;
            set[k] = (uint32_t)rng_below(&r, NODES);
            while (set[j] != set[k])
                j++;
            k -= j < k;
        }
        must(copysets_add(&c, set, &index), "memory");
    }
    size_t before = c.count;
    must(copysets_add(&c, set, &index), "memory");
    ok(c.count == before && !memcmp(c.node + index * replicas, set, replicas * sizeof *set), "%u copies: a set met again is the same set", replicas);
    must(copysets_index(&c), "memory");
    for (size_t s = 0; s < c.count; s++)
        c.share[s] = rng_real(&r);
    for (uint32_t fail = 1; fail < NODES; fail++) {
        struct failures got, want = by_hand(&c, fail);
        must(copysets_fail(&c, fail, 1, 2, &got), "memory");
        right &= got.subsets == want.subsets && got.broken == want.broken && got.gone == want.gone && near(got.below_quorum, want.below_quorum, 1e-12) &&
                 near(got.lost, want.lost, 1e-12) && near(got.worst, want.worst, 1e-12) && !got.sampled;
    }
    ok(right, "%u copies: 1 to %d nodes fail as counted by hand", replicas, NODES - 1);
    copysets_release(&c);
}

/* One strategy on one cluster. */
static struct table *run_on(const char *text, const char *nodes, uint32_t replicas, uint32_t fail, uint64_t placements, unsigned threads)
{
    char why[WHY] = "";
    struct spec *spec = spec_of(text);
    char list[4096];
    char *sizes = list;
    struct table *t = NULL;
    snprintf(list, sizeof list, "%s", nodes);
    struct study s = {.registry = registry_create(), .spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1,
                      .threads = threads, .placements = placements};
    must(availability_run(&s, replicas, fail, &t, why), why);
    registry_destroy(s.registry);
    spec_destroy(spec);
    return t;
}

static double value(const struct table *t, const struct column *c)
{
    return table_get_real(t, 0, c);
}

/* 60 nodes, 3 copies, 2 failures. */
static void known(const char *nodes, unsigned vnodes, uint64_t placements, double neighbours, double off, double chance)
{
    char text[32];
    snprintf(text, sizeof text, "ring:vnodes=%u", vnodes);
    struct table *t = run_on(text, nodes, 3, 2, placements, 0);
    double has = value(t, COL(neighbours)), broken = value(t, COL(quorum_chance));
    ok(near(has, neighbours, off), "%s on %s: %.3f neighbours (known %.3f; theory %.3f)", text, *nodes == '@' ? "racks" : nodes, has, neighbours,
       value(t, COL(theory_neighbours)));
    ok(near(broken, chance, 0.0005 + off / 59), "%s: two of 60 dead cost some quorum in %.4f (known %.3f)", text, broken, chance);
    ok(near(broken, has / 59, 1e-12), "which is a node's neighbours over all others");
    ok(near(value(t, COL(quorum_share)), 3. / 1770, 1e-12) && value(t, COL(lost_share)) == 0, "the share without a quorum is hypergeometric, exactly");
    table_destroy(t);
}

static void sampling(void)
{
    struct table *all = run_on("ring:vnodes=2", "40", 3, 4, 1, 1), *some = run_on("ring:vnodes=2", "300", 3, 4, 1, 1), *same = run_on("ring:vnodes=2", "300", 3, 4, 1, 2);
    ok(!strcmp(table_get_text(all, 0, COL(method)), "exact") && table_get_count(all, 0, COL(subsets)) == 91390, "C(40, 4) subsets are all looked at");
    ok(near(value(all, COL(quorum_share)), value(all, COL(theory_quorum_share)), 1e-12) && near(value(all, COL(lost_share)), value(all, COL(theory_lost_share)), 1e-12),
       "four of 40 dead: both shares are the hypergeometric ones");
    ok(!strcmp(table_get_text(some, 0, COL(method)), "sampled"), "C(300, 4) are sampled");
    ok(value(some, COL(quorum_chance_low)) < value(some, COL(quorum_chance)) && value(some, COL(quorum_chance)) < value(some, COL(quorum_chance_high)) &&
           value(some, COL(quorum_chance_high)) - value(some, COL(quorum_chance_low)) < 0.01,
       "with an interval: %.4f .. %.4f", value(some, COL(quorum_chance_low)), value(some, COL(quorum_chance_high)));
    double error = sqrt(value(some, COL(theory_quorum_share)) / 1e5); /* shares are at most 1 */
    ok(near(value(some, COL(quorum_share)), value(some, COL(theory_quorum_share)), 5 * error), "the sampled share is near the law: %.3g (%.3g)", value(some, COL(quorum_share)),
       value(some, COL(theory_quorum_share)));
    ok(value(some, COL(quorum_chance)) == value(same, COL(quorum_chance)) && value(some, COL(quorum_share)) == value(same, COL(quorum_share)) &&
           value(some, COL(lost_share)) == value(same, COL(lost_share)),
       "the number of threads does not show");
    table_destroy(all);
    table_destroy(some);
    table_destroy(same);
}

static void others(void)
{
    static const char *const specs[] = {"slots", "maglev:table=251", "dynamo:strategy=1,tokens=8", "dynamo:strategy=2,tokens=8,parts=64", "dynamo:parts=64",
                                        "cassandra:num_tokens=8", "ring:seek=nearest,vnodes=9", "ring:seek=le,vnodes=9", "groupcache:replicas=9"};
    bool right = true;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct table *t = run_on(specs[i], "12", 3, 3, 1, 1);
        right &= near(value(t, COL(quorum_share)), value(t, COL(theory_quorum_share)), 1e-9) && near(value(t, COL(lost_share)), value(t, COL(theory_lost_share)), 1e-9);
        table_destroy(t);
    }
    ok(right, "the law of the mean share holds for every strategy with a map");
    struct table *t = run_on("cassandra:num_tokens=4,strategy=network,rf=dc1:3", "@tests/golden/input/racks", 3, 2, 1, 1);
    ok(value(t, COL(neighbours)) <= 8, "Cassandra's own rule keeps copies on different racks");
    table_destroy(t);
    t = run_on("slots", "@tests/golden/input/racks", 3, 2, 1, 1);
    ok(value(t, COL(neighbours)) <= 8 && table_get_count(t, 0, COL(racks)) == 3, "and ours does for slots");
    table_destroy(t);
}

static int hungry(const struct study *s, struct table **t, char why[WHY])
{
    return availability_run(s, 3, 2, t, why);
}

static void starved(void)
{
    char nodes[] = "6", *sizes = nodes;
    struct spec *spec = spec_of("ring:vnodes=3");
    struct study s = {.spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1, .threads = 1, .placements = 2};
    starve(&s, hungry, "availability");
    spec_destroy(spec);
}

/* Random subsets, of which all are as likely: each of the 10 of 2 among 5 comes 2000 times, give or take 5 standard deviations. */
static void drawn(void)
{
    enum { N = 5, K = 2, DRAWS = 20000 };
    uint32_t count[1 << N] = {0}, subset[K];
    bool taken[N] = {0}, clean = true, even = true;
    for (uint64_t i = 0; i < DRAWS; i++) {
        subset_random(rng_at(rng_stream(1, "subsets", "", 0), i), N, K, taken, subset);
        count[1u << subset[0] | 1u << subset[1]]++;
        for (size_t k = 0; k < N; k++)
            clean &= !taken[k];
    }
    for (unsigned set = 0; set < 1 << N; set++)
        even &= __builtin_popcount(set) == K ? fabs(count[set] - 2000.) < 5 * sqrt(1800) : count[set] == 0;
    ok(clean && even, "random subsets: all alike, and the scratch is as it was");
}

int main(void)
{
    uint64_t live = mem_live();
    theory();
    drawn();
    intervals();
    for (uint32_t replicas = 1; replicas <= 5; replicas++)
        counted(replicas);
    const char *racks = "@data/clusters/racks.txt";
    known(racks, 1, 20, 4, 0, .0678);
    known(racks, 4, 100, 13.311, .05, .2256);
    known(racks, 16, 60, 31.945, .1, .5414);
    known(racks, 256, 4, 40, 0, .6780);
    known("60", 1, 20, 4, 0, .0678);
    known("60", 4, 100, 14.2, .1, .241);
    known("60", 16, 60, 39.3, .1, .666);
    known("60", 256, 4, 59, 0, 1);
    sampling();
    others();
    starved();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
