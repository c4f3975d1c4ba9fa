/* Rendezvous hashing over a virtual tree: at each inner node the key goes on to the child with the highest score. */
#ifndef STRATEGIES_ENGINES_SKELETON_H
#define STRATEGIES_ENGINES_SKELETON_H

#include "strategies/strategy.h"

/* A tree of fan (2 or more) children a node. Sets p's caps and law too. 0 or -ENOMEM. */
int skeleton_attach(struct placement *p, uint32_t fan, char why[WHY]);
int skeleton_change(struct placement *p, const struct cluster *after, char why[WHY]);

#endif
