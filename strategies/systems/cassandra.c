/* Apache Cassandra: a ring of signed tokens, a node owning (token before, its token].
 *
 * Tokens are given (tokens= on a node, as in initial_token) or drawn: num_tokens for each unit of weight, from the node's name,
 * as the server draws them at random. Positions are the tokens' 64 bits read without sign: that begins the circle at
 * another place and changes no successor. RandomPartitioner's tokens have 127 bits, of which positions keep the first 64: a key
 * between two tokens that agree in these, or just past one, can be answered wrongly (one chance in 2^63 for each pair).
 *
 * Copies: strategy=simple walks the ring for distinct nodes; strategy=network takes rf= nodes of each data centre, of new
 * racks first. Nodes of a data centre that rf= does not name keep nothing and have no points here. Copies stand in the order of
 * the walk, those of used racks at the end. */
#include "base/rng.h"
#include "base/text.h"
#include "model/hashes.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct cassandra_options {
    uint64_t num_tokens;
    uint32_t network, random;
    const char *rf;
};

#define FIELD(name) .offset = offsetof(struct cassandra_options, name)
static const struct option options[] = {
    {.name = "num_tokens", .type = OPTION_COUNT, FIELD(num_tokens), .fallback = "16", .min = 1, .max = 1000000, .always = true,
     .help = "random tokens a node, for each unit of weight, where tokens= gives none"},
    {.name = "strategy", .type = OPTION_CHOICE, FIELD(network), .fallback = "simple", .choices = "simple|network",
     .help = "copies: SimpleStrategy, or NetworkTopologyStrategy by the nodes' dc= and rack="},
    {.name = "rf", .type = OPTION_TEXT, FIELD(rf), .help = "copies in each data centre, for strategy=network: dc1:3/dc2:2"},
    {.name = "partitioner", .type = OPTION_CHOICE, FIELD(random), .fallback = "murmur3", .choices = "murmur3|random",
     .help = "Murmur3Partitioner or RandomPartitioner"},
    {.name = "vnodes", .refuse = "points a node are num_tokens= in Cassandra"},
    {.name = "replicas", .refuse = "copies are --replicas, and rf= for strategy=network"},
    {0},
};

struct word {
    const char *text;
    size_t len;
};

static bool same(struct word a, struct word b)
{
    return a.len == b.len && !memcmp(a.text, b.text, a.len);
}

static struct word attribute(const struct node *n, const char *name, const char *fallback)
{
    size_t len = strlen(fallback);
    const char *text = node_attribute(n, name, &len);
    return (struct word){text ? text : fallback, len};
}

static struct word dc_of(const struct node *n)
{
    return attribute(n, "dc", "datacenter1"); /* the names of SimpleSnitch */
}

/* The next "dc1:3" of rf; false at the end. *copies is 0 where it is no such thing. */
static bool next_dc(const char **rf, struct word *dc, uint64_t *copies)
{
    if (!**rf)
        return false;
    size_t item = strcspn(*rf, "/"), name = strcspn(*rf, ":/");
    *dc = (struct word){*rf, name};
    if (name == 0 || name == item || text_count(*rf + name + 1, item - name - 1, copies) || *copies > UINT32_MAX)
        *copies = 0;
    *rf += item + ((*rf)[item] == '/');
    return true;
}

/* Which data centre of rf the node is in, counted from 0, or -1. */
static int64_t zone_of(const char *rf, const struct node *n)
{
    struct word dc, own = dc_of(n);
    uint64_t copies;
    for (int64_t zone = 0; next_dc(&rf, &dc, &copies); zone++)
        if (same(dc, own))
            return zone;
    return -1;
}

static int check_rf(const struct cassandra_options *o, const struct cluster *c, uint32_t *zones, char why[WHY])
{
    *zones = 0;
    if (!o->network)
        return o->rf ? fail(why, EINVAL, "rf=%s is for strategy=network; with strategy=simple copies are --replicas", o->rf) : 0;
    if (!o->rf || !*o->rf)
        return fail(why, EINVAL, "strategy=network wants copies for each data centre: rf=dc1:3/dc2:2");
    struct word dc, seen;
    uint64_t copies, ignored;
    for (const char *at = o->rf, *from = at; next_dc(&at, &dc, &copies); from = at, ++*zones) {
        if (copies == 0)
            return fail(why, EINVAL, "rf=%s: '%.*s' must be a data centre and its copies, such as dc1:3", o->rf, (int)strcspn(from, "/"), from);
        for (const char *before = o->rf; before < from && next_dc(&before, &seen, &ignored);)
            if (same(seen, dc))
                return fail(why, EINVAL, "rf=%s names data centre %.*s twice", o->rf, (int)dc.len, dc.text);
        bool has_node = false;
        for (uint32_t i = 0; i < c->size && !has_node; i++)
            has_node = same(dc, dc_of(&c->node[i]));
        if (!has_node)
            return fail(why, EINVAL, "rf=%s: no node is in data centre %.*s; node %s is in %.*s", o->rf, (int)dc.len, dc.text, c->node[0].name,
                        (int)dc_of(&c->node[0]).len, dc_of(&c->node[0]).text);
    }
    return 0;
}

/* One token of a list as a position. 0 or -EINVAL. */
static int token_parse(const struct cassandra_options *o, const char *text, size_t len, uint64_t *position)
{
    bool minus = len > 0 && *text == '-';
    wide value = 0, most = o->random ? (wide)1 << 127 : ((wide)1 << 63) - !minus;
    if (len == minus || (minus && o->random))
        return -EINVAL;
    for (size_t i = minus; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -EINVAL;
        value = value * 10 + (unsigned)(text[i] - '0');
        if (value > most)
            return -EINVAL;
    }
    *position = o->random ? (uint64_t)(value >> 64) : minus ? 0 - (uint64_t)value : (uint64_t)value;
    return 0;
}

/* Emits given tokens; NULL only counts and checks. The count, or a negative errno. */
static int64_t given_tokens(const struct cassandra_options *o, const struct node *n, struct word list, point_sink *emit, void *to)
{
    int64_t count = 0;
    for (size_t at = 0; at <= list.len; count++) {
        const char *comma = memchr(list.text + at, ',', list.len - at);
        size_t len = comma ? (size_t)(comma - list.text) - at : list.len - at;
        struct point point = {.id = n->id};
        int e = token_parse(o, list.text + at, len, &point.position);
        if (!e && emit)
            e = emit(to, &point);
        if (e)
            return e;
        at += len + 1;
    }
    return count;
}

static int cassandra_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct cassandra_options *o = p->options;
    uint32_t n = only ? 1 : p->cluster->size;
    int64_t e = 0;
    for (uint32_t i = 0; i < n && e >= 0; i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        struct word list = attribute(node, "tokens", "");
        if (o->network && zone_of(o->rf, node) < 0)
            continue;
        if (node_attribute(node, "tokens", &list.len)) {
            e = given_tokens(o, node, list, emit, to);
            continue;
        }
        uint64_t stream = rng_stream(0, "cassandra tokens", node->name, 0);
        for (uint64_t k = 0; k < o->num_tokens * node->weight && e >= 0; k++)
            e = emit(to, &(struct point){.position = rng_at(stream, k) >> o->random, .id = node->id});
    }
    return e < 0 ? (int)e : 0;
}

/* Checks the nodes' tokens; *points: at most so many, *given: how many of them are given. */
static int count_points(const struct placement *p, uint64_t *points, uint64_t *given, char why[WHY])
{
    const struct cassandra_options *o = p->options;
    *points = *given = 0;
    for (uint32_t i = 0; i < p->cluster->size; i++) {
        const struct node *n = &p->cluster->node[i];
        struct word list = attribute(n, "tokens", "");
        bool has = node_attribute(n, "tokens", &list.len) != NULL;
        int64_t count = has ? given_tokens(o, n, list, NULL, NULL) : 0;
        if (count < 0)
            return fail(why, EINVAL, "node %s: tokens=%.*s: must be whole numbers %s, joined by commas", n->name, (int)list.len, list.text,
                        o->random ? "0 to 2^127" : "-2^63 to 2^63-1");
        *given += (uint64_t)count;
        if (__builtin_add_overflow(*points, has ? (uint64_t)count : o->num_tokens * n->weight, points))
            *points = UINT64_MAX; /* far beyond what any memory holds */
        if (has && n->weight != 1 && !p->warning[0])
            fail(((struct placement *)(uintptr_t)p)->warning, 0, "node %s: its weight is ignored, since its tokens are given", n->name);
    }
    return 0;
}

/* Cassandra lets no two nodes hold one token. */
static int check_distinct(const struct placement *p, char why[WHY])
{
    size_t distinct, n = ring_points(p, &distinct);
    for (size_t i = 1; i < n && distinct < n; i++) {
        uint32_t a, b;
        if (ring_position(p, i - 1, &a) != ring_position(p, i, &b))
            continue;
        const char *from = cluster_by_id(p->cluster, a)->name, *to = cluster_by_id(p->cluster, b)->name;
        return a == b ? fail(why, EINVAL, "node %s: one of its tokens is given twice", from)
                      : fail(why, EINVAL, "nodes %s and %s have the same token: each token has one node", from, to);
    }
    return 0;
}

/* Numbers racks and counts nodes: what the ring wants to know of data centres. */
static int spread(struct placement *p, uint32_t zones, char why[WHY])
{
    const struct cassandra_options *o = p->options;
    const struct cluster *c = p->cluster;
    struct ring_zones *z = ring_spread(p, zones);
    if (!z)
        return fail(why, ENOMEM, "no memory for %u data centres", zones);
    struct word dc;
    uint64_t copies;
    uint32_t zone = 0;
    for (const char *at = o->rf; next_dc(&at, &dc, &copies); zone++) {
        uint32_t nodes = 0, racks = 0;
        for (uint32_t i = 0; i < c->size; i++) {
            const struct node *n = &c->node[i];
            if (!same(dc, dc_of(n)))
                continue;
            uint32_t first = 0; /* the first node of this data centre and rack names the rack */
            while (!same(dc_of(&c->node[first]), dc) ||
                   !same(attribute(&c->node[first], "rack", "rack1"), attribute(n, "rack", "rack1")))
                first++;
            z->zone[n->id] = zone;
            z->rack[n->id] = first;
            nodes++;
            racks += first == i;
        }
        z->copies[zone] = (uint32_t)copies;
        z->firsts += copies < racks ? copies : racks;
        z->total += copies < nodes ? copies : nodes;
        if (copies > nodes && !p->warning[0])
            fail(p->warning, 0, "data centre %.*s has %u nodes for %" PRIu64 " copies: each keeps one", (int)dc.len, dc.text, nodes, copies);
    }
    for (uint32_t i = 0; i < c->size && !p->warning[0]; i++)
        if (zone_of(o->rf, &c->node[i]) < 0)
            fail(p->warning, 0, "node %s is in data centre %.*s, which rf=%s does not name: it keeps nothing", c->node[i].name,
                 (int)dc_of(&c->node[i]).len, dc_of(&c->node[i]).text, o->rf);
    return 0;
}

static int cassandra_open(struct placement *p, char why[WHY])
{
    const struct cassandra_options *o = p->options;
    uint64_t points, given;
    uint32_t zones;
    p->key.hash = (struct keyed_hash){o->random ? &hash_cassandra_random : &hash_cassandra_token, 0};
    int e = check_rf(o, p->cluster, &zones, why);
    if (!e)
        e = count_points(p, &points, &given, why);
    if (!e)
        e = ring_attach(p, &(struct ring_rule){.last = p->key.hash.hash->last, .seek = SEEK_GE}, points, why);
    if (e)
        return e;
    e = check_distinct(p, why);
    if (!e && o->network)
        e = spread(p, zones, why);
    if (e) {
        p->engine->destroy(p->state);
        return e;
    }
    p->caps = CAP_MINIMAL | CAP_ANY_REMOVAL | CAP_ASSIGNED | (given ? 0 : CAP_WEIGHTS);
    p->law = given ? LAW_NONE : LAW_ARCS;
    return 0;
}

const struct strategy strategy_cassandra = {
    .name = "cassandra",
    .summary = "Apache Cassandra: a ring of tokens, given or drawn; copies over data centres and racks",
    .source = "Apache Cassandra, Murmur3Partitioner and RandomPartitioner; its Python driver's TokenMap",
    .version = "driver 3.25.0",
    .cost = "O(log tokens) in Cassandra",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct cassandra_options),
    .open = cassandra_open,
    .points = cassandra_points,
};
