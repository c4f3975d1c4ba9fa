/* Zipf's law by rejection from a staircase, exact for every s >= 0.
 *
 * The ranks are cut into bands: 1 .. 15 alone, then 16 bands of equal width to each
 * octave (16 .. 31 by one, 32 .. 63 by two ...). The staircase gives all ranks of a
 * band the weight of its first, first^-s, which no rank of the band exceeds. A draw:
 *   1. a band, in proportion to width * first^-s, from an alias table (Walker 1977, built
 *      as Vose 1991 does) of whole numbers, so that its total is exact;
 *   2. a rank of the band, each alike: widths are powers of two, so these are the high
 *      bits of a word; a rank beyond count (the last band's end) starts anew;
 *   3. that rank is taken with probability (first/rank)^s, else all starts anew.
 * Proof: one attempt ends at rank k <= count with a probability in proportion to
 * width * first^-s * 1/width * (first/k)^s = k^-s, whatever the band; attempts are
 * independent; so the rank taken has probability k^-s / H.
 * rank/first is below 17/16, so few attempts fail, and for most the chance that the
 * band's last rank would have decides already (`sure`), without a power; most others
 * are decided by two straight lines that enclose it.
 *
 * The results are kept for good, hence no pow() of the C library, whose last bit varies
 * with library and CPU: the series here use + - * / alone.
 * Cost: four words and some 8 ns a draw, 3 ns in vectors of eight draws; 26 kB whatever the count, 50 us to make. */
#include "model/zipf.h"
#include "base/rng_lanes.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define BUCKET (1ULL << 53) /* weight of an alias bucket: all ZIPF_BANDS make 2^63 */
#define LN2 0.6931471805599453

/* Band v, from 1: its width is 2^shift. */
static inline unsigned band_shift(unsigned v)
{
    return v / 16 - (v > 15);
}

static inline uint64_t band_first(unsigned v)
{
    return (uint64_t)(v % 16 + 16U * (v > 15)) << band_shift(v);
}

/* log(b/a) for a <= b <= 2a, by the series of artanh. */
static double log_ratio(double a, double b)
{
    double u = (b - a) / (b + a), sum = 0, term = 2 * u;
    for (int k = 1; term > 0x1p-60; k += 2, term *= u * u)
        sum += term / k;
    return sum;
}

/* exp(-y) for y >= 0. */
static double exp_minus(double y)
{
    double twos = floor(y / LN2), r = y - twos * LN2, sum = 1, term = 1;
    for (int k = 1; fabs(term) > 0x1p-60; k++)
        sum += term *= -r / k;
    return ldexp(sum, (int)-twos);
}

static double accept(const struct zipf *z, uint64_t first, uint64_t rank)
{
    return exp_minus(z->s * log_ratio((double)first, (double)rank));
}

/* keep[] holds weights that sum to ZIPF_BANDS * BUCKET: makes the alias table in place.
 * Each light bucket is filled up by a heavy one, which may become light. */
static void alias_build(struct zipf *z)
{
    uint16_t light[ZIPF_BANDS] = {0}, heavy[ZIPF_BANDS] = {0};
    unsigned lights = 0, heavies = 0;
    for (unsigned v = 0; v < ZIPF_BANDS; v++) {
        z->other[v] = (uint16_t)v;
        if (z->keep[v] < BUCKET)
            light[lights++] = (uint16_t)v;
        else
            heavy[heavies++] = (uint16_t)v;
    }
    while (lights) {
        unsigned a = light[--lights], b = heavy[heavies - 1];
        z->other[a] = (uint16_t)b;
        z->keep[b] -= BUCKET - z->keep[a];
        if (z->keep[b] < BUCKET) {
            heavies--;
            light[lights++] = (uint16_t)b;
        }
    }
}

void zipf_init(struct zipf *z, uint64_t count, double s)
{
    double weight[ZIPF_BANDS] = {0}, log_of[32] = {0}, total = 0;
    unsigned largest = 1;
    *z = (struct zipf){.count = count, .s = s};
    for (unsigned m = 2; m < 32; m++)
        log_of[m] = log_of[m - 1] + log_ratio(m - 1, m);
    for (unsigned v = 1; v < ZIPF_BANDS && band_first(v) <= count; v++) {
        unsigned shift = band_shift(v);
        uint64_t first = band_first(v), width = 1ULL << shift;
        weight[v] = ldexp(exp_minus(s * (log_of[first >> shift] + shift * LN2)), (int)shift);
        total += weight[v];
        z->sure[v] = accept(z, first, first + width - 1);
        if (weight[v] > weight[largest])
            largest = v;
    }
    uint64_t rest = ZIPF_BANDS * BUCKET;
    for (unsigned v = 1; v < ZIPF_BANDS; v++)
        rest -= z->keep[v] = (uint64_t)(weight[v] / total * (double)(ZIPF_BANDS * BUCKET));
    z->keep[largest] += rest; /* what rounding left, of either sign */
    alias_build(z);
}

/* A draw's first two steps: the rank that was met, and its band. */
static inline uint64_t meet(const struct zipf *z, uint64_t word, uint64_t place, unsigned *band)
{
    unsigned v = (unsigned)(word >> 54), other = z->other[v];
    uint64_t keep = z->keep[v];
    v = (word >> 1) % BUCKET < keep ? v : other;
    *band = v;
    return band_first(v) + (place >> 1 >> (63 - band_shift(v)));
}

/* chance < (first/rank)^s. As a function of the rank that power lies between its tangent at
 * first and the chord from there to the band's last rank; only what falls between these, with
 * room for rounding, needs it. */
static bool taken(const struct zipf *z, unsigned v, uint64_t rank, double chance)
{
    double first = (double)band_first(v), from = (double)rank - first, width = (double)(1ULL << band_shift(v));
    if (chance < 1 - z->s * from / first - 1e-9)
        return true;
    if (chance > 1 - (1 - z->sure[v]) * from / (width - 1) + 1e-9)
        return false;
    return chance < accept(z, band_first(v), rank);
}

uint64_t zipf_rank(const struct zipf *z, uint64_t stream, uint64_t request)
{
    struct rng r = rng_start(rng_at(stream, request));
    for (;;) {
        uint64_t word = rng_next(&r), place = rng_next(&r);
        double chance = rng_real(&r);
        unsigned v;
        uint64_t rank = meet(z, word, place, &v);
        if (rank <= z->count && (chance < z->sure[v] || taken(z, v, rank, chance)))
            return rank - 1;
    }
}

/* Draws of blocks: those whose first attempt is sure at once, the others by zipf_rank. */
static void ranks_plain(const struct zipf *z, uint64_t stream, uint64_t request, size_t n, uint64_t *rank)
{
    for (size_t i = 0; i < n; i++) {
        struct rng r = rng_start(rng_at(stream, request + i));
        uint64_t word = rng_next(&r), place = rng_next(&r);
        double chance = rng_real(&r);
        unsigned v;
        uint64_t met = meet(z, word, place, &v);
        rank[i] = met <= z->count && chance < z->sure[v] ? met - 1 : zipf_rank(z, stream, request + i);
    }
}

#if CPU_X86
typedef uint64_t words __attribute__((vector_size(64)));
typedef double reals __attribute__((vector_size(64)));

CODE_FOR_AVX512 static inline words mix(words x) /* rng_mix */
{
    return (words)rng_mix_folded_avx512(rng_fold_avx512((__m512i)x));
}

CODE_FOR_AVX512 static void ranks_avx512(const struct zipf *z, uint64_t stream, uint64_t request, size_t n, uint64_t *rank)
{
    const words lane = {1, 2, 3, 4, 5, 6, 7, 8};
    for (; n >= 8; n -= 8, request += 8, rank += 8) {
        words state = mix(stream + (request + lane) * RNG_GOLDEN);
        words word = mix(state + RNG_GOLDEN), place = mix(state + 2 * RNG_GOLDEN), last = mix(state + 3 * RNG_GOLDEN);
        words v = word >> 54, keep = (words)_mm512_i64gather_epi64((__m512i)v, z->keep, 8);
        words other = (words)_mm512_i64gather_epi64((__m512i)v, z->other, 2) & UINT16_MAX;
        words kept = (words)((word >> 1) % BUCKET < keep);
        v = (v & kept) | (other & ~kept);
        words beyond = (words)(v > 15) & 1, shift = v / 16 - beyond;
        words met = ((v % 16 + 16 * beyond) << shift) + (place >> 1 >> (63 - shift));
        reals chance = __builtin_convertvector(last >> 11, reals) * 0x1p-53, sure = (reals)_mm512_i64gather_pd((__m512i)v, z->sure, 8);
        words good = (words)(met <= z->count) & (words)(chance < sure);
        met -= 1;
        memcpy(rank, &met, sizeof met);
        for (unsigned bad = 255 & ~_mm512_movepi64_mask((__m512i)good); bad; bad &= bad - 1) {
            unsigned i = (unsigned)__builtin_ctz(bad);
            rank[i] = zipf_rank(z, stream, request + i);
        }
    }
    ranks_plain(z, stream, request, n, rank);
}
#endif

void zipf_ranks(const struct zipf *z, uint64_t stream, uint64_t request, size_t n, uint64_t *rank)
{
#if CPU_X86
    if (cpu_level() >= CPU_AVX512) {
        ranks_avx512(z, stream, request, n, rank);
        return;
    }
#endif
    ranks_plain(z, stream, request, n, rank);
}

/* k^-s for k = from .. to by Euler and Maclaurin's formula; from >= 100, s <= 128. */
static double sum_far(double from, double to, double s)
{
    static const double factor[] = {1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160}; /* B(2j) / (2j)! */
    double far = pow(to, -s), near = pow(from, -s), span = log(to / from);
    double area = from * near * (s == 1 ? span : expm1((1 - s) * span) / (1 - s));
    double sum = (near + far) / 2;
    near *= s / from;
    far *= s / to;
    for (int j = 0; j < 5; j++) { /* near and far: the derivative of order 2j + 1, negated */
        sum += factor[j] * (near - far);
        near *= (s + 2 * j + 1) * (s + 2 * j + 2) / (from * from);
        far *= (s + 2 * j + 1) * (s + 2 * j + 2) / (to * to);
    }
    return area + sum;
}

double zipf_sum(uint64_t count, double s)
{
    const uint64_t near = 100; /* no power of two: clang would make its pow() an exp2() */
    double sum = count > near ? sum_far((double)near, (double)count, s) : 0;
    for (uint64_t k = count > near ? near - 1 : count; k; k--) /* the small ones first */
        sum += pow((double)k, -s);
    return sum;
}

double zipf_share(uint64_t count, double s, uint64_t k)
{
    return pow((double)k, -s) / zipf_sum(count, s);
}

double zipf_sum_p2(uint64_t count, double s)
{
    double sum = zipf_sum(count, s);
    return zipf_sum(count, 2 * s) / (sum * sum);
}
