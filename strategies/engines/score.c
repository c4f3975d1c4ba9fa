/* Cost: a multiplication and a comparison a node, and about ln N logarithms a look-up; 16 bytes a node. */
#include "strategies/engines/score.h"

#include "base/mem.h"
#include "base/rng.h"
#include "strategies/engines/names.h"

enum { BITS = 44 }; /* of an argument that count */

/* The leading BITS bits of x, times 2^-64. */
static double head(uint64_t x)
{
    int drop = 64 - BITS - __builtin_clzll(x | 1);
    return (double)(drop > 0 ? x >> drop << drop : x) * 0x1p-64;
}

/* ln((1 + s) / (1 - s)), |s| < 0.172: the series of 2 artanh(s), to a relative 1e-15. */
static double ln_ratio(double s)
{
    double z = s * s, sum = 1.0 / 17;
    for (int k = 15; k > 0; k -= 2)
        sum = sum * z + 1.0 / k;
    return 2 * s * sum;
}

/* The gap 1 - u is kept as an integer, since near 1 the logarithm is what remains of it; elsewhere u = m / 2^k with m around 1.
 *
 * It must never rise with the word, or nodes of equal weights would not stand in the order of their words. So an argument is cut to 44 bits, which costs a
 * relative 2^-43: two that still differ do so by 2^-44 or more, and so do their logarithms (relative to the gap, or absolutely), while rounding adds at most
 * 2^-47, to the largest, 44.4. Both cuts lead away from the border between the two forms. */
double score_exponential(uint64_t word)
{
    const uint64_t near = UINT64_C(0x4b) << 56; /* u > 0.707 */
    uint64_t gap = ~word;
    if (gap < near) {
        double t = head(gap);
        return ln_ratio(t / (2 - t));
    }
    int k = __builtin_clzll(word + 1);
    double m = head((word + 1) << k);
    if (m < 1 - (double)near * 0x1p-64) {
        m *= 2;
        k++;
    }
    return k * 0x1.62e42fefa39efp-1 - ln_ratio((m - 1) / (m + 1));
}

static bool before(const struct score *a, const struct score *b)
{
    return a->cost < b->cost || (a->cost <= b->cost && a->word > b->word);
}

/* -ln(u) is at least 1 - u: that settles most without a logarithm. The margin is a thousand times the error of either side. */
uint32_t score_next(const struct contender *who, size_t size, uint64_t digest, struct score *place)
{
    struct score best = {64, 0}; /* above all costs */
    uint32_t id = NO_NODE;
    uint64_t folded = rng_fold(digest);
    for (size_t i = 0; i < size; i++) {
        uint64_t word = rng_mix_folded(folded ^ who[i].word);
        double weight = who[i].weight, least = (double)(int64_t)(~word >> 1) * (0x1p-63 * (1 - 1e-9));
        if (least > best.cost * weight)
            continue;
        struct score s = {score_exponential(word) / weight, word};
        if (before(place, &s) && before(&s, &best)) {
            best = s;
            id = who[i].id;
        }
    }
    *place = best;
    return id;
}

/* Costs of equal weights never rise with the word and ties go to the higher one: the highest word wins. */
uint32_t contest_among(const struct contender *who, size_t size, bool equal, uint64_t digest)
{
    struct score place = SCORE_START;
    if (!equal)
        return score_next(who, size, digest, &place);
    uint64_t folded = rng_fold(digest);
    size_t best = 0;
    for (size_t i = 0; i < size; i++) {
        uint64_t word = rng_mix_folded(folded ^ who[i].word);
        if (word >= place.word) {
            place.word = word;
            best = i;
        }
    }
    return who[best].id;
}

uint32_t contest_winner(const struct contest *c, uint64_t digest)
{
    return contest_among(c->who, c->size, c->equal, digest);
}

struct contest *contest_create(const struct cluster *c)
{
    struct contest *made = mem_alloc(1, sizeof *made + c->size * sizeof made->who[0]);
    if (!made)
        return NULL;
    made->size = c->size;
    made->equal = true;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        made->who[i] = (struct contender){rng_fold(name_word(n)), n->id, n->weight};
        made->equal &= n->weight == c->node[0].weight;
    }
    return made;
}
