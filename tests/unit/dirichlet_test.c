/* What a ring of random points gives: how many points a target needs, the largest load's quantiles, receivers; and the draws that simulate it. */
#include "metrics/dirichlet.h"
#include "metrics/draws.h"
#include "tests/stage.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1000 };

static struct dirichlet arcs_of(uint32_t n, bool halves)
{
    char why[WHY] = "";
    double weight[MOST];
    struct dirichlet a;
    for (uint32_t i = 0; i < n; i++)
        weight[i] = halves && i % 2 ? 2 : 1;
    must(dirichlet_init(&a, weight, n, why), why);
    return a;
}

static uint64_t smallest(const struct dirichlet *a, enum dirichlet_side side, double bound, double confidence)
{
    uint64_t low = 0, high = 1;
    while (dirichlet_breach(a, (double)high, side, bound) > 1 - confidence)
        high *= 2;
    while (high - low > 1) {
        uint64_t mid = (low + high) / 2;
        if (dirichlet_breach(a, (double)mid, side, bound) > 1 - confidence)
            low = mid;
        else
            high = mid;
    }
    return high;
}

/* The smallest number of points that holds a target, computed exactly and checked by simulation. */
static void answers(void)
{
    static const struct { uint32_t n; double confidence, bound[4]; unsigned equal[4], halves[4]; } row[] = {
        {3, 0.95, {1.05, 1.10, 1.25, 1.50}, {1223, 310, 51, 14}, {0}},
        {10, 0.95, {1.05, 1.10, 1.25, 1.50}, {2443, 626, 107, 30}, {2085, 534, 92}},
        {100, 0.95, {1.05, 1.10, 1.25, 1.50}, {4399, 1132, 196, 55}, {3894, 1001, 174}},
        {1000, 0.95, {1.05, 1.10, 1.25, 1.50}, {6217, 1601, 278, 79}, {5680, 1462, 254}},
        {100, 0.90, {1.05, 1.10, 1.25}, {3859, 992, 172}, {0}},
        {100, 0.99, {1.05, 1.10, 1.25}, {5641, 1452, 252}, {0}},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        for (int halves = 0; halves < 2; halves++) {
            const unsigned *wanted = halves ? row[r].halves : row[r].equal;
            struct dirichlet a = arcs_of(row[r].n, halves);
            double worst = 0;
            for (int k = 0; k < 4; k++) {
                double got = wanted[k] ? (double)smallest(&a, ARCS_MAX, row[r].bound[k], row[r].confidence) : 0, off = fabs(got - wanted[k]);
                if (off > 1)
                    note("%u nodes%s, %.2f: %.0f, wanted %u", row[r].n, halves ? ", half of weight 2" : "", row[r].bound[k], got, wanted[k]);
                worst = off > worst ? off : worst;
            }
            if (wanted[0])
                ok(worst <= 1, "points for a target, %u nodes%s, %.0f %%: to the point", row[r].n, halves ? ", half of weight 2" : "",
                   100 * row[r].confidence);
            dirichlet_release(&a);
        }
    }
}

static void quantiles(void)
{
    static const unsigned vnodes[] = {1, 10, 40, 100, 128, 160, 256, 512, 1000, 2000};
    static const struct { uint32_t n; double q95[10]; } row[] = {
        {3, {2.613, 1.572, 1.282, 1.177, 1.156, 1.139, 1.110, 1.077, 1.055, 1.039}},
        {5, {3.419, 1.729, 1.349, 1.216, 1.190, 1.170, 1.133, 1.094, 1.067, 1.047}},
        {10, {4.450, 1.909, 1.422, 1.259, 1.227, 1.202, 1.158, 1.111, 1.079, 1.055}},
        {20, {5.408, 2.062, 1.483, 1.294, 1.257, 1.229, 1.179, 1.125, 1.088, 1.062}},
        {50, {6.567, 2.237, 1.551, 1.333, 1.291, 1.258, 1.202, 1.140, 1.099, 1.070}},
        {100, {7.378, 2.357, 1.597, 1.359, 1.314, 1.278, 1.217, 1.151, 1.107, 1.075}},
        {1000, {9.842, 2.716, 1.734, 1.436, 1.380, 1.337, 1.261, 1.181, 1.127, 1.089}},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct dirichlet a = arcs_of(row[r].n, false);
        double worst = 0;
        for (int k = 0; k < 10; k++) {
            double off = fabs(dirichlet_max_quantile(&a, vnodes[k], 0.95) / row[r].q95[k] - 1);
            worst = off > worst ? off : worst;
        }
        ok(worst < 0.01, "95th percentile of the maximum at %u nodes, 1 to 2000 points: within %.2f %% of the table", row[r].n, 100 * worst);
        dirichlet_release(&a);
    }
}

static void receivers(void)
{
    static const double v[] = {1, 4, 16, 100, 160, 256}, wanted[] = {1, 3.85, 13.66, 42.64, 47.13, 48.74};
    struct dirichlet a = arcs_of(50, false);
    bool good = true;
    for (int i = 0; i < 6; i++) {
        good &= fabs(dirichlet_receivers(&a, v[i]) - wanted[i]) < 0.0051;
        note("%.0f points: %.4f", v[i], dirichlet_receivers(&a, v[i]));
    }
    ok(good, "receivers of a dead node's keys, 50 nodes: 1, 3.85, 13.66, 42.64, 47.13, 48.74");
    dirichlet_release(&a);
    a = arcs_of(2, true);
    ok(fabs(dirichlet_receivers(&a, 7) - 1) < 1e-12, "two nodes: the other");
    dirichlet_release(&a);
}

static void tails(void)
{
    struct dirichlet a = arcs_of(10, false);
    double below = dirichlet_breach(&a, 99999, ARCS_MAX, 1.008), above = dirichlet_breach(&a, 100001, ARCS_MAX, 1.008);
    ok(fabs(below / above - 1) < 2e-3, "no step where the normal takes over: %.8f, %.8f", below, above);
    ok(fabs(dirichlet_breach(&a, 1, ARCS_MIN, 0.1) - 10 * (1 - pow(1 - 0.01, 9))) < 1e-12 && fabs(dirichlet_breach(&a, 1, ARCS_SHARE, 0.3) - 10 * pow(0.7, 9)) < 1e-12 &&
           fabs(dirichlet_breach(&a, 1, ARCS_NEW, 0.2) - pow(0.8, 10)) < 1e-12,
       "one point a node: uniform gaps");
    ok(dirichlet_breach(&a, 5, ARCS_MAX, 10) == 0 && dirichlet_breach(&a, 1e9, ARCS_MAX, 1.001) < 1e-6, "what cannot be");
    dirichlet_release(&a);
}

/* Mean and variance of what is drawn. */
static void draws(void)
{
    enum { N = 200000 };
    static const double shape[] = {1, 2.5, 100, 1e6};
    for (int k = 0; k < 4; k++) {
        struct rng r = rng_start(rng_stream(1, "draws", "gamma", (uint64_t)k));
        double sum = 0, squares = 0;
        for (int i = 0; i < N; i++) {
            double g = draw_gamma(&r, shape[k]) - shape[k];
            sum += g;
            squares += g * g;
        }
        ok(fabs(sum / N) < 5 * sqrt(shape[k] / N) && fabs(squares / N / shape[k] - 1) < 5 * sqrt((2 + 6 / shape[k]) / N), "Gamma of shape %g", shape[k]);
    }
    static const struct { uint64_t n; double p; } tries[] = {{20, 0.3}, {1000, 0.01}, {1000000, 0.7}, {1000000000000000, 0.1}};
    for (int k = 0; k < 4; k++) {
        struct rng r = rng_start(rng_stream(1, "draws", "binomial", (uint64_t)k));
        double sum = 0, squares = 0, mean = (double)tries[k].n * tries[k].p, variance = mean * (1 - tries[k].p);
        for (int i = 0; i < N / 10; i++) {
            double x = (double)draw_binomial(&r, tries[k].n, tries[k].p) - mean;
            sum += x;
            squares += x * x;
        }
        ok(fabs(sum / (N / 10)) < 5 * sqrt(variance / (N / 10)) && fabs(squares / (N / 10) / variance - 1) < 5 * sqrt(2.2 / (N / 10)), // NOLINT(bugprone-integer-division): it divides
           "binomial, %g tries of %g", (double)tries[k].n, tries[k].p);
    }
    struct rng r = rng_start(1);
    double p[] = {0.5, 0, 0.25, 0.25}, count[4];
    draw_multinomial(&r, 1000, p, 4, count);
    ok(count[1] == 0 && count[0] + count[2] + count[3] == 1000 && draw_binomial(&r, 1000, 0) == 0 && draw_binomial(&r, 1000, 1) == 1000,
       "a multinomial adds up; what is certain is certain");
}

int main(void)
{
    uint64_t live = mem_live();
    answers();
    quantiles();
    receivers();
    tails();
    draws();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
