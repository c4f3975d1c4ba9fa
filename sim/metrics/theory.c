#include "metrics/theory.h"

#include "base/mem.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>

uint32_t theory_nodes(const uint64_t *owned, double full, const double *share, const double *fair, uint32_t ids, double sum_p2,
                      struct node_theory *theory)
{
    double points = 0;
    for (uint32_t id = 0; owned && id < ids; id++)
        points += (double)owned[id];
    uint32_t n = 0;
    for (uint32_t id = 0; id < ids; id++) {
        if (fair[id] <= 0)
            continue;
        double mean = owned ? (double)owned[id] / points / fair[id] : share[id] / fair[id], own = mean * fair[id];
        struct node_theory *t = &theory[n++];
        *t = (struct node_theory){.mean = mean};
        if (own <= 0)
            continue;
        double square = mean * mean, gamma = owned ? (1 - full) / (double)owned[id] : 0, poisson = sum_p2 / own;
        double arcs = owned ? (1 - full) * (1 - own) / (own * (points + 1)) : 0; /* (T - V) / (V (T + 1)) with V = own T */
        t->variance = square * (arcs * (1 - sum_p2) + (1 - own) / own * sum_p2);
        t->free = square * (gamma + poisson);
        t->third = square * mean * (2 * gamma * gamma + 3 * gamma * poisson + poisson * poisson);
    }
    return n;
}

uint32_t theory_balls(uint64_t cells, const double *fair, uint32_t ids, double sum_p2, struct node_theory *theory)
{
    uint32_t n = 0;
    for (uint32_t id = 0; id < ids; id++) {
        if (fair[id] <= 0)
            continue;
        double ball = 1 / ((double)cells * fair[id]), poisson = sum_p2 / fair[id];
        theory[n++] = (struct node_theory){.mean = 1, .variance = (1 - fair[id]) * (ball * (1 - sum_p2) + poisson), .free = ball + poisson,
                                           .third = ball * ball + 3 * ball * poisson + poisson * poisson};
    }
    return n;
}

/* The expected largest load over the mean. Sort the gaps before N points of a circle, g_1 <= .. <= g_N: the steps D_l = (N-l+1)(g_l - g_{l-1})
 * are again Dirichlet(1, .., 1), so S_l = 1 - D_1 - .. - D_l, the chance that a probe lies further than g_l from the next point, is
 * Beta(N-l, l). The longest gap's share is the sum over l of (S_{l-1}^k - S_l^k) / (N-l+1), and with m = N-l the mean of that difference is
 * k G(N) G(m+k) / (G(N+k) G(m+1)): at m = N-1 it is k / (N+k-1), and from m to m-1 it changes by m / (m+k-1). */
static double largest_of_probes(uint32_t nodes, uint64_t probes)
{
    double n = nodes, k = (double)probes, difference = k / (n + k - 1), sum = 0;
    for (double m = n - 1; m >= 0; m--) {
        sum += difference / (m + 1);
        difference *= m / (m + k - 1);
    }
    return n * sum;
}

/* Two keys meet on a node with probability 1 / (the number of gaps longer than the lesser of their distances), and that lesser one is the nearest of
 * 2k probes: the mean of sum share^2 is the largest share's with 2k in place of k. */
void theory_probes(uint32_t nodes, uint64_t probes, double sum_p2, double *cv, double *max)
{
    double own = largest_of_probes(nodes, 2 * probes) - 1, noise = (nodes - 1.) * sum_p2;
    *cv = sqrt((own > 0 ? own : 0) * (1 - sum_p2) + noise);
    *max = noise <= own / 100 ? largest_of_probes(nodes, probes) : NAN;
}

double theory_cv(const struct node_theory *t, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (t[i].mean - 1) * (t[i].mean - 1) + t[i].variance;
    return sqrt(sum / n);
}

#define GAMMA_MOST 1e5 /* largest shape for which gsl_cdf_gamma is used */

/* Like nodes: a Gamma of this shape and scale, moved by shift (Pearson's type III), which has their first three moments. */
struct group {
    double mean, variance;
    double shape, scale, shift;
    double count;
};

static struct group group_of(const struct node_theory *t)
{
    struct group g = {.mean = t->mean, .variance = t->free};
    if (t->free > 0) {
        g.shape = 4 * t->free * t->free * t->free / (t->third * t->third);
        g.scale = t->third / (2 * t->free);
        g.shift = t->mean - g.shape * g.scale;
    }
    return g;
}

static int by_group(const void *a, const void *b)
{
    const struct node_theory *x = a, *y = b;
    int mean = (x->mean > y->mean) - (x->mean < y->mean);
    return mean ? mean : (x->free > y->free) - (x->free < y->free);
}

/* log P(X <= x) of one node, accurate at both ends. The library's Gamma fails at shapes of a million; there the cube root of a
 * Gamma is as good as normal (Wilson and Hilferty 1931). */
static double log_below(const struct group *g, double x)
{
    if (g->variance <= 0)
        return x >= g->mean ? 0 : -INFINITY;
    double y = (x - g->shift) / g->scale;
    if (y <= 0)
        return -INFINITY;
    double z = g->shape < GAMMA_MOST ? 0 : 3 * sqrt(g->shape) * (cbrt(y / g->shape) - 1 + 1 / (9 * g->shape));
    double above = g->shape < GAMMA_MOST ? gsl_cdf_gamma_Q(y, g->shape, 1) : gsl_cdf_ugaussian_Q(z);
    if (above < 0.5)
        return log1p(-above);
    return log(g->shape < GAMMA_MOST ? gsl_cdf_gamma_P(y, g->shape, 1) : gsl_cdf_ugaussian_P(z));
}

struct maximum {
    const struct group *group;
    uint32_t count;
};

/* P(some node > x). */
static double exceeds(double x, void *maximum)
{
    const struct maximum *m = maximum;
    double sum = 0;
    for (uint32_t i = 0; i < m->count && sum > -800; i++)
        sum += m->group[i].count * log_below(&m->group[i], x);
    return -expm1(sum);
}

/* The largest x in low .. high (within 2^-40 of the span) where exceeds(x) is still above level. */
static double crossing(struct maximum *m, double low, double high, double level)
{
    for (int i = 0; i < 40; i++) {
        double mid = (low + high) / 2;
        if (exceeds(mid, m) > level)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static double integrate(struct maximum *m)
{
    enum { PIECES = 8, NODES = 32 };
    double top = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        double reach = m->group[i].mean + 40 * (sqrt(m->group[i].variance) + m->group[i].variance);
        top = reach > top ? reach : top;
    }
    double low = crossing(m, 0, top, 1 - 1e-14), high = crossing(m, low, top, 1e-13), sum = low;
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(NODES);
    gsl_function f = {exceeds, m};
    for (int i = 0; table && i < PIECES; i++)
        sum += gsl_integration_glfixed(&f, low + (high - low) * i / PIECES, low + (high - low) * (i + 1) / PIECES, table);
    if (table)
        gsl_integration_glfixed_table_free(table);
    return table ? sum : NAN;
}

int theory_max(const struct node_theory *t, uint32_t n, double *out, char why[WHY])
{
    struct node_theory *sorted = mem_alloc(n, sizeof *sorted);
    struct group *group = mem_alloc(n, sizeof *group);
    struct maximum m = {group, 0};
    double fixed = 0, spread = 0;
    for (uint32_t i = 0; sorted && group && i < n; i++) {
        sorted[i] = t[i];
        fixed = t[i].mean > fixed ? t[i].mean : fixed;
        spread = t[i].free > spread ? t[i].free : spread;
    }
    if (sorted && group && spread > 0) {
        qsort(sorted, n, sizeof *sorted, by_group);
        for (uint32_t i = 0; i < n; i++) {
            if (m.count == 0 || group[m.count - 1].mean < sorted[i].mean || group[m.count - 1].variance < sorted[i].free)
                group[m.count++] = group_of(&sorted[i]);
            group[m.count - 1].count++;
        }
    }
    *out = !sorted || !group ? NAN : spread > 0 ? integrate(&m) : fixed;
    mem_free(sorted);
    mem_free(group);
    return isnan(*out) ? fail(why, ENOMEM, "no memory for the theory of %u nodes", n) : 0;
}
