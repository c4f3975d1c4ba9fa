/* Many changes, one after the other: what moves, and what is left of balance, place and memory? */
#ifndef EXPERIMENTS_CHURN_H
#define EXPERIMENTS_CHURN_H

#include "experiments/study.h"

/* A row for each strategy, cluster and event (columns_churn), event 0 being the cluster before: the same sequence for all strategies. From ownership
 * maps where there are any, else, or with `keys`, from keys. What was opened anew for comparison is left empty in most rows where that would cost too much.
 * Strategies of which only the last node can leave are skipped with a warning. */
int churn_run(const struct study *s, uint64_t events, bool keys, struct table **out, char why[WHY]);

#endif
