/* digest mod total weight, over nodes that repeat as often as they weigh. */
#ifndef STRATEGIES_ENGINES_MODULO_H
#define STRATEGIES_ENGINES_MODULO_H

#include "strategies/strategy.h"

/* Attaches the engine to p for the nodes of c in their order. 0 or -ENOMEM. */
int modulo_attach(struct placement *p, const struct cluster *c, char why[WHY]);

#endif
