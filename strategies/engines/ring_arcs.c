/* Points and rule -> arcs.
 *
 * Whichever rule a ring seeks by, the owner of a position changes only at points
 * (or half-way between two): going up from 0 the positions fall into arcs, each
 * with one owning point. The arc that runs over zero is cut in two there, so arcs
 * cover 0 .. last in ascending order and a search needs no case for the wrap.
 *
 * Arcs are not kept: the one that holds position x follows from the points around
 * it. `at` is the first point at or after x for `ge`, the first after x for the others. */
#include "strategies/engines/ring_parts.h"

uint32_t arc_seek(const struct ring *r, uint64_t x)
{
    bool after = r->rule.seek != SEEK_GE;
    return after && x == UINT64_MAX ? NO_POINT : leaves_bound(&r->points, x + after);
}

uint32_t arc_seek_from(const struct ring *r, uint32_t near, uint64_t x)
{
    const struct leaves *l = &r->points;
    bool after = r->rule.seek != SEEK_GE;
    if (near == NO_POINT || near % LEAF >= l->leaf[near / LEAF].count || l->position[near] <= x)
        return arc_seek(r, x);
    for (uint32_t before; (before = leaves_before(l, near)) != NO_POINT && (l->position[before] > x || (!after && l->position[before] == x));)
        near = before;
    return near;
}

static struct arc successor(const struct ring *r, uint32_t at)
{
    const struct leaves *l = &r->points;
    if (at != NO_POINT)
        return (struct arc){.end = l->position[at] - (r->rule.seek == SEEK_GT), .point = at};
    return (struct arc){.end = r->rule.last, .point = r->rule.clamp ? run_start(l, leaves_last(l)) : leaves_first(l)};
}

static struct arc predecessor(const struct ring *r, uint32_t at)
{
    const struct leaves *l = &r->points;
    uint32_t below = at != NO_POINT ? leaves_before(l, at) : leaves_last(l);
    if (below == NO_POINT)
        below = r->rule.clamp ? leaves_first(l) : leaves_last(l);
    return (struct arc){.end = at != NO_POINT ? l->position[at] - 1 : r->rule.last, .point = run_start(l, below)};
}

/* How far the last point reaches: up to `above` positions past it, and then so many from 0 on. */
struct reach {
    uint64_t above, around;
};

static struct reach reach_of_last(const struct ring *r)
{
    const struct leaves *l = &r->points;
    uint64_t first = l->position[leaves_first(l)], tail = l->position[leaves_last(l)], above = r->rule.last - tail;
    uint64_t half = (above + 1 + first) / 2; /* of the gap over zero */
    if (first == tail || r->rule.clamp)
        return (struct reach){above, 0};
    return half > above ? (struct reach){above, half - above} : (struct reach){half, 0};
}

/* The last position of a point: half-way to the next, the middle going to the point before. */
static uint64_t half_way(const struct ring *r, uint32_t point, uint32_t next)
{
    uint64_t here = r->points.position[point];
    return here + (next != NO_POINT ? (r->points.position[next] - here) / 2 : reach_of_last(r).above);
}

static struct arc nearest(const struct ring *r, uint32_t at, uint64_t x)
{
    const struct leaves *l = &r->points;
    uint32_t below = at != NO_POINT ? leaves_before(l, at) : leaves_last(l);
    if (below == NO_POINT) {
        uint64_t around = reach_of_last(r).around;
        uint32_t last = leaves_last(l);
        if (x < around)
            return (struct arc){.end = around - 1, .point = r->rule.both_sides ? last : run_start(l, last)};
    } else {
        uint64_t end = half_way(r, below, at);
        uint32_t start = run_start(l, below), upper = r->rule.both_sides ? below : start;
        if (x == l->position[below] && upper != start)
            return (struct arc){.end = x, .point = start};
        if (x <= end)
            return (struct arc){.end = end, .point = upper};
        if (at == NO_POINT)
            return (struct arc){.end = r->rule.last, .point = leaves_first(l)};
    }
    uint32_t next = run_after(l, at);
    if (r->rule.both_sides && leaves_next(l, at) != next)
        return (struct arc){.end = l->position[at], .point = at};
    return (struct arc){.end = half_way(r, at, next), .point = at};
}

/* Gives an arc whose owner is down to another, as rule.down_steps says. */
static void yield_down(const struct ring *r, struct arc *a)
{
    const struct leaves *l = &r->points;
    uint32_t point = a->point;
    for (uint32_t n = 0; n < r->rule.down_steps && r->down[l->id[point]]; n++)
        if ((point = run_after(l, point)) == NO_POINT)
            point = leaves_first(l);
    if (r->down[l->id[point]]) {
        a->owner = r->lone;
    } else {
        a->owner = l->id[point];
        a->point = point;
    }
}

struct arc arc_by_rule(const struct ring *r, uint32_t at, uint64_t x)
{
    if (r->points.count == 0)
        return (struct arc){r->rule.last, NO_POINT, NO_NODE};
    struct arc a = r->rule.seek == SEEK_NEAREST ? nearest(r, at, x) : r->rule.seek == SEEK_LE ? predecessor(r, at) : successor(r, at);
    if (r->down)
        yield_down(r, &a);
    else
        a.owner = r->points.id[a.point];
    return a;
}

/* The arc number k and its position x, k < from or 0, from which to count on: that of a leaf's first point, where no other is at its position. */
static size_t count_from(const struct ring *r, size_t from, uint64_t *x)
{
    const struct leaves *l = &r->points;
    size_t rank = 0, first = 0; /* first: arcs before that of the first point */
    *x = 0;
    if (l->used < 2)
        return 0;
    for (struct arc a = arc_find(r, 0); a.end < l->low[0]; first++)
        a = arc_find(r, a.end + 1);
    for (size_t n = l->used; n > 1; n -= n / 2)
        rank += first + l->before[rank + n / 2].arcs < from ? n / 2 : 0;
    while (rank > 0 && l->low[rank] == l->position[leaves_before(l, l->order[rank] * LEAF)])
        rank--;
    if (rank == 0)
        return 0;
    *x = l->low[rank];
    return first + l->before[rank].arcs;
}

bool arc_start(const struct ring *r, size_t from, uint64_t *x)
{
    size_t k = count_from(r, from, x);
    uint32_t at = arc_seek(r, *x);
    for (; k < from; k++) {
        uint64_t end = arc_here(r, at, *x).end;
        if (end == r->rule.last)
            return false;
        *x = end + 1;
        at = arc_onward(r, at, *x);
    }
    return true;
}
