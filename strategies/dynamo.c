/* Amazon Dynamo's three ways to deal a ring out (DeCandia et al., SOSP 2007, section 6.2).
 *
 *   1  each node has T random tokens, and its keys are those up to each of its tokens: a ring, whose parts are as uneven as chance
 *   2  the same tokens, but the circle is cut into Q equal parts, and a part goes whole to the first token at or after its end
 *   3  Q equal parts, Q/N to each node, dealt at random; who comes takes an even part from all, who leaves gives to all
 *
 * Copies go to the next different nodes: along the tokens (1, 2), along the parts (3). The paper found 3 the best balanced, and 2, a step
 * on the way there, the worst. Cost: O(1) expected; 41 to 69 bytes a token (1), 4 a token and 8 a part (2), 4 a part (3).
 *
 * Exact: strategy 3 gives each node its quota to within a part. 1 is Dirichlet as any ring; of 2 no closed law is known here: arcs for few tokens, and
 * parts dealt by lot once there are more tokens than parts.
 * The paper leaves open: weights (tokens, or parts, in proportion); which parts change hands in 3 (those that the fewest moves demand, picked by
 * a permutation that the members' names seed, as is the first deal); how tokens are drawn (SplitMix64 seeded by XXH3 of the node's name); and that
 * Q be no multiple of N (largest remainder). A key's part is its digest mod Q, not its highest bits: parts are alike, and any hash fills them. */
#include "strategies/engines/deal.h"
#include "strategies/engines/names.h"
#include "strategies/engines/ring.h"
#include "strategies/engines/table.h"

#include "base/rng.h"

#include <errno.h>
#include <inttypes.h>

enum { TOKENS, TOKENS_AND_PARTS, PARTS };

struct dynamo_options {
    struct keyed_hash hash;
    uint64_t tokens, parts;
    uint32_t strategy;
};

#define FIELD(name) .offset = offsetof(struct dynamo_options, name)
static const struct option options[] = {
    {.name = "strategy", .type = OPTION_CHOICE, FIELD(strategy), .fallback = "3", .choices = "1|2|3", .always = true,
     .help = "1: random tokens; 2: random tokens own equal parts; 3: equal parts, as many for each node"},
    {.name = "tokens", .type = OPTION_COUNT, FIELD(tokens), .fallback = "128", .min = 1, .max = 1000000,
     .help = "strategies 1 and 2: tokens a node, for each unit of weight"},
    {.name = "parts", .type = OPTION_COUNT, FIELD(parts), .fallback = "16384", .min = 1, .max = 16777216,
     .help = "strategies 2 and 3: equal parts of the circle, in all"},
    {.name = "hash", .type = OPTION_CUSTOM, FIELD(hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

/* -- strategies 1 and 2: tokens -- */

/* A ring holds as many positions as keys have digests; parts are found by number. */
static uint64_t last_token(const struct placement *p)
{
    return ((const struct dynamo_options *)p->options)->strategy == TOKENS ? p->key.hash.hash->last : UINT64_MAX;
}

static uint64_t token_count(const struct placement *p, const struct cluster *c)
{
    uint64_t weight = cluster_weight(c), tokens = ((const struct dynamo_options *)p->options)->tokens;
    return weight <= UINT64_MAX / tokens ? weight * tokens : UINT64_MAX;
}

static int emit_tokens(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    uint64_t last = last_token(p);
    for (uint32_t i = 0; i < (only ? 1 : p->cluster->size); i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        uint64_t stream = name_word(node), tokens = ((const struct dynamo_options *)p->options)->tokens * node->weight;
        for (uint64_t k = 0; k < tokens; k++) {
            int e = emit(to, &(struct point){.position = rng_upto(rng_at(stream, k), last), .id = node->id});
            if (e)
                return e;
        }
    }
    return 0;
}

static int attach_ring(struct placement *p, char why[WHY])
{
    const struct ring_rule rule = {.last = last_token(p), .seek = SEEK_GE};
    return ring_attach(p, &rule, token_count(p, p->cluster), why);
}

/* -- strategy 2: a table of parts whose cells are followed by each part's first token, the number of tokens, and their nodes in ring order -- */

static size_t walk_tokens(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    const struct table_state *t = state;
    const uint32_t *first = t->owner + t->size, *token = first + t->size + 1;
    uint32_t tokens = first[t->size], at = first[digest % t->size];
    size_t found = 0;
    for (uint32_t n = 0; n < tokens && found < k; n++, at = at + 1 < tokens ? at + 1 : 0) {
        size_t i = 0;
        while (i < found && id[i] != token[at])
            i++;
        if (i == found)
            id[found++] = token[at];
    }
    return found;
}

static const struct engine parts_engine = {
    .name = "parts of tokens",
    .destroy = mem_free,
    .lookup = table_lookup,
    .lookup_many = table_lookup_many,
    .replicas = walk_tokens,
    .cells = table_cells,
    .ranges = table_ranges,
    .spot = table_spot,
};

/* The last position of a part of the circle. */
static uint64_t part_end(uint64_t part, uint64_t parts)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((((wide)(part + 1) << 64) - 1) / parts);
}

static int attach_parts(struct placement *p, uint64_t parts, char why[WHY])
{
    struct placement ring = *p;
    int e = attach_ring(&ring, why);
    if (e)
        return e;
    size_t distinct, tokens = ring_points(&ring, &distinct), token = 0;
    struct table_state *t = mem_alloc(1, sizeof *t + (2 * parts + 1 + tokens) * sizeof t->owner[0]);
    if (t) {
        uint32_t *first = t->owner + parts, *id = first + parts + 1, other;
        table_of_size(t, parts);
        first[parts] = (uint32_t)tokens;
        for (size_t i = 0; i < tokens; i++)
            ring_position(&ring, i, &id[i]);
        for (uint64_t q = 0; q < parts; q++) {
            while (token < tokens && ring_position(&ring, token, &other) < part_end(q, parts))
                token++;
            first[q] = (uint32_t)(token % tokens);
            t->owner[q] = id[first[q]];
        }
        p->engine = &parts_engine;
        p->state = t;
    }
    ring.engine->destroy(ring.state);
    return t ? 0 : fail(why, ENOMEM, "no memory for %" PRIu64 " parts", parts);
}

/* -- strategy 3: parts alone -- */

/* Parts in an order that the members' names draw: what is dealt along it is dealt at random. NULL: no memory. */
static uint32_t *drawn_order(const struct cluster *c, uint64_t parts)
{
    uint32_t *order = mem_alloc(parts, sizeof *order);
    struct rng rng = {0};
    for (uint32_t i = 0; i < c->size; i++)
        rng.state += rng_mix(name_word(&c->node[i]));
    for (uint64_t q = 0; order && q < parts; q++) {
        uint64_t k = rng_below(&rng, q + 1);
        order[q] = order[k];
        order[k] = (uint32_t)q;
    }
    return order;
}

/* Deals parts to `after`, with the fewest moves from what `before` had; NULL: for the first time. */
static int deal(const struct cluster *before, const struct cluster *after, struct table_state *t)
{
    uint32_t *order = drawn_order(after, t->size), *dealt = mem_alloc(t->size, sizeof *dealt);
    int e = order && dealt ? 0 : -ENOMEM;
    for (uint64_t q = 0; q < t->size && !e; q++)
        dealt[q] = t->owner[order[q]];
    if (!e)
        e = before ? deal_minimal(before, after, t->size, dealt) : deal_contiguous(after, t->size, dealt);
    for (uint64_t q = 0; q < t->size && !e; q++)
        t->owner[order[q]] = dealt[q];
    mem_free(order);
    mem_free(dealt);
    return e;
}

static int check_parts(const struct cluster *c, uint64_t parts, char why[WHY])
{
    return c->size <= parts ? 0 : fail(why, EINVAL, "%u nodes cannot share %" PRIu64 " parts: at most one node a part; ask for parts= of %u or more",
                                       c->size, parts, c->size);
}

static int attach_deal(struct placement *p, uint64_t parts, char why[WHY])
{
    int e = table_attach(p, parts, why);
    if (!e && deal(NULL, p->cluster, p->state)) {
        mem_free(p->state);
        e = fail(why, ENOMEM, "no memory to deal %" PRIu64 " parts", parts);
    }
    return e;
}

/* -- all three -- */

static int dynamo_open(struct placement *p, char why[WHY])
{
    const struct dynamo_options *o = p->options;
    take_hash(p, &o->hash);
    int e = o->strategy == TOKENS ? 0 : check_parts(p->cluster, o->parts, why);
    if (!e)
        e = o->strategy == TOKENS ? attach_ring(p, why) : o->strategy == PARTS ? attach_deal(p, o->parts, why) : attach_parts(p, o->parts, why);
    if (e)
        return e;
    p->caps = CAP_WEIGHTS | CAP_MINIMAL | CAP_ANY_REMOVAL | (o->strategy == PARTS ? CAP_HISTORY : 0);
    p->law = o->strategy == TOKENS ? LAW_ARCS : o->strategy == PARTS ? LAW_FIXED : LAW_NONE;
    return 0;
}

static int dynamo_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct dynamo_options *o = p->options;
    if (o->strategy == TOKENS)
        return ring_change(p, after, token_count(p, after), false, why);
    int e = check_parts(after, o->parts, why);
    struct placement fresh = *p;
    fresh.cluster = after;
    if (!e && o->strategy == TOKENS_AND_PARTS)
        e = attach_parts(&fresh, o->parts, why);
    else if (!e && (!(fresh.state = table_clone(p->state)) || deal(p->cluster, after, fresh.state))) {
        mem_free(fresh.state);
        e = fail(why, ENOMEM, "no memory to deal %" PRIu64 " parts", o->parts);
    }
    if (e)
        return e;
    mem_free(p->state);
    p->state = fresh.state;
    return 0;
}

const struct strategy strategy_dynamo = {
    .name = "dynamo",
    .summary = "Dynamo's partitions: equal parts dealt at random to nodes in even number (3), or random tokens (1, 2)",
    .source = "DeCandia et al., SOSP 2007, section 6.2",
    .cost = "O(1) expected, 4 bytes a part, 41 to 69 a token",
    .option = options,
    .options_size = sizeof(struct dynamo_options),
    .open = dynamo_open,
    .change = dynamo_change,
    .points = emit_tokens,
};
