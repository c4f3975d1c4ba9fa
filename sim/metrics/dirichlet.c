#include "metrics/dirichlet.h"

#include "base/mem.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int by_weight(const void *a, const void *b)
{
    double x = ((const struct dirichlet_group *)a)->weight, y = ((const struct dirichlet_group *)b)->weight;
    return (x > y) - (x < y);
}

int dirichlet_init(struct dirichlet *a, const double *weight, uint32_t ids, char why[WHY])
{
    uint32_t n = 0, groups = 0;
    *a = (struct dirichlet){.group = mem_alloc(ids, sizeof *a->group)};
    if (!a->group)
        return fail(why, ENOMEM, "no memory for the theory of %u nodes", ids);
    for (uint32_t id = 0; id < ids; id++)
        if (weight[id] > 0) {
            a->group[n++] = (struct dirichlet_group){weight[id], 1};
            a->weight += weight[id];
        }
    qsort(a->group, n, sizeof *a->group, by_weight);
    for (uint32_t i = 0; i < n; i++) {
        if (groups == 0 || a->group[groups - 1].weight < a->group[i].weight)
            a->group[groups++] = (struct dirichlet_group){a->group[i].weight, 0};
        a->group[groups - 1].count++;
    }
    a->groups = groups;
    a->nodes = n;
    return 0;
}

void dirichlet_release(struct dirichlet *a)
{
    mem_free(a->group);
    *a = (struct dirichlet){0};
}

/* P(Beta(a, b) > x), or < x. Where the library's continued fraction does not end in time, both numbers are large, and the cube root of a ratio of
 * Gammas is as good as normal (Paulson 1942). */
static double beta_tail(double x, double a, double b, bool above)
{
    if (x <= 0 || x >= 1 || b <= 0)
        return (x < 1) == above;
    double tail = a < 1e5 ? above ? gsl_cdf_beta_Q(x, a, b) : gsl_cdf_beta_P(x, a, b) : NAN;
    if (!isnan(tail))
        return tail;
    double root = cbrt(x / a * b / (1 - x)), u = 1 / (9 * a), w = 1 / (9 * b);
    double z = ((1 - w) * root - (1 - u)) / sqrt(w * root * root + u);
    return above ? gsl_cdf_ugaussian_Q(z) : gsl_cdf_ugaussian_P(z);
}

/* The share of a group's node at which it breaks the bound. */
static double limit(const struct dirichlet *a, const struct dirichlet_group *g, enum dirichlet_side side, double bound)
{
    return side == ARCS_SHARE ? bound : bound * g->weight / a->weight;
}

/* The mean of a share beyond its limit, which it passes with chance p: that of a normal variable so far out. */
static double beyond(double limit, double own, double points, double p, bool above)
{
    double z = gsl_cdf_ugaussian_Qinv(p), sd = sqrt(own * (points - own) / (points + 1)) / points;
    double excess = p > 0 && z > 0 ? gsl_ran_ugaussian_pdf(z) / p - z : 0;
    return above ? limit + sd * excess : limit - sd * excess;
}

/* The chance that both of two nodes break it, over all pairs: once one has more than its part, the others share less. */
static double both(const struct dirichlet *a, double v, enum dirichlet_side side, double bound, const double *chance)
{
    double points = v * a->weight, sum = 0;
    for (uint32_t i = 0; i < a->groups; i++) {
        const struct dirichlet_group *g = &a->group[i];
        double own = v * g->weight, first = beyond(limit(a, g, side, bound), own, points, chance[i], side != ARCS_MIN);
        for (uint32_t j = 0; j < a->groups; j++) {
            double other = v * a->group[j].weight, pairs = g->count * (a->group[j].count - (i == j)) / 2;
            double share = limit(a, &a->group[j], side, bound) / (1 - first);
            sum += pairs > 0 && first < 1 ? pairs * chance[i] * beta_tail(share, other, points - own - other, side != ARCS_MIN) : 0;
        }
    }
    return sum;
}

double dirichlet_breach(const struct dirichlet *a, double v, enum dirichlet_side side, double bound)
{
    enum { FEW = 32 };
    double sum = 0, points = v * a->weight, chance[FEW];
    if (side == ARCS_NEW)
        return beta_tail(bound, v, points, true);
    for (uint32_t i = 0; i < a->groups; i++) {
        double own = a->group[i].weight * v, p = beta_tail(limit(a, &a->group[i], side, bound), own, points - own, side != ARCS_MIN);
        sum += a->group[i].count * p;
        chance[i < FEW ? i : FEW - 1] = p;
    }
    return a->groups > FEW || sum > 0.2 ? sum : sum - both(a, v, side, bound, chance);
}

double dirichlet_max_quantile(const struct dirichlet *a, double v, double q)
{
    double low = 1, high = a->weight / a->group[0].weight;
    for (int i = 0; i < 50; i++) {
        double mid = (low + high) / 2;
        if (dirichlet_breach(a, v, ARCS_MAX, mid) > 1 - q)
            low = mid;
        else
            high = mid;
    }
    return high;
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* The dead node's points fall into the gaps between the M others, all ways alike; another node gets nothing when none falls before one of its own. */
double dirichlet_receivers(const struct dirichlet *a, double v)
{
    double sum = 0;
    for (uint32_t j = 0; j < a->groups; j++) {
        double dead = a->group[j].weight * v, others = a->weight * v - dead, all = log_choose(others + dead - 1, dead), here = 0;
        for (uint32_t i = 0; i < a->groups; i++) {
            double own = a->group[i].weight * v, count = a->group[i].count - (i == j), gaps = others - own;
            if (count > 0)
                here += count * (gaps < 1 ? 1 : -expm1(log_choose(gaps + dead - 1, dead) - all));
        }
        sum += a->group[j].count * here;
    }
    return sum / a->nodes;
}
