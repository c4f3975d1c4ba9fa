/* Probabilities of what was counted: against sums over all outcomes, and against integrals that have a closed form. */
#include "metrics/chance.h"
#include "tests/tap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

static bool near(double x, double wanted, double within)
{
    bool is = fabs(x - wanted) <= within * fabs(wanted);
    if (!is)
        note("%.12g, not %.12g", x, wanted);
    return is;
}

static double two_sided(double below, double above)
{
    return fmin(1, 2 * fmin(below, above));
}

/* A Gamma whose mean is its deviation is exponential; a narrow one is normal but for its skewness 2 / sqrt(shape). */
static void gammas(void)
{
    ok(near(chance_gamma(0.3, 3, 9), 2 * -expm1(-0.1), 1e-12), "little of an exponential distribution");
    ok(near(chance_gamma(9, 3, 9), 2 * exp(-3), 1e-12), "much of it");
    ok(chance_gamma(0, 3, 9) == 0 && near(chance_gamma(3 * log(2), 3, 9), 1, 1e-12), "nothing of it; its median");
    double mean = 1e6, sd = 1e3, skewness = 2e-3, z = 2;
    for (double side = -1; side <= 1; side += 2) { /* Edgeworth's first term */
        double tail = gsl_cdf_ugaussian_Q(z) + side * skewness / 6 * (z * z - 1) * gsl_ran_ugaussian_pdf(z);
        ok(near(chance_gamma(mean + side * z * sd, mean, sd * sd), 2 * tail, 1e-5), "%+g deviations of a narrow one", side * z);
    }
}

static void binomials(void)
{
    enum { N = 20 };
    double p = 0.3, hit[N + 1];
    bool tails = true, intervals = true;
    for (unsigned k = 0; k <= N; k++)
        hit[k] = gsl_ran_binomial_pdf(k, p, N);
    for (unsigned k = 0; k <= N; k++) {
        double below = 0, above = 0, low, high;
        for (unsigned i = 0; i <= k; i++)
            below += hit[i];
        for (unsigned i = k; i <= N; i++)
            above += hit[i];
        tails &= near(chance_binomial(k, N, p), two_sided(below, above), 1e-9);
        chance_interval(k, N, 0.9, &low, &high);
        intervals &= k == 0 ? low == 0 : near(gsl_cdf_binomial_Q(k - 1, low, N), 0.05, 1e-9);
        intervals &= k == N ? high == 1 : near(gsl_cdf_binomial_P(k, high, N), 0.05, 1e-9);
    }
    ok(tails, "hits: both tails, summed");
    ok(intervals, "an interval's ends leave 5 %% of the hits beyond them");
    ok(chance_binomial(0, 9, 0) == 1 && chance_binomial(1, 9, 0) == 0 && chance_binomial(9, 9, 1) == 1 && chance_binomial(8, 9, 1) == 0, "what is certain");
}

/* Pearson's statistic of keys in three cells, the last one's share perhaps nobody's; its mean and variance over all outcomes. */
static void counts(void)
{
    enum { KEYS = 7 };
    const double share[] = {0.5, 0.3, 0.2};
    double mean = 0, square = 0, statistic;
    for (unsigned a = 0; a <= KEYS; a++)
        for (unsigned b = 0; a + b <= KEYS; b++) {
            const unsigned n[] = {a, b, KEYS - a - b};
            double p = gsl_ran_multinomial_pdf(3, share, n), sum = 0;
            for (int i = 0; i < 3; i++)
                sum += pow(n[i] - KEYS * share[i], 2) / (KEYS * share[i]);
            mean += p * sum;
            square += p * sum * sum;
        }
    for (uint32_t ids = 2; ids <= 3; ids++) {
        const uint64_t n[] = {1, 5, 1};
        double sum = 2.5 * 2.5 / 3.5 + 2.9 * 2.9 / 2.1 + 0.4 * 0.4 / 1.4, p = chance_counts(n, share, ids, KEYS, &statistic);
        ok(near(statistic, sum / 2, 1e-9) && near(p, chance_gamma(sum, mean, square - mean * mean), 1e-9), "counts of 3 cells, %u of nodes", ids);
    }
    const uint64_t few[] = {3, 3, 0}, stray[] = {4, 3, 1};
    const double all[] = {0.5, 0.5, 0};
    ok(chance_counts(few, all, 3, 7, &statistic) == 0 && isinf(statistic), "a key that nobody has though all is owned");
    ok(chance_counts(stray, all, 3, 8, &statistic) == 0 && isinf(statistic), "a key at a node without a share");
    ok(near(chance_counts(few, all, 3, 6, &statistic), chance_counts(few, all, 2, 6, &statistic), 1e-12), "a node without share and keys does not count");
    ok(chance_counts(few, (const double[]){1}, 1, 3, &statistic) == 1 && near(statistic, 1, 0), "a single node has all");
}

static void arcs(void)
{
    ok(near(chance_arc(0.1, 1, 2), 0.2, 1e-12) && near(chance_arc(0.9, 1, 2), 0.2, 1e-9), "one of two points: uniform");
    ok(near(chance_arc(0.1, 1, 5), 2 * (1 - pow(0.9, 4)), 1e-12), "one of five: 1 - (1 - x)^4");
    ok(chance_arc(0, 0, 3) == 1 && chance_arc(0.1, 0, 3) == 0 && chance_arc(1, 3, 3) == 1 && chance_arc(0.9, 3, 3) == 0, "none and all of the points");
    double mean, variance; /* of u^2 + (1 - u)^2: by the moments of u, uniform or of density 2 u */
    chance_arcs_square((const double[]){1, 1}, 2, &mean, &variance);
    ok(near(mean, 2 / 3., 1e-12) && near(variance, 1 / 45., 1e-9), "squared shares of two nodes of a point each");
    chance_arcs_square((const double[]){2, 1}, 2, &mean, &variance);
    ok(near(mean, 2 / 3., 1e-12) && near(variance, 7 / 15. - 4 / 9., 1e-9), "of two points and one");
}

/* P(chi-square <= bound), off centre by so much: a Poisson mixture. */
static double off_centre(double bound, double degrees, double by)
{
    double sum = 0;
    for (unsigned j = 0; j < 2000; j++)
        sum += gsl_ran_poisson_pdf(j, by / 2) * gsl_cdf_chisq_P(bound, degrees + 2 * j);
    return sum;
}

/* Patnaik's Gamma is the better the more nodes there are. */
static void powers(void)
{
    const double alpha = 1e-6, miss = 1e-3, cv = 0.05;
    for (uint32_t n = 20; n <= 2000; n *= 10) {
        double keys = (double)chance_keys(n, cv, alpha, miss), within = 3 / sqrt(n);
        double found = off_centre(gsl_cdf_chisq_Qinv(alpha / 2, n - 1), n - 1, keys * cv * cv);
        ok(near(found, miss, within), "%u nodes: %.0f keys miss a cv of 0.05 with probability %.2g", n, keys, found);
        ok(near(chance_found_cv(n, (uint64_t)keys, alpha, miss), cv, 1 / keys), "and find no smaller one");
    }
    ok(chance_keys(50, 100, alpha, miss) == 500, "but at least 10 keys a node");
}

int main(void)
{
    gammas();
    binomials();
    counts();
    arcs();
    powers();
    return tap_done();
}
