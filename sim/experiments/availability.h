/* Copies on several nodes, and several nodes failing at once: which ranges lose their quorum, and which all copies? */
#ifndef EXPERIMENTS_AVAILABILITY_H
#define EXPERIMENTS_AVAILABILITY_H

#include "experiments/study.h"

/* A row for each strategy and cluster: means over the study's placements. `replicas` copies of each range, on distinct racks where nodes name theirs
 * and the strategy is no real system, whose own rule holds. Exact from the ownership map; over all subsets of `fail` nodes where they are few enough. */
int availability_run(const struct study *s, uint32_t replicas, uint32_t fail, struct table **out, char why[WHY]);

#endif
