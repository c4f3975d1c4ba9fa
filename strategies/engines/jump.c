/* Jump's bucket function for many keys: one key's walk is a chain of divisions, each waiting for the last, so several walk side by side.
 *
 * A lane whose key has arrived goes on drawing, since to refill it costs more than it saves, but its bucket stays. Numbers below 2^53 are the same in
 * doubles as in integers, and vectors divide and multiply as IEEE says, so all answers are jump_walk's.
 * Cost: the longest of the walks in a group; what limits it is the divider. */
#include "strategies/engines/jump.h"

#include "base/cpu.h"

#include <stddef.h>
#include <string.h>

#if CPU_X86
#include <immintrin.h>
#endif

enum { PLAIN = 4, AVX2 = 16, AVX512 = 32 }; /* keys in a group */

struct lane {
    uint64_t key;
    int64_t bucket, walks; /* walks: all bits, or none */
};

static inline struct lane step(struct lane l, uint32_t nodes, bool java)
{
    l.key = l.key * JUMP_FACTOR + 1;
    int64_t next = jump_next(l.bucket, l.key, java);
    l.walks &= -(int64_t)(next < nodes);
    l.bucket += (next - l.bucket) & l.walks;
    return l;
}

static inline void walk_plain(const uint64_t *key, uint32_t nodes, bool java, uint32_t *bucket)
{
    struct lane a = {key[0], 0, -1}, b = {key[1], 0, -1}, c = {key[2], 0, -1}, d = {key[3], 0, -1};
    while (a.walks | b.walks | c.walks | d.walks) {
        a = step(a, nodes, java);
        b = step(b, nodes, java);
        c = step(c, nodes, java);
        d = step(d, nodes, java);
    }
    bucket[0] = (uint32_t)a.bucket;
    bucket[1] = (uint32_t)b.bucket;
    bucket[2] = (uint32_t)c.bucket;
    bucket[3] = (uint32_t)d.bucket;
}

#if CPU_X86
/* In both: b and r are doubles, and r was made by putting its bits under those of 2^52. Java's r of 2^31 ends the walk. */
CODE_FOR_AVX512 static void walk_avx512(const uint64_t *key, uint32_t nodes, bool java, uint32_t *bucket)
{
    enum { V = AVX512 / 8 };
    const __m512i factor = _mm512_set1_epi64((int64_t)JUMP_FACTOR), one = _mm512_set1_epi64(1);
    const __m512d ones = _mm512_set1_pd(1), end = _mm512_set1_pd(nodes), scale = _mm512_set1_pd(0x1p31), down = _mm512_set1_pd(0x1p-31);
    __m512i k[V];
    __m512d b[V];
    __mmask8 walks[V];
    unsigned any = 1;
    for (int v = 0; v < V; v++) {
        k[v] = _mm512_loadu_si512(key + 8 * v);
        b[v] = _mm512_setzero_pd();
        walks[v] = 0xff;
    }
    while (any) {
        any = 0;
        for (int v = 0; v < V; v++) {
            k[v] = _mm512_add_epi64(_mm512_mullo_epi64(k[v], factor), one);
            __m512d r = _mm512_cvtepi64_pd(_mm512_add_epi64(_mm512_srli_epi64(k[v], 33), one)), next = _mm512_add_pd(b[v], ones);
            if (java) {
                walks[v] = _mm512_mask_cmp_pd_mask(walks[v], r, scale, _CMP_LT_OQ);
                next = _mm512_div_pd(next, _mm512_mul_pd(r, down));
            } else {
                next = _mm512_mul_pd(next, _mm512_div_pd(scale, r));
            }
            next = _mm512_roundscale_pd(next, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            walks[v] = _mm512_mask_cmp_pd_mask(walks[v], next, end, _CMP_LT_OQ);
            b[v] = _mm512_mask_mov_pd(b[v], walks[v], next);
            any |= walks[v];
        }
    }
    for (int v = 0; v < V; v++)
        _mm256_storeu_si256((__m256i *)(bucket + 8 * v), _mm512_cvtpd_epu32(b[v]));
}

/* Products of 64 bits from those of 32. */
CODE_FOR_AVX2 static inline __m256i step_avx2(__m256i k)
{
    const __m256i low = _mm256_set1_epi64x((int64_t)(JUMP_FACTOR & UINT32_MAX)), high = _mm256_set1_epi64x((int64_t)(JUMP_FACTOR >> 32));
    __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(k, 32), low), _mm256_mul_epu32(k, high));
    return _mm256_add_epi64(_mm256_add_epi64(_mm256_mul_epu32(k, low), _mm256_slli_epi64(cross, 32)), _mm256_set1_epi64x(1));
}

CODE_FOR_AVX2 static void walk_avx2(const uint64_t *key, uint32_t nodes, bool java, uint32_t *bucket)
{
    enum { V = AVX2 / 4 };
    const __m256d ones = _mm256_set1_pd(1), end = _mm256_set1_pd(nodes), scale = _mm256_set1_pd(0x1p31), down = _mm256_set1_pd(0x1p-31),
                  big = _mm256_set1_pd(0x1p52), less = _mm256_set1_pd(0x1p52 - 1);
    __m256i k[V];
    __m256d b[V], walks[V];
    int any = 1;
    for (int v = 0; v < V; v++) {
        k[v] = _mm256_loadu_si256((const __m256i *)(key + 4 * v));
        b[v] = _mm256_setzero_pd();
        walks[v] = _mm256_cmp_pd(ones, ones, _CMP_EQ_OQ);
    }
    while (any) {
        __m256d all = _mm256_setzero_pd();
        for (int v = 0; v < V; v++) {
            k[v] = step_avx2(k[v]);
            __m256d r = _mm256_sub_pd(_mm256_or_pd(_mm256_castsi256_pd(_mm256_srli_epi64(k[v], 33)), big), less), next = _mm256_add_pd(b[v], ones);
            if (java) {
                walks[v] = _mm256_and_pd(walks[v], _mm256_cmp_pd(r, scale, _CMP_LT_OQ));
                next = _mm256_div_pd(next, _mm256_mul_pd(r, down));
            } else {
                next = _mm256_mul_pd(next, _mm256_div_pd(scale, r));
            }
            next = _mm256_round_pd(next, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            walks[v] = _mm256_and_pd(walks[v], _mm256_cmp_pd(next, end, _CMP_LT_OQ));
            b[v] = _mm256_blendv_pd(b[v], next, walks[v]);
            all = _mm256_or_pd(all, walks[v]);
        }
        any = _mm256_movemask_pd(all);
    }
    for (int v = 0; v < V; v++) { /* under 2^52 the low words are the buckets */
        double bits[4];
        uint64_t whole[4];
        _mm256_storeu_pd(bits, _mm256_add_pd(b[v], big));
        memcpy(whole, bits, sizeof whole);
        for (int i = 0; i < 4; i++)
            bucket[4 * v + i] = (uint32_t)whole[i];
    }
}
#endif

/* One group. */
static inline void walk(enum cpu_level level, const uint64_t *key, uint32_t nodes, bool java, uint32_t *bucket)
{
#if CPU_X86
    if (level == CPU_AVX512)
        walk_avx512(key, nodes, java, bucket);
    else if (level == CPU_AVX2)
        walk_avx2(key, nodes, java, bucket);
    else
#endif
        walk_plain(key, nodes, java, bucket);
    (void)level;
}

void jump_many(const uint64_t *key, size_t n, uint32_t nodes, bool java, uint32_t *bucket)
{
    static const size_t all_lanes[CPU_LEVELS] = {PLAIN, AVX2, AVX512};
    enum cpu_level level = cpu_level();
    size_t lanes = all_lanes[level];
    for (size_t i = 0; i < n && n < lanes; i++)
        bucket[i] = jump_walk(key[i], nodes, java);
    for (size_t at = 0; at < n && n >= lanes; at += lanes) {
        at = at + lanes > n ? n - lanes : at; /* the last group goes over some again */
        walk(level, key + at, nodes, java, bucket + at);
    }
}
