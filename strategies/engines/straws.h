/* Whose straw is the longest: the law of a draw in which each node's straw has one of finitely many lengths. */
#ifndef STRATEGIES_ENGINES_STRAWS_H
#define STRATEGIES_ENGINES_STRAWS_H

#include <stdint.h>

/* Nodes of one kind draw alike: straw[kind * outcomes + u], each u equally likely, in any order (sorted here). kind[i] is node i's. The longest wins, of equal
 * ones the first node's. share[i]: the probability that node i does, but for 2^-60 of it. 0 or -ENOMEM. Cost: the lengths that matter (few, where there are many
 * nodes) times the nodes. */
int straws_shares(int64_t *straw, uint32_t kinds, uint32_t outcomes, const uint32_t *kind, uint32_t nodes, double *share);

#endif
