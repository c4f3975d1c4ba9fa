#include "experiments/counts.h"

#include "base/mem.h"
#include "base/ranks.h"
#include "model/workload.h"

#include <errno.h>

enum { CACHE_LINE = 64 };

int counts_init(struct counts *c, size_t placements, size_t threads, uint32_t ids)
{
    *c = (struct counts){.placements = placements, .threads = threads, .ids = ids};
    c->count = mem_alloc(threads, counts_room(c) * sizeof *c->count);
    return c->count ? 0 : -ENOMEM;
}

void counts_release(struct counts *c)
{
    mem_free(c->count);
    *c = (struct counts){0};
}

size_t counts_room(const struct counts *c)
{
    return c->placements * (c->ids + (size_t)1) + CACHE_LINE / sizeof *c->count;
}

uint64_t *counts_row(const struct counts *c, size_t thread, size_t placement)
{
    return c->count + thread * counts_room(c) + placement * (c->ids + (size_t)1);
}

/* Four keys a turn, each into a table of its own, or all into one. */
static void count(uint64_t *const table[4], uint32_t ids, const uint32_t *id, size_t n)
{
    uint64_t *a = table[0], *b = table[1], *c = table[2], *d = table[3];
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint32_t w = id[i] < ids ? id[i] : ids, x = id[i + 1] < ids ? id[i + 1] : ids;
        uint32_t y = id[i + 2] < ids ? id[i + 2] : ids, z = id[i + 3] < ids ? id[i + 3] : ids;
        a[w]++;
        b[x]++;
        c[y]++;
        d[z]++;
    }
    for (; i < n; i++)
        a[id[i] < ids ? id[i] : ids]++;
}

enum { FEW = 16 };

/* Where keys meet the same few counters again and again, an addition waits for the one before: hence four tables. */
static void count_few(uint64_t *row, uint32_t ids, const uint32_t *id, size_t n)
{
    uint64_t more[3][FEW + 1] = {{0}};
    count((uint64_t *const[]){row, more[0], more[1], more[2]}, ids, id, n);
    for (size_t k = 0; k <= ids; k++)
        row[k] += more[0][k] + more[1][k] + more[2][k];
}

void counts_block(void *counts, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    const struct counts *c = counts;
    for (size_t p = 0; p < c->placements; p++) {
        uint64_t *row = counts_row(c, thread, p);
        if (c->ids <= FEW)
            count_few(row, c->ids, owner[p], block->count);
        else
            count((uint64_t *const[]){row, row, row, row}, c->ids, owner[p], block->count);
    }
}

int counts_join(struct counts *c, char why[WHY])
{
    for (size_t t = 1; t < c->threads; t++)
        for (size_t p = 0; p < c->placements; p++)
            for (size_t id = 0; id <= c->ids; id++)
                counts_row(c, 0, p)[id] += counts_row(c, t, p)[id];
    return ranks_sum(c->count, c->placements * (c->ids + (size_t)1), why);
}

void counts_shares(const struct counts *c, size_t placement, uint32_t ids, double *share, double *unplaced)
{
    const uint64_t *row = counts_row(c, 0, placement);
    for (uint32_t id = 0; id < ids; id++)
        share[id] = (double)row[id] / (double)c->keys;
    *unplaced = (double)row[c->ids] / (double)c->keys;
}
