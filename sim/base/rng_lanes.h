/* rng_mix_folded of 8 and of 4 words at a time. AVX2 has no products of 64 bits: they are made of the low one and both cross products in one. */
#ifndef BASE_RNG_LANES_H
#define BASE_RNG_LANES_H

#include "base/cpu.h"
#include "base/rng.h"

#if CPU_X86
#include <immintrin.h>

CODE_FOR_AVX512 static inline __m512i rng_fold_avx512(__m512i x)
{
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 30));
}

CODE_FOR_AVX512 static inline __m512i rng_mix_folded_avx512(__m512i x)
{
    x = _mm512_mullo_epi64(x, _mm512_set1_epi64((int64_t)RNG_MIX_FIRST));
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 27)), _mm512_set1_epi64((int64_t)RNG_MIX_SECOND));
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 31));
}

CODE_FOR_AVX2 static inline __m256i rng_fold_avx2(__m256i x)
{
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 30));
}

CODE_FOR_AVX2 static inline __m256i rng_times_avx2(__m256i x, uint64_t by)
{
    __m256i cross = _mm256_mullo_epi32(x, _mm256_set1_epi64x((int64_t)(by << 32 | by >> 32)));
    cross = _mm256_slli_epi64(_mm256_add_epi32(cross, _mm256_srli_epi64(cross, 32)), 32);
    return _mm256_add_epi64(_mm256_mul_epu32(x, _mm256_set1_epi64x((int64_t)by)), cross);
}

CODE_FOR_AVX2 static inline __m256i rng_mix_folded_avx2(__m256i x)
{
    x = rng_times_avx2(x, RNG_MIX_FIRST);
    x = rng_times_avx2(_mm256_xor_si256(x, _mm256_srli_epi64(x, 27)), RNG_MIX_SECOND);
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 31));
}
#endif

#endif
