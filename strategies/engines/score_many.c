/* The winners of many digests: where all weights are equal, each node's word in turn meets several digests side by side in vectors.
 *
 * The plain twin is contest_winner: one digest at a time keeps a processor without vectors of 64-bit products as busy. Ties are as there, the last wins.
 * Cost: a vector's two products a node; multipliers and shifters are the limit. */
#include "strategies/engines/score.h"

#include "base/rng_lanes.h"

#if CPU_X86
enum { AVX2 = 16, AVX512 = 32 }; /* digests side by side */

CODE_FOR_AVX512 static void contest_avx512(const struct contest *c, const uint64_t *digest, uint32_t *id)
{
    enum { V = AVX512 / 8 };
    __m512i key[V], best[V], at[V];
    for (int v = 0; v < V; v++) {
        key[v] = rng_fold_avx512(_mm512_loadu_si512(digest + 8 * v));
        best[v] = at[v] = _mm512_setzero_si512();
    }
    for (uint32_t i = 0; i < c->size; i++) {
        __m512i word = _mm512_set1_epi64((int64_t)c->who[i].word), here = _mm512_set1_epi64(i);
        for (int v = 0; v < V; v++) {
            __m512i score = rng_mix_folded_avx512(_mm512_xor_si512(key[v], word));
            at[v] = _mm512_mask_mov_epi64(at[v], _mm512_cmpge_epu64_mask(score, best[v]), here);
            best[v] = _mm512_max_epu64(best[v], score);
        }
    }
    uint64_t winner[AVX512];
    for (int v = 0; v < V; v++)
        _mm512_storeu_si512(winner + 8 * v, at[v]);
    for (int k = 0; k < AVX512; k++)
        id[k] = c->who[winner[k]].id;
}

/* Comparisons are of signed numbers: scores are moved by 2^63. */
CODE_FOR_AVX2 static void contest_avx2(const struct contest *c, const uint64_t *digest, uint32_t *id)
{
    enum { V = AVX2 / 4 };
    const __m256i middle = _mm256_set1_epi64x(INT64_MIN);
    __m256i key[V], best[V], at[V];
    for (int v = 0; v < V; v++) {
        key[v] = rng_fold_avx2(_mm256_loadu_si256((const __m256i *)(digest + 4 * v)));
        best[v] = middle;
        at[v] = _mm256_setzero_si256();
    }
    for (uint32_t i = 0; i < c->size; i++) {
        __m256i word = _mm256_set1_epi64x((int64_t)c->who[i].word), here = _mm256_set1_epi64x(i);
        for (int v = 0; v < V; v++) {
            __m256i score = _mm256_xor_si256(rng_mix_folded_avx2(_mm256_xor_si256(key[v], word)), middle), lower = _mm256_cmpgt_epi64(best[v], score);
            at[v] = _mm256_blendv_epi8(here, at[v], lower);
            best[v] = _mm256_blendv_epi8(score, best[v], lower);
        }
    }
    uint64_t winner[AVX2];
    for (int v = 0; v < V; v++)
        _mm256_storeu_si256((__m256i *)(winner + 4 * v), at[v]);
    for (int k = 0; k < AVX2; k++)
        id[k] = c->who[winner[k]].id;
}
#endif

void contest_winners(const struct contest *c, const uint64_t *digest, size_t n, uint32_t *id)
{
    enum cpu_level level = c->equal ? cpu_level() : CPU_PLAIN;
#if CPU_X86
    size_t lanes = level == CPU_AVX512 ? AVX512 : AVX2;
    if (level != CPU_PLAIN && n >= lanes) {
        for (size_t at = 0; at < n; at += lanes) {
            at = at + lanes > n ? n - lanes : at; /* the last group goes over some again */
            if (level == CPU_AVX512)
                contest_avx512(c, digest + at, id + at);
            else
                contest_avx2(c, digest + at, id + at);
        }
        return;
    }
#endif
    (void)level;
    for (size_t i = 0; i < n; i++)
        id[i] = contest_winner(c, digest[i]);
}
