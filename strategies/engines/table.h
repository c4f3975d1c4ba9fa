/* A table of owners: node = table[digest mod size]. Slots, Maglev and every table-based balancer. */
#ifndef STRATEGIES_ENGINES_TABLE_H
#define STRATEGIES_ENGINES_TABLE_H

#include "strategies/strategy.h"

struct table_state {
    uint64_t size, mask; /* mask: size - 1 when size is a power of two, else 0 */
    uint32_t owner[];    /* size ids; NO_NODE is allowed */
};

/* Attaches a table of size cells, all NO_NODE, to p. 0 or -ENOMEM. */
int table_attach(struct placement *p, uint64_t size, char why[WHY]);

/* A table with the same owners, not attached; NULL when memory is out. */
struct table_state *table_clone(const struct table_state *t);

#endif
