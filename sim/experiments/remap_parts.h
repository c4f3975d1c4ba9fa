/* What the exact and the sampled way of comparing placements share. */
#ifndef EXPERIMENTS_REMAP_PARTS_H
#define EXPERIMENTS_REMAP_PARTS_H

#include "experiments/steps.h"

/* The numbers of one row. */
struct outcome {
    double moved, bystander, lost, needed;
};

/* Adds the row of one step. w NULL: exact. */
int outcome_row(const struct study *s, const struct placement *before, const struct spec *spec, const struct step *step, const struct outcome *o,
                const struct workload *w, uint64_t keys, struct table *t, char why[WHY]);

/* standing[id] of ids: the node is in both clusters, and weighs, answers and is described the same. place: scratch of ids values. */
void mark_standing(const struct cluster *before, const struct cluster *after, bool *standing, uint32_t ids, uint32_t *place);

/* A row for each step: from ownership maps, or from keys. */
int remap_exact(const struct study *s, const struct spec *spec, const struct placement *before, struct steps *l, struct table *t, char why[WHY]);
int remap_sampled(const struct study *s, const struct spec *spec, const struct placement *before, struct steps *l, struct table *t, char why[WHY]);

#endif
