/* The changes of a remap study, one after the other. */
#ifndef EXPERIMENTS_STEPS_H
#define EXPERIMENTS_STEPS_H

#include "experiments/study.h"

/* One change. Clusters that miss one node are made when they are needed: `each` on 10,000 nodes would fill gigabytes. */
struct step {
    const struct cluster *after; /* NULL until entered, for a victim */
    char *text;
    uint32_t victim; /* index of the one node that leaves, of `each`; else NO_NODE */
    struct cluster without;
};

struct steps {
    struct step *item;
    size_t count, capacity;
};

/* The study's changes to `before`. 0, -EINVAL, -ENOMEM; release in any case. */
int steps_list(const struct study *s, struct steps *l, const struct cluster *before, bool addresses, char why[WHY]);
void steps_release(struct steps *l);

/* A number after --to makes the default names: refuses where `before` shares none of them with `after`, warns where it shares fewer than it could. */
int steps_check_to(const struct study *s, const char *to, const struct cluster *before, const struct cluster *after, char why[WHY]);

/* Makes a step's cluster, if it is one node less than before; and gives it back. */
int step_enter(struct step *step, const struct cluster *before, char why[WHY]);
void step_leave(struct step *step);

/* Enters a step and opens the placement that it leads to: the strategy opened before it and changed. */
int step_open(const struct study *s, const struct spec *spec, const struct cluster *before, struct step *step, struct placement **out,
              char why[WHY]);

#endif
