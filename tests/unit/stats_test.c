/* Sorting, mean, quantiles. */
#include "base/stats.h"
#include "tests/tap.h"
#include <math.h>

static bool near(double a, double b) { return fabs(a - b) < 1e-12; }

int main(void)
{
    double x[] = {5, -1, 3, 3, 10, 0.5};
    stats_sort(x, 6);
    bool sorted = true;
    for (int i = 1; i < 6; i++)
        sorted = sorted && x[i - 1] <= x[i];
    ok(sorted && near(x[0], -1) && near(x[5], 10), "ascending");
    stats_sort(x, 0);
    ok(near(stats_mean(x, 6), 20.5 / 6), "mean");
    ok(near(stats_mean(x, 0), 0), "mean of nothing is 0");
    double four[] = {1, 2, 3, 4};
    ok(near(stats_quantile(four, 4, 0), 1) && near(stats_quantile(four, 4, 1), 4), "ends");
    ok(near(stats_quantile(four, 4, 0.5), 2.5) && near(stats_quantile(four, 4, 0.25), 1.75), "type 7: 2.5 and 1.75");
    ok(near(stats_quantile(four, 4, 0.95), 3.85), "type 7: 3.85");
    ok(near(stats_quantile(four, 1, 0.3), 1), "one value");
    ok(near(stats_quantile(four, 4, -1), 1) && near(stats_quantile(four, 4, 2), 4), "q is clamped");
    return tap_done();
}
