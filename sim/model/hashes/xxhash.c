/* xxh3, xxh64, xxh32: Collet's xxHash, inlined from the library's header.
 *
 * Cost: xxh3 a few ns for a short key, then 16 bytes a cycle or so. */
#define XXH_INLINE_ALL
#include "model/hashes.h"
#include <xxhash.h>

static inline uint64_t xxh3_one(const void *data, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, len, seed);
}
HASH_MANY(xxh3)

static inline uint64_t xxh64_one(const void *data, size_t len, uint64_t seed)
{
    return XXH64(data, len, seed);
}
HASH_MANY(xxh64)

static inline uint64_t xxh32_one(const void *data, size_t len, uint64_t seed)
{
    return XXH32(data, len, (uint32_t)seed);
}
HASH_MANY(xxh32)

const struct hash hash_xxh3 = {
    .name = "xxh3", .bits = 64, .last = UINT64_MAX, .seed_bits = 64,
    .verification = 0x9A636405, /* computed here */
    .summary = "XXH3, 64 bits, of xxHash 0.8 (libxxhash)",
    .one = xxh3_one, .many = xxh3_many,
};

const struct hash hash_xxh64 = {
    .name = "xxh64", .bits = 64, .last = UINT64_MAX, .seed_bits = 64,
    .verification = 0x024B7CF4,
    .summary = "XXH64 (libxxhash)",
    .one = xxh64_one, .many = xxh64_many,
};

const struct hash hash_xxh32 = {
    .name = "xxh32", .bits = 32, .last = UINT32_MAX, .seed_bits = 32,
    .verification = 0xBA88B743,
    .summary = "XXH32 (libxxhash)",
    .one = xxh32_one, .many = xxh32_many,
};
