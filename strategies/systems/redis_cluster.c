/* Redis Cluster: 16384 slots, slot = CRC16 of the key's hash tag mod 16384, and redis-cli to deal the slots.
 *
 * Hash tag: from the first '{' to the first '}' after it, if at least a byte lies between; else the whole key. So `{}x` and
 * `foo{}{bar}` are hashed whole and `foo{{bar}}zap` by `{bar`.
 * A new cluster is dealt as `--cluster create` does: masters (nodes, "IP:PORT" or any name) are interleaved by IP and cut in single
 * precision. create knows no weights: where nodes weigh differently, a rebalance with --cluster-weight follows. What a change moves:
 *   rebalance  --cluster rebalance --cluster-use-empty-masters, ties in configuration order (in redis-cli: by chance);
 *   reshard    --cluster reshard --cluster-from all, a new node's even part; leaving nodes are drained in even parts;
 *   create     a new cluster each time: what it costs not to move slots.
 * Slots remember (HISTORY): where one lies depends on the changes that led there.
 * A running cluster's slots can be given: a node's attribute `slots=0-5460,7000` (`CLUSTER NODES` shows them). A slot that nobody has
 * is no node's, and as long as there is one redis-cli changes nothing. */
#include "strategies/engines/deal.h"
#include "strategies/engines/table.h"

#include "base/mem.h"
#include "model/hashes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 16384, LEAST_MASTERS = 3 };
enum { REBALANCE, RESHARD, CREATE };

struct redis_options {
    uint32_t change;
};

static const struct option options[] = {
    {.name = "change", .type = OPTION_CHOICE, .offset = offsetof(struct redis_options, change), .fallback = "rebalance",
     .choices = "rebalance|reshard|create", .help = "how redis-cli deals slots anew when nodes change"},
    {0},
};

static enum key_verdict hash_tag(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    (void)o;
    (void)buf;
    const char *open = memchr(key, '{', len);
    const char *close = open ? memchr(open, '}', len - (size_t)(open - key)) : NULL;
    if (close && close > open + 1) {
        *part = open + 1;
        *part_len = (size_t)(close - open) - 1;
    }
    return KEY_HASHED;
}

struct master {
    const struct node *node;
    size_t host; /* bytes of the name before ":PORT" */
    uint32_t at, round, first; /* place in the configuration; among those of its host; of its host's first */
};

static int by_host(const void *a, const void *b)
{
    const struct master *x = a, *y = b;
    size_t shorter = x->host < y->host ? x->host : y->host;
    int c = memcmp(x->node->name, y->node->name, shorter);
    if (!c)
        c = (x->host > y->host) - (x->host < y->host);
    return c ? c : (x->at > y->at) - (x->at < y->at);
}

static int by_round(const void *a, const void *b)
{
    const struct master *x = a, *y = b;
    int c = (x->round > y->round) - (x->round < y->round);
    return c ? c : (x->first > y->first) - (x->first < y->first);
}

static size_t host_of(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? (size_t)(colon - name) : strlen(name);
}

/* order: c's nodes, one of each host in turn, hosts as they first appear. 0 or -ENOMEM. */
static int interleave(const struct cluster *c, struct node *order)
{
    struct master *m = mem_alloc(c->size, sizeof *m);
    if (!m)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->size; i++)
        m[i] = (struct master){.node = &c->node[i], .host = host_of(c->node[i].name), .at = i};
    qsort(m, c->size, sizeof *m, by_host);
    for (uint32_t i = 0; i < c->size; i++) {
        bool same = i > 0 && m[i].host == m[i - 1].host && !memcmp(m[i].node->name, m[i - 1].node->name, m[i].host);
        m[i].round = same ? m[i - 1].round + 1 : 0;
        m[i].first = same ? m[i - 1].first : m[i].at;
    }
    qsort(m, c->size, sizeof *m, by_round);
    for (uint32_t i = 0; i < c->size; i++)
        order[i] = *m[i].node;
    mem_free(m);
    return 0;
}

static bool weights_differ(const struct cluster *c)
{
    for (uint32_t i = 1; i < c->size; i++)
        if (c->node[i].weight != c->node[0].weight)
            return true;
    return false;
}

static int create(const struct cluster *c, bool weigh, uint32_t *owner)
{
    struct node *order = mem_alloc(c->size, sizeof *order);
    int e = order ? interleave(c, order) : -ENOMEM;
    if (!e)
        deal_redis_create(&(struct cluster){order, c->size, c->ids}, SLOTS, owner);
    if (!e && weigh && weights_differ(c))
        e = deal_redis_rebalance(c, c, SLOTS, owner);
    mem_free(order);
    return e;
}

/* One slot or `first-last` of a list; *at moves past it and its comma. */
static int next_slots(const char **at, const char *end, unsigned *first, unsigned *last)
{
    unsigned *to = first, digits = 0;
    *first = *last = 0;
    for (; *at < end && **at != ','; (*at)++) {
        if (**at == '-' && to == first && digits) {
            to = last;
            digits = 0;
        } else if (**at < '0' || **at > '9' || ++digits > 5) {
            return -EINVAL;
        } else {
            *to = *to * 10 + (unsigned)(**at - '0');
        }
    }
    if (to == first)
        *last = *first;
    bool more = *at < end;
    *at += more;
    return !digits || (more && *at == end) || *first > *last || *last >= SLOTS ? -EINVAL : 0;
}

static bool gives_slots(const struct cluster *c)
{
    bool given = false;
    size_t len;
    for (uint32_t i = 0; i < c->size; i++)
        given |= node_attribute(&c->node[i], "slots", &len) != NULL;
    return given;
}

/* Owners from the nodes' attributes, where any has one: *given. */
static int given_slots(const struct cluster *c, uint32_t *owner, bool *given, char why[WHY])
{
    size_t len;
    *given = gives_slots(c);
    for (uint32_t i = 0; i < c->size && *given; i++) {
        const struct node *n = &c->node[i];
        const char *list = node_attribute(n, "slots", &len);
        for (const char *at = list, *end = list ? list + len : NULL; list && at < end;) {
            unsigned first, last;
            if (next_slots(&at, end, &first, &last))
                return fail(why, EINVAL, "node %s: slots=%.*s: must be slots 0 to %d, or first-last, joined by commas", n->name, (int)len, list, SLOTS - 1);
            for (unsigned slot = first; slot <= last; slot++) {
                if (owner[slot] != NO_NODE)
                    return fail(why, EINVAL, "node %s: slot %u is another node's already", n->name, slot);
                owner[slot] = n->id;
            }
        }
    }
    return 0;
}

/* How many slots are no node's. */
static unsigned uncovered(const uint32_t *owner)
{
    unsigned n = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        n += owner[slot] == NO_NODE;
    return n;
}

static int check(const struct cluster *c, char why[WHY])
{
    return c->size <= SLOTS ? 0 : fail(why, EINVAL, "%u masters cannot share %d slots: at most one master a slot", c->size, SLOTS);
}

/* Slots that nodes bring are theirs until the first change. */
static void promise(struct placement *p, const struct cluster *c)
{
    const struct redis_options *o = p->options;
    p->caps = CAP_ANY_REMOVAL | CAP_ASSIGNED | (o->change == REBALANCE ? CAP_WEIGHTS : 0) | (o->change == CREATE && !gives_slots(c) ? 0 : CAP_HISTORY);
    p->law = LAW_FIXED;
    if (o->change != REBALANCE && weights_differ(c))
        fail(p->warning, 0, "redis-cli's %s knows no weights: they are ignored (change=rebalance follows them)",
             o->change == CREATE ? "create" : "reshard");
    else if (c->size < LEAST_MASTERS)
        fail(p->warning, 0, "redis-cli creates no cluster of fewer than %d masters: computed as if it did", LEAST_MASTERS);
}

static int redis_open(struct placement *p, char why[WHY])
{
    const struct redis_options *o = p->options;
    int e = check(p->cluster, why);
    if (!e)
        e = table_attach(p, SLOTS, why);
    if (e)
        return e;
    uint32_t *owner = ((struct table_state *)p->state)->owner;
    bool given;
    e = given_slots(p->cluster, owner, &given, why);
    if (!e && !given && create(p->cluster, o->change == REBALANCE, owner))
        e = fail(why, ENOMEM, "no memory to deal the slots");
    if (e) {
        mem_free(p->state);
        return e;
    }
    p->key.filter = hash_tag;
    p->key.hash = (struct keyed_hash){&hash_crc16, 0};
    promise(p, p->cluster);
    if (given) {
        p->caps &= ~(unsigned)CAP_WEIGHTS;
        p->warning[0] = 0;
        if (uncovered(owner))
            fail(p->warning, 0, "%u of %d slots are no node's", uncovered(owner), SLOTS);
    }
    return 0;
}

static int redis_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct redis_options *o = p->options;
    int e = check(after, why);
    if (e)
        return e;
    unsigned none = uncovered(((struct table_state *)p->state)->owner);
    if (none && o->change != CREATE)
        return fail(why, EINVAL, "%u slots are no node's: redis-cli moves nothing before the cluster is whole", none);
    struct table_state *t = table_clone(p->state);
    e = !t ? -ENOMEM
        : o->change == CREATE  ? create(after, false, t->owner)
        : o->change == RESHARD ? deal_redis_reshard(p->cluster, after, SLOTS, t->owner)
                               : deal_redis_rebalance(p->cluster, after, SLOTS, t->owner);
    if (e) {
        mem_free(t);
        return fail(why, ENOMEM, "no memory to deal the slots");
    }
    mem_free(p->state);
    p->state = t;
    promise(p, after);
    return 0;
}

const struct strategy strategy_redis_cluster = {
    .name = "redis-cluster",
    .summary = "Redis Cluster: 16384 slots, hash tags, dealt as redis-cli does",
    .source = "Redis Cluster specification; redis-cli --cluster",
    .version = "7.0.15",
    .cost = "O(1), 4 bytes a slot",
    .option = options,
    .options_size = sizeof(struct redis_options),
    .open = redis_open,
    .change = redis_change,
};
