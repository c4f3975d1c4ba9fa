/* Theory against the published and the exact tables, against simulation, and the plain measures of balance. */
#include "metrics/balance.h"
#include "metrics/theory.h"
#include "tests/stage.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { MOST = 1000 };

static double fair[MOST], theory_value;
static uint64_t owned[MOST];
static struct node_theory node[MOST];

static double maximum(uint32_t n)
{
    char why[WHY] = "";
    must(theory_max(node, n, &theory_value, why), why);
    return theory_value;
}

/* n equal nodes with v points; v 0: a rule that gives equal shares. */
static void equal(uint32_t n, uint64_t v, double sum_p2)
{
    for (uint32_t i = 0; i < n; i++) {
        fair[i] = 1. / n;
        owned[i] = v;
    }
    must(theory_nodes(v ? owned : NULL, 0, fair, fair, n, sum_p2, node) != n, "nodes");
}

static bool near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

/* Expected largest load over the mean of a random ring with infinitely many keys: exact to the digits given. */
static void expected_maximum(void)
{
    static const uint64_t vnodes[] = {1, 10, 40, 100, 128, 160, 256, 512, 1000, 2000};
    static const struct { uint32_t n; double at[10]; } row[] = {
        {3, {1.833, 1.273, 1.136, 1.085, 1.075, 1.067, 1.053, 1.038, 1.027, 1.019}},
        {5, {2.283, 1.390, 1.190, 1.119, 1.105, 1.094, 1.074, 1.052, 1.037, 1.026}},
        {10, {2.929, 1.538, 1.257, 1.159, 1.140, 1.125, 1.098, 1.069, 1.049, 1.035}},
        {20, {3.598, 1.678, 1.318, 1.196, 1.172, 1.153, 1.120, 1.084, 1.060, 1.042}},
        {50, {4.499, 1.850, 1.391, 1.239, 1.210, 1.187, 1.146, 1.102, 1.073, 1.051}},
        {100, {5.187, 1.973, 1.442, 1.269, 1.236, 1.210, 1.164, 1.114, 1.081, 1.057}},
        {1000, {7.485, 2.353, 1.594, 1.357, 1.312, 1.276, 1.215, 1.150, 1.106, 1.074}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double worst = 0;
        for (size_t k = 0; k < 10; k++) {
            equal(row[i].n, vnodes[k], 0);
            double off = fabs(maximum(row[i].n) - row[i].at[k]);
            worst = off > worst ? off : worst;
        }
        ok(worst < 0.00051, "expected maximum at %u nodes, 1 to 2000 points a node: within %.5f of the table", row[i].n, worst);
    }
    bool harmonic = true;
    double h = 0;
    for (uint32_t n = 1; n <= MOST; n++) {
        h += 1. / n;
        if (n > 5 && n % 37)
            continue;
        equal(n, 1, 0);
        harmonic &= near(maximum(n), h, 1e-9);
    }
    ok(harmonic, "one point a node: the harmonic numbers");
    equal(1, 100, 0);
    ok(near(maximum(1), 1, 1e-9) && theory_cv(node, 1) == 0, "one node");
    equal(10, 1000000, 0);
    ok(near(maximum(10), 1 + 1.53875 / 1000, 1e-5), "a million points: 1 + 1.53875 / sqrt(V)"); /* the mean maximum of ten standard normals */
}

static void coefficient(void)
{
    bool ring = true, keys = true;
    for (uint32_t n = 2; n <= MOST; n = n * 3 / 2 + 1)
        for (uint64_t v = 1; v <= 100000; v *= 7) {
            double arcs = (n - 1.) / ((double)(n * v) + 1);
            equal(n, v, 0);
            ring &= near(theory_cv(node, n), sqrt(arcs), 1e-12);
            equal(n, v, 1e-4);
            keys &= near(theory_cv(node, n), sqrt(arcs * (1 - 1e-4) + (n - 1) * 1e-4), 1e-12);
        }
    ok(ring, "cv = sqrt((N-1)/(NV+1))");
    ok(keys, "and with K keys: sqrt((N-1)/(NV+1) (1-1/K) + (N-1)/K)");
    static const double published[] = {0.9990, 0.3160, 0.0999, 0.0316};
    uint64_t v = 1;
    bool table = true;
    for (int i = 0; i < 4; i++, v *= 10) {
        equal(1000, v, 0);
        table &= fabs(theory_cv(node, 1000) - published[i]) < 1e-4;
    }
    equal(2, 1, 0);
    must(theory_nodes(owned, 0.5, fair, fair, 2, 0, node) != 2, "nodes");
    ok(near(theory_cv(node, 2), sqrt(1. / 6), 1e-12), "two points on four positions: arcs 1, 2 or 3, each alike");
    ok(table, "1000 nodes, 1 to 1000 points: 0.9990, 0.3160, 0.0999, 0.0316");
}

/* Loads of any skew, rings of any size: a finite answer between the mean and everything. */
static void anything(void)
{
    static const uint64_t vnodes[] = {0, 1, 2, 150, 99999, 100000, 100001, 1000000, 1000000000};
    static const double skew[] = {0, 1e-18, 1e-12, 1e-9, 1e-5, 1e-3, 0.1, 0.5, 1};
    bool sound = true;
    for (uint32_t n = 1; n <= MOST; n *= 10)
        for (size_t v = 0; v < sizeof vnodes / sizeof *vnodes; v++)
            for (size_t s = 0; s < sizeof skew / sizeof *skew; s++) {
                equal(n, vnodes[v], skew[s]);
                double max = maximum(n);
                if (!(max > 1 - 1e-4 && max < 20 * (1 + 1e3 * n * skew[s]))) {
                    sound = false;
                    note("%u nodes, %u points, sum of squares %g: %g", n, (unsigned)vnodes[v], skew[s], max);
                }
            }
    ok(sound, "a finite maximum for any load and any ring");
    equal(100, 99999, 0);
    double below = maximum(100);
    equal(100, 100001, 0);
    ok(near(maximum(100) - 1, (below - 1) * sqrt(99999. / 100001), 1e-5), "no step where the normal takes over from the Gamma");
}

/* A perfect hash: nothing but the noise of so many keys. */
static void noise(void)
{
    static const struct { uint32_t n; double each, is; } row[] = {
        {10, 10, 1.51}, {10, 100, 1.16}, {10, 1000, 1.05}, {10, 10000, 1.015}, {100, 10, 1.87}, {100, 100, 1.26}, {100, 1000, 1.08}, {100, 10000, 1.025},
        {1000, 10, 2.17}, {1000, 100, 1.34}, {1000, 1000, 1.10}, {1000, 10000, 1.033}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t n = row[i].n;
        double p2 = 1 / (n * row[i].each);
        equal(n, 0, p2);
        ok(near(balance_noise(fair, n, p2), sqrt((n - 1) * p2), 1e-12) && near(theory_cv(node, n), sqrt((n - 1) * p2), 1e-12) &&
               near(maximum(n), row[i].is, 0.01),
           "noise at %u nodes, %.0f keys each: maximum %.3f, simulated %.3f", n, row[i].each, maximum(n), row[i].is);
    }
    const double unequal[] = {0.5, 0, 0.25, 0.25};
    ok(near(balance_noise(unequal, 4, 0.01), sqrt((1 + 3 + 3) * 0.01 / 3), 1e-12), "noise of unequal nodes; who is no member does not count");
    ok(balance_noise(unequal, 4, 0) == 0, "exact shares have none");
}

/* Draws Dirichlet shares, and keys by them, and holds cv and maximum against theory. */
static void simulated(gsl_rng *g, const uint32_t *weight, uint32_t n, uint64_t v, unsigned keys)
{
    enum { DRAWS = 20000 };
    double alpha[16], share[16], sum = 0, squares = 0, max_sum = 0, max_squares = 0;
    unsigned count[16];
    for (uint32_t i = 0; i < n; i++)
        sum += weight[i];
    for (uint32_t i = 0; i < n; i++) {
        fair[i] = weight[i] / sum;
        owned[i] = v * weight[i];
        alpha[i] = (double)owned[i];
    }
    uint32_t got = theory_nodes(owned, 0, NULL, fair, n, keys ? 1. / keys : 0, node);
    double cv = theory_cv(node, got), max = maximum(got);
    for (int d = 0; d < DRAWS; d++) {
        double most = 0;
        gsl_ran_dirichlet(g, n, alpha, share);
        if (keys)
            gsl_ran_multinomial(g, n, keys, share, count);
        for (uint32_t i = 0; i < n; i++) {
            double load = (keys ? (double)count[i] / keys : share[i]) / fair[i];
            squares += (load - 1) * (load - 1) / n;
            most = load > most ? load : most;
        }
        max_sum += most;
        max_squares += most * most;
    }
    double mean = max_sum / DRAWS, error = sqrt((max_squares / DRAWS - mean * mean) / DRAWS);
    ok(near(cv, sqrt(squares / DRAWS), 0.02), "%u nodes, %u points a unit, %u keys: cv %.4f, simulated %.4f", n, (unsigned)v, keys, cv, sqrt(squares / DRAWS));
    double slack = keys ? 0.01 * mean : 0; /* with sampling, theory is an approximation */
    ok(fabs(max - mean) < 5 * error + slack, "maximum %.4f, simulated %.4f +- %.4f", max, mean, error);
}

/* One point a node and k probes: the limits for many nodes, one probe as a ring of one point, and shares drawn by the steps between sorted gaps. */
static void probes(gsl_rng *g)
{
    enum { DRAWS = 20000, N = 12, K = 5 };
    double cv, max, h = 0, alpha[N], step[N], squares = 0, max_sum = 0, max_squares = 0;
    theory_probes(100000, 21, 0, &cv, &max);
    ok(near(cv, 1 / sqrt(41), 1e-9) && near(max, 1.05, 1e-9), "21 probes, many nodes: cv 1/sqrt(2k-1) = 0.156, maximum k/(k-1) = 1.05");
    for (int i = 1; i <= 50; i++)
        h += 1. / i;
    theory_probes(50, 1, 0, &cv, &max);
    ok(near(cv, sqrt(49. / 51), 1e-12) && near(max, h, 1e-12), "one probe: a ring with a point a node");
    theory_probes(1, 21, 0.5, &cv, &max);
    ok(cv == 0 && near(max, 1, 1e-12), "one node");
    theory_probes(1000, 1000, 1e-9, &cv, &max);
    ok(near(cv, sqrt(1. / 1999 * (1 - 1e-9) + 999e-9), 1e-9) && near(max, 1000. / 999, 1e-9), "1000 probes, and a little noise");
    theory_probes(1000, 1000, 1e-8, &cv, &max);
    ok(near(cv, sqrt(1. / 1999 * (1 - 1e-8) + 999e-8), 1e-9) && isnan(max), "no maximum where samples are noisy");

    theory_probes(N, K, 0, &cv, &max);
    for (int i = 0; i < N; i++)
        alpha[i] = 1;
    for (int d = 0; d < DRAWS; d++) {
        double survival = 1, share = 0, square = 0;
        gsl_ran_dirichlet(g, N, alpha, step);
        for (int l = 0; l < N; l++) {
            double next = l < N - 1 ? survival - step[l] : 0;
            share += (pow(survival, K) - pow(next, K)) / (N - l);
            square += (share * N - 1) * (share * N - 1) / N;
            survival = next;
        }
        squares += square / DRAWS;
        max_sum += share * N / DRAWS;
        max_squares += share * N * share * N / DRAWS;
    }
    double error = sqrt((max_squares - max_sum * max_sum) / DRAWS);
    ok(near(cv, sqrt(squares), 0.02) && fabs(max - max_sum) < 5 * error, "5 probes, 12 nodes: cv %.4f, simulated %.4f; maximum %.4f, simulated %.4f +- %.4f", cv,
       sqrt(squares), max, max_sum, error);
}

/* Cells dealt by lot, and keys to cells. */
static void balls(gsl_rng *g, const uint32_t *weight, uint32_t n, unsigned cells, unsigned keys)
{
    enum { DRAWS = 20000 };
    double sum = 0, squares = 0, max_sum = 0, max_squares = 0, share[16];
    unsigned count[16];
    for (uint32_t i = 0; i < n; i++)
        sum += weight[i];
    for (uint32_t i = 0; i < n; i++)
        fair[i] = weight[i] / sum;
    must(theory_balls(cells, fair, n, keys ? 1. / keys : 0, node) != n, "nodes");
    double cv = theory_cv(node, n), max = maximum(n);
    for (int d = 0; d < DRAWS; d++) {
        double most = 0;
        gsl_ran_multinomial(g, n, cells, fair, count);
        for (uint32_t i = 0; i < n; i++)
            share[i] = (double)count[i] / cells;
        if (keys)
            gsl_ran_multinomial(g, n, keys, share, count);
        for (uint32_t i = 0; i < n; i++) {
            double load = (double)count[i] / (keys ? keys : cells) / fair[i];
            squares += (load - 1) * (load - 1) / n / DRAWS;
            most = load > most ? load : most;
        }
        max_sum += most / DRAWS;
        max_squares += most * most / DRAWS;
    }
    double error = sqrt((max_squares - max_sum * max_sum) / DRAWS);
    ok(near(cv, sqrt(squares), 0.02) && fabs(max - max_sum) < 5 * error + 0.01 * max_sum,
       "%u nodes, %u cells by lot, %u keys: cv %.4f, simulated %.4f; maximum %.4f, simulated %.4f +- %.4f", n, cells, keys, cv, sqrt(squares), max, max_sum, error);
}

static void fixed_shares(void)
{
    const double share[] = {0.3, 0.1, 0, 0.6}, even[] = {1. / 3, 1. / 3, 0, 1. / 3};
    uint32_t n = theory_nodes(NULL, 0, share, even, 4, 0, node);
    ok(n == 3 && near(theory_cv(node, n), sqrt((0.01 + 0.49 + 0.64) / 3), 1e-12) && near(maximum(n), 1.8, 1e-12), "fixed shares: their own cv and maximum");
    const double none[] = {1, 0, 0, 0};
    n = theory_nodes(NULL, 0, none, even, 4, 0.001, node);
    ok(n == 3 && near(theory_cv(node, n), sqrt(2), 1e-9) && near(maximum(n), 3, 1e-3), "all on one node");
    mem_fail_at(1);
    char why[WHY] = "";
    double out;
    ok(theory_max(node, n, &out, why) == -12, "no memory");
    mem_fail_at(0);
}

static void measures(void)
{
    const double share[] = {0.3, 0.1, 0.2, 0, 0.4}, even[] = {0.25, 0.25, 0.25, 0, 0.25}, weights[] = {0.4, 0.1, 0.2, 0, 0.3}, gone[] = {0.5, 0, 0.25, 0, 0.15};
    struct balance b;
    balance_measure(share, even, 5, 0, &b);
    ok(near(b.max_over_mean, 1.6, 1e-12) && near(b.min_over_mean, 0.4, 1e-12) && near(b.cv, sqrt((0.04 + 0.36 + 0.04 + 0.36) / 4), 1e-12) && !b.empty_nodes,
       "maximum, minimum, cv");
    balance_measure(share, weights, 5, 0, &b);
    ok(near(b.max_over_mean, 4. / 3, 1e-12) && near(b.min_over_mean, 0.75, 1e-12), "over fair shares of unequal weights");
    balance_measure(gone, even, 5, 0.1, &b);
    ok(b.empty_nodes == 1 && b.min_over_mean == 0 && b.unplaced_share == 0.1, "an empty node, and unplaced");
    ok(near(share_distance(share, weights, 5), 0.1, 1e-12) && share_distance(share, share, 5) == 0, "distance of two distributions");
}

int main(void)
{
    static const uint32_t one[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, mixed[] = {1, 2, 3, 1, 5}, skew[] = {1, 1, 1, 50};
    uint64_t live = mem_live();
    gsl_rng *g = gsl_rng_alloc(gsl_rng_mt19937);
    expected_maximum();
    coefficient();
    anything();
    noise();
    simulated(g, one, 10, 1, 0);
    simulated(g, mixed, 5, 1, 0);
    simulated(g, mixed, 5, 40, 0);
    simulated(g, skew, 4, 3, 0);
    simulated(g, one, 10, 10, 1000);
    simulated(g, one, 10, 100, 100000);
    simulated(g, mixed, 5, 20, 5000);
    probes(g);
    balls(g, one, 10, 1000, 0);
    balls(g, one, 10, 16384, 100000);
    balls(g, mixed, 5, 200, 3000);
    gsl_rng_free(g);
    fixed_shares();
    measures();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
