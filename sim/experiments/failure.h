/* A node dies, the others take its load, and those that cannot bear it die too: how many are left? */
#ifndef EXPERIMENTS_FAILURE_H
#define EXPERIMENTS_FAILURE_H

#include "experiments/study.h"

struct failure_wish {
    const double *capacity; /* what a node bears, over its fair share: above 1 */
    size_t capacities;
    bool own;           /* over its own load before anything fails, instead */
    uint32_t replicas;  /* copies of each range; 0: the strategy hands load on as to a cluster without the dead */
    const char *victim; /* who dies first; NULL: each node in turn */
    uint32_t kill;      /* how many, where victim is a number and no node's name: every set of so many, or a sample; else 0 */
    bool per_node;      /* the one cascade, step by step; with a victim and one placement */
};

/* A row for each strategy, cluster and capacity, over the study's placements and all first victims; or a row for each node and step. Exact from shares
 * of the digests; from the study's keys where a strategy has none. A strategy that cannot be asked is passed over with a warning, unless none is left.
 * 0, -EINVAL, -ENOMEM, -EIO. Cost: the loads of a cascade's first step come from one change of the placement, whatever the capacities; so do
 * those of each further step. */
int failure_run(const struct study *s, const struct failure_wish *wish, struct table **out, char why[WHY]);

#endif
