/* Power consistent hash: let E be the power of two that holds N, E/2 < N <= E. The digest's low bits choose a level of a binary tree of E
 * buckets, a draw of its own for each level chooses the place there. A bucket that exists is the answer. Else the key jumps from bucket E/2-1
 * upwards as in jump hash, which is one jump or two because E/2 is near N; and a key that stays at E/2-1 takes its place in the tree of E/2.
 *
 * Source: Leu, "Fast Consistent Hashing in Constant Time", 2023. Cost: O(1) expected: 2 words where the first try hits, about 4 where it misses,
 * with a division each jump; nothing but ids to store. Even for every N, by the argument in engines/numbered.c: a jump from E/2-1 ends there with
 * probability (E/2)/N and at each bucket above with 1/N.
 *
 * The paper leaves the generators open. Chosen: SplitMix64 with the digest as its seed, word 0 for the level, 1 .. 32 for the places in levels,
 * from 33 on for the jumps, which are drawn in 53 bits. So hash=identity is a fair hash, and a narrow one wastes seeds but no words. */
#include "strategies/engines/numbered.h"

enum { FIRST_JUMP = 33 };

/* Where jumps from bucket `from` stop below nodes. */
static inline uint32_t jumped(uint64_t digest, uint32_t from, uint32_t nodes)
{
    for (uint64_t word = FIRST_JUMP;; word++) { /* each jump goes up, since 0 < u <= 1 */
        double u = (double)((rng_at(digest, word) >> 11) + 1) * 0x1p-53, next = ((double)from + 1) / u;
        if (!(next < nodes))
            return from;
        from = (uint32_t)next;
    }
}

static inline uint32_t power_bucket(uint64_t digest, uint32_t nodes)
{
    uint32_t mask = numbered_mask(nodes), bits = (uint32_t)rng_at(digest, 0) & mask, bucket = numbered_spread(digest, bits);
    if (bucket < nodes)
        return bucket;
    uint32_t below = mask >> 1, top = jumped(digest, below, nodes);
    return top > below ? top : numbered_spread(digest, bits & below);
}

NUMBERED_ENGINE(power, power_bucket(digest, nodes), numbered_shares)

const struct strategy strategy_power = {
    .name = "power",
    .summary = "power consistent hash: jump hash in constant time; only the last node can leave",
    .source = "Leu, 2023",
    .cost = "O(1) expected, 4 bytes a node for its id",
    .option = numbered_options,
    .options_size = sizeof(struct numbered_options),
    .open = numbered_open,
    .change = numbered_change,
    .data = &power_engine,
};
