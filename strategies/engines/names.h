/* What algorithms that hash a node and a key together take for the node. */
#ifndef STRATEGIES_ENGINES_NAMES_H
#define STRATEGIES_ENGINES_NAMES_H

#include "strategies/strategy.h"

/* 64 bits of a node: XXH3 of its name, whatever hash the keys have, so that a narrow key hash spoils keys alone. */
uint64_t name_word(const struct node *n);

/* Sets p's key hash where the strategy's own option gives one. */
void take_hash(struct placement *p, const struct keyed_hash *own);

/* Warns that weights are ignored where they differ; whether they do. */
bool warn_of_weights(struct placement *p, const struct cluster *c);

#endif
