/* What the exact and the sampled way of planning share. */
#ifndef EXPERIMENTS_PLAN_PARTS_H
#define EXPERIMENTS_PLAN_PARTS_H

#include "experiments/plan.h"

/* What was measured: of all the load, what each node has at each stage, and what each step moves. */
struct plan_figures {
    double *share;        /* [steps + 1][ids] */
    double *unplaced;     /* [steps + 1] */
    struct plan_moves {
        struct flows flows;
        double moved, bystander;
        double ever;      /* moved at this step or before */
        double count_moved, count_max; /* had slots been dealt by number, where they are dealt by load */
    } *step;              /* [steps] */
    double bytes;         /* in all; 0: not known */
    bool keys;            /* the flows count keys */
    struct workload *workload; /* NULL: from the maps */
    uint64_t requests;
    const char *load;     /* what is counted */
};
void plan_figures_release(struct plan_figures *f, const struct plan *p);

/* One pile of load after another, with its owner at each stage. */
struct plan_tally {
    const bool *standing;  /* [steps][ids]: the node is the same before and after the step */
    size_t steps;
    uint32_t ids;
    sum128 *got;           /* [steps + 1][ids + 1], the last for nobody */
    struct plan_sums {
        sum128 moved, bystander, ever;
    } *sum;                /* [steps] */
    struct flows *flows;   /* [steps] */
    sum128 amount;
};
int plan_standing(const struct plan *p, bool **standing, char why[WHY]); /* mem_freed by the caller */
int plan_tally_init(struct plan_tally *t, const struct plan *p, const bool *standing); /* 0 or -ENOMEM */
void plan_tally_release(struct plan_tally *t, const struct plan *p);
void plan_tally_add(struct plan_tally *t, const uint32_t *owner, uint64_t amount, uint64_t keys);
void plan_tally_join(struct plan_tally *t, const struct plan_tally *other);
/* Into figures. -EINVAL: no load at all in what the source names. */
int plan_tally_close(struct plan_tally *t, const struct plan *p, struct plan_figures *f, const char *source, char why[WHY]);

/* From the maps; slot loads of the file where the wish has them. -EINVAL: not all have a map, or no way is known to compare them. */
int plan_exact(const struct plan *p, const struct plan_wish *wish, bool by_count, struct plan_figures *f, char why[WHY]); /* by_count: as if not levelled */
int plan_sampled(const struct plan *p, const struct plan_wish *wish, struct plan_figures *f, char why[WHY]);

/* Who owns what at a stage, as dealt by load or by the placement. 0, -EINVAL, -ENOMEM. */
int plan_map(const struct plan *p, size_t stage, struct map *out, char why[WHY]);

/* Into p->piles (cells are known): the file's loads, keys' added up by slot. */
int plan_piles_read(struct plan *p, const struct plan_wish *wish, char why[WHY]);

/* load[slot] of `cells` slots, in TEXT_AMOUNT_ONE. Warns of slots that the file does not name, or names twice. */
int plan_load_slots(const struct study *s, const struct plan_load *l, uint64_t cells, uint64_t *load, char why[WHY]);

#endif
