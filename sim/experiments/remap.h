/* What moves when nodes change? */
#ifndef EXPERIMENTS_REMAP_H
#define EXPERIMENTS_REMAP_H

#include "experiments/study.h"

/* A row for each strategy, cluster and change (columns_remap); `each` is a change a node. */
int remap_run(const struct study *s, struct table **out, char why[WHY]);

#endif
