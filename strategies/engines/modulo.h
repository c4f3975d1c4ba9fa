/* digest mod total weight, over nodes that repeat as often as they weigh. */
#ifndef STRATEGIES_ENGINES_MODULO_H
#define STRATEGIES_ENGINES_MODULO_H

#include "strategies/strategy.h"

/* Attaches the engine to p for the nodes of c in their order. 0 or -ENOMEM. */
int modulo_attach(struct placement *p, const struct cluster *c, char why[WHY]);

/* Where a key goes whose node is down: its digest is made anew, `times` times at most. */
struct modulo_retry {
    uint64_t (*next)(const void *part, size_t len, uint64_t digest, unsigned time); /* time: from 1 */
    unsigned times;
};

/* The same with nodes that are down in their places: buckets of theirs are retried, and a key that never meets another
 * goes to the last usable node if there is just one, else to none. Where no node is down, as modulo_attach.
 * There is no map: where a key of a node that is down goes depends on the key. */
int modulo_attach_retry(struct placement *p, const struct cluster *c, const struct modulo_retry *retry, char why[WHY]);

#endif
