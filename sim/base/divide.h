/* x mod d for a d that many x share, without a division: two multiplications and a few cheap steps.
 *
 * With l the least such that d <= 2^l, let M = floor(2^(64+l) / d) + 1. Then 2^(64+l) < M d <= 2^(64+l) + 2^l, so for all x < 2^64
 *     x / d  <  M x / 2^(64+l)  <=  x / d + x / (2^64 d)  <  x / d + 1 / d,
 * which is at most the next whole number: floor(M x / 2^(64+l)) is the quotient, for every x and every d >= 1.
 * M has 65 bits: its low 64 are kept, and the product's part of the 65th is x itself, added by halves so that nothing overflows.
 * Source: Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994. */
#ifndef BASE_DIVIDE_H
#define BASE_DIVIDE_H

#include <stdint.h>

struct divisor {
    uint64_t d, magic; /* magic: M - 2^64; 1 for powers of two */
};

static inline unsigned divisor_bits(uint64_t d) /* l */
{
    return d > 1 ? 64 - (unsigned)__builtin_clzll(d - 1) : 0;
}

static inline struct divisor divisor_of(uint64_t d)
{
    __extension__ typedef unsigned __int128 wide;
    wide excess = ((wide)1 << divisor_bits(d)) - d;
    return (struct divisor){d, (uint64_t)((excess << 64) / d) + 1};
}

static inline uint64_t divisor_quotient(const struct divisor *by, uint64_t x)
{
    __extension__ typedef unsigned __int128 wide;
    unsigned l = divisor_bits(by->d), half = l > 0;
    uint64_t high = (uint64_t)((wide)by->magic * x >> 64);
    return (((x - high) >> half) + high) >> (l - half);
}

static inline uint64_t divisor_mod(const struct divisor *by, uint64_t x)
{
    return x - divisor_quotient(by, x) * by->d;
}

#endif
