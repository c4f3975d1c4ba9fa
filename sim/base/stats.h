/* Numbers about numbers. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stddef.h>

void stats_sort(double *x, size_t n); /* ascending; no NaN */
double stats_mean(const double *x, size_t n);

/* Quantile q (0..1) of sorted x by linear interpolation between order statistics
 * (Hyndman and Fan's type 7); n >= 1. */
double stats_quantile(const double *sorted, size_t n, double q);

#endif
