/* What an ideal hash would give: exact formulas, with the GNU Scientific Library's special functions. */
#ifndef METRICS_THEORY_H
#define METRICS_THEORY_H

#include "base/why.h"
#include <stdint.h>

/* What theory says of one node's load over its fair share. */
struct node_theory {
    double mean;     /* 1 on rings; share / fair where the rule fixes shares */
    double variance; /* around the mean, all loads together adding up to 1 */
    double free;     /* the same as if nodes were independent (Gamma arcs, Poisson samples): what the maximum is computed from */
    double third;    /* third central moment of that */
};

/* A ring whose members own owned[id] points (Dirichlet shares), or with owned NULL a rule that fixes share[id]; and keys whose squared
 * popularities sum to sum_p2 (0: infinitely many, that is exact shares). full: part of the ring's positions that hold a point (arcs of whole
 * positions scatter less, by 1 - full). fair[id] > 0 marks members; theory gets one entry a member. Returns how many. */
uint32_t theory_nodes(const uint64_t *owned, double full, const double *share, const double *fair, uint32_t ids, double sum_p2,
                      struct node_theory *theory);

/* The same for a rule that deals `cells` equal cells at random, each node's chance being its fair share: its cells are binomial, the keys in them
 * too. In `free`, both are Poisson. */
uint32_t theory_balls(uint64_t cells, const double *fair, uint32_t ids, double sum_p2, struct node_theory *theory);

/* One random point for each of so many like nodes, and the nearest of `probes` random probes a key: the cv over placements and samples, and the expected
 * largest load over the mean, exact for shares; NAN where the samples' own noise is above a tenth of the shares' cv, as no law is known for both. */
void theory_probes(uint32_t nodes, uint64_t probes, double sum_p2, double *cv, double *max);

/* Root of the mean square deviation from 1 over placements and samples: what `cv` should be.
 * Equal nodes: sqrt((N-1)/(NV+1) (1 - sum_p2) + (N-1) sum_p2). */
double theory_cv(const struct node_theory *t, uint32_t n);

/* Expected largest load over fair share: the integral of 1 - P(all nodes <= x), each node a Gamma with its first three moments. For equal nodes
 * on a ring and exact shares this is exact (the maximum of Dirichlet shares is that of Gammas over their independent sum). With sampling it is
 * an approximation: within 1 % from 10 keys a node on (3 % too high at 5, at one key a node 4 to 9 % for 100 to 10,000 nodes),
 * if no key is much more popular than others. *out: the value. 0 or -ENOMEM.
 * Cost: about 600 evaluations for each group of like nodes. */
int theory_max(const struct node_theory *t, uint32_t n, double *out, char why[WHY]);

#endif
