/* fnv1-32, fnv1-64, fnv1a-32, fnv1a-64: the hashes of Fowler, Noll and Vo.
 *
 * FNV-1 multiplies by a prime and xors a byte; FNV-1a xors first. A seed is xored
 * into the offset, as SMHasher does. Cost: one multiplication a byte. */
#include "model/hashes.h"

#define OFFSET32 2166136261u
#define PRIME32 16777619u
#define OFFSET64 0xCBF29CE484222325u
#define PRIME64 0x100000001B3u

static inline uint64_t fnv1_32_one(const void *data, size_t len, uint64_t seed)
{
    const unsigned char *byte = data;
    uint32_t h = OFFSET32 ^ (uint32_t)seed;
    for (size_t i = 0; i < len; i++)
        h = h * PRIME32 ^ byte[i];
    return h;
}
HASH_MANY(fnv1_32)

static inline uint64_t fnv1_64_one(const void *data, size_t len, uint64_t seed)
{
    const unsigned char *byte = data;
    uint64_t h = OFFSET64 ^ seed;
    for (size_t i = 0; i < len; i++)
        h = h * PRIME64 ^ byte[i];
    return h;
}
HASH_MANY(fnv1_64)

static inline uint64_t fnv1a_32_one(const void *data, size_t len, uint64_t seed)
{
    const unsigned char *byte = data;
    uint32_t h = OFFSET32 ^ (uint32_t)seed;
    for (size_t i = 0; i < len; i++)
        h = (h ^ byte[i]) * PRIME32;
    return h;
}
HASH_MANY(fnv1a_32)

static inline uint64_t fnv1a_64_one(const void *data, size_t len, uint64_t seed)
{
    const unsigned char *byte = data;
    uint64_t h = OFFSET64 ^ seed;
    for (size_t i = 0; i < len; i++)
        h = (h ^ byte[i]) * PRIME64;
    return h;
}
HASH_MANY(fnv1a_64)

const struct hash hash_fnv1_32 = {
    .name = "fnv1-32", .bits = 32, .last = UINT32_MAX, .seed_bits = 32,
    .verification = 0xFEA6139F, /* computed here */
    .summary = "FNV-1, 32 bits (own code)",
    .one = fnv1_32_one, .many = fnv1_32_many,
};

const struct hash hash_fnv1_64 = {
    .name = "fnv1-64", .bits = 64, .last = UINT64_MAX, .seed_bits = 64,
    .verification = 0x08720E40, /* computed here */
    .summary = "FNV-1, 64 bits (own code)",
    .one = fnv1_64_one, .many = fnv1_64_many,
};

const struct hash hash_fnv1a_32 = {
    .name = "fnv1a-32", .bits = 32, .last = UINT32_MAX, .seed_bits = 32,
    .verification = 0xE3CBBE91,
    .summary = "FNV-1a, 32 bits (own code)",
    .one = fnv1a_32_one, .many = fnv1a_32_many,
};

const struct hash hash_fnv1a_64 = {
    .name = "fnv1a-64", .bits = 64, .last = UINT64_MAX, .seed_bits = 64,
    .verification = 0x103455FC,
    .summary = "FNV-1a, 64 bits (own code)",
    .one = fnv1a_64_one, .many = fnv1a_64_many,
};
