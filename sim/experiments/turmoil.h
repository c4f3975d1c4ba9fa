/* Random changes of a cluster, one after the other: nodes leave, come back or come for the first time, and are given other weights. */
#ifndef EXPERIMENTS_TURMOIL_H
#define EXPERIMENTS_TURMOIL_H

#include "base/rng.h"
#include "model/cluster.h"

/* A cluster made by hand from another's nodes. */
struct crowd {
    struct node *node;
    struct cluster cluster;
};
int crowd_init(struct crowd *c, const struct cluster *from); /* 0 or -ENOMEM */
void crowd_release(struct crowd *c);
void crowd_copy(struct crowd *c, const struct cluster *from); /* into one that has the room */
void crowd_drop(struct crowd *c, uint32_t at);
void crowd_append(struct crowd *c, const struct node *n);

struct turmoil_rules {
    uint32_t least, most; /* nodes at any time; least < most */
    uint32_t together;    /* so many leave or come at once in one change of eight, where there is room for it */
    uint32_t leaving;     /* where nodes may leave and come, so many changes of six take them away */
    bool weights;         /* one change of eight gives a node another weight: one to five times the least there was */
};

struct turmoil {
    struct turmoil_rules rules;
    struct rng rng;
    const struct cluster *pool;
    struct crowd crowd[2];
    unsigned turn;        /* which of the two is now */
    struct node *away;    /* those that left */
    uint32_t gone, met;   /* how many they are; how many of the pool have ever been in */
    uint32_t unit;        /* of weights */
    /* The last change. */
    bool *touched;        /* by id, pool->ids values: came, left or was reweighed */
    bool leaving;         /* nodes left or lost weight */
    enum turmoil_kind { TURMOIL_LEFT, TURMOIL_CAME, TURMOIL_REWEIGHED } kind;
    struct node node;     /* of several the last */
};

/* The first `in` nodes of the pool are in at first, the others come one by one, in order; of those that come, every other one has been in before, where
 * there are such. All is a pure function of pool, rules and stream. 0 or -ENOMEM; release in any case. */
int turmoil_init(struct turmoil *t, const struct cluster *pool, uint32_t in, const struct turmoil_rules *rules, uint64_t stream);
void turmoil_release(struct turmoil *t);

/* The nodes as they are, and after one more change: what was before stays where it is for one change. Ids go as far as nodes have been met. */
const struct cluster *turmoil_now(const struct turmoil *t);
const struct cluster *turmoil_next(struct turmoil *t);

#endif
