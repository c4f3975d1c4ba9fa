/* What failures of several nodes at once cost: sets of nodes that hold copies, and their shares, in; numbers out.
 *
 * A set of nodes that holds all copies of some range is a copyset (Cidon et al., USENIX ATC 2013). How much is hit on average does not depend on
 * the sets, only on how many copies there are; how often something is hit grows with their number. A range keeps its quorum while more than half
 * of its copies live. */
#ifndef METRICS_AVAILABILITY_H
#define METRICS_AVAILABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct copysets {
    uint32_t nodes, replicas;
    uint32_t *node;  /* replicas of each set, ascending, 0 .. nodes-1 */
    double *share;   /* of each set: the caller's to fill, once all are added */
    uint32_t *first, *of; /* after copysets_index: the sets of node i are of[first[i]] .. of[first[i + 1] - 1] */
    size_t count, capacity;
    uint32_t *slot;  /* open addressing: set + 1, 0 is free */
    size_t slots;
};

void copysets_init(struct copysets *c, uint32_t nodes, uint32_t replicas);
void copysets_release(struct copysets *c);

/* Finds or adds the set of these nodes, which are sorted in place; its number in *index. 0 or -ENOMEM. */
int copysets_add(struct copysets *c, uint32_t *node, uint32_t *index);

/* Makes share[] (zeroed) and the lists of each node's sets; nothing is added any more. 0 or -ENOMEM. */
int copysets_index(struct copysets *c);

/* With how many others a node shares some range: mean and maximum over nodes. 0 or -ENOMEM. */
int copysets_neighbours(const struct copysets *c, double *mean, uint32_t *max);

/* What happens when `fail` nodes fail at once: over all subsets of so many nodes where they are few, else over random ones. */
struct failures {
    double below_quorum, lost; /* mean share of the keys without a quorum; without any copy */
    double worst;              /* the largest share without a quorum */
    uint64_t subsets;          /* looked at */
    uint64_t broken, gone;     /* of these, in how many some range has no quorum; no copy */
    bool sampled;
};

/* The same whatever the number of threads. 0 or -ENOMEM. Cost: fail * sets of a node, for each subset. */
int copysets_fail(const struct copysets *c, uint32_t fail, uint64_t stream, unsigned threads, struct failures *out);

/* Dead copies that cost a range its quorum: all but half of them, rounded up. */
uint32_t quorum_losers(uint32_t replicas);

/* The probability that at least `dead` of a range's copies are among `fail` nodes of `nodes`: hypergeometric. It is also the mean share. */
double theory_dead_share(uint32_t nodes, uint32_t replicas, uint32_t fail, uint32_t dead);

/* Expected neighbours of a node with so many points on a random ring: Lynch and Snyder, Cassandra Availability with Virtual Nodes. `others`: nodes
 * that a copy of its ranges may go to, those of other racks. Within 1 % from 4 points on. */
double theory_neighbours(double others, double points, uint32_t replicas);

#endif
