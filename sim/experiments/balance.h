/* How evenly do strategies spread keys over nodes? */
#ifndef EXPERIMENTS_BALANCE_H
#define EXPERIMENTS_BALANCE_H

#include "experiments/study.h"

/* A row for each strategy on each cluster (columns_balance), or a row a node (columns_per_node). */
int balance_run(const struct study *s, struct table **out, char why[WHY]);
int balance_per_node(const struct study *s, struct table **out, char why[WHY]);

/* What theory expects of an opened placement's cv and largest load over fair share, of keys (NULL: exactly); NAN where it knows no law. */
int balance_theory(const struct placement *p, const struct workload *w, double *cv, double *max, char why[WHY]);

#endif
