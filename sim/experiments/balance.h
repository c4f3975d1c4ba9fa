/* How evenly do strategies spread keys over nodes? */
#ifndef EXPERIMENTS_BALANCE_H
#define EXPERIMENTS_BALANCE_H

#include "experiments/study.h"

/* A row for each strategy on each cluster (columns_balance), or a row a node (columns_per_node). */
int balance_run(const struct study *s, struct table **out, char why[WHY]);
int balance_per_node(const struct study *s, struct table **out, char why[WHY]);

#endif
