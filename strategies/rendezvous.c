/* Rendezvous hashing, or highest random weight: each key asks all nodes, and the one with the highest score of (node, key) has it.
 *
 * The score is a 64-bit mix of the key's digest and the node's word; weights as -w / ln(u). Shares are exactly by weight, a change moves what it must and
 * nothing else, nothing is stored but the nodes, and copies are the next in the order. Cost: O(N) a look-up; 16 bytes a node.
 * Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998; weights: Schindelhauer and Schomaker, 2005.
 * Left open: the hash of the pair (here SplitMix64's finaliser of digest xor XXH3 of the name) and ties (the higher word, 1 in 2^44 where weights differ).
 *
 * tree=F is the skeleton of engines/skeleton.c: O(F log N) a look-up, without weights and less even. */
#include "strategies/engines/names.h"
#include "strategies/engines/score.h"
#include "strategies/engines/skeleton.h"

#include "base/mem.h"

#include <errno.h>

struct rendezvous_options {
    struct keyed_hash hash;
    uint64_t tree;
};

#define FIELD(name) .offset = offsetof(struct rendezvous_options, name)
static const struct option options[] = {
    {.name = "tree", .type = OPTION_COUNT, FIELD(tree), .fallback = "0", .max = 64, .bare = "8",
     .help = "children of an inner node of the tree that is asked level by level; alone: 8; 0: no tree, all nodes are asked"},
    {.name = "hash", .type = OPTION_CUSTOM, FIELD(hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

static uint32_t flat_lookup(const void *state, uint64_t digest)
{
    return contest_winner(state, digest);
}

static void flat_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    contest_winners(state, digest, n, id);
}

static size_t flat_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    const struct contest *c = state;
    struct score place = SCORE_START;
    size_t found = 0;
    while (found < k && (id[found] = score_next(c->who, c->size, digest, &place)) != NO_NODE)
        found++;
    return found;
}

/* The least of independent exponentials with rates w is node i's with probability w_i / sum of w. */
static int flat_shares(const void *state, double *share)
{
    const struct contest *c = state;
    double sum = 0;
    for (uint32_t i = 0; i < c->size; i++)
        sum += c->who[i].weight;
    for (uint32_t i = 0; i < c->size; i++)
        share[c->who[i].id] = c->who[i].weight / sum;
    return 0;
}

static const struct engine flat_engine = {
    .name = "rendezvous",
    .destroy = mem_free,
    .lookup = flat_lookup,
    .lookup_many = flat_lookup_many,
    .replicas = flat_replicas,
    .shares = flat_shares,
};

/* The flat state for c in place of p's. */
static int flat_renew(struct placement *p, const struct cluster *c, char why[WHY])
{
    struct contest *made = contest_create(c);
    if (!made)
        return fail(why, ENOMEM, "no memory for %u nodes", c->size);
    mem_free(p->state);
    p->state = made;
    return 0;
}

static int rendezvous_open(struct placement *p, char why[WHY])
{
    const struct rendezvous_options *o = p->options;
    take_hash(p, &o->hash);
    if (o->tree == 1)
        return fail(why, EINVAL, "tree=1: a tree has at least 2 children a node; 0: no tree");
    if (o->tree)
        return skeleton_attach(p, (uint32_t)o->tree, why);
    p->state = NULL;
    int e = flat_renew(p, p->cluster, why);
    if (e)
        return e;
    p->engine = &flat_engine;
    p->caps = CAP_WEIGHTS | CAP_MINIMAL | CAP_ANY_REMOVAL | CAP_SCANS;
    p->law = LAW_FIXED;
    return 0;
}

static int rendezvous_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    return p->engine == &flat_engine ? flat_renew(p, after, why) : skeleton_change(p, after, why);
}

const struct strategy strategy_rendezvous = {
    .name = "rendezvous",
    .summary = "rendezvous hashing (highest random weight): exact weights, minimal, asks every node",
    .source = "Thaler and Ravishankar, 1998; weights: Schindelhauer and Schomaker, 2005",
    .cost = "O(N), 16 bytes a node; tree=F: O(F log N), about 10 bytes a node",
    .option = options,
    .options_size = sizeof(struct rendezvous_options),
    .open = rendezvous_open,
    .change = rendezvous_change,
};
