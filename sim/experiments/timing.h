/* Repetitions of a measurement, and their numbers. */
#ifndef EXPERIMENTS_TIMING_H
#define EXPERIMENTS_TIMING_H

#include "base/table.h"

enum { TIMING_REPS = 15, TIMING_QUICK = 3 };
#define TIMING_NOISY 0.10 /* a spread beyond it is worth a warning */

struct timing {
    double ns[TIMING_REPS];
    size_t count;
};

void timing_add(struct timing *t, double ns);

/* Median, minimum and 95th percentile into their columns. */
void timing_columns(const struct timing *t, struct table *table, const struct column *median, const struct column *min, const struct column *p95);

/* How far the middle half of the repetitions reaches, over the median: what one interruption does not touch, as it does not touch the
 * median, and a machine that is shared or changes its pace does. 0 of less than two. */
double timing_spread(const struct timing *t);

/* Keeps the compiler from dropping a computation. */
void timing_use(uint64_t value);

#endif
