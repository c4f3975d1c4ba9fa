/* MD5 of many keys, one a lane of the processor's vectors: 4 of SSE2 (or of what else the compiler has), 8 of AVX2, 16 of AVX-512.
 *
 * A key of up to 55 bytes is one block of 16 words: the key, a byte 0x80, zeros, its length in bits. The blocks lie transposed, a word
 * of all lanes in one vector; the rounds are written once (md5_rounds.h). Longer keys, which are rare, go to md5_one, the plain twin.
 * Cost: 64 steps of four to seven dependent operations for all lanes together: 23, 13 or 9 ns a key where libmd takes 110. */
#include "base/cpu.h"
#include "model/md5.h"

#include <string.h>

enum { WORDS = 16, ONE_BLOCK = 55 };

/* floor(2^32 |sin(i + 1)|) */
static const uint32_t sine[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122,
    0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6,
    0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60,
    0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039,
    0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

/* Four bytes, the first the lowest. */
static inline uint32_t word_at(const unsigned char *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

/* Writes a key's block to one lane: word w to m[w * lanes], all of them zeros before. */
static inline void lane_fill(uint32_t *m, size_t lanes, const unsigned char *p, uint32_t len)
{
    uint32_t whole = len / 4, rest = len % 4, last = 0x80;
    for (uint32_t w = 0; w < whole; w++)
        m[w * lanes] = word_at(p + 4 * w);
    for (uint32_t i = rest; i-- > 0;)
        last = last << 8 | p[4 * whole + i];
    m[whole * lanes] = last;
    m[(WORDS - 2) * lanes] = len * 8;
}

#define LANES 4
#define CODE
#define NAME(what) what##_plain
#include "model/hashes/md5_rounds.h"

#if CPU_X86
#define LANES 8
#define CODE CODE_FOR_AVX2
#define NAME(what) what##_avx2
#include "model/hashes/md5_rounds.h"

#define LANES 16
#define CODE CODE_FOR_AVX512
#define NAME(what) what##_avx512
#include "model/hashes/md5_rounds.h"
#endif

void md5_many(const void *const *data, const uint32_t *len, size_t n, struct md5_block *out)
{
    switch (cpu_level()) {
#if CPU_X86
    case CPU_AVX512: block_avx512(data, len, n, out); break;
    case CPU_AVX2: block_avx2(data, len, n, out); break;
#endif
    default: block_plain(data, len, n, out);
    }
    for (size_t i = 0; i < n; i++)
        if (len[i] > ONE_BLOCK) {
            struct md5 digest = md5_one(data[i], len[i]);
            for (size_t k = 0; k < 4; k++)
                out->word[k][i] = digest.word[k];
        }
}
