/* Fixed slots: digest mod 16384 names a slot, and a table says whose it is (Redis Cluster's way).
 *
 * The number of slots never changes, so a change moves whole slots, and which ones is a decision:
 *   minimal     only what the changed nodes must get or give, from the fullest to the emptiest;
 *   contiguous  the range is cut anew into equal runs, as many tutorials do: about half of all slots move;
 *   redis       what redis-cli does: create's cuts, then rebalance (threshold 2 %, lowest slots first).
 * minimal and contiguous are even to one slot at every size; weights by largest remainder. `minimal` and `redis` remember: where a slot lies
 * depends on the changes that led there (HISTORY). */
#include "strategies/engines/deal.h"
#include "strategies/engines/table.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>

enum { MINIMAL, CONTIGUOUS, REDIS };

struct slots_options {
    struct keyed_hash hash;
    uint64_t count;
    uint32_t rebalance;
};

#define FIELD(name) .offset = offsetof(struct slots_options, name)
static const struct option options[] = {
    {.name = "count", .type = OPTION_COUNT, FIELD(count), .fallback = "16384", .min = 1, .max = 16777216,
     .help = "number of slots"},
    {.name = "rebalance", .type = OPTION_CHOICE, FIELD(rebalance), .fallback = "minimal", .choices = "minimal|contiguous|redis",
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
    uint32_t *owner = ((struct table_state *)p->state)->owner;
    if (o->rebalance == REDIS ? deal_redis(p->cluster, o->count, owner) : deal_contiguous(p->cluster, o->count, owner)) {
        mem_free(p->state);
        return fail(why, ENOMEM, "no memory to deal %" PRIu64 " slots", o->count);
    }
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL | (o->rebalance == MINIMAL ? CAP_MINIMAL : 0) | (o->rebalance == CONTIGUOUS ? 0 : CAP_HISTORY);
    p->law = LAW_FIXED;
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
