/* How even is it: loads in, numbers out. */
#ifndef METRICS_BALANCE_H
#define METRICS_BALANCE_H

#include <stddef.h>
#include <stdint.h>

struct balance {
    double max_over_mean, min_over_mean; /* of load over fair share */
    double cv;                           /* root mean square of load over fair share, less 1 */
    uint32_t empty_nodes;                /* members with no load at all */
    double unplaced_share;
};

/* share[id] and fair[id] of ids values (fair 0: no member); unplaced: the share that no member got. */
void balance_measure(const double *share, const double *fair, uint32_t ids, double unplaced, struct balance *out);

/* Half the sum of |b - a|: the least that must move between two distributions. */
double share_distance(const double *a, const double *b, uint32_t ids);

/* What sampling alone does to the cv of a perfect placement: every node's load is binomial. sum_p2: sum of squared
 * popularities (1/K for K distinct keys). = sqrt((N-1) * sum_p2) for equal nodes. */
double balance_noise(const double *fair, uint32_t ids, double sum_p2);

#endif
