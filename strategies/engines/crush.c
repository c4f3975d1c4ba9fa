/* One text for vectors of 4, 8 and 16 items. Cost: 220 steps a vector, and 4 more for the comparison.
 * Source: Bob Jenkins' 96-bit mix, in the order of Ceph's src/crush/hash.c. */
#include "strategies/engines/crush.h"

#include "base/cpu.h"

#include <string.h>

#define MIX(a, b, c)                                          \
    a = (a - b - c) ^ c >> 13, b = (b - c - a) ^ a << 8, c = (c - a - b) ^ b >> 13, \
    a = (a - b - c) ^ c >> 12, b = (b - c - a) ^ a << 16, c = (c - a - b) ^ b >> 5, \
    a = (a - b - c) ^ c >> 3, b = (b - c - a) ^ a << 10, c = (c - a - b) ^ b >> 15

#define BOTH(a, b, c) MIX(a[0], b[0], c[0]), MIX(a[1], b[1], c[1])

/* Two vectors side by side, as each step waits for the one before. HOPES: bits of those in vectors `u` and `w` that hope. */
#define DRAWS(NAME, CODE, LANES, HOPES)                                                                                      \
    CODE static uint32_t NAME(const struct crush_block *block, uint32_t n, uint32_t key, uint32_t attempt, float reach,      \
                              uint32_t *draw)                                                                                \
    {                                                                                                                        \
        typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));                                                      \
        const lanes zero = {0};                                                                                              \
        uint32_t hope = 0;                                                                                                   \
        for (uint32_t i = 0; i < n; i += 2 * LANES) {                                                                        \
            lanes a[2] = {zero + key, zero + key}, b[2], c[2] = {zero + attempt, zero + attempt}, x[2] = {zero + 231232, zero + 231232}, \
                  y[2] = {zero + 1232, zero + 1232}, hash[2];                                                                \
            memcpy(b, block->number + i, sizeof b);                                                                          \
            hash[0] = 1315423911 ^ a[0] ^ b[0] ^ c[0], hash[1] = 1315423911 ^ a[1] ^ b[1] ^ c[1];                            \
            BOTH(a, b, hash), BOTH(c, x, hash), BOTH(y, a, hash), BOTH(b, x, hash), BOTH(y, c, hash);                        \
            for (uint32_t v = 0; v < 2; v++) {                                                                               \
                lanes u = hash[v] & 0xffff, w;                                                                               \
                memcpy(draw + i + v * LANES, &u, sizeof u);                                                                  \
                memcpy(&w, block->weight + i + v * LANES, sizeof w);                                                         \
                hope |= (uint32_t)(HOPES) << (i + v * LANES);                                                                \
            }                                                                                                                \
        }                                                                                                                    \
        return hope;                                                                                                         \
    }

#define FOUR(w) crush_hopes(u[0], w[0], reach) | crush_hopes(u[1], w[1], reach) << 1 | crush_hopes(u[2], w[2], reach) << 2 | \
        crush_hopes(u[3], w[3], reach) << 3
DRAWS(draws_plain, , 4, FOUR(w))

#if CPU_X86
#include <immintrin.h>

CODE_FOR_AVX2 static inline int hopes_avx2(__m256i u, __m256i w, float reach)
{
    __m256 far = _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_set1_epi32(65535), u));
    __m256 most = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(w), _mm256_set1_ps(reach)), _mm256_set1_ps(2));
    return _mm256_movemask_ps(_mm256_cmp_ps(far, most, _CMP_LT_OQ));
}
DRAWS(draws_avx2, CODE_FOR_AVX2, 8, hopes_avx2((__m256i)u, (__m256i)w, reach))

CODE_FOR_AVX512 static inline int hopes_avx512(__m512i u, __m512i w, float reach)
{
    __m512 far = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_set1_epi32(65535), u));
    __m512 most = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(w), _mm512_set1_ps(reach)), _mm512_set1_ps(2));
    return _mm512_cmp_ps_mask(far, most, _CMP_LT_OQ);
}
DRAWS(draws_avx512, CODE_FOR_AVX512, 16, hopes_avx512((__m512i)u, (__m512i)w, reach))
#endif

crush_draws *crush_draws_best(void)
{
#if CPU_X86
    static crush_draws *const of[CPU_LEVELS] = {draws_plain, draws_avx2, draws_avx512};
    return of[cpu_level()];
#else
    return draws_plain;
#endif
}
