/* Draws from the distributions that loads follow; each a pure function of the sequence it is given. */
#ifndef METRICS_DRAWS_H
#define METRICS_DRAWS_H

#include "base/rng.h"

#include <math.h>
#include <stdbool.h>

double draw_normal(struct rng *r); /* Box and Muller 1958: two words */

/* Gamma of a shape from 1 on (Marsaglia and Tsang 2000): a normal x gives d (1 + x / sqrt(9 d))^3 with d = shape - 1/3, nearly always accepted. The same
 * sequence at another shape gives a number that differs little: common random numbers. */
double draw_gamma(struct rng *r, double shape);

struct gamma_shape {
    double d, slope;
};
static inline struct gamma_shape gamma_shape(double shape)
{
    double d = shape - 1. / 3;
    return (struct gamma_shape){d, 1 / sqrt(9 * d)};
}
static inline double gamma_of_normal(double x, struct gamma_shape s) /* negative or 0: not accepted */
{
    double root = 1 + x * s.slope;
    return s.d * root * root * root;
}
static inline bool gamma_accepts(double x, double u) /* whatever the shape, where gamma_of_normal is positive */
{
    return u < 1 - 0.0331 * x * x * x * x;
}

/* Hits among n tries of probability p each, exact to double precision; n below 2^53. Cost: O(log n), by the median of n uniform numbers. */
uint64_t draw_binomial(struct rng *r, uint64_t n, double p);

/* n balls into boxes of these probabilities (their sum at most 1): count[i] of each; count may be p. */
void draw_multinomial(struct rng *r, uint64_t n, const double *p, uint32_t boxes, double *count);

#endif
