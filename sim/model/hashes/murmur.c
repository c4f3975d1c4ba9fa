/* murmur3-32, murmur3-128, murmur2-32, murmur2-64a: Appleby's MurmurHash.
 *
 * MurmurHash3 comes from libmurmurhash, whose lengths and seeds have 32 bits. The
 * library lacks MurmurHash2, which is written here from its definition: each word is
 * multiplied, folded and mixed into a state that started as seed xor length.
 * Cost: one or two multiplications a word. */
#include "model/hashes.h"
#include <murmurhash.h>

static inline uint64_t murmur3_32_one(const void *data, size_t len, uint64_t seed)
{
    uint32_t out[1];
    lmmh_x86_32(data, (unsigned)len, (uint32_t)seed, out);
    return out[0];
}
HASH_MANY(murmur3_32)

static inline uint64_t murmur3_128_one(const void *data, size_t len, uint64_t seed)
{
    uint64_t out[2];
    lmmh_x64_128(data, (unsigned)len, (uint32_t)seed, out);
    return out[0];
}
HASH_MANY(murmur3_128)

/* little-endian words, spelt so that compilers make one load of them */
static inline uint32_t word32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t word64(const unsigned char *p)
{
    return word32(p) | (uint64_t)word32(p + 4) << 32;
}

static inline uint64_t tail(const unsigned char *p, size_t len)
{
    uint64_t word = 0;
    while (len--)
        word = word << 8 | p[len];
    return word;
}

static inline uint64_t murmur2_32_one(const void *data, size_t len, uint64_t seed)
{
    const uint32_t m = 0x5BD1E995;
    const unsigned char *p = data;
    uint32_t h = (uint32_t)seed ^ (uint32_t)len;
    for (; len >= 4; p += 4, len -= 4) {
        uint32_t k = word32(p) * m;
        h = h * m ^ (k ^ k >> 24) * m;
    }
    if (len)
        h = (h ^ (uint32_t)tail(p, len)) * m;
    h = (h ^ h >> 13) * m;
    return h ^ h >> 15;
}
HASH_MANY(murmur2_32)

static inline uint64_t murmur2_64a_one(const void *data, size_t len, uint64_t seed)
{
    const uint64_t m = 0xC6A4A7935BD1E995;
    const unsigned char *p = data;
    uint64_t h = seed ^ len * m;
    for (; len >= 8; p += 8, len -= 8) {
        uint64_t k = word64(p) * m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    if (len)
        h = (h ^ tail(p, len)) * m;
    h = (h ^ h >> 47) * m;
    return h ^ h >> 47;
}
HASH_MANY(murmur2_64a)

const struct hash hash_murmur3_32 = {
    .name = "murmur3-32", .bits = 32, .last = UINT32_MAX, .seed_bits = 32,
    .verification = 0xB0F57EE3,
    .summary = "MurmurHash3 x86_32 (libmurmurhash)",
    .one = murmur3_32_one, .many = murmur3_32_many,
};

const struct hash hash_murmur3_128 = {
    .name = "murmur3-128", .bits = 64, .last = UINT64_MAX, .seed_bits = 32,
    .verification = 0x443D8C6D, /* computed here */
    .summary = "MurmurHash3 x64_128, its first 64 bits (libmurmurhash)",
    .one = murmur3_128_one, .many = murmur3_128_many,
};

const struct hash hash_murmur2_32 = {
    .name = "murmur2-32", .bits = 32, .last = UINT32_MAX, .seed_bits = 32,
    .verification = 0x27864C1E,
    .summary = "MurmurHash2, 32 bits (own code)",
    .one = murmur2_32_one, .many = murmur2_32_many,
};

const struct hash hash_murmur2_64a = {
    .name = "murmur2-64a", .bits = 64, .last = UINT64_MAX, .seed_bits = 64,
    .verification = 0x1F0D3804,
    .summary = "MurmurHash64A (own code)",
    .one = murmur2_64a_one, .many = murmur2_64a_many,
};
