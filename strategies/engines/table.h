/* A table of owners: node = table[digest mod size]. Slots, Maglev and every table-based balancer. */
#ifndef STRATEGIES_ENGINES_TABLE_H
#define STRATEGIES_ENGINES_TABLE_H

#include "base/divide.h"
#include "base/mem.h"
#include "strategies/strategy.h"

struct table_state {
    uint64_t size, magic; /* a struct divisor's: set by table_of_size() */
    uint32_t owner[];    /* size ids; NO_NODE is allowed */
};

static inline void table_of_size(struct table_state *t, uint64_t size)
{
    t->size = size;
    t->magic = divisor_of(size).magic;
}

/* The engine's hooks but for the map, for systems that look again where a cell has no owner: {TABLE_ENGINE, .again = ...}, set as p->engine once
 * attached. */
uint32_t table_lookup(const void *state, uint64_t digest);
void table_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id);
size_t table_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k);
uint64_t table_cells(const void *state);
size_t table_ranges(const void *state, size_t from, struct range *r, size_t n);
void table_spot(const void *state, uint64_t digest, struct spot *spot);
#define TABLE_ENGINE                                                                                                        \
    .name = "table", .destroy = mem_free, .lookup = table_lookup, .lookup_many = table_lookup_many, .replicas = table_replicas, \
    .cells = table_cells, .spot = table_spot

/* Attaches a table of size cells, all NO_NODE, to p. 0 or -ENOMEM. */
int table_attach(struct placement *p, uint64_t size, char why[WHY]);

/* A table with the same owners, not attached; NULL when memory is out. */
struct table_state *table_clone(const struct table_state *t);

#endif
