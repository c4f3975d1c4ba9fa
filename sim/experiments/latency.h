/* How long does a look-up take, and what do building, changing and storing cost? Timed results: they carry repetitions, and
 * subtract nothing; the null strategy's row is the floor. One thread, always. */
#ifndef EXPERIMENTS_LATENCY_H
#define EXPERIMENTS_LATENCY_H

#include "experiments/study.h"

/* A row for each strategy, cluster and cache state (columns_latency). Warns where the machine is noisy. */
int latency_run(const struct study *s, struct table **out, char why[WHY]);

/* How many rows spread more than TIMING_NOISY; if any, text says which and what helps. */
size_t latency_noise(const struct table *t, char text[WHY]);

/* A row for each strategy and cluster: memory, time to open, time to add one node (columns_cost). */
int cost_run(const struct study *s, struct table **out, char why[WHY]);

#endif
