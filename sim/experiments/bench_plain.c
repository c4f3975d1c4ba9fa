#define XXH_INLINE_ALL
#include "experiments/bench_plain.h"

#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

static int by_position(const void *a, const void *b)
{
    const struct plain_point *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

void plain_ring(struct plain_point *ring, uint32_t nodes, uint32_t vnodes)
{
    char label[40];
    for (uint32_t node = 0; node < nodes; node++)
        for (uint32_t v = 0; v < vnodes; v++) {
            int len = snprintf(label, sizeof label, "node-%u#%u", node, v);
            ring[(size_t)node * vnodes + v] = (struct plain_point){XXH3_64bits(label, (size_t)len), node};
        }
    qsort(ring, (size_t)nodes * vnodes, sizeof *ring, by_position);
}

/* The barrier keeps the compiler from making a conditional move of the branch, which the tutorials' languages do not. */
static inline size_t first_at_or_after(const struct plain_point *ring, size_t points, uint64_t position)
{
    size_t low = 0, high = points;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ring[middle].position < position) {
            __asm__ volatile("");
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < points ? low : 0;
}

void plain_ring_lookups(const struct plain_point *ring, size_t points, const uint64_t *digest, size_t n, uint32_t *owner)
{
    for (size_t i = 0; i < n; i++)
        owner[i] = ring[first_at_or_after(ring, points, digest[i])].owner;
}

void plain_ring_keys(const struct plain_point *ring, size_t points, uint64_t keys, uint64_t *count)
{
    char key[40];
    for (uint64_t i = 0; i < keys; i++) {
        int len = snprintf(key, sizeof key, "user:%llu", (unsigned long long)i);
        count[ring[first_at_or_after(ring, points, XXH3_64bits(key, (size_t)len))].owner]++;
    }
}

static void crc16_table(uint16_t table[256])
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned crc = byte << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
        table[byte] = (uint16_t)crc;
    }
}

void plain_slots_keys(const uint32_t *owner, uint64_t keys, uint64_t *count)
{
    char key[40];
    uint16_t table[256];
    crc16_table(table);
    for (uint64_t i = 0; i < keys; i++) {
        int len = snprintf(key, sizeof key, "user:%llu", (unsigned long long)i);
        unsigned crc = 0;
        for (int k = 0; k < len; k++)
            crc = (crc << 8 & 0xFFFF) ^ table[(crc >> 8) ^ (unsigned char)key[k]];
        count[owner[crc % 16384]]++;
    }
}

/* Lamping and Veach, 2014, figure 1. */
void plain_jump_lookups(uint32_t nodes, const uint64_t *digest, size_t n, uint32_t *owner)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t key = digest[i];
        int64_t at = -1, next = 0;
        while (next < nodes) {
            at = next;
            key = key * 2862933555777941757u + 1;
            next = (int64_t)((double)(at + 1) * ((double)(1LL << 31) / (double)((key >> 33) + 1)));
        }
        owner[i] = (uint32_t)at;
    }
}

static uint64_t name_hash(uint32_t node)
{
    char name[24];
    int len = snprintf(name, sizeof name, "node-%u", node);
    return XXH3_64bits(name, (size_t)len);
}

void plain_rendezvous_words(uint64_t *word, uint32_t nodes)
{
    for (uint32_t k = 0; k < nodes; k++)
        word[k] = name_hash(k);
}

void plain_rendezvous_lookups(const uint64_t *word, uint32_t nodes, const uint64_t *digest, size_t n, uint32_t *owner)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t best = 0;
        uint32_t winner = 0;
        for (uint32_t k = 0; k < nodes; k++) {
            uint64_t score = rng_mix(digest[i] ^ word[k]);
            if (score > best) {
                best = score;
                winner = k;
            }
        }
        owner[i] = winner;
    }
}

void plain_probe_points(struct plain_point *ring, uint32_t nodes)
{
    for (uint32_t k = 0; k < nodes; k++)
        ring[k] = (struct plain_point){name_hash(k), k};
    qsort(ring, nodes, sizeof *ring, by_position);
}

void plain_probe_lookups(const struct plain_point *ring, uint32_t nodes, uint32_t probes, const uint64_t *digest, size_t n, uint32_t *owner)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t least = UINT64_MAX;
        for (uint32_t k = 0; k < probes; k++) {
            uint64_t probe = rng_at(digest[i], k);
            const struct plain_point *point = &ring[first_at_or_after(ring, nodes, probe)];
            if (point->position - probe < least) { /* modulo 2^64: around the circle */
                least = point->position - probe;
                owner[i] = point->owner;
            }
        }
    }
}
