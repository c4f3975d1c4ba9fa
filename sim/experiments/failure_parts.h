/* What the files of failure share: how a placement's load falls on the living, and what is counted. */
#ifndef EXPERIMENTS_FAILURE_PARTS_H
#define EXPERIMENTS_FAILURE_PARTS_H

#include "experiments/copies.h"
#include "experiments/failure.h"
#include "experiments/trial.h"

/* -- failure_load.c -- */

/*   HAND_SHARES  the strategy goes to a cluster without the dead (where it knows nodes that are down, with them down), and shares are exact
 *   HAND_KEYS    the same, and keys are counted
 *   HAND_COPIES  nothing changes: each range is with the first of its copies that lives, and lost without */
enum handing_way { HAND_SHARES, HAND_KEYS, HAND_COPIES };

struct handing {
    const struct study *s;
    const struct spec *spec;
    const struct cluster *all; /* the cluster before; its places count */
    enum handing_way way;
    struct placement *p;       /* NULL with copies */
    struct node *node[2];      /* the clusters before and after a change */
    struct cluster left[2];
    unsigned turn;
    double *share;             /* by id */
    struct workload *w;        /* with keys */
    uint64_t keys;
    struct copies copies;      /* of ranges, as places */
    bool *gone;                /* by place: the dead of the last question, from which the next goes on */
    double *held;              /* by place: the load then, and in lost what nobody has */
    double lost;
    uint32_t *head, *next, *at; /* by place: its ranges, as a list; of each range the next there, and which of its copies that is */
};

/* Which way a strategy goes, tried out by a victim's leaving; `replicas` as in failure_wish. *cost: in steps of a few nanoseconds, for one set of the
 * dead. 0, -EINVAL, -ENOMEM. */
int handing_choose(const struct study *s, const struct spec *spec, const struct placement *p, uint32_t replicas, uint32_t victim, enum handing_way *way,
                   double *cost, char why[WHY]);

/* Around a placement, which stays as it is. 0, -EINVAL, -ENOMEM; close in any case. */
int handing_open(struct handing *h, const struct study *s, const struct spec *spec, const struct placement *p, enum handing_way way, uint32_t replicas,
                 char why[WHY]);
void handing_close(struct handing *h);

/* Before another cascade: a placement that remembers its changes is opened anew. 0, -EINVAL, -ENOMEM. */
int handing_restart(struct handing *h, char why[WHY]);

/* A cascade_load. */
int handing_load(void *handing, const bool *dead, double *load, double *lost, char why[WHY]);

/* -- failure_cascades.c -- */

/* Sums over the first deaths in one placement, at one capacity. */
struct tally {
    uint64_t stable, collapsed, steps;
    uint32_t over;
    double peak, peak_most, lost;
};

/* The same, for what is one at all capacities. */
struct heirs {
    uint64_t receivers;
    double gain;
    double needed; /* the largest load before or after any of them, over what a capacity of 1 bears; may be infinite */
};

/* One strategy on one cluster. */
struct scene {
    const struct study *s;
    const struct failure_wish *wish;
    struct trial trial;
    enum handing_way way;
    uint32_t nodes, kill, victim; /* kill: how many die first; victim: NO_NODE, or the one's place */
    uint64_t kills;         /* first deaths in each placement */
    bool sampled;           /* not all of them */
    struct tally *tally;    /* [placements][capacities] */
    struct heirs *heirs;    /* [placements] */
    uint64_t *left;         /* [capacities][nodes + 1] cascades with so many survivors */
    uint64_t keys;
    struct workload *w;
    uint64_t broken; /* the first placement that failed, and how */
    int error;
    char *why;
};

/* Lets nodes die in all placements, on all threads. 0 or what handing_open and handing_load answer. */
int scene_count(struct scene *c, char why[WHY]);

/* The one victim's cascade in the first placement, at each capacity. `row` is shown each state, step 0 being the one before. */
typedef int scene_row(void *to, const struct scene *c, double capacity, uint32_t step, const bool *dead, const double *load,
                      const double *fair, const double *bears, char why[WHY]);
int scene_show(struct scene *c, scene_row *row, void *to, char why[WHY]);

#endif
