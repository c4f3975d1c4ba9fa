/* Rings of drawn node names have the balance that theory gives: exact shares of many placements against
 * CV = sqrt((N-1)/(NV+1)), the expected maximum, and Lamping and Veach's table (2014) at 1000 nodes.
 *
 * The names come from fixed streams, so the test always gives the same answer; its intervals are those at which a right ring fails
 * once in a million runs, the 22 comparisons of agrees() together (5.6 standard errors each). */
#include "base/rng.h"
#include "base/stats.h"
#include "metrics/balance.h"
#include "metrics/theory.h"
#include "tests/stage.h"

#include <math.h>

enum { MOST = 4000, SIGMAS = 56 /* tenths */ };

/* Mean and its standard error. */
struct mean {
    double sum, squares, n;
};

static void mean_add(struct mean *m, double x)
{
    m->sum += x;
    m->squares += x * x;
    m->n++;
}

static double mean_of(const struct mean *m)
{
    return m->sum / m->n;
}

static double mean_error(const struct mean *m)
{
    return sqrt((m->squares / m->n - mean_of(m) * mean_of(m)) / (m->n - 1));
}

static bool within(const struct mean *m, double theory, double slack)
{
    return fabs(mean_of(m) - theory) < SIGMAS / 10. * mean_error(m) + slack;
}

/* One placement of n drawn names: mean square deviation and maximum of load over fair share. */
static struct balance one(const char *text, uint32_t n, uint64_t placement, double *some, size_t *kept)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    char nodes[16], why[WHY] = "";
    const struct cluster *c = NULL;
    snprintf(nodes, sizeof nodes, "%u", n);
    must(cluster_random(r, cluster_of(r, nodes), rng_stream(1, "ring theory", text, placement), &c, why), why);
    struct placement *p = open_on_hash(spec, c, "xxh3");
    struct map m = map_of(p);
    double *share = mem_alloc(c->ids, sizeof *share), *fair = mem_alloc(c->ids, sizeof *fair), unplaced;
    struct balance b;
    must(map_shares(&m, share, &unplaced, why), why);
    cluster_fair_shares(c, fair);
    balance_measure(share, fair, c->ids, unplaced, &b);
    for (uint32_t i = 0; some && i < n; i++)
        some[(*kept)++] = share[c->node[i].id] * n;
    mem_free(share);
    mem_free(fair);
    map_release(&m);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
    return b;
}

static void equal(uint32_t n, unsigned v, struct node_theory *t, double *cv, double *max)
{
    uint64_t *owned = mem_alloc(n, sizeof *owned);
    double *fair = mem_alloc(n, sizeof *fair);
    char why[WHY] = "";
    for (uint32_t i = 0; i < n; i++) {
        owned[i] = v;
        fair[i] = 1. / n;
    }
    must(theory_nodes(owned, 0, NULL, fair, n, 0, t) != n || theory_max(t, n, max, why), why);
    *cv = theory_cv(t, n);
    mem_free(owned);
    mem_free(fair);
}

static void agrees(const char *options, uint32_t n, unsigned v, uint64_t placements)
{
    if (SANITIZED && n * v > 100)
        return;
    struct node_theory *t = mem_alloc(n, sizeof *t);
    struct mean squares = {0}, maximum = {0};
    char text[96];
    double cv, max;
    equal(n, v, t, &cv, &max);
    snprintf(text, sizeof text, "ring:vnodes=%u%s", v, options);
    for (uint64_t i = 0; i < placements; i++) {
        struct balance b = one(text, n, i, NULL, NULL);
        mean_add(&squares, b.cv * b.cv);
        mean_add(&maximum, b.max_over_mean);
    }
    double measured = sqrt(mean_of(&squares)), error = mean_error(&squares) / (2 * measured);
    ok(within(&squares, cv * cv, 0), "%s, %u nodes: cv %.4f +- %.4f (theory %.4f)", text, n, measured, error, cv);
    ok(within(&maximum, max, 0), "%s, %u nodes: maximum %.4f +- %.4f (theory %.4f)", text, n, mean_of(&maximum), mean_error(&maximum), max);
    ok(error < 0.05 * cv && mean_error(&maximum) < 0.02 * max, "enough placements to tell");
    mem_free(t);
}

/* Their table at 1000 buckets: standard error of the bucket sizes (one placement), and the interval that holds 99 % of the sizes. Its own figures
 * carry the chance of one drawing, and so may lie as far from the mean as single placements do. */
static void lamping_veach(void)
{
    static const struct { unsigned v; double error, low, high; uint64_t placements; } row[] = {
        {1, 0.9979060, 0.005, 5.25, 60}, {10, 0.3151810, 0.37, 1.98, 30}, {100, 0.0996996, 0.76, 1.28, 12}};
    static double size[60 * 1000];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct mean cv = {0};
        char text[32];
        size_t kept = 0;
        snprintf(text, sizeof text, "ring:vnodes=%u", row[i].v);
        for (uint64_t k = 0; k < row[i].placements; k++)
            mean_add(&cv, one(text, 1000, k, size, &kept).cv);
        stats_sort(size, kept);
        double scatter = mean_error(&cv) * sqrt(cv.n), low = stats_quantile(size, kept, 0.005), high = stats_quantile(size, kept, 0.995);
        ok(fabs(mean_of(&cv) - row[i].error) < 3.5 * scatter, "%s at 1000 nodes: cv %.4f, single ones scatter by %.4f (published %.4f)", text, mean_of(&cv), scatter,
           row[i].error);
        ok(fabs(low - row[i].low) < 0.01 + 0.02 * row[i].low && fabs(high - row[i].high) < 0.01 + 0.02 * row[i].high,
           "99 %% of the sizes lie in %.3f .. %.3f (published %.3f .. %.3f)", low, high, row[i].low, row[i].high);
    }
}

int main(void)
{
    uint64_t live = mem_live();
    agrees("", 10, 1, MOST);
    agrees("", 10, 10, MOST);
    agrees("", 10, 100, MOST);
    agrees("", 10, 1000, 600);
    agrees("", 100, 1, 1500);
    agrees("", 100, 10, 1000);
    agrees("", 100, 100, 300);
    agrees("", 100, 1000, 60);
    agrees(",seek=gt,hash=murmur3-32", 10, 10, MOST);
    agrees(",seek=le,hash=md5-32", 10, 10, 2000);
    agrees(",hash=xxh64,bits=40", 10, 10, 2000);
    lamping_veach();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
