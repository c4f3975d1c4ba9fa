/* straw2, the bucket of CRUSH that Ceph has used since 2015: every node draws a straw of ln(u) / w for the key, and the longest has it.
 *
 * It is weighted rendezvous hashing in whole numbers: u is 16 bits of Jenkins' mix of (key, item, attempt), its logarithm comes from two small tables,
 * weights are 16.16 fixed point, the quotient is cut toward zero, and of equal straws the first in configuration order wins (so to reorder the nodes moves
 * a few keys). Bit-exact to one flat bucket of
 * `crushtool --test` (16.2.15). Copies as CRUSH's firstn: copy r draws with attempt r; where that node is taken, with the next attempts, 50 more at most; then that
 * copy is left out, so there can be fewer than asked for.
 * Resolution: with 16 bits of u equal straws are not rare, and quotients by weights of thousands are coarser still. So the first of N equal nodes gets about
 * 2^-16 of all keys too much and the last too little (N = 1000: 1.5 % of its share, a CV of 0.9 % in all; at weight 32767 thrice that), and the least of very
 * unlike weights up to 15 % of its own too much (1 against 32767). These are its exact shares, the law of the straws summed over all u; they are not known
 * where more than 64 different weights would make the sum long.
 * A node called osd.N is item N; any other name's item is the low 31 bits of its XXH3. The key is the low 32 bits of the digest: with hash=identity Ceph's own x.
 * Source: Weil, Brandt, Miller and Maltzahn, "CRUSH", 2006; Ceph's src/crush. Cost: O(N) a look-up; 12 bytes a node and 4 KB. */
#include "strategies/engines/crush.h"
#include "strategies/engines/names.h"
#include "strategies/engines/straws.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT_LIMIT = 32767, TRIES = 51, BLOCK = CRUSH_BLOCK, OUTCOMES = 1 << 16, KINDS_MOST = 64 };

struct straw2_options {
    struct keyed_hash hash;
};

static const struct option options[] = {
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct straw2_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H); identity: keys are numbers, Ceph's x"},
    {0},
};

/* log2 of 1 + k/128 and of 1 + k/32768, and 1 / (1 + k/128), all times 2^48. */
struct logarithms {
    uint64_t coarse[129], inverse[129], fine[256];
};

struct straw2 {
    struct logarithms ln;
    uint32_t size;
    struct crush_block block[];
};

/* -- the tables -- */

/* What Ceph's fine table has over the true logarithm, cut to an integer: one offset, but for these. */
static const uint64_t usual_excess = 5493489664;
static const struct {
    uint8_t at;
    uint64_t excess;
} odd[] = {
    {0, 0}, {1, 0}, {56, 5349423536}, {127, 978272901}, {134, 3588789669}, {181, 4007963589}, {184, 5423282367}, {188, 2201924427},
    {193, 3829329171}, {198, 2511158322}, {199, 2670353280}, {200, 3807665765}, {203, 0}, {207, 5045407031}, {210, 4635559696}, {212, 3670382108},
    {216, 0}, {222, 0}, {225, 3209098745}, {227, 1514328394}, {228, 2662093655}, {229, 561838844}, {231, 3537203772}, {233, 0},
    {235, 4861921003}, {236, 5281046906}, {237, 0}, {238, 0}, {239, 0}, {240, 2650193885}, {241, 4203558265}, {243, 0},
    {244, 0}, {245, 0}, {246, 0}, {247, 362109528}, {248, 0}, {249, 0}, {250, 0}, {251, 0}, {252, 0}, {253, 0}, {254, 0}, {255, 0},
};

/* 2^48 log2(x / 2^63), cut to an integer, of x >= 2^63: squaring doubles a logarithm, and each time it passes 1 is a bit. */
static uint64_t log2_of(uint64_t x)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t log = 0;
    for (int bit = 0; bit < 48; bit++) {
        wide square = (wide)x * x;
        unsigned carry = (unsigned)(square >> 127);
        x = (uint64_t)(square >> (63 + carry));
        log = log << 1 | carry;
    }
    return log;
}

static void fill_logarithms(struct logarithms *t)
{
    for (uint64_t k = 0; k < 128; k++)
        t->coarse[k] = log2_of((128 + k) << 56);
    t->coarse[128] = 0xffff00000000; /* as published, not 2^48: so no straw has length 0 */
    for (uint64_t k = 0; k <= 128; k++)
        t->inverse[k] = ((UINT64_C(1) << 55) + 127 + k) / (128 + k);
    for (uint64_t k = 0; k < 256; k++)
        t->fine[k] = log2_of((32768 + k) << 48) + usual_excess;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        t->fine[odd[i].at] += odd[i].excess - usual_excess;
}

/* 2^44 log2((u + 1) / 2^16), below 0. */
static int64_t ln_of(const struct logarithms *t, uint32_t u)
{
    uint32_t x = u + 1;
    int shift = x < 0x8000 ? __builtin_clz(x) - 16 : 0;
    x <<= shift;
    uint32_t k = (x >> 8) - 128;
    uint64_t rest = x * t->inverse[k] >> 48;
    return (int64_t)(((uint64_t)(15 - shift) << 44) + ((t->coarse[k] + t->fine[rest & 255]) >> 4)) - (INT64_C(1) << 48);
}

/* -- the draw -- */

/* Of negative numbers a quotient cut toward zero lies above `longest` just when the dividend lies above longest * weight; so few are divided. */
static inline uint32_t draw(const struct straw2 *s, crush_draws *draws, uint32_t x, uint32_t attempt)
{
    int64_t longest = -(INT64_C(1) << 32) - 1; /* below all quotients; times any weight it still fits */
    float reach = crush_reach(longest);
    uint32_t best = NO_NODE;
    for (uint32_t from = 0; from < s->size; from += BLOCK) {
        const struct crush_block *b = &s->block[from / BLOCK];
        uint32_t u[BLOCK], n = s->size - from < BLOCK ? s->size - from : BLOCK;
        for (uint32_t hope = draws(b, n, x, attempt, reach, u) & UINT32_MAX >> (BLOCK - n); hope; hope &= hope - 1) {
            int i = __builtin_ctz(hope);
            if (!crush_hopes(u[i], b->weight[i], reach))
                continue;
            int64_t ln = ln_of(&s->ln, u[i]), weight = b->weight[i];
            if (ln <= longest * weight)
                continue;
            longest = ln / weight;
            reach = crush_reach(longest);
            best = b->id[i];
        }
    }
    return best;
}

static uint32_t straw2_lookup(const void *state, uint64_t digest)
{
    return draw(state, crush_draws_best(), (uint32_t)digest, 0);
}

static void straw2_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    crush_draws *draws = crush_draws_best();
    for (size_t i = 0; i < n; i++)
        id[i] = draw(state, draws, (uint32_t)digest[i], 0);
}

static size_t straw2_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    crush_draws *draws = crush_draws_best();
    size_t found = 0;
    for (uint32_t copy = 0; copy < k; copy++)
        for (uint32_t try = 0; try < TRIES; try++) {
            size_t i = 0;
            id[found] = draw(state, draws, (uint32_t)digest, copy + try);
            while (id[i] != id[found])
                i++;
            if (i < found)
                continue;
            found++;
            break;
        }
    return found;
}

/* The kinds of weights, and each node's: how many, at most KINDS_MOST + 1. */
static uint32_t kinds_of(const struct straw2 *s, uint32_t weight[KINDS_MOST + 1], uint32_t *kind)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < s->size && kinds <= KINDS_MOST; i++) {
        uint32_t k = 0, own = s->block[i / BLOCK].weight[i % BLOCK];
        while (k < kinds && weight[k] != own)
            k++;
        if (k == kinds)
            weight[kinds++] = own;
        if (kind)
            kind[i] = k;
    }
    return kinds;
}

/* The law of the straws, summed over all u: exact for an ideal hash. */
static int straw2_shares(const void *state, double *share)
{
    const struct straw2 *s = state;
    uint32_t weight[KINDS_MOST + 1], *kind = mem_alloc(s->size, sizeof *kind), kinds = kind ? kinds_of(s, weight, kind) : 0;
    int64_t *straw = mem_alloc((size_t)kinds * OUTCOMES, sizeof *straw);
    double *part = mem_alloc(s->size, sizeof *part);
    int e = kind && straw && part ? 0 : -ENOMEM;
    for (uint32_t k = 0; k < kinds && !e; k++)
        for (uint32_t u = 0; u < OUTCOMES; u++)
            straw[(size_t)k * OUTCOMES + u] = ln_of(&s->ln, u) / (int64_t)weight[k];
    if (!e)
        e = straws_shares(straw, kinds, OUTCOMES, kind, s->size, part);
    for (uint32_t i = 0; i < s->size && !e; i++)
        share[s->block[i / BLOCK].id[i % BLOCK]] = part[i];
    mem_free(kind);
    mem_free(straw);
    mem_free(part);
    return e;
}

#define STRAW2_ENGINE                                                                                                                       \
    .name = "straw2", .destroy = mem_free, .lookup = straw2_lookup, .lookup_many = straw2_lookup_many, .replicas = straw2_replicas

static const struct engine straw2_engine = {STRAW2_ENGINE, .shares = straw2_shares};
static const struct engine many_kinds_engine = {STRAW2_ENGINE}; /* the sum would take long */

/* -- the bucket -- */

static uint32_t item_number(const struct node *n)
{
    uint64_t number = 0;
    const char *at = n->name + 4;
    if (strncmp(n->name, "osd.", 4) || !*at || (*at == '0' && at[1]))
        return (uint32_t)name_word(n) & INT32_MAX;
    for (; *at >= '0' && *at <= '9' && number <= INT32_MAX; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    return *at || number > INT32_MAX ? (uint32_t)name_word(n) & INT32_MAX : (uint32_t)number;
}

struct item {
    uint32_t number, at; /* at: in the cluster */
};

static int by_number(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number) : (x->at > y->at) - (x->at < y->at);
}

static int check(const struct cluster *c, char why[WHY])
{
    struct item *item = mem_alloc(c->size, sizeof *item);
    int e = item ? 0 : fail(why, ENOMEM, "no memory for %u nodes", c->size);
    for (uint32_t i = 0; i < c->size && !e; i++) {
        item[i] = (struct item){item_number(&c->node[i]), i};
        if (c->node[i].weight > WEIGHT_LIMIT)
            e = fail(why, EINVAL, "node %s weighs %u: weights are 16.16 numbers, at most %d", c->node[i].name, c->node[i].weight, WEIGHT_LIMIT);
    }
    if (!e)
        qsort(item, c->size, sizeof *item, by_number);
    for (uint32_t i = 1; i < c->size && !e; i++)
        if (item[i].number == item[i - 1].number)
            e = fail(why, EINVAL, "nodes %s and %s are both item %u; call nodes osd.N to number them", c->node[item[i - 1].at].name,
                     c->node[item[i].at].name, item[i].number);
    mem_free(item);
    return e;
}

static int straw2_open(struct placement *p, char why[WHY])
{
    const struct straw2_options *o = p->options;
    const struct cluster *c = p->cluster;
    int e = check(c, why);
    if (e)
        return e;
    struct straw2 *s = mem_alloc(1, sizeof *s + (c->size + (size_t)BLOCK - 1) / BLOCK * sizeof s->block[0]);
    if (!s)
        return fail(why, ENOMEM, "no memory for %u nodes", c->size);
    fill_logarithms(&s->ln);
    s->size = c->size;
    for (uint32_t i = 0; i < c->size; i++) {
        struct crush_block *b = &s->block[i / BLOCK];
        b->number[i % BLOCK] = item_number(&c->node[i]);
        b->weight[i % BLOCK] = c->node[i].weight << 16;
        b->id[i % BLOCK] = c->node[i].id;
    }
    take_hash(p, &o->hash);
    p->engine = kinds_of(s, (uint32_t[KINDS_MOST + 1]){0}, NULL) > KINDS_MOST ? &many_kinds_engine : &straw2_engine;
    p->state = s;
    p->caps = CAP_WEIGHTS | CAP_MINIMAL | CAP_ANY_REMOVAL | CAP_SCANS;
    p->law = LAW_FIXED;
    return 0;
}

const struct strategy strategy_straw2 = {
    .name = "straw2",
    .summary = "straw2, the bucket of CRUSH (Ceph): weighted rendezvous hashing in whole numbers",
    .source = "Weil et al., 2006; Ceph 16.2",
    .cost = "O(N), 12 bytes a node and 4 KB",
    .option = options,
    .options_size = sizeof(struct straw2_options),
    .open = straw2_open,
};
