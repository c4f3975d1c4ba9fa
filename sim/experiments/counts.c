#include "experiments/counts.h"

#include "base/mem.h"
#include "model/workload.h"

#include <errno.h>

int counts_init(struct counts *c, size_t placements, size_t threads, uint32_t ids)
{
    *c = (struct counts){placements, threads, ids, mem_alloc(placements * threads, (ids + (size_t)1) * sizeof(uint64_t)), 0};
    return c->count ? 0 : -ENOMEM;
}

void counts_release(struct counts *c)
{
    mem_free(c->count);
    *c = (struct counts){0};
}

uint64_t *counts_row(const struct counts *c, size_t thread, size_t placement)
{
    return c->count + (thread * c->placements + placement) * (c->ids + (size_t)1);
}

void counts_block(void *counts, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    const struct counts *c = counts;
    for (size_t p = 0; p < c->placements; p++) {
        uint64_t *row = counts_row(c, thread, p);
        const uint32_t *id = owner[p];
        for (size_t i = 0; i < block->count; i++)
            row[id[i] < c->ids ? id[i] : c->ids]++;
    }
}

void counts_join(struct counts *c)
{
    for (size_t t = 1; t < c->threads; t++)
        for (size_t p = 0; p < c->placements; p++)
            for (size_t id = 0; id <= c->ids; id++)
                counts_row(c, 0, p)[id] += counts_row(c, t, p)[id];
}

void counts_shares(const struct counts *c, size_t placement, uint32_t ids, double *share, double *unplaced)
{
    const uint64_t *row = counts_row(c, 0, placement);
    for (uint32_t id = 0; id < ids; id++)
        share[id] = (double)row[id] / (double)c->keys;
    *unplaced = (double)row[c->ids] / (double)c->keys;
}
