/* The ring's build and change: points collected and sorted, arcs and index made, then attached. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Buckets over 0 .. last: at least one an arc. 0 or -ENOMEM. */
static int index_build(struct ring *r)
{
    unsigned bits = bit_length(r->rule.last), want = bit_length(r->arcs.count);
    r->shift = bits > want ? bits - want : 0;
    size_t buckets = (r->rule.last >> r->shift) + 1;
    r->first = mem_alloc(buckets + 1, sizeof *r->first);
    if (!r->first)
        return -ENOMEM;
    for (uint32_t arc = 0; arc + 1 < r->arcs.count; arc++) /* counts, then their running sums: no branch to guess */
        r->first[(r->arcs.end[arc] >> r->shift) + 1]++;
    for (size_t b = 0; b < buckets; b++)
        r->first[b + 1] += r->first[b];
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

/* The next point at another position. */
static size_t next_position(const struct ring *r, size_t point)
{
    uint64_t here = r->points.position[point];
    while (++point < r->points.count && r->points.position[point] == here)
        continue;
    return point < r->points.count ? point : 0;
}

/* Gives arcs whose owner is down to others, as rule.down_steps says. 0 or -ENOMEM. */
static int yield_down(struct ring *r, const struct cluster *c)
{
    uint32_t usable = 0, lone = NO_NODE;
    for (uint32_t i = 0; i < c->size; i++)
        if (!c->node[i].down)
            lone = usable++ ? NO_NODE : c->node[i].id;
    if (usable == c->size || !r->rule.down_steps)
        return 0;
    r->down = mem_alloc(c->ids, sizeof *r->down);
    if (!r->down)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->size; i++)
        r->down[c->node[i].id] = c->node[i].down;
    for (uint32_t a = 0; a < r->arcs.count; a++) {
        size_t point = r->arcs.point[a];
        for (uint32_t n = 0; n < r->rule.down_steps && r->down[r->points.id[point]]; n++)
            point = next_position(r, point);
        r->arcs.owner[a] = lone;
        if (!r->down[r->points.id[point]]) {
            r->arcs.owner[a] = r->points.id[point];
            r->arcs.point[a] = (uint32_t)point;
        }
    }
    return 0;
}

static int refuse_size(uint64_t points, char why[WHY])
{
    double bytes = (double)points * 56, have = (double)mem_machine();
    char need[32], has[32];
    if (points < UINT32_MAX - 1 && bytes < 0.8 * have)
        return 0;
    return fail(why, EINVAL, "%" PRIu64 " points on the ring would need %s of memory to build; this machine has %s%s: ask for fewer points a node", points,
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
    struct ring *r = ring_create(rule, &all);
    if (r && yield_down(r, p->cluster)) {
        ring_release(r);
        r = NULL;
    }
    if (!r)
        return fail(why, ENOMEM, "no memory for a ring of %" PRIu64 " points", points);
    p->state = r;
    p->engine = &ring_engine;
    return 0;
}

struct ring_zones *ring_spread(struct placement *p, uint32_t zones)
{
    struct ring *r = p->state;
    struct ring_zones *z = mem_alloc(1, sizeof *z + (zones + 2 * (size_t)p->cluster->ids) * sizeof(uint32_t));
    if (!z)
        return NULL;
    z->copies = (uint32_t *)(z + 1);
    z->zone = z->copies + zones;
    z->rack = z->zone + p->cluster->ids;
    mem_free(r->zones);
    return r->zones = z;
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
