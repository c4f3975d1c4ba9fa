/* Dealing cells (slots, partitions) to nodes by number: who gets how many, and which. */
#ifndef STRATEGIES_ENGINES_DEAL_H
#define STRATEGIES_ENGINES_DEAL_H

#include "model/cluster.h"

/* quota[i] cells for node i of c, by largest remainder: each within one of cells * weight / sum. Where several nodes have the same
 * remainder and not all can get one more, those that do are spread evenly along the order (so equal weights give cuts by
 * rounding, not "the remainder to the first"). c->size values. 0 or -ENOMEM. */
int deal_quotas(const struct cluster *c, uint64_t cells, uint64_t *quota);

/* owner[0 .. cells-1] in runs, by quotas and configuration order. 0 or -ENOMEM. */
int deal_contiguous(const struct cluster *c, uint64_t cells, uint32_t *owner);

/* Re-deals in place with the fewest moves, and none between nodes that did not change: what a changed node has too many or
 * too few of against its quota is taken from the fullest and given to the emptiest of the others, measured against their fair
 * part. A giver gives its highest cells. 0 or -ENOMEM. */
int deal_minimal(const struct cluster *before, const struct cluster *after, uint64_t cells, uint32_t *owner);

/* As `redis-cli --cluster create` cuts (7.0): single-precision steps, rounded; weights unknown. */
void deal_redis_create(const struct cluster *c, uint64_t cells, uint32_t *owner);

/* As `redis-cli --cluster rebalance --cluster-use-empty-masters` moves (7.0), new nodes at the end of its list and leaving ones with
 * weight 0. 0 or -ENOMEM. */
int deal_redis_rebalance(const struct cluster *before, const struct cluster *after, uint64_t cells, uint32_t *owner);

/* As runs of `redis-cli --cluster reshard` move (7.0): each new node in turn gets its even part from all the others, then each leaving
 * one gives its slots to the members in even parts. Weights unknown. 0 or -ENOMEM. */
int deal_redis_reshard(const struct cluster *before, const struct cluster *after, uint64_t cells, uint32_t *owner);

#endif
