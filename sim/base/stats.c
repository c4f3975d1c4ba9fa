/* Sorting, mean and quantiles. The sort is qsort: n log n comparisons. */
#include "base/stats.h"
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void stats_sort(double *x, size_t n)
{
    if (n > 1)
        qsort(x, n, sizeof *x, by_value);
}

double stats_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n > 0 ? sum / (double)n : 0;
}

double stats_quantile(const double *sorted, size_t n, double q)
{
    double place = (double)(n - 1) * (q < 0 ? 0 : q > 1 ? 1 : q);
    size_t low = (size_t)place;
    if (low + 1 >= n)
        return sorted[n - 1];
    return sorted[low] + (place - (double)low) * (sorted[low + 1] - sorted[low]);
}
