/* Repetitions of a measurement, and their three numbers. */
#ifndef EXPERIMENTS_TIMING_H
#define EXPERIMENTS_TIMING_H

#include "base/table.h"

enum { TIMING_REPS = 15 };

struct timing {
    double ns[TIMING_REPS];
    size_t count;
};

void timing_add(struct timing *t, double ns);

/* Median, minimum and 95th percentile into their columns. */
void timing_columns(struct timing *t, struct table *table, const struct column *median, const struct column *min, const struct column *p95);

/* Keeps the compiler from dropping a computation. */
void timing_use(uint64_t value);

#endif
