/* MD5 (RFC 1321) of one key and of many, for the hashes that cut theirs from it.
 *
 * Words are little-endian, as the algorithm makes them. */
#ifndef MODEL_MD5_H
#define MODEL_MD5_H

#include <stddef.h>
#include <stdint.h>

struct md5 {
    uint32_t word[4];
};

enum { MD5_BLOCK = 64 };

/* A block of digests: word k of the i-th is word[k][i]. */
struct md5_block {
    uint32_t word[4][MD5_BLOCK];
};

struct md5 md5_one(const void *data, size_t len);

/* n <= MD5_BLOCK digests, as many at a time as the processor's vectors have lanes. */
void md5_many(const void *const *data, const uint32_t *len, size_t n, struct md5_block *out);

static inline struct md5 md5_at(const struct md5_block *b, size_t i)
{
    return (struct md5){{b->word[0][i], b->word[1][i], b->word[2][i], b->word[3][i]}};
}

/* Defines NAME_one and NAME_many from the static NAME_of above, which makes a hash's value of an MD5. */
#define MD5_HASH(name)                                                                                                              \
    static uint64_t name##_one(const void *data, size_t len, uint64_t seed)                                                         \
    {                                                                                                                               \
        (void)seed;                                                                                                                 \
        return name##_of(md5_one(data, len));                                                                                       \
    }                                                                                                                               \
    static void name##_many(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, uint64_t *digest)                \
    {                                                                                                                               \
        struct md5_block block;                                                                                                     \
        (void)seed;                                                                                                                 \
        for (size_t first = 0; first < n; first += MD5_BLOCK) {                                                                     \
            size_t count = n - first < MD5_BLOCK ? n - first : MD5_BLOCK;                                                           \
            md5_many(data + first, len + first, count, &block);                                                                     \
            for (size_t i = 0; i < count; i++)                                                                                      \
                digest[first + i] = name##_of(md5_at(&block, i));                                                                   \
        }                                                                                                                           \
    }

/* Four bytes of a digest in the other order. */
static inline uint64_t md5_swap(uint32_t word)
{
    return __builtin_bswap32(word);
}

#endif
