/* Arcs between random points of a circle, added up by node: the shares of an ideal ring are Dirichlet, one node's is Beta(V, T - V) for V of its own
 * among T points. From that follow, without drawing anything, the largest load's upper quantiles, and how many points a target needs. */
#ifndef METRICS_DIRICHLET_H
#define METRICS_DIRICHLET_H

#include "base/why.h"
#include <stdint.h>

/* Nodes by weight; a node of weight w has w * v points, v a real number given with each question. */
struct dirichlet {
    struct dirichlet_group {
        double weight, count;
    } *group;
    uint32_t groups;
    double nodes, weight; /* in all */
};

/* weight[id] > 0 marks nodes. 0 or -ENOMEM; release in any case. */
int dirichlet_init(struct dirichlet *a, const double *weight, uint32_t ids, char why[WHY]);
void dirichlet_release(struct dirichlet *a);

/* What a target bounds. */
enum dirichlet_side {
    ARCS_MAX,   /* the largest share over fair share, from above */
    ARCS_MIN,   /* the smallest, from below */
    ARCS_SHARE, /* the largest share itself */
    ARCS_NEW,   /* the share of one more node of weight 1 */
};

/* The chance that some node breaks the bound: the sum of the nodes' own chances, which are exact, less that of pairs (Bonferroni). Right to a
 * thousandth where it is below 0.1; above 0.2, or with more than 32 different weights, the plain sum, which is never too low. Cost: an incomplete Beta
 * function for each pair of groups. */
double dirichlet_breach(const struct dirichlet *a, double v, enum dirichlet_side side, double bound);

/* The x that the largest load over fair share stays below with probability q, by the same sum: for q from 0.9 on. */
double dirichlet_max_quantile(const struct dirichlet *a, double v, double q);

/* How many nodes share the keys of one that dies, on average over nodes and placements. For equal nodes (N-1) (1 - C(M-1,V) / C(M+V-1,V)) with
 * M = (N-1) V. */
double dirichlet_receivers(const struct dirichlet *a, double v);

#endif
