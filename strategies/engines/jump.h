/* Jump consistent hash's bucket function: the digest seeds a linear congruential generator; from bucket b the key jumps to the first bucket j > b
 * that it would move to when buckets are added one by one, which has P(j > m) = (b + 1) / (m + 1). Cost: ln N + 1 jumps at most on average, each
 * with a division.
 * Source: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014, whose code leaves nothing open. */
#ifndef STRATEGIES_ENGINES_JUMP_H
#define STRATEGIES_ENGINES_JUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JUMP_FACTOR UINT64_C(2862933555777941757)

/* Guava divides once where the paper rounds twice: quotients that are whole numbers can come out one bucket lower there. And its r
 * is an int: 2^31 overflows to -2^31, the next bucket is negative, and the key stays. */
static inline int64_t jump_next(int64_t b, uint64_t key, bool java)
{
    uint64_t r = (key >> 33) + 1;
    if (!java)
        return (int64_t)((double)(b + 1) * (0x1p31 / (double)r));
    return r >> 31 ? INT64_MAX : (int64_t)((double)(b + 1) / ((double)r / 0x1p31));
}

static inline uint32_t jump_walk(uint64_t key, uint32_t nodes, bool java)
{
    int64_t b = 0, next = 0;
    while (next < nodes) { /* each jump goes up, since r <= 2^31 */
        b = next;
        key = key * JUMP_FACTOR + 1;
        next = jump_next(b, key, java);
    }
    return (uint32_t)b;
}

/* The bucket among nodes >= 1, as published and as Guava has it. */
static inline uint32_t jump_bucket(uint64_t key, uint32_t nodes) { return jump_walk(key, nodes, false); }
static inline uint32_t jump_bucket_java(uint64_t key, uint32_t nodes) { return jump_walk(key, nodes, true); }

/* bucket[i] = jump_walk(key[i], nodes, java) */
void jump_many(const uint64_t *key, size_t n, uint32_t nodes, bool java, uint32_t *bucket);

#endif
