/* Random numbers of a law: their means and variances, which fixed seeds meet within 5 standard errors. */
#include "metrics/draws.h"
#include "tests/tap.h"

#include <math.h>

enum { DRAWS = 20000 };

/* Of so many values with these sums: their mean, and that of the squared distance to it; `kurtosis` of the law. */
static bool moments(double sum, double squares, double mean, double variance, double kurtosis)
{
    double got = sum / DRAWS, spread = squares / DRAWS - 2 * mean * got + mean * mean;
    bool right = fabs(got - mean) < 5 * sqrt(variance / DRAWS) && fabs(spread / variance - 1) < 5 * sqrt((kurtosis - 1) / DRAWS);
    if (!right)
        note("mean %g, not %g; variance %g, not %g", got, mean, spread, variance);
    return right;
}

static void continuous(struct rng *r)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = draw_normal(r);
        sum += x;
        squares += x * x;
    }
    ok(moments(sum, squares, 0, 1, 3), "normal");
    for (double shape = 1; shape < 1000; shape *= 7) {
        sum = squares = 0;
        for (int i = 0; i < DRAWS; i++) {
            double x = draw_gamma(r, shape);
            sum += x;
            squares += x * x;
        }
        ok(moments(sum, squares, shape, shape, 3 + 6 / shape), "a Gamma of shape %g", shape);
    }
}

static void hits(struct rng *r)
{
    for (uint64_t n = 10; n <= 1000000000; n *= 100)
        for (double p = 0.1; p < 1; p += 0.4) {
            double sum = 0, squares = 0, spread = (double)n * p * (1 - p);
            bool within = true;
            for (int i = 0; i < DRAWS; i++) {
                uint64_t x = draw_binomial(r, n, p);
                within &= x <= n;
                sum += (double)x;
                squares += (double)x * (double)x;
            }
            ok(within && moments(sum, squares, (double)n * p, spread, 3 + (1 - 6 * p * (1 - p)) / spread), "hits among %g tries of %.1f", (double)n, p);
        }
    ok(draw_binomial(r, 1000, 0) == 0 && draw_binomial(r, 1000, 1) == 1000 && draw_binomial(r, 0, 0.5) == 0, "none and all");
}

static void boxes(struct rng *r)
{
    const double p[] = {0.2, 0, 0.5, 0.3, 0}, part[] = {0.25, 0.25};
    double count[5], sum[5] = {0}, squares[5] = {0}, some = 0, square = 0;
    bool all = true;
    for (int i = 0; i < DRAWS; i++) {
        draw_multinomial(r, 100, p, 5, count);
        all &= count[0] + count[2] + count[3] == 100 && count[1] == 0 && count[4] == 0;
        for (int b = 0; b < 5; b++) {
            sum[b] += count[b];
            squares[b] += count[b] * count[b];
        }
        draw_multinomial(r, 100, part, 2, count);
        some += count[0] + count[1];
        square += (count[0] + count[1]) * (count[0] + count[1]);
    }
    ok(all, "each ball is in a box, and none in one without probability");
    ok(moments(sum[0], squares[0], 20, 16, 3) && moments(sum[2], squares[2], 50, 25, 3) && moments(sum[3], squares[3], 30, 21, 3), "each box has its part");
    ok(moments(some, square, 50, 25, 3), "half of the balls are in none where the boxes' probabilities sum to a half");
}

int main(void)
{
    struct rng r = rng_start(rng_stream(1, "draws", "", 0));
    continuous(&r);
    hits(&r);
    boxes(&r);
    return tap_done();
}
