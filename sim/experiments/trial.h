/* Strategies opened on a cluster, each P times with names drawn anew. */
#ifndef EXPERIMENTS_TRIAL_H
#define EXPERIMENTS_TRIAL_H

#include "experiments/study.h"

/* One strategy on one cluster, with its P placements. */
struct trial {
    const struct spec *spec;
    const struct cluster *given;  /* whose names are drawn anew */
    struct placement **placement; /* s->placements of them; NULL: not open */
    struct registry **registry;   /* of placements with drawn names; NULL: the study's */
};

/* Strategy `spec` on cluster `size` of the study, its first `count` placements open; *t zeroed before, closed in any case. */
int trial_open(const struct study *s, struct trial *t, size_t spec, size_t size, size_t count, char why[WHY]);
int trial_place(const struct study *s, struct trial *t, size_t i, char why[WHY]); /* opens placement i, where it is not */
void trial_drop(struct trial *t, size_t i);
void trial_close(struct trial *t, size_t n); /* of n placements */

#endif
