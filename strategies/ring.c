/* Consistent hashing: a ring of virtual nodes (Karger et al., STOC 1997).
 *
 * Every node has vnodes * weight points, the hashes of its labels; a key belongs to
 * the first point at or after its own hash. Adding a node takes keys from the points
 * after its own and from nobody else. Shares scatter with CV = sqrt((N-1)/(NV+1)).
 *
 * Ties: of points with one position the node that comes first in the configuration owns.
 * `bits` keeps a digest's highest bits, `size` takes it modulo a small circle (the
 * textbook's 0..99); `tokens=10,40` as a node's attribute gives its points as numbers
 * (Cassandra's initial_token) instead of labels. */
#include "strategies/engines/labels.h"
#include "strategies/engines/ring.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct ring_options {
    struct keyed_hash hash, points;
    uint64_t vnodes, first, bits, size;
    const char *label;
    uint32_t seek, search, clamp;
};

#define FIELD(name) .offset = offsetof(struct ring_options, name)
static const struct option options[] = {
    {.name = "vnodes", .type = OPTION_COUNT, FIELD(vnodes), .fallback = "150", .min = 1, .max = 1000000000, .always = true,
     .help = "points a node, for each unit of weight"},
    {.name = "hash", .type = OPTION_CUSTOM, FIELD(hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H), and of the points unless points= says otherwise"},
    {.name = "points", .type = OPTION_CUSTOM, FIELD(points), .parse = hash_parse, .sweeps = true, .help = "hash of the points' labels"},
    {.name = "label", .type = OPTION_TEXT, FIELD(label), .fallback = "{node}#{i}",
     .help = "name of a virtual node: {node} and a counter {i}"},
    {.name = "first", .type = OPTION_COUNT, FIELD(first), .fallback = "0", .max = 9e18, .help = "first value of the counter"},
    {.name = "bits", .type = OPTION_COUNT, FIELD(bits), .fallback = "64", .min = 8, .max = 64, .help = "keep the digest's highest bits"},
    {.name = "size", .type = OPTION_COUNT, FIELD(size), .fallback = "0",
     .help = "position = digest mod size (0: the whole digest)"},
    {.name = "seek", .type = OPTION_CHOICE, FIELD(seek), .fallback = "ge", .choices = "ge|gt|le|nearest",
     .help = "owner: first point at or after the digest, strictly after, last at or before, or nearest (the one before on a tie)"},
    {.name = "wrap", .type = OPTION_CHOICE, FIELD(clamp), .fallback = "around", .choices = "around|clamp",
     .help = "past the last point: around to the first, or stay with the last"},
    {.name = "search", .type = OPTION_CHOICE, FIELD(search), .fallback = "index", .choices = "index|binary|branchless",
     .help = "how a look-up finds its point: by an index, or as the textbook does, with branches or without; all answer alike"},
    {.name = "replicas", .refuse = "points a node are vnodes= here (many tutorials say replicas); copies of a key are --replicas"},
    {0},
};

/* How the points' digests become positions. */
struct placing {
    unsigned shift;
    uint64_t size;
};

static uint64_t place(const void *rule, uint64_t digest)
{
    const struct placing *p = rule;
    return p->size ? digest % p->size : digest >> p->shift;
}

static unsigned shift_of(const struct hash *hash, uint64_t bits)
{
    return hash->bits > bits ? hash->bits - (unsigned)bits : 0;
}

static const struct keyed_hash *point_hash(const struct placement *p)
{
    const struct ring_options *o = p->options;
    return o->points.hash ? &o->points : &p->key.hash;
}

/* Calls emit for each number of a list "10,40"; NULL only counts and checks. The count, or a negative errno. */
static int64_t tokens_emit(const struct node *n, const char *list, size_t len, uint64_t last, point_sink *emit, void *to)
{
    int64_t count = 0;
    for (size_t at = 0; at <= len;) {
        const char *comma = memchr(list + at, ',', len - at);
        size_t word = comma ? (size_t)(comma - list) - at : len - at;
        uint64_t position;
        if (text_count(list + at, word, &position) || position > last)
            return -EINVAL;
        int e = emit ? emit(to, &(struct point){.position = position, .id = n->id}) : 0;
        if (e)
            return e;
        count++;
        at += word + 1;
    }
    return count;
}

static uint64_t last_position(const struct placement *p)
{
    const struct ring_options *o = p->options;
    const struct hash *key = p->key.hash.hash, *points = point_hash(p)->hash;
    uint64_t a = key->last >> shift_of(key, o->bits), b = points->last >> shift_of(points, o->bits);
    return o->size ? o->size - 1 : a > b ? a : b;
}

static int ring_emit(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct ring_options *o = p->options;
    const struct keyed_hash *hash = point_hash(p);
    const struct placing rule = {shift_of(hash->hash, o->bits), o->size};
    const struct labels labels = {.format = o->label, .first = o->first};
    uint32_t n = only ? 1 : p->cluster->size;
    for (uint32_t i = 0; i < n; i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        size_t len;
        const char *tokens = node_attribute(node, "tokens", &len);
        int64_t e = tokens ? tokens_emit(node, tokens, len, last_position(p), emit, to)
                           : labels_emit(&labels, node, o->vnodes * node->weight, hash, place, &rule, emit, to);
        if (e < 0)
            return (int)e;
    }
    return 0;
}

/* Checks the nodes of c; *points: how many points there will be, *given: how many of them as tokens. */
static int count_points(const struct placement *p, const struct cluster *c, uint64_t *points, uint64_t *given, char why[WHY])
{
    const struct ring_options *o = p->options;
    *points = *given = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        size_t len;
        const char *tokens = *c->node[i].attributes ? node_attribute(&c->node[i], "tokens", &len) : NULL;
        int64_t count = tokens ? tokens_emit(&c->node[i], tokens, len, last_position(p), NULL, NULL) : 0;
        if (count < 0)
            return fail(why, EINVAL, "node %s: tokens=%.*s: must be positions 0 to %" PRIu64 ", joined by commas", c->node[i].name, (int)len,
                        tokens, last_position(p));
        uint64_t more = tokens ? (uint64_t)count : o->vnodes * c->node[i].weight;
        *given += (uint64_t)count;
        if (*points > UINT64_MAX / 4)
            break; /* far beyond what any memory holds, and the sum must not overflow */
        *points = more < UINT64_MAX - *points ? *points + more : UINT64_MAX;
    }
    if (*given < *points && point_hash(p)->hash == hash_find("identity"))
        return fail(why, EINVAL, "a label is no number, so hash=identity cannot place it: give points=HASH, or tokens= for each node");
    return 0;
}

/* Whether the points' hash gives other positions than the key's, so that nearly all keys or points lie in one corner of the ring. */
static bool corner(const struct placement *p)
{
    const struct ring_options *o = p->options;
    const struct hash *key = p->key.hash.hash, *points = point_hash(p)->hash;
    uint64_t a = key->last >> shift_of(key, o->bits), b = points->last >> shift_of(points, o->bits), least = a < b ? a : b;
    return o->size ? o->size - 1 > least : a != b;
}

/* Arcs between hashed points have a known law; between given ones, half-way, or in a corner, none. */
static enum law law_of(const struct placement *p, uint64_t given)
{
    const struct ring_options *o = p->options;
    return given || o->clamp || o->seek == SEEK_NEAREST || corner(p) ? LAW_NONE : LAW_ARCS;
}

static int ring_open(struct placement *p, char why[WHY])
{
    const struct ring_options *o = p->options;
    if (o->hash.hash)
        p->key.hash = o->hash;
    bool counts;
    uint64_t points, given;
    int e = labels_check(o->label, &counts, why);
    if (!e)
        e = count_points(p, p->cluster, &points, &given, why);
    if (e)
        return e;
    const struct ring_rule rule = {.last = last_position(p), .key_shift = shift_of(p->key.hash.hash, o->bits), .size = o->size,
                                   .seek = o->seek, .search = o->search, .clamp = o->clamp};
    e = ring_attach(p, &rule, points, why);
    if (e)
        return e;
    if (!counts && given < points && o->vnodes > 1)
        fail(p->warning, 0, "label '%s' holds no {i}: all %" PRIu64 " points of a node are one", o->label, o->vnodes);
    else if (given < points && corner(p))
        fail(p->warning, 0, "keys hashed by %s and points by %s do not fill the same circle: few points own nearly all; bits= or size= makes them alike",
             p->key.hash.hash->name, point_hash(p)->hash->name);
    p->caps = CAP_WEIGHTS | CAP_MINIMAL | CAP_ANY_REMOVAL;
    p->law = law_of(p, given);
    return 0;
}

static int change(struct placement *p, const struct cluster *after, char why[WHY])
{
    uint64_t points, given;
    int e = count_points(p, after, &points, &given, why);
    if (!e)
        e = ring_change(p, after, points, false, why);
    if (!e)
        p->law = law_of(p, given);
    return e;
}

const struct strategy strategy_ring = {
    .name = "ring",
    .summary = "consistent hashing with virtual nodes: a change moves only what it must",
    .source = "Karger et al., STOC 1997",
    .cost = "O(1) expected with an index, 41 to 69 bytes a point",
    .option = options,
    .options_size = sizeof(struct ring_options),
    .open = ring_open,
    .change = change,
    .points = ring_emit,
};
