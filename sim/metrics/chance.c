#include "metrics/chance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static double two_sided(double below, double above)
{
    double tail = below < above ? below : above;
    return tail < 0.5 ? 2 * tail : 1;
}

double chance_gamma(double x, double mean, double variance)
{
    double scale = variance / mean, shape = mean / scale;
    if (x <= 0)
        return 0;
    if (shape < 1e5)
        return two_sided(gsl_cdf_gamma_P(x, shape, scale), gsl_cdf_gamma_Q(x, shape, scale));
    double z = 3 * sqrt(shape) * (cbrt(x / mean) - 1 + 1 / (9 * shape)); /* Wilson and Hilferty 1931; the library's Gamma fails there */
    return two_sided(gsl_cdf_ugaussian_P(z), gsl_cdf_ugaussian_Q(z));
}

double chance_binomial(uint64_t count, uint64_t n, double p)
{
    double k = (double)count, m = (double)n;
    if (p <= 0 || p >= 1)
        return count == (p <= 0 ? 0 : n);
    double below = count == n ? 1 : gsl_cdf_beta_Q(p, k + 1, m - k); /* at most count */
    double above = count == 0 ? 1 : gsl_cdf_beta_P(p, k, m - k + 1); /* at least count */
    return two_sided(below, above);
}

/* Where Beta(a, b) has so much below it; the library's own inverse does not always converge. */
static double beta_quantile(double a, double b, double below)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double mid = (low + high) / 2;
        if (gsl_cdf_beta_P(mid, a, b) < below)
            low = mid;
        else
            high = mid;
    }
    return high;
}

void chance_interval(uint64_t count, uint64_t n, double confidence, double *low, double *high)
{
    double k = (double)count, m = (double)n, tail = (1 - confidence) / 2;
    *low = count == 0 ? 0 : beta_quantile(k, m - k + 1, tail);
    *high = count == n ? 1 : beta_quantile(k + 1, m - k, 1 - tail);
}

/* The statistic's variance in a multinomial: 2 (c - 1) (K - 1) / K + (sum of 1/p - c^2) / K for c cells. */
double chance_counts(const uint64_t *count, const double *share, uint32_t ids, uint64_t keys, double *statistic)
{
    double k = (double)keys, sum = 0, inverse = 0, cells = 0, rest = 1;
    uint64_t counted = 0;
    for (uint32_t id = 0; id < ids; id++) {
        counted += count[id];
        if (share[id] <= 0) {
            if (count[id] == 0)
                continue;
            *statistic = INFINITY;
            return 0;
        }
        double off = (double)count[id] - k * share[id];
        sum += off * off / (k * share[id]);
        inverse += 1 / share[id];
        rest -= share[id];
        cells++;
    }
    if (rest * k > 1e-3) { /* one more cell: what nobody owns */
        double off = k - (double)counted - k * rest;
        sum += off * off / (k * rest);
        inverse += 1 / rest;
        cells++;
    } else if (counted != keys) {
        *statistic = INFINITY;
        return 0;
    }
    *statistic = cells > 1 ? sum / (cells - 1) : 1;
    return cells > 1 ? chance_gamma(sum, cells - 1, 2 * (cells - 1) * (k - 1) / k + (inverse - cells * cells) / k) : 1;
}

double chance_arc(double share, double own, double all)
{
    if (own <= 0 || own >= all)
        return fabs(share - (own > 0)) < 1e-9;
    return two_sided(gsl_cdf_beta_P(share, own, all - own), gsl_cdf_beta_Q(share, own, all - own));
}

void chance_arcs_square(const double *points, uint32_t ids, double *mean, double *variance)
{
    double all = 0, squares = 0, fourths = 0, products = 0;
    for (uint32_t id = 0; id < ids; id++) {
        double v = points[id], square = v * (v + 1);
        all += v;
        squares += square;
        products += square * square;
        fourths += square * (v + 2) * (v + 3);
    }
    double second = all * (all + 1), fourth = second * (all + 2) * (all + 3);
    *mean = squares / second;
    *variance = (fourths + squares * squares - products) / fourth - *mean * *mean;
}

/* How far a chi-square of n - 1 degrees must be off centre to be found: a noncentral one as a Gamma of its mean and variance (Patnaik 1949). */
static double noncentrality(uint32_t n, double alpha, double miss)
{
    double degrees = n > 1 ? n - 1 : 1, bound = gsl_cdf_chisq_Qinv(alpha / 2, degrees), low = 0, high = 100 * bound;
    for (int i = 0; i < 60; i++) {
        double mid = (low + high) / 2, mean = degrees + mid, variance = 2 * degrees + 4 * mid;
        if (gsl_cdf_gamma_P(bound, mean * mean / variance, variance / mean) > miss)
            low = mid;
        else
            high = mid;
    }
    return high;
}

uint64_t chance_keys(uint32_t n, double cv, double alpha, double miss)
{
    double keys = noncentrality(n, alpha, miss) / (cv * cv);
    return keys > 10.0 * n ? (uint64_t)ceil(keys) : 10 * (uint64_t)n;
}

double chance_found_cv(uint32_t n, uint64_t keys, double alpha, double miss)
{
    return sqrt(noncentrality(n, alpha, miss) / (double)keys);
}
