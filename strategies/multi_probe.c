/* Multi-probe consistent hashing (Appleton and O'Reilly, 2015): one point a node, and k probes a key; the probe that lies nearest before a
 * point names the node.
 *
 * Memory is that of a ring with one point a node, and the largest share falls to k / (k - 1) of the mean as nodes grow in number: 21
 * probes give 1.05. The small ones stay small, so that CV is 1 / sqrt(2k - 1), 0.156 for 21. A node that comes wins those keys of which a
 * probe is now nearer to its point than any was before to another, and nobody else's; one that leaves gives them back.
 *
 * Cost: O(k) expected, as most buckets of the index hold no point, and O(kN) at the very worst; 28 to 44 bytes a node.
 * Exact: the shares, from the gaps between points (see probe_shares). There is no map, as a key's probes lie all over the circle.
 * The paper leaves the hashes open. Here a point is XXH3 of the node's name and the probes are words of SplitMix64 seeded by the digest,
 * both of 64 bits, so that a narrow hash= limits how many sets of probes there are, not where they fall. Of two equal distances the
 * earlier probe's wins, of two equal points the one whose name sorts first, so that the order of the configuration decides nothing. */
#include "strategies/engines/names.h"

#include "base/mem.h"
#include "base/rng_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct multi_probe_options {
    struct keyed_hash hash;
    uint64_t probes;
};

#define FIELD(name) .offset = offsetof(struct multi_probe_options, name)
static const struct option options[] = {
    {.name = "probes", .type = OPTION_COUNT, FIELD(probes), .fallback = "21", .min = 1, .max = 1000, .always = true,
     .help = "probes a key: the largest share falls to k/(k-1) of the mean"},
    {.name = "hash", .type = OPTION_CUSTOM, FIELD(hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

struct probes {
    uint32_t probes, nodes;
    unsigned shift;     /* bucket = position >> shift */
    uint64_t origin;    /* where positions are counted from: just past the last point, so that none is past it and no gap wraps */
    uint64_t *position; /* ascending; the last is 2^64 - 1 */
    uint32_t *id;
    uint32_t *first;    /* first[b]: the first point in bucket b or beyond */
};

static void probes_destroy(void *state)
{
    struct probes *s = state;
    mem_free(s->position);
    mem_free(s->id);
    mem_free(s->first);
    mem_free(s);
}

/* The first point at or after x. A bucket's first point lies on either side, but seldom is there another: the first step is no branch. */
static inline uint32_t next_point(const struct probes *s, uint64_t x)
{
    uint32_t i = s->first[x >> s->shift];
    i += s->position[i] < x;
    while (s->position[i] < x)
        i++;
    return i;
}

struct nearest {
    uint64_t distance;
    uint32_t point;
};

static inline struct nearest nearer(const struct probes *s, struct nearest so_far, uint64_t x)
{
    uint32_t i = next_point(s, x);
    uint64_t distance = s->position[i] - x;
    so_far.point = distance < so_far.distance ? i : so_far.point;
    so_far.distance = distance < so_far.distance ? distance : so_far.distance;
    return so_far;
}

static uint32_t probes_lookup(const void *state, uint64_t digest)
{
    const struct probes *s = state;
    struct nearest nearest = {UINT64_MAX, 0};
    for (uint32_t k = 0; k < s->probes; k++)
        nearest = nearer(s, nearest, rng_at(digest, k) - s->origin);
    return s->id[nearest.point];
}

#if CPU_X86
/* Eight probes are drawn at once; to look them up at once, by gathers, is no faster than one by one. */
CODE_FOR_AVX512 static void lookup_avx512(const struct probes *s, const uint64_t *digest, size_t n, uint32_t *id)
{
    uint64_t x[8], first[8] = {RNG_GOLDEN, 2 * RNG_GOLDEN, 3 * RNG_GOLDEN, 4 * RNG_GOLDEN, 5 * RNG_GOLDEN, 6 * RNG_GOLDEN, 7 * RNG_GOLDEN, 8 * RNG_GOLDEN};
    const __m512i start = _mm512_loadu_si512(first), origin = _mm512_set1_epi64((int64_t)s->origin), step = _mm512_set1_epi64((int64_t)(8 * RNG_GOLDEN));
    for (size_t i = 0; i < n; i++) {
        struct nearest nearest = {UINT64_MAX, 0};
        __m512i at = _mm512_add_epi64(_mm512_set1_epi64((int64_t)digest[i]), start);
        for (uint32_t left = s->probes, some; left; left -= some, at = _mm512_add_epi64(at, step)) {
            some = left < 8 ? left : 8;
            _mm512_storeu_si512(x, _mm512_sub_epi64(rng_mix_folded_avx512(rng_fold_avx512(at)), origin));
            for (uint32_t k = 0; k < some; k++)
                nearest = nearer(s, nearest, x[k]);
        }
        id[i] = s->id[nearest.point];
    }
}
#endif

static void probes_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
#if CPU_X86
    if (cpu_level() == CPU_AVX512) {
        lookup_avx512(state, digest, n, id);
        return;
    }
#endif
    for (size_t i = 0; i < n; i++)
        id[i] = probes_lookup(state, digest[i]);
}

/* What is sorted: points by position and name, or gaps by length. */
struct entry {
    uint64_t value;
    const char *name; /* NULL: of a gap */
    uint32_t id;
};

static int by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : x->name ? strcmp(x->name, y->name) : (x->id > y->id) - (x->id < y->id);
}

/* With gaps g_1 <= .. <= g_N before the points, a probe lies further than t from the next point with probability S(t) = sum of max(g - t, 0), over
 * the whole circle; the nearest of k probes with S(t)^k, and given its distance it is as likely in any gap longer than that. Between g_{l-1}
 * and g_l there are N-l+1 such gaps: each gets (S(g_{l-1})^k - S(g_l)^k) / (N-l+1), and the m-th gap's share is the sum for l <= m.
 * That holds on whole positions too, as equal distances go to the earlier probe, wherever it is. */
static int probe_shares(const void *state, double *share)
{
    const struct probes *s = state;
    struct entry *gap = mem_alloc(s->nodes, sizeof *gap);
    double sum = 0, power = 1, survival = 1;
    if (!gap)
        return -ENOMEM;
    for (uint32_t i = 0; i < s->nodes; i++)
        gap[i] = (struct entry){s->position[i] - s->position[i ? i - 1 : s->nodes - 1], NULL, s->id[i]};
    qsort(gap, s->nodes, sizeof *gap, by_value);
    for (uint32_t l = 0; l < s->nodes; l++) {
        uint32_t longer = s->nodes - l;
        survival = longer > 1 ? survival - (double)longer * (double)(gap[l].value - (l ? gap[l - 1].value : 0)) * 0x1p-64 : 0;
        double next = 1, square = survival;
        for (uint32_t k = s->probes; k > 0; k >>= 1, square *= square)
            next *= k & 1 ? square : 1;
        sum += (power - next) / longer;
        share[gap[l].id] = sum;
        power = next;
    }
    mem_free(gap);
    return 0;
}

static const struct engine probes_engine = {
    .name = "probes",
    .destroy = probes_destroy,
    .lookup = probes_lookup,
    .lookup_many = probes_lookup_many,
    .shares = probe_shares,
};

static struct probes *probes_room(uint32_t nodes, uint64_t probes, unsigned bits)
{
    struct probes *s = mem_alloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct probes){.probes = (uint32_t)probes, .nodes = nodes, .shift = 64 - bits, .position = mem_alloc(nodes, sizeof *s->position),
                         .id = mem_alloc(nodes, sizeof *s->id), .first = mem_alloc((size_t)1 << bits, sizeof *s->first)};
    if (s->position && s->id && s->first)
        return s;
    probes_destroy(s);
    return NULL;
}

/* The points of c's nodes in order: those of the old state that stay, and others sorted in. */
static void merge(struct probes *s, const struct probes *old, const struct cluster *c, const struct node **node, struct entry *fresh)
{
    uint32_t count = 0, at = 0, size = c->size;
    for (uint32_t i = 0; i < size; i++)
        node[c->node[i].id] = &c->node[i];
    for (uint32_t i = 0; old && i < old->nodes; i++)
        if (node[old->id[i]]) {
            s->position[count] = old->position[i] + old->origin;
            s->id[count++] = old->id[i];
            node[old->id[i]] = NULL;
        }
    for (uint32_t i = 0; i < size; i++)
        if (node[c->node[i].id])
            fresh[at++] = (struct entry){name_word(&c->node[i]), c->node[i].name, c->node[i].id};
    for (uint32_t i = 0; i < size; i++)
        node[c->node[i].id] = &c->node[i];
    qsort(fresh, at, sizeof *fresh, by_value);
    for (uint32_t to = size; to-- > 0;) { /* from the top, so that nothing is overwritten */
        struct entry kept = {0};
        if (count)
            kept = (struct entry){s->position[count - 1], node[s->id[count - 1]]->name, s->id[count - 1]};
        bool take = at && (!count || by_value(&fresh[at - 1], &kept) > 0);
        s->position[to] = take ? fresh[at - 1].value : kept.value;
        s->id[to] = take ? fresh[at - 1].id : kept.id;
        at -= take;
        count -= !take;
    }
}

/* A state for c's nodes, from one that some of them have already; NULL: no memory. */
static struct probes *probes_create(const struct probes *old, const struct cluster *c, uint64_t probes)
{
    unsigned bits = 2 + (32 - (unsigned)__builtin_clz(c->size)); /* four to eight buckets a point: most hold none, and are guessed right */
    struct probes *s = probes_room(c->size, probes, bits);
    struct entry *fresh = mem_alloc(c->size, sizeof *fresh);
    uint32_t ids = c->ids;
    for (uint32_t i = 0; old && i < old->nodes; i++)
        ids = old->id[i] < ids ? ids : old->id[i] + 1;
    const struct node **node = mem_alloc(ids, sizeof *node);
    if (s && fresh && node) {
        merge(s, old, c, node, fresh);
        s->origin = s->position[c->size - 1] + 1;
        for (uint32_t i = 0; i < c->size; i++)
            s->position[i] -= s->origin;
        for (size_t b = 0, i = 0; b < (size_t)1 << bits; b++) {
            while (s->position[i] >> s->shift < b)
                i++;
            s->first[b] = (uint32_t)i;
        }
    } else if (s) {
        probes_destroy(s);
        s = NULL;
    }
    mem_free(node);
    mem_free(fresh);
    return s;
}

static int attach(struct placement *p, const struct cluster *c, char why[WHY])
{
    struct probes *s = probes_create(p->state, c, ((const struct multi_probe_options *)p->options)->probes);
    if (!s)
        return fail(why, ENOMEM, "no memory for %u points", c->size);
    if (p->state)
        probes_destroy(p->state);
    p->engine = &probes_engine;
    p->state = s;
    p->caps = CAP_MINIMAL | CAP_ANY_REMOVAL;
    p->law = warn_of_weights(p, c) ? LAW_NONE : LAW_PROBES;
    p->law_count = s->probes;
    return 0;
}

static int multi_probe_open(struct placement *p, char why[WHY])
{
    take_hash(p, &((const struct multi_probe_options *)p->options)->hash);
    p->state = NULL;
    return attach(p, p->cluster, why);
}

const struct strategy strategy_multi_probe = {
    .name = "multi-probe",
    .summary = "one point a node, and the nearest of k probes: a small ring with no large share; no weights",
    .source = "Appleton and O'Reilly, 2015",
    .cost = "O(k) expected, 28 to 44 bytes a node",
    .option = options,
    .options_size = sizeof(struct multi_probe_options),
    .open = multi_probe_open,
    .change = attach,
};
