/* How likely is it that a right program gives such numbers? Probabilities of what was counted, with the GNU Scientific Library's distributions.
 *
 * All are two-sided: twice the smaller tail, at most 1. Where a distribution is only known by its mean and variance, a Gamma stands for it
 * (Pearson's type III), which is exact to the third moment for sums of squares of many small counts. */
#ifndef METRICS_CHANCE_H
#define METRICS_CHANCE_H

#include <stdint.h>

/* Of x, which should have this mean and variance. */
double chance_gamma(double x, double mean, double variance);

/* Of `count` hits among n tries of probability p each. */
double chance_binomial(uint64_t count, uint64_t n, double p);

/* The interval that holds the probability of `count` hits among n tries with so much confidence (Clopper and Pearson 1934). */
void chance_interval(uint64_t count, uint64_t n, double confidence, double *low, double *high);

/* Pearson's chi-square of counts against shares: count[id] of `keys` keys, share[id] their probabilities, `ids` values; shares may leave a rest that
 * nobody owns. *statistic: its value over its expectation. 0 where a count is not 0 and its share is. */
double chance_counts(const uint64_t *count, const double *share, uint32_t ids, uint64_t keys, double *statistic);

/* Of a node's share on a ring, `own` of `all` random points being its own: Beta(own, all - own). */
double chance_arc(double share, double own, double all);

/* Mean and variance of the sum of squared shares of nodes with points[id] random points each (`ids` values): moments of the Dirichlet
 * distribution. */
void chance_arcs_square(const double *points, uint32_t ids, double *mean, double *variance);

/* The fewest keys on n nodes by which chance_counts() < alpha finds shares whose coefficient of variation is cv, missing it with probability at
 * most `miss`; but at least 10 a node. And the smallest cv that so many keys find. */
uint64_t chance_keys(uint32_t n, double cv, double alpha, double miss);
double chance_found_cv(uint32_t n, uint64_t keys, double alpha, double miss);

#endif
