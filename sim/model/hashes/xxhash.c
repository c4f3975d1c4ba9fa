/* xxh3, xxh64, xxh32: Collet's xxHash, inlined from the library's header.
 *
 * Keys of 9 to 16 bytes, the usual ones, XXH3 reads as two words that overlap, and mixes by one product of 128 bits: on AVX2 four
 * such neighbours are mixed in one vector (the definition of XXH3 in the xxHash repository).
 * Cost: xxh3 2 ns for a short key, 1 ns in vectors, then 16 bytes a cycle or so. */
#define XXH_INLINE_ALL
#include "base/cpu.h"
#include "model/hashes.h"
#include <xxhash.h>
#if CPU_X86
#include <immintrin.h>
#endif

static inline uint64_t xxh3_one(const void *data, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, len, seed);
}

static void xxh3_plain(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, uint64_t *digest)
{
    for (size_t i = 0; i < n; i++)
        digest[i] = xxh3_one(data[i], len[i], seed);
}

#if CPU_X86
typedef uint64_t words __attribute__((vector_size(32)));
#define LOW32 0xFFFFFFFFu

CODE_FOR_AVX2 static inline words product(words x, words y) /* of the low halves */
{
    return (words)_mm256_mul_epu32((__m256i)x, (__m256i)y);
}

/* The product's halves, xored. */
CODE_FOR_AVX2 static inline words fold(words x, words y)
{
    words low = product(x, y), cross = product(x >> 32, y);
    words mid = product(x, y >> 32) + (low >> 32) + (cross & LOW32);
    words high = product(x >> 32, y >> 32) + (cross >> 32) + (mid >> 32);
    return high ^ (mid << 32 | (low & LOW32));
}

CODE_FOR_AVX2 static inline words times(words x, uint64_t y)
{
    words low = (words){0} + (y & LOW32), high = (words){0} + (y >> 32);
    return product(x, low) + ((product(x >> 32, low) + product(x, high)) << 32);
}

CODE_FOR_AVX2 static inline words swap(words x)
{
    const __m256i backwards = _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607);
    return (words)_mm256_shuffle_epi8((__m256i)x, backwards);
}

static inline bool is_short(uint32_t len)
{
    return len - 9 < 8;
}

CODE_FOR_AVX2 static void xxh3_avx2(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, uint64_t *digest)
{
    const uint8_t *secret = XXH3_kSecret;
    uint64_t flip1 = (XXH_readLE64(secret + 24) ^ XXH_readLE64(secret + 32)) + seed;
    uint64_t flip2 = (XXH_readLE64(secret + 40) ^ XXH_readLE64(secret + 48)) - seed;
    for (; n >= 4; n -= 4, data += 4, len += 4, digest += 4) {
        if (!is_short(len[0]) || !is_short(len[1]) || !is_short(len[2]) || !is_short(len[3])) {
            xxh3_plain(data, len, 4, seed, digest);
            continue;
        }
#define FIRST(i) XXH_readLE64(data[i])
#define LAST(i) XXH_readLE64((const uint8_t *)data[i] + len[i] - 8)
        words a = (words){FIRST(0), FIRST(1), FIRST(2), FIRST(3)} ^ flip1;
        words b = (words){LAST(0), LAST(1), LAST(2), LAST(3)} ^ flip2;
        words h = (words)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i_u *)len)) + swap(a) + b + fold(a, b);
        h = times(h ^ h >> 37, 0x165667919E3779F9);
        h ^= h >> 32;
        _mm256_storeu_si256((__m256i_u *)digest, (__m256i)h);
    }
    xxh3_plain(data, len, n, seed, digest);
}
#endif

static void xxh3_many(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, uint64_t *digest)
{
#if CPU_X86
    if (cpu_level() >= CPU_AVX2) {
        xxh3_avx2(data, len, n, seed, digest);
        return;
    }
#endif
    xxh3_plain(data, len, n, seed, digest);
}

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
