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
 * band's last rank would have decides already (`sure`), without a power.
 *
 * The results are kept for good, hence no pow() of the C library, whose last bit varies
 * with library and CPU: the series here use + - * / alone.
 * Cost: three words and some 10 ns a draw, 26 kB whatever the count, 50 us to make. */
#include "model/zipf.h"
#include "base/rng.h"
#include <math.h>
#include <stdbool.h>

#define BUCKET (1ULL << 53) /* weight of an alias bucket: all ZIPF_BANDS make 2^63 */
#define LN2 0.6931471805599453

/* Band v, from 1: its width is 2^shift. */
static unsigned band_shift(unsigned v)
{
    return v < 32 ? 0 : v / 16 - 1;
}

static uint64_t band_first(unsigned v)
{
    return (uint64_t)(v < 32 ? v : v % 16 + 16) << band_shift(v);
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

uint64_t zipf_rank(const struct zipf *z, uint64_t stream, uint64_t request)
{
    struct rng r = rng_start(rng_at(stream, request));
    for (;;) {
        uint64_t word = rng_next(&r), place = rng_next(&r);
        double chance = rng_real(&r);
        unsigned v = (unsigned)(word >> 54);
        if ((word >> 1) % BUCKET >= z->keep[v])
            v = z->other[v];
        uint64_t first = band_first(v), rank = first + (place >> 1 >> (63 - band_shift(v)));
        if (rank <= z->count && (chance < z->sure[v] || chance < accept(z, first, rank)))
            return rank - 1;
    }
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
