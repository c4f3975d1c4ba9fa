/* The rows of the table of hashes, one file a family under hashes/. */
#ifndef MODEL_HASHES_H
#define MODEL_HASHES_H

#include "model/hash.h"

extern const struct hash hash_xxh3, hash_xxh64, hash_xxh32;
extern const struct hash hash_murmur3_32, hash_murmur3_128, hash_murmur2_32, hash_murmur2_64a;
extern const struct hash hash_md5_32, hash_md5_64;
extern const struct hash hash_crc32, hash_crc16;
extern const struct hash hash_fnv1_32, hash_fnv1_64, hash_fnv1a_32, hash_fnv1a_64;
extern const struct hash hash_identity;

/* Hashes of one system, defined in its file under strategies/systems/. */
extern const struct hash hash_tutorial_java_fnv, hash_tutorial_java_md5;

/* Defines NAME_many from the static NAME_one above it, which the compiler then
 * inlines: no call through a pointer for each key. */
#define HASH_MANY(name)                                                                            \
    static void name##_many(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, \
                            uint64_t *digest)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            digest[i] = name##_one(data[i], len[i], seed);                                         \
    }

#endif
