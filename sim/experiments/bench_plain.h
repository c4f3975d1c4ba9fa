/* Placement as textbooks and tutorials write it: what `keysim bench` and bench/plain.c measure keysim beside.
 *
 * snprintf for every text, XXH3, qsort, a branchy binary search, one key after the other. The answers are keysim's own, so that both sides of a
 * figure can be compared. Needs nothing but libc, xxhash.h and the generator of base/rng.h; allocates nothing. */
#ifndef EXPERIMENTS_BENCH_PLAIN_H
#define EXPERIMENTS_BENCH_PLAIN_H

#include <stddef.h>
#include <stdint.h>

struct plain_point {
    uint64_t position;
    uint32_t owner;
};

/* node-0 .. at vnodes points each, sorted; ring has room for nodes * vnodes. */
void plain_ring(struct plain_point *ring, uint32_t nodes, uint32_t vnodes);

/* owner[i]: of the first point at or after digest[i], around the end. */
void plain_ring_lookups(const struct plain_point *ring, size_t points, const uint64_t *digest, size_t n, uint32_t *owner);

/* user:0 .. through the ring: count[owner] grows. */
void plain_ring_keys(const struct plain_point *ring, size_t points, uint64_t keys, uint64_t *count);

/* user:0 .. through CRC16 and 16384 slots, a byte at a time as Redis does: count[owner of the slot] grows. */
void plain_slots_keys(const uint32_t *owner, uint64_t keys, uint64_t *count);

void plain_jump_lookups(uint32_t nodes, const uint64_t *digest, size_t n, uint32_t *owner);
void plain_rendezvous_words(uint64_t *word, uint32_t nodes); /* what node-0 .. put into their scores */
void plain_rendezvous_lookups(const uint64_t *word, uint32_t nodes, const uint64_t *digest, size_t n, uint32_t *owner);
void plain_probe_points(struct plain_point *ring, uint32_t nodes);
void plain_probe_lookups(const struct plain_point *ring, uint32_t nodes, uint32_t probes, const uint64_t *digest, size_t n, uint32_t *owner);

#endif
