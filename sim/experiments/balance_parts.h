/* What the files of balance share among themselves; others include balance.h. */
#ifndef EXPERIMENTS_BALANCE_PARTS_H
#define EXPERIMENTS_BALANCE_PARTS_H

#include "experiments/balance.h"
#include "experiments/counts.h"
#include "experiments/feed.h"
#include "experiments/trial.h"

/* -- balance_loads.c: what the placements got, counted in up to three ways -- */

/* One way to count, and what theory needs to know of it. */
struct load {
    const char *name;                /* requests; keys, each once; bytes */
    const struct counts *counts;     /* how many keys or requests, whatever is counted */
    double *share;                   /* [placements][ids + 1], the last what no node got */
    const struct feed_spill *spill;  /* [placements]; NULL: not counted */
    double sum_p2, top;              /* of a key's shares of the load: squared and summed, and the largest */
};

/* Every strategy on one cluster, and what it got. */
struct pass {
    struct trial *trial;
    size_t trials, placements; /* of all trials */
    uint32_t ids;
    struct workload *w;
    struct counts counts[2]; /* of requests, and of their keys each once */
    struct feed_spill *spill[2];
    struct load load[3];
    size_t loads;
};
int pass_run(const struct study *s, size_t size, struct pass *pass, char why[WHY]); /* closed in any case */
void pass_close(struct pass *pass, const struct study *s);

/* -- balance_theory.c -- */

/* Scratch for one cluster's numbers, by id. */
struct desk {
    double *share, *fair, *fixed;
    uint64_t *owned;
    struct node_theory *theory;
};
int desk_init(struct desk *d, uint32_t ids); /* 0 or -ENOMEM; released in any case */
void desk_release(struct desk *d);

/* The maximum's theory knows no heavy keys, each of which falls on one node: none outweighs a node or is much more popular than others, or all
 * are too light to matter. */
bool light_keys(double top, double sum_p2, uint32_t nodes);

/* What theory expects of a placement whose fair shares are on the desk; NAN where it knows no law. light: the maximum too. */
int law_theory(const struct placement *p, struct desk *d, double sum_p2, bool light, double *cv, double *max, char why[WHY]);

/* The least max_over_mean that any placement can have when the hottest key has a share of top; fair shares are on the desk. */
double floor_theory(const struct placement *p, struct desk *d, double top);

#endif
