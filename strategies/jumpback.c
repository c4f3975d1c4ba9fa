/* JumpBackHash: jump hash read from the top. One random word of the key holds the last bucket below each power of two: its folded bits say which
 * levels of a binary tree the key ever jumps into, its halves where in a level. With E the power of two that holds N, the key's bucket among E is
 * the answer where it exists; else further words decide between the buckets E/2 .. N-1 and going back to the key's bucket among E/2.
 *
 * Source: Ertl, "JumpBackHash: Say Goodbye to the Modulo Operation to Distribute Keys Uniformly to Buckets", 2024. Cost: O(1): one word where N is a power of
 * two, 5/3 expected at worst, just above one; integers only.
 *
 * The paper leaves the generator open. Chosen: that of the author's hash4j (jumpBackHashSplitMix64), bit for bit, seeded with the digest. There
 * the search for a further word has no bound; here it goes back after 64 words, which happens to one key in 2^128. */
#include "strategies/engines/numbered.h"

enum { WORDS = 64 };

/* The last bucket into which the levels set in `levels` take the key. */
static inline uint32_t landing(uint64_t word, uint32_t levels)
{
    if (!levels)
        return 0;
    uint32_t first = 1u << numbered_level(levels), half = (uint32_t)(__builtin_parity(levels) ? word >> 32 : word);
    return first + (half & (first - 1));
}

static inline uint32_t jumpback_bucket(uint64_t digest, uint32_t nodes)
{
    uint64_t word = rng_at(digest, 0);
    uint32_t mask = numbered_mask(nodes), levels = (uint32_t)(word ^ (word >> 32)) & mask, bucket = landing(word, levels);
    if (bucket < nodes)
        return bucket;
    uint32_t below = mask >> 1;
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        bucket = (uint32_t)(rng_at(digest, 1 + i / 2) >> i % 2 * 32) & mask;
        if (bucket <= below)
            break;
        if (bucket < nodes)
            return bucket;
    }
    return landing(word, levels & below);
}

NUMBERED_ENGINE(jumpback, jumpback_bucket(digest, nodes), numbered_shares)

const struct strategy strategy_jumpback = {
    .name = "jumpback",
    .summary = "JumpBackHash: jump hash in constant time with fewer than two random words; only the last node can leave",
    .source = "Ertl, 2024",
    .cost = "O(1) expected, 4 bytes a node for its id",
    .option = numbered_options,
    .options_size = sizeof(struct numbered_options),
    .open = numbered_open,
    .change = numbered_change,
    .data = &jumpback_engine,
};
