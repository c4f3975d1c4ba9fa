/* Fixed slots: digest mod 16384 names a slot, and a table says whose it is (Redis Cluster's way).
 *
 * The number of slots never changes, so a change moves whole slots, and which ones is a decision:
 *   minimal     only what the changed nodes must get or give, from the fullest to the emptiest;
 *   contiguous  the range is cut anew into equal runs, as many tutorials do: about half of all slots move;
 *   redis       what redis-cli does: create's cuts, then rebalance (threshold 2 %, lowest slots first);
 *   rendezvous  each slot goes to the node with the highest score of (node, slot): minimal, and no node need know what was before.
 * minimal and contiguous are even to one slot at every size, weights by largest remainder; rendezvous is as uneven as balls in bins: CV
 * sqrt((N-1)/count), 7.8 % for 100 nodes. `minimal` and `redis` remember: where a slot lies depends on the changes that led there (HISTORY).
 * Cost: a rendezvous deal takes count * N steps, a change count times the changed nodes, and N for each slot of those that left. */
#include "strategies/engines/deal.h"
#include "strategies/engines/score.h"
#include "strategies/engines/table.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>

enum { MINIMAL, CONTIGUOUS, REDIS, RENDEZVOUS };

struct slots_options {
    struct keyed_hash hash;
    uint64_t count;
    uint32_t rebalance;
};

#define FIELD(name) .offset = offsetof(struct slots_options, name)
static const struct option options[] = {
    {.name = "count", .type = OPTION_COUNT, FIELD(count), .fallback = "16384", .min = 1, .max = 16777216,
     .help = "number of slots"},
    {.name = "rebalance", .type = OPTION_CHOICE, FIELD(rebalance), .fallback = "minimal", .choices = "minimal|contiguous|redis|rendezvous",
     .help = "how slots are dealt anew when nodes change"},
    {.name = "hash", .type = OPTION_CUSTOM, FIELD(hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

static int check_count(const struct cluster *c, const struct slots_options *o, char why[WHY])
{
    return c->size <= o->count ? 0 : fail(why, EINVAL, "%u nodes cannot share %" PRIu64 " slots: at most one node a slot; ask for count= of %u or more",
                                          c->size, o->count, c->size);
}

static bool weights_differ(const struct cluster *c)
{
    for (uint32_t i = 1; i < c->size; i++)
        if (c->node[i].weight != c->node[0].weight)
            return true;
    return false;
}

/* What redis-cli needs for weights: create knows none, so a rebalance follows. */
static int deal_redis(const struct cluster *c, uint64_t cells, uint32_t *owner)
{
    deal_redis_create(c, cells, owner);
    return weights_differ(c) ? deal_redis_rebalance(c, c, cells, owner) : 0;
}

/* A slot whose owner is as it was can only go to a node that is not; the others are dealt anew. before may be c itself, with all slots free. */
static int deal_rendezvous(const struct cluster *before, const struct cluster *c, uint64_t cells, uint32_t *owner)
{
    struct contest *all = contest_create(c);
    struct contender *some = mem_alloc(1 + (size_t)c->size, sizeof *some); /* the owner, and all that are not as they were */
    uint32_t *weight = mem_alloc(c->ids, sizeof *weight);
    const struct contender **standing = mem_alloc(c->ids, sizeof *standing);
    int e = all && some && weight && standing ? 0 : -ENOMEM;
    size_t n = 1;
    for (uint32_t i = 0; i < before->size && !e; i++)
        weight[before->node[i].id] = before->node[i].weight;
    for (uint32_t i = 0; i < c->size && !e; i++) {
        const struct contender *one = &all->who[i];
        if (weight[one->id] == one->weight)
            standing[one->id] = one;
        else
            some[n++] = *one;
    }
    for (uint64_t cell = 0; cell < cells && !e; cell++) {
        const struct contender *holder = owner[cell] == NO_NODE ? NULL : standing[owner[cell]];
        if (holder)
            some[0] = *holder;
        owner[cell] = holder ? contest_among(some, n, all->equal, cell) : contest_winner(all, cell);
    }
    mem_free(all);
    mem_free(some);
    mem_free(weight);
    mem_free(standing);
    return e;
}

/* The first deal. */
static int deal_anew(const struct slots_options *o, const struct cluster *c, uint32_t *owner)
{
    switch (o->rebalance) {
    case REDIS: return deal_redis(c, o->count, owner);
    case RENDEZVOUS: return deal_rendezvous(c, c, o->count, owner);
    default: return deal_contiguous(c, o->count, owner);
    }
}

static int slots_open(struct placement *p, char why[WHY])
{
    const struct slots_options *o = p->options;
    if (o->hash.hash)
        p->key.hash = o->hash;
    int e = check_count(p->cluster, o, why);
    if (!e)
        e = table_attach(p, o->count, why);
    if (e)
        return e;
    if (deal_anew(o, p->cluster, ((struct table_state *)p->state)->owner)) {
        mem_free(p->state);
        return fail(why, ENOMEM, "no memory to deal %" PRIu64 " slots", o->count);
    }
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL | CAP_ASSIGNED;
    p->caps |= o->rebalance == MINIMAL || o->rebalance == RENDEZVOUS ? CAP_MINIMAL : 0;
    p->caps |= o->rebalance == MINIMAL || o->rebalance == REDIS ? CAP_HISTORY : 0;
    p->law = o->rebalance == RENDEZVOUS ? LAW_BALLS : LAW_FIXED;
    p->law_count = o->count;
    return 0;
}

static int slots_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct slots_options *o = p->options;
    int e = check_count(after, o, why);
    if (e)
        return e;
    struct table_state *t = table_clone(p->state);
    if (!t)
        e = -ENOMEM;
    else if (o->rebalance == MINIMAL)
        e = deal_minimal(p->cluster, after, o->count, t->owner);
    else if (o->rebalance == CONTIGUOUS)
        e = deal_contiguous(after, o->count, t->owner);
    else if (o->rebalance == RENDEZVOUS)
        e = deal_rendezvous(p->cluster, after, o->count, t->owner);
    else
        e = deal_redis_rebalance(p->cluster, after, o->count, t->owner);
    if (e) {
        mem_free(t);
        return fail(why, ENOMEM, "no memory to deal %" PRIu64 " slots", o->count);
    }
    mem_free(p->state);
    p->state = t;
    return 0;
}

const struct strategy strategy_slots = {
    .name = "slots",
    .summary = "fixed slots (16384), each owned by a node: even, and moves whole slots",
    .source = "Redis Cluster specification",
    .cost = "O(1), 4 bytes a slot",
    .option = options,
    .options_size = sizeof(struct slots_options),
    .open = slots_open,
    .change = slots_change,
};
