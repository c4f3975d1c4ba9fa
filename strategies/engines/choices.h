/* A key's further choices under a strategy that names but one owner: the owners of digests drawn from the key's own. */
#ifndef STRATEGIES_ENGINES_CHOICES_H
#define STRATEGIES_ENGINES_CHOICES_H

#include "strategies/strategy.h"

/* The owner at the try: 0 is the digest itself. Owners come again, and may be NO_NODE. */
uint32_t choice_at(const struct placement *p, uint64_t digest, uint64_t try);

/* Up to k distinct nodes in the order of the tries; how many, none where the digest itself has no owner. */
size_t choices(const struct placement *p, uint64_t digest, uint32_t *id, size_t k);

#endif
