/* HAProxy's hash balancing: `balance hdr|uri|url_param|source` with `hash-type map-based|consistent`.
 *
 * consistent  16 points a unit of weight, avalanche(id * 4096 + k); the point nearest to the key owns, the one before on a tie. A server is
 *             its id alone (`id N`, else its place, 1 2 3 ..): names and ports do not matter, and reordering servers moves keys.
 * map         a table in which each server stands as often as its weight over the greatest common divisor, spread evenly.
 * Servers that are down leave ring and table (the divisor is still that of all).
 *
 * Quirks: the default weight of 1 gives only 16 points. `hash-type consistent` alone hashes with avalanche, `hash-type consistent sdbm`
 * without, unless avalanche is written too: so here, where hash= is given or not. Ids that differ by 2^20 have the same points: from
 * below the server listed first owns them, from above the last. */
#include "strategies/engines/ring.h"
#include "strategies/engines/table.h"
#include "strategies/systems/haproxy/parts.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 16, ID_STEP = 4096, WEIGHT_TOP = 256, ID_TOP = 2147483647 };

#define FIELD(name) .offset = offsetof(struct haproxy_options, name)
static const struct option options[] = {
    {.name = "balance", .type = OPTION_CHOICE, FIELD(balance), .fallback = "hdr", .always = true, .choices = "hdr|uri|url_param|source",
     .help = "what a key is: a header's value, a request target, a parameter's value, a client's address"},
    {.name = "type", .type = OPTION_CHOICE, FIELD(type), .fallback = "map", .always = true, .choices = "map|consistent", .help = "hash-type: table or ring"},
    {.name = "hash", .type = OPTION_CHOICE, FIELD(hash), .fallback = "default", .choices = "default|sdbm|djb2|wt6|crc32",
     .help = "hash of the key; default: sdbm, with avalanche where type=consistent"},
    {.name = "avalanche", .type = OPTION_CHOICE, FIELD(avalanche), .fallback = "default", .choices = "default|0|1",
     .help = "mix the key's hash once more; default: only for type=consistent without hash="},
    {.name = "whole", .type = OPTION_CHOICE, FIELD(whole), .fallback = "0", .choices = "0|1", .help = "balance=uri: the query string too"},
    {0},
};

/* The id that a node's attributes give, 0 when none; false when it is malformed. */
static bool given_id(const struct node *n, uint64_t *id)
{
    size_t len;
    const char *text = node_attribute(n, "id", &len);
    *id = 0;
    return !text || (!text_count(text, len, id) && *id >= 1 && *id <= ID_TOP);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The ids of c's servers as HAProxy numbers them: those not given count places and pass over ids that are taken. Behind them the given ones
 * in order, *given of them. To be mem_freed; NULL: no memory. */
static uint32_t *server_ids(const struct cluster *c, uint32_t *given)
{
    uint32_t *id = mem_alloc(c->size, 2 * sizeof *id), at = 0, next = 1;
    uint64_t own;
    *given = 0;
    if (!id)
        return NULL;
    uint32_t *taken = id + c->size;
    for (uint32_t i = 0; i < c->size; i++)
        if (given_id(&c->node[i], &own) && own)
            taken[(*given)++] = id[i] = (uint32_t)own;
    qsort(taken, *given, sizeof *taken, by_number);
    for (uint32_t i = 0; i < c->size; i++, next++) {
        if (id[i])
            continue;
        for (; at < *given && taken[at] <= next; at++)
            next += taken[at] == next;
        id[i] = next;
    }
    return id;
}

/* Weights and ids are in range, and no id is given twice. *given: how many ids are. */
static int check_servers(const struct cluster *c, uint32_t *given, char why[WHY])
{
    uint64_t id;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        if (n->weight > WEIGHT_TOP)
            return fail(why, EINVAL, "node %s: weight %u: HAProxy's weights are 0 to %d", n->name, n->weight, WEIGHT_TOP);
        if (!given_id(n, &id))
            return fail(why, EINVAL, "node %s: id=: must be a whole number, 1 to %d", n->name, ID_TOP);
    }
    uint32_t *ids = server_ids(c, given), twice = 0;
    if (!ids)
        return fail(why, ENOMEM, "no memory for %u ids", c->size);
    for (uint32_t i = 1; i < *given; i++)
        if (ids[c->size + i] == ids[c->size + i - 1])
            twice = ids[c->size + i];
    mem_free(ids);
    const char *first = NULL;
    for (uint32_t i = 0; twice && i < c->size; i++) {
        if (!given_id(&c->node[i], &id) || id != twice)
            continue;
        if (first)
            return fail(why, EINVAL, "nodes %s and %s both have id=%u: an id names one server", first, c->node[i].name, twice);
        first = c->node[i].name;
    }
    return 0;
}

static int points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct cluster *c = p->cluster;
    uint32_t given, *ids = server_ids(c, &given);
    int e = ids ? 0 : -ENOMEM;
    for (uint32_t i = 0; i < c->size && !e; i++) {
        const struct node *n = &c->node[i];
        if (n->down || (only && only->id != n->id))
            continue;
        for (uint32_t k = 0; k < POINTS * n->weight && !e; k++)
            e = emit(to, &(struct point){.position = haproxy_avalanche(ids[i] * ID_STEP + k), .id = n->id});
    }
    mem_free(ids);
    return e;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Each cell goes to the server that is furthest behind its weight, the first of equals. score: zeroes, c->size values. */
static void fill_table(struct table_state *t, const struct cluster *c, uint32_t divisor, int64_t *score)
{
    int64_t total = (int64_t)t->size;
    for (uint64_t cell = 0; cell < t->size; cell++) {
        uint32_t best = 0;
        int64_t most = INT64_MIN;
        for (uint32_t i = 0; i < c->size; i++) {
            if (c->node[i].down)
                continue;
            score[i] += c->node[i].weight / divisor;
            int64_t turns = (score[i] + total) / total;
            if (turns > most) {
                most = turns;
                best = i;
            }
        }
        score[best] -= total;
        t->owner[cell] = c->node[best].id;
    }
}

static int open_map(struct placement *p, uint32_t usable, char why[WHY])
{
    const struct cluster *c = p->cluster;
    uint32_t divisor = 0;
    uint64_t cells = 0;
    for (uint32_t i = 0; i < c->size; i++)
        divisor = common_divisor(divisor, c->node[i].weight);
    for (uint32_t i = 0; i < c->size; i++)
        cells += c->node[i].down ? 0 : c->node[i].weight / divisor;
    int64_t *score = mem_alloc(c->size, sizeof *score);
    int e = score ? table_attach(p, usable ? cells : 1, why) : fail(why, ENOMEM, "no memory for %u scores", c->size);
    if (!e && usable)
        fill_table(p->state, c, divisor, score);
    mem_free(score);
    return e;
}

static int haproxy_open(struct placement *p, char why[WHY])
{
    static const struct ring_rule rule = {.last = UINT32_MAX, .seek = SEEK_NEAREST, .both_sides = true};
    const struct cluster *c = p->cluster;
    bool ring = ((const struct haproxy_options *)p->options)->type == CONSISTENT;
    uint32_t given, usable = 0;
    int e = check_servers(c, &given, why);
    if (e)
        return e;
    for (uint32_t i = 0; i < c->size; i++)
        usable += !c->node[i].down;
    haproxy_key_rule(p, usable);
    e = ring ? ring_attach(p, &rule, POINTS * cluster_weight(c), why) : open_map(p, usable, why);
    if (e)
        return e;
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL | CAP_DOWN | (ring && given == c->size ? CAP_MINIMAL : 0); /* else a removal renumbers */
    p->law = ring ? LAW_NONE : LAW_FIXED;
    return 0;
}

const struct strategy strategy_haproxy = {
    .name = "haproxy",
    .summary = "HAProxy: hash of a header, URI, parameter or source address; table or nearest-point ring",
    .source = "haproxy.org, lb_map and lb_chash",
    .version = "2.6.12",
    .cost = "O(1) map, O(log points) consistent in HAProxy",
    .option = options,
    .options_size = sizeof(struct haproxy_options),
    .open = haproxy_open,
    .points = points,
};
