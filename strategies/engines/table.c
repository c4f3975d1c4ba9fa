/* Cost: O(1); 4 bytes a cell. */
#include "strategies/engines/table.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static inline uint64_t table_cell(const struct table_state *t, uint64_t digest)
{
    uint64_t mask = t->size - 1;
    return t->size & mask ? divisor_mod(&(struct divisor){t->size, t->magic}, digest) : digest & mask;
}

uint32_t table_lookup(const void *state, uint64_t digest)
{
    const struct table_state *t = state;
    return t->owner[table_cell(t, digest)];
}

void table_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct table_state *t = state;
    const struct divisor by = {t->size, t->magic};
    const uint64_t mask = by.d - 1;
    if (by.d & mask)
        for (size_t i = 0; i < n; i++)
            id[i] = t->owner[divisor_mod(&by, digest[i])];
    else
        for (size_t i = 0; i < n; i++)
            id[i] = t->owner[digest[i] & mask];
}

/* How many cells in a row have the first one's owner; `most` are there. */
static uint64_t run_of(const uint32_t *owner, uint64_t most)
{
    enum { AT_ONCE = 16 };
    uint64_t n = 0;
    for (uint32_t others = 0; n + AT_ONCE <= most; n += AT_ONCE) {
        for (uint64_t i = 0; i < AT_ONCE; i++)
            others |= owner[n + i] ^ owner[0];
        if (others)
            break;
    }
    while (n < most && owner[n] == owner[0])
        n++;
    return n;
}

/* The owner, then the next different owners along the table; none where the cell has none. Runs are stepped over, as slots are dealt in thousands. */
size_t table_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    const struct table_state *t = state;
    uint64_t cell = table_cell(t, digest);
    size_t found = 0;
    for (uint64_t step = 0, run; step < t->size && found < k && t->owner[cell] != NO_NODE; step += run) {
        uint64_t at = (cell + step) % t->size;
        uint32_t owner = t->owner[at];
        size_t i = 0;
        while (i < found && id[i] != owner)
            i++;
        if (i == found && owner != NO_NODE)
            id[found++] = owner;
        run = run_of(t->owner + at, t->size - at);
    }
    return found;
}

uint64_t table_cells(const void *state)
{
    return ((const struct table_state *)state)->size;
}

/* One range a cell: the caller joins neighbours with one owner. */
size_t table_ranges(const void *state, size_t from, struct range *r, size_t n)
{
    const struct table_state *t = state;
    size_t k = 0;
    for (; k < n && from + k < t->size; k++)
        r[k] = (struct range){from + k, from + k, t->owner[from + k]};
    return k;
}

void table_spot(const void *state, uint64_t digest, struct spot *spot)
{
    *spot = (struct spot){.kind = SPOT_CELL, .cell = table_cell(state, digest)};
}

static const struct engine table_engine = {TABLE_ENGINE, .ranges = table_ranges};

int table_attach(struct placement *p, uint64_t size, char why[WHY])
{
    struct table_state *t = mem_alloc(1, sizeof *t + size * sizeof t->owner[0]);
    if (!t)
        return fail(why, ENOMEM, "no memory for a table of %" PRIu64 " cells", size);
    table_of_size(t, size);
    memset(t->owner, 0xff, size * sizeof t->owner[0]);
    p->engine = &table_engine;
    p->state = t;
    return 0;
}

struct table_state *table_clone(const struct table_state *t)
{
    size_t bytes = sizeof *t + t->size * sizeof t->owner[0];
    struct table_state *copy = mem_alloc(1, bytes);
    if (copy)
        memcpy(copy, t, bytes);
    return copy;
}
