/* Published figures beside ours: each row of data/published says what was measured there, and the same is measured here on real placements. */
#ifndef EXPERIMENTS_PUBLISHED_H
#define EXPERIMENTS_PUBLISHED_H

#include "experiments/study.h"

struct published {
    char *figure;       /* "dynamo" */
    char *spec;         /* as opened here */
    uint32_t nodes;
    char *option;       /* what the figure's axis is, and where on it this is */
    double value;
    char *quantity;     /* "cv", "share_q005", "share_q995", "max_over_mean", "max_over_mean_q95", "efficiency", "table_max_over_mean" */
    double ours;        /* over placements with drawn names */
    double error, freedom; /* its standard error, and how many degrees of freedom that has */
    double published;
    double low, high;   /* what the published figure means, given its digits, its reading from a picture, and its own samples' noise */
    uint64_t placements;
    char *source, *why; /* of the bounds */
};

/* Measures every row of folder/{lamping-veach,multi-probe,maglev,dynamo,ring-theory}.csv; where the study is quick, those of small clusters. Of the
 * study it takes seed, hash and threads; the result does not depend on the threads. To be published_released. 0, -EINVAL (a file that cannot be read or understood), -ENOMEM. */
int published_run(const struct study *s, const char *folder, struct published **out, size_t *n, char why[WHY]);

/* The probability that placements of a right program miss the bounds so far: Student's t of the distance to the nearer one; 1 between them. */
double published_odds(const struct published *r);

void published_release(struct published *row, size_t n);

#endif
