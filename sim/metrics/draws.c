#include "metrics/draws.h"

double draw_normal(struct rng *r)
{
    double u = 1 - rng_real(r), angle = 2 * 3.14159265358979323846 * rng_real(r);
    return sqrt(-2 * log(u)) * cos(angle);
}

double draw_gamma(struct rng *r, double shape)
{
    const struct gamma_shape s = gamma_shape(shape);
    for (;;) {
        double x = draw_normal(r), u = 1 - rng_real(r), g = gamma_of_normal(x, s);
        if (g > 0 && (gamma_accepts(x, u) || log(u) < x * x / 2 + s.d - g + s.d * log(g / s.d)))
            return g;
    }
}

uint64_t draw_binomial(struct rng *r, uint64_t n, double p)
{
    enum { FEW = 24 };
    uint64_t hits = 0;
    while (n > FEW && p > 0 && p < 1) { /* the k-th smallest of n uniform numbers is Beta(k, n + 1 - k) */
        uint64_t k = n / 2 + 1;
        double low = draw_gamma(r, (double)k), high = draw_gamma(r, (double)(n + 1 - k)), median = low / (low + high);
        if (median <= p) {
            hits += k;
            n -= k;
            p = (p - median) / (1 - median);
        } else {
            n = k - 1;
            p /= median;
        }
    }
    if (p >= 1)
        return hits + n;
    for (; p > 0 && n > 0; n--)
        hits += rng_real(r) < p;
    return hits;
}

void draw_multinomial(struct rng *r, uint64_t n, const double *p, uint32_t boxes, double *count)
{
    double rest = 1;
    for (uint32_t i = 0; i < boxes; i++) {
        double chance = p[i];
        uint64_t here = chance > 0 ? draw_binomial(r, n, chance < rest ? chance / rest : 1) : 0;
        count[i] = (double)here;
        n -= here;
        rest -= chance;
    }
}
