/* Streams, bounded draws and a keyed permutation, all from the SplitMix64 finaliser.
 *
 * The permutation is a balanced Feistel network (Luby and Rackoff 1988) of four
 * rounds over the smallest even number of bits that holds the domain; a value that
 * lands outside goes through again (cycle walking: Black and Rogaway 2002), at most
 * four times on average. No memory. */
#include "base/rng.h"

static uint64_t absorb(uint64_t state, const char *text)
{
    do
        state = rng_mix((state ^ (unsigned char)*text) + RNG_GOLDEN);
    while (*text++); /* the NUL too: "a","bc" is not "ab","c" */
    return state;
}

uint64_t rng_stream(uint64_t seed, const char *purpose, const char *name, uint64_t repetition)
{
    uint64_t state = absorb(absorb(rng_mix(seed + RNG_GOLDEN), purpose), name);
    return rng_mix((state ^ rng_mix(repetition)) + RNG_GOLDEN);
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    for (;;) {
        uint64_t word = rng_next(r), rest = word % n;
        if (word - rest <= UINT64_MAX - (n - 1)) /* else: the last, incomplete run of n words */
            return rest;
    }
}

uint64_t rng_permute(uint64_t x, uint64_t domain, uint64_t key)
{
    unsigned bits = domain > 1 ? 64u - (unsigned)__builtin_clzll(domain - 1) : 0;
    unsigned half = (bits + 1) / 2;
    uint64_t mask = (1ULL << half) - 1;
    do {
        uint64_t left = x >> half, right = x & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t mixed = (left ^ rng_at(key, right << 2 | round)) & mask;
            left = right;
            right = mixed;
        }
        x = left << half | right;
    } while (x >= domain);
    return x;
}
