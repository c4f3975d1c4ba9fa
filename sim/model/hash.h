/* Hash functions: a table of rows, one for each name that a user can give.
 *
 * A digest is the hash's value, zero-extended to 64 bits: nothing widens it.
 * `last` is the largest value that the hash can give (crc16: 65535). */
#ifndef MODEL_HASH_H
#define MODEL_HASH_H

#include "base/option.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
    const char *name;
    unsigned bits;         /* of the value as printed: 8, 16, 32 or 64 */
    uint64_t last;         /* largest digest */
    uint32_t verification; /* SMHasher's verification value, see hash_verification() */
    unsigned seed_bits;    /* 32 or 64: what a seed may hold; 0: takes no seed */
    const char *summary;   /* one line: what it is, which library computes it */
    uint64_t (*one)(const void *data, size_t len, uint64_t seed);
    /* n digests; the same values as one() gives */
    void (*many)(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, uint64_t *digest);
    bool (*accepts)(const void *data, size_t len); /* NULL: any bytes. identity: decimal numbers to 2^64-1 */
    const char *wants; /* what accepts() asks for, in words; NULL with it */
};

/* A hash with its seed, as a spec names it ("xxh3:seed=5"). */
struct keyed_hash {
    const struct hash *hash;
    uint64_t seed;
};

extern const struct hash *const hash_table[]; /* ends with NULL */
const struct hash *hash_find(const char *name); /* NULL: unknown */

/* Parses NAME[:seed=S] into a struct keyed_hash: for OPTION_CUSTOM rows and -H. */
int hash_parse(const char *text, void *keyed_hash, char why[WHY]);

/* The procedure of SMHasher: the keys {}, {0}, {0,1} .. of 0 to 255 bytes hashed with
 * seed 256 - length, the little-endian values joined, that hashed with seed 0: its
 * first 4 bytes as a little-endian number. Computed on our digest, bits/8 bytes wide. */
uint32_t hash_verification(const struct hash *hash);

#endif
