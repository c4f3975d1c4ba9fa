/* What a resize will do: who gives how much to whom, step after step. */
#ifndef EXPERIMENTS_PLAN_H
#define EXPERIMENTS_PLAN_H

#include "experiments/study.h"

/* A column of measured load, in a CSV file whose first line names the columns. */
struct plan_load {
    const char *path; /* NULL: none was measured */
    bool by_slot;     /* a slot's load, not a key's */
    bool bytes;       /* the load is in bytes */
    size_t what, load; /* columns, from 1 */
};
int plan_load_look(struct plan_load *l, const char *path, char why[WHY]); /* reads the first line */
char *plan_load_workload(const struct plan_load *l); /* a load a key, as a workload; mem_freed by the caller, NULL: no memory */

struct plan_wish {
    struct plan_load load;
    double rate;  /* bytes a second that a node takes in; 0: not given */
    double total; /* bytes in all; 0: not given */
    bool keys;    /* from keys, even where ownership maps would tell */
};

/* The placements: before, and after each step, each opened as the one before it and changed. */
struct plan {
    const struct study *study;
    const struct spec *spec; /* before */
    size_t steps;
    struct plan_stage {
        const struct cluster *cluster;
        struct placement *placement;
        char *text; /* "to 4"; NULL: before */
        struct map dealt; /* slots dealt by their load, not by the placement; without ranges: none are */
    } *stage; /* steps + 1 */
    uint32_t ids;
    bool levelled; /* slots are dealt by their load */
    struct plan_piles {
        uint64_t cells, *load, *keys; /* of each slot; keys NULL: not counted */
        uint64_t requests;
    } piles; /* where levelled */
};

/* The study's one strategy and cluster, and its --to (a sweep: one step after the other), --to-spec or changes. A step that changes nothing is refused.
 * 0, -EINVAL, -ENOMEM; close in any case. */
int plan_open(struct plan *p, const struct study *s, char why[WHY]);
void plan_close(struct plan *p);

/* Where --load was given and the strategy deals slots one by one: chooses the slots that move by their load. Before plan_run and plan_slots. */
int plan_level(struct plan *p, const struct plan_wish *wish, char why[WHY]);

/* A row for each pair of nodes of each step (columns_plan). From the ownership maps where all have one, unless keys are wished for; else from keys. */
int plan_run(const struct plan *p, const struct plan_wish *wish, struct table **out, char why[WHY]);

/* The share that moves under another strategy on the same steps, their sum; NAN where it is not to be had. 0 or -ENOMEM. */
int plan_other(const struct plan *p, const char *text, double *moved, char why[WHY]);

/* Slots that go from one node to another at a step, in order. *item is mem_freed by the caller. *cells: how many slots there are. 0, -ENOMEM, or
 * -EINVAL: there are no slots, or not the same before and after. */
struct plan_slots {
    uint64_t first, last;
    uint32_t from, to;
};
int plan_slots(const struct plan *p, size_t step, struct plan_slots **item, size_t *n, uint64_t *cells, char why[WHY]);

#endif
