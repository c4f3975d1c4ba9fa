/* Every strategy held to its theory and to what it promises. */
#ifndef EXPERIMENTS_VERIFY_H
#define EXPERIMENTS_VERIFY_H

#include "experiments/study.h"

struct verify {
    const char *published; /* folder of published figures and known answers */
    bool deep;             /* more keys, more placements, every victim */
    bool figures;          /* the published figures too */
    bool reach;            /* sizes are numbers, and each strategy is tried up to its own largest */
};

/* Runs all checks on each strategy of the study at each size: a row a check, in the study's order. A chance check fails when its probability is below
 * one in a million over all chance checks of the run. *failed: how many do. Results do not depend on the number of threads. */
int verify_run(const struct study *s, const struct verify *v, struct table **out, uint64_t *failed, char why[WHY]);

#endif
