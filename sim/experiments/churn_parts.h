/* The parts of churn; nothing else includes this. */
#ifndef EXPERIMENTS_CHURN_PARTS_H
#define EXPERIMENTS_CHURN_PARTS_H

#include "experiments/churn.h"
#include "experiments/turmoil.h"

/* Who owns what at one moment: a map, or the owner of each key. */
struct view {
    struct map map;
    uint32_t *owner;
    double *share, unplaced; /* by id */
};

/* What is looked at, and how. */
struct viewer {
    struct study study;
    struct workload *w; /* NULL: from the maps */
    uint64_t keys;
    uint32_t ids;
};

/* keys: place the study's workload. 0, -EINVAL, -ENOMEM, -EIO; release in any case. */
int viewer_init(struct viewer *of, const struct study *s, bool keys, uint32_t ids, const struct placement *p, char why[WHY]);
double viewer_lookups(const struct viewer *of, const struct placement *p); /* what one look costs, in nodes looked at; 0: a map */
void viewer_release(struct viewer *of);
int view_init(struct view *v, const struct viewer *of); /* 0 or -ENOMEM; release in any case */
void view_release(struct view *v);

/* What p has now, in the place of what was there. -EINVAL: no map. */
int view_take(struct view *v, struct viewer *of, const struct placement *p, char why[WHY]);
/* -EINVAL: no exact way is known. */
int view_moves(const struct viewer *of, const struct view *before, const struct view *after, const bool *standing, struct moves *out, char why[WHY]);

struct churn_plan {
    uint64_t events;
    bool weights; /* nodes are reweighed */
};

/* The rows of one strategy. -EINVAL: also where there is no exact way, without `keys`. */
int churn_one(const struct study *s, const struct spec *spec, const struct cluster *start, const struct churn_plan *plan, bool keys, struct table *t,
              char why[WHY]);

#endif
