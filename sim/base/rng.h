/* Random numbers without state: word i of a named stream is a pure function of
 * (seed, name, i), so any split of the work over threads gives the same words.
 * The generator is SplitMix64 (Steele, Lea, Flood 2014) read at a position. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

#define RNG_GOLDEN 0x9e3779b97f4a7c15ULL /* 2^64 over the golden ratio, odd */

#define RNG_MIX_FIRST 0xbf58476d1ce4e5b9ULL
#define RNG_MIX_SECOND 0x94d049bb133111ebULL

/* The finaliser of SplitMix64: a bijection of 64-bit words. Its first step, alone, is linear: rng_fold(a ^ b) = rng_fold(a) ^ rng_fold(b). */
static inline uint64_t rng_fold(uint64_t x) { return x ^ x >> 30; }

static inline uint64_t rng_mix_folded(uint64_t x)
{
    x *= RNG_MIX_FIRST;
    x = (x ^ (x >> 27)) * RNG_MIX_SECOND;
    return x ^ (x >> 31);
}

static inline uint64_t rng_mix(uint64_t x) { return rng_mix_folded(rng_fold(x)); }

/* Word i of a stream. */
static inline uint64_t rng_at(uint64_t stream, uint64_t i)
{
    return rng_mix(stream + (i + 1) * RNG_GOLDEN);
}

/* The stream of (seed, purpose, name, repetition); name may be "" . */
uint64_t rng_stream(uint64_t seed, const char *purpose, const char *name, uint64_t repetition);

/* A word brought evenly to 0 .. last (to within last / 2^64). */
static inline uint64_t rng_upto(uint64_t word, uint64_t last)
{
    __extension__ typedef unsigned __int128 wide;
    return last == UINT64_MAX ? word : (uint64_t)((wide)word * (last + 1) >> 64);
}

/* A sequence, for code that draws one word after another. */
struct rng {
    uint64_t state;
};
static inline struct rng rng_start(uint64_t stream) { return (struct rng){stream}; }
static inline uint64_t rng_next(struct rng *r) { return rng_mix(r->state += RNG_GOLDEN); }
static inline double rng_real(struct rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; } /* [0, 1) */
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in 0 .. n-1, exactly; n >= 1 */

/* A keyed permutation of 0 .. domain-1 (a Feistel network walked until it lands
 * inside); x < domain, domain >= 1. */
uint64_t rng_permute(uint64_t x, uint64_t domain, uint64_t key);

#endif
