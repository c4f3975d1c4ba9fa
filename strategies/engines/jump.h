/* Jump consistent hash: a key jumps from bucket to bucket until it would leave the last one. */
#ifndef STRATEGIES_ENGINES_JUMP_H
#define STRATEGIES_ENGINES_JUMP_H

#include "strategies/strategy.h"

/* Attaches the engine to p for its cluster, buckets in configuration order, and sets caps, law, and the warning that
 * weights are ignored. java: the arithmetic of Guava's version. 0 or -ENOMEM. */
int jump_attach(struct placement *p, bool java, char why[WHY]);

/* A strategy's change(): nodes come and leave at the end; -EINVAL for all else. */
int jump_change(struct placement *p, const struct cluster *after, char why[WHY]);

#endif
