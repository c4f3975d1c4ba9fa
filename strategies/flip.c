/* FlipHash: of E buckets, the power of two that holds N, the key's low bits choose one, whose bits below the highest are flipped by a hash of
 * their own for each level. A bucket that exists is the answer. Else further draws among E follow: the first that is neither too high nor in the
 * lower half is the answer, and one in the lower half sends the key to its place among E/2.
 *
 * Source: Masson and Lee, "FlipHash: A Constant-Time Consistent Range-Hashing Algorithm", 2024. Cost: O(1): 2 hashes where the first try hits; a draw
 * ends the search with probability N/E > 1/2, and after 64 it ends as though in the lower half, which costs evenness less than 2^-64.
 *
 * The paper asks for a family of hashes and leaves it open. Chosen: that of the authors' fliphash_64, bit for bit, with the digest as the key:
 * hash=identity takes the key's own number, as they do. Key 0 is always in bucket 0 there. */
#include "strategies/engines/numbered.h"

enum { DRAWS = 64 };

static inline uint32_t word(uint64_t key, uint32_t level, uint32_t draw)
{
    uint64_t k = key * (2 * level + 1);
    k = (k ^ (k >> 27)) * 0x3c79ac492ba7b653 * (2 * draw + 1);
    k = (k ^ (k >> 33)) * 0x1c69b3f74ac4ae35;
    return (uint32_t)(k ^ (k >> 27));
}

static inline uint32_t flipped(uint64_t key, uint32_t bits)
{
    if (!bits)
        return 0;
    uint32_t level = numbered_level(bits);
    return bits ^ (word(key, level, 0) & ((1u << level) - 1));
}

static inline uint32_t flip_bucket(uint64_t key, uint32_t nodes)
{
    uint32_t mask = numbered_mask(nodes), bits = word(key, 0, 0) & mask, bucket = flipped(key, bits);
    if (bucket < nodes)
        return bucket;
    uint32_t below = mask >> 1, level = numbered_level(mask);
    for (uint32_t draw = 1; draw <= DRAWS; draw++) {
        bucket = word(key, level, draw) & mask;
        if (bucket <= below)
            break;
        if (bucket < nodes)
            return bucket;
    }
    return flipped(key, bits & below);
}

NUMBERED_ENGINE(flip, flip_bucket(digest, nodes), numbered_shares)

const struct strategy strategy_flip = {
    .name = "flip",
    .summary = "FlipHash: even, minimal, constant time even at worst; only the last node can leave",
    .source = "Masson and Lee, 2024",
    .cost = "O(1), 4 bytes a node for its id",
    .option = numbered_options,
    .options_size = sizeof(struct numbered_options),
    .open = numbered_open,
    .change = numbered_change,
    .data = &flip_engine,
};
