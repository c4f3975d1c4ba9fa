/* Counting owners in blocks against counting one by one. */
#include "experiments/counts.h"
#include "base/mem.h"
#include "base/rng.h"
#include "model/workload.h"
#include "placement/placement.h"
#include "tests/tap.h"
#include <inttypes.h>

static void counted_right(uint32_t ids, size_t n)
{
    enum { PLACEMENTS = 2, THREADS = 3 };
    static uint32_t owner[PLACEMENTS][KEY_BLOCK];
    struct counts c;
    struct key_block block = {.count = n};
    uint64_t *want = mem_alloc(PLACEMENTS, (ids + (size_t)1) * sizeof *want), wrong = 0;
    char why[WHY];
    wrong += counts_init(&c, PLACEMENTS, THREADS, ids) != 0;
    for (unsigned turn = 0; turn < 2 * THREADS; turn++) {
        for (size_t p = 0; p < PLACEMENTS; p++)
            for (size_t i = 0; i < n; i++) {
                uint64_t word = rng_at(turn, p * KEY_BLOCK + i);
                bool none = p && word % 10 == 0; /* the first places all keys, in its first turn on one node */
                owner[p][i] = none ? NO_NODE : turn == 0 && !p ? ids - 1 : (uint32_t)rng_upto(word, ids - 1);
                want[p * (ids + (size_t)1) + (none ? ids : owner[p][i])]++;
            }
        counts_block(&c, turn % THREADS, (const uint32_t *const[]){owner[0], owner[1]}, &block);
    }
    wrong += counts_join(&c, why) != 0;
    for (size_t p = 0; p < PLACEMENTS; p++)
        for (size_t id = 0; id <= ids; id++)
            wrong += counts_row(&c, 0, p)[id] != want[p * (ids + (size_t)1) + id];
    ok(wrong == 0, "%" PRIu32 " nodes, blocks of %zu keys", ids, n);
    counts_release(&c);
    mem_free(want);
}

int main(void)
{
    static const uint32_t ids[] = {1, 2, 3, 15, 16, 17, 1000};
    static const size_t n[] = {0, 1, 3, 4, 5, 7, 1000, KEY_BLOCK};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        for (size_t k = 0; k < sizeof n / sizeof *n; k++)
            counted_right(ids[i], n[k]);
    return tap_done();
}
