/* The ring's search, build and change.
 *
 * Search: the top bits of a position pick a bucket, which knows the first arc that
 * can hold it; a binary search among the bucket's arcs ends it. There are at least
 * as many buckets as arcs, so with well-mixed points a bucket has about one; on
 * clustered points (weak hashes) the binary search keeps it at O(log points). */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct ring {
    struct ring_rule rule;
    struct points points;
    struct arcs arcs;
    uint32_t *first; /* first[b]: the first arc that reaches into bucket b or beyond; buckets + 1 values */
    unsigned shift;  /* bucket = position >> shift */
    size_t distinct;
};

static void ring_release(struct ring *r)
{
    points_release(&r->points);
    arcs_release(&r->arcs);
    mem_free(r->first);
    mem_free(r);
}

static void ring_destroy(void *state)
{
    ring_release(state);
}

static inline uint32_t find_arc(const struct ring *r, uint64_t position)
{
    size_t bucket = position >> r->shift;
    uint32_t low = r->first[bucket], n = r->first[bucket + 1] - low;
    const uint64_t *end = r->arcs.end;
    while (n > 0) {
        uint32_t half = n / 2;
        if (end[low + half] < position) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static uint64_t position_of(const struct ring *r, uint64_t digest)
{
    return r->rule.size ? digest % r->rule.size : digest >> r->rule.key_shift;
}

static uint32_t ring_lookup(const void *state, uint64_t digest)
{
    const struct ring *r = state;
    return r->arcs.owner[find_arc(r, position_of(r, digest))];
}

static void ring_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct ring *r = state;
    uint64_t size = r->rule.size;
    if (size)
        for (size_t i = 0; i < n; i++)
            id[i] = r->arcs.owner[find_arc(r, digest[i] % size)];
    else
        for (size_t i = 0; i < n; i++)
            id[i] = r->arcs.owner[find_arc(r, digest[i] >> r->rule.key_shift)];
}

/* The first of the points at this one's position. */
static size_t run_start(const struct ring *r, size_t point)
{
    while (point > 0 && r->points.position[point - 1] == r->points.position[point])
        point--;
    return point;
}

/* The next point in the direction in which the rule seeks; among equal ones in the order that decides ties. */
static size_t step(const struct ring *r, size_t point)
{
    size_t next = point + 1 < r->points.count ? point + 1 : 0;
    if (r->rule.seek != SEEK_LE || (next > 0 && r->points.position[next] == r->points.position[point]))
        return next;
    size_t start = run_start(r, point);
    return run_start(r, start > 0 ? start - 1 : r->points.count - 1);
}

/* The owner, then the next different nodes along the ring. */
static size_t ring_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    const struct ring *r = state;
    size_t found = 0, point = r->arcs.point[find_arc(r, position_of(r, digest))];
    for (size_t n = 0; n < r->points.count && found < k; n++, point = step(r, point)) {
        size_t i = 0;
        while (i < found && id[i] != r->points.id[point])
            i++;
        if (i == found)
            id[found++] = r->points.id[point];
    }
    return found;
}

static uint64_t ring_cells(const void *state)
{
    return ((const struct ring *)state)->rule.size;
}

static size_t ring_ranges(const void *state, size_t from, struct range *out, size_t n)
{
    const struct ring *r = state;
    unsigned shift = r->rule.size ? 0 : r->rule.key_shift;
    size_t k = 0;
    for (; k < n && from + k < r->arcs.count; k++) {
        size_t i = from + k;
        out[k].first = i ? (r->arcs.end[i - 1] + 1) << shift : 0;
        out[k].last = (r->arcs.end[i] << shift) | ((1ULL << shift) - 1);
        out[k].id = r->arcs.owner[i];
    }
    return k;
}

static void ring_spot(const void *state, uint64_t digest, struct spot *spot)
{
    const struct ring *r = state;
    *spot = (struct spot){.kind = SPOT_NONE};
    size_t count = r->points.count, point = r->arcs.point[find_arc(r, position_of(r, digest))];
    if (count == 0)
        return;
    spot->kind = SPOT_POINT;
    spot->point = point;
    spot->before = point > 0 ? point - 1 : count - 1;
    spot->after = step(r, point);
    while (spot->after != point && r->points.id[spot->after] == r->points.id[point])
        spot->after = step(r, spot->after);
}

static const struct engine ring_engine = {
    .name = "ring",
    .destroy = ring_destroy,
    .lookup = ring_lookup,
    .lookup_many = ring_lookup_many,
    .replicas = ring_replicas,
    .cells = ring_cells,
    .ranges = ring_ranges,
    .spot = ring_spot,
};

static unsigned bit_length(uint64_t x)
{
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

/* Buckets over 0 .. last: at least one an arc. 0 or -ENOMEM. */
static int index_build(struct ring *r)
{
    unsigned bits = bit_length(r->rule.last), want = bit_length(r->arcs.count);
    r->shift = bits > want ? bits - want : 0;
    size_t buckets = (r->rule.last >> r->shift) + 1;
    r->first = mem_alloc(buckets + 1, sizeof *r->first);
    if (!r->first)
        return -ENOMEM;
    uint32_t arc = 0;
    for (size_t b = 0; b < buckets; b++) {
        while (r->arcs.end[arc] < (uint64_t)b << r->shift)
            arc++;
        r->first[b] = arc;
    }
    r->first[buckets] = r->arcs.count - 1;
    return 0;
}

/* Makes a ring of sorted points, which it takes over (also when it fails). NULL: no memory. */
static struct ring *ring_create(const struct ring_rule *rule, struct points *points)
{
    struct ring *r = mem_alloc(1, sizeof *r);
    if (!r) {
        points_release(points);
        return NULL;
    }
    r->rule = *rule;
    r->points = *points;
    *points = (struct points){0};
    r->distinct = points_distinct(&r->points);
    if (arcs_build(&r->arcs, &r->points, rule) || index_build(r)) {
        ring_release(r);
        return NULL;
    }
    return r;
}

static int refuse_size(uint64_t points, char why[WHY])
{
    double bytes = (double)points * 56, have = (double)mem_machine();
    char need[32], has[32];
    if (points < UINT32_MAX - 1 && bytes < 0.8 * have)
        return 0;
    return fail(why, EINVAL, "%" PRIu64 " points on the ring would need %s of memory to build; this machine has %s%s: ask for fewer vnodes", points,
                text_bytes(bytes, need), text_bytes(have, has), points >= UINT32_MAX - 1 ? ", and a ring holds at most 2^32 - 2 points" : "");
}

int ring_attach(struct placement *p, const struct ring_rule *rule, uint64_t points, char why[WHY])
{
    int e = refuse_size(points, why);
    if (e)
        return e;
    struct points all = {0};
    e = points_reserve(&all, points);
    if (!e)
        e = p->strategy->points(p, NULL, points_add, &all);
    if (!e)
        e = points_sort(&all);
    if (e) {
        points_release(&all);
        return fail(why, -e, "no memory for a ring of %" PRIu64 " points", points);
    }
    if (rule->last_wins)
        points_reverse_ties(&all);
    p->state = ring_create(rule, &all);
    if (!p->state)
        return fail(why, ENOMEM, "no memory for a ring of %" PRIu64 " points", points);
    p->engine = &ring_engine;
    return 0;
}

/* Merges two sorted lists into an empty one with room for both. */
static void merge(const struct points *a, const struct points *b, struct points *to)
{
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        bool take = j == b->count || (i < a->count && a->position[i] <= b->position[j]);
        to->position[to->count] = take ? a->position[i] : b->position[j];
        to->id[to->count++] = take ? a->id[i++] : b->id[j++];
    }
}

enum { GONE = 0, STAYS, CHANGED };

/* fate[id] of every node, and its rank in the ring's ties (1 .. after->size). */
static void settle_fates(const struct cluster *before, const struct cluster *after, bool keep_departed, bool last_wins, uint8_t *fate,
                         uint32_t *rank)
{
    for (uint32_t i = 0; i < after->ids; i++) {
        fate[i] = keep_departed ? STAYS : GONE;
        rank[i] = 0;
    }
    for (uint32_t i = 0; i < after->size; i++) {
        fate[after->node[i].id] = CHANGED;
        rank[after->node[i].id] = last_wins ? after->size - i : i + 1;
    }
    for (uint32_t i = 0; i < before->size; i++) {
        const struct node *old = &before->node[i], *now;
        if (fate[old->id] != CHANGED)
            continue;
        now = &after->node[last_wins ? after->size - rank[old->id] : rank[old->id] - 1];
        if (now->weight == old->weight && !strcmp(now->attributes, old->attributes))
            fate[old->id] = STAYS;
    }
}

int ring_change(struct placement *p, const struct cluster *after, uint64_t points, bool keep_departed, char why[WHY])
{
    int e = refuse_size(points, why);
    if (e)
        return e;
    const struct ring *old = p->state;
    struct points fresh = {0}, kept = {0}, all = {0};
    uint8_t *fate = mem_alloc(after->ids, sizeof *fate);
    uint32_t *rank = mem_alloc(after->ids, sizeof *rank);
    struct ring *r = NULL;
    e = fate && rank ? points_reserve(&kept, old->points.count) : -ENOMEM;
    if (!e) {
        settle_fates(p->cluster, after, keep_departed, old->rule.last_wins, fate, rank);
        for (uint32_t i = 0; i < after->size && !e; i++)
            if (fate[after->node[i].id] == CHANGED)
                e = p->strategy->points(p, &after->node[i], points_add, &fresh);
    }
    for (size_t i = 0; !e && i < old->points.count; i++)
        if (fate[old->points.id[i]] == STAYS) {
            kept.position[kept.count] = old->points.position[i];
            kept.id[kept.count++] = old->points.id[i];
        }
    if (!e && !(e = points_sort(&fresh)) && !(e = points_reserve(&all, kept.count + fresh.count))) {
        merge(&kept, &fresh, &all);
        points_rank_ties(&all, rank);
        r = ring_create(&old->rule, &all);
    }
    points_release(&fresh);
    points_release(&kept);
    points_release(&all);
    mem_free(fate);
    mem_free(rank);
    if (!r)
        return fail(why, ENOMEM, "no memory to change a ring of %zu points", old->points.count);
    ring_release(p->state);
    p->state = r;
    return 0;
}

bool is_ring(const struct placement *p)
{
    return p->engine == &ring_engine;
}

size_t ring_points(const struct placement *p, size_t *distinct)
{
    const struct ring *r = p->state;
    *distinct = r->distinct;
    return r->points.count;
}

uint64_t ring_position(const struct placement *p, size_t point, uint32_t *id)
{
    const struct ring *r = p->state;
    *id = r->points.id[point];
    return r->points.position[point];
}

const char *ring_rule_words(const struct placement *p)
{
    static const char *const words[] = {"first point at or after the hash", "first point strictly after the hash",
                                        "last point at or before the hash", "nearest point to the hash"};
    return words[((const struct ring *)p->state)->rule.seek];
}

unsigned ring_position_bits(const struct placement *p)
{
    return bit_length(((const struct ring *)p->state)->rule.last);
}
