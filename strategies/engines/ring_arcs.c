/* Points and rule -> arcs.
 *
 * Whichever rule a ring seeks by, the owner of a position changes only at points
 * (or half-way between two): going up from 0 the positions fall into arcs, each
 * with one owning point. The arc that runs over zero is cut in two there, so arcs
 * cover 0 .. last in ascending order and a search needs no case for the wrap. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

#include <errno.h>

void arcs_release(struct arcs *a)
{
    mem_free(a->end);
    mem_free(a->owner);
    mem_free(a->point);
    *a = (struct arcs){0};
}

static void arc(struct arcs *a, const struct points *p, uint64_t end, size_t point)
{
    a->end[a->count] = end;
    a->owner[a->count] = p->id[point];
    a->point[a->count++] = (uint32_t)point;
}

/* The first point after `from` at another position, or p->count. */
static size_t next_position(const struct points *p, size_t from)
{
    size_t i = from + 1;
    while (i < p->count && p->position[i] == p->position[from])
        i++;
    return i;
}

/* ge and gt: an arc ends at its point, or just before it. */
static void arcs_successor(struct arcs *a, const struct points *p, const struct ring_rule *rule, size_t tail)
{
    bool strict = rule->seek == SEEK_GT;
    for (size_t i = 0; i < p->count; i = next_position(p, i))
        if (!strict)
            arc(a, p, p->position[i], i);
        else if (p->position[i] > 0)
            arc(a, p, p->position[i] - 1, i);
    if (strict || p->position[tail] < rule->last)
        arc(a, p, rule->last, rule->clamp ? tail : 0);
}

/* le: an arc begins at its point. */
static void arcs_predecessor(struct arcs *a, const struct points *p, const struct ring_rule *rule, size_t tail)
{
    if (p->position[0] > 0)
        arc(a, p, p->position[0] - 1, rule->clamp ? 0 : tail);
    for (size_t i = 0, next; i < p->count; i = next) {
        next = next_position(p, i);
        arc(a, p, next < p->count ? p->position[next] - 1 : rule->last, i);
    }
}

/* nearest: an arc ends half-way to the next point, the middle going to the point before. */
static void arcs_nearest(struct arcs *a, const struct points *p, const struct ring_rule *rule, size_t tail)
{
    uint64_t above = rule->last - p->position[tail]; /* positions past the last point */
    uint64_t half = (above + 1 + p->position[0]) / 2; /* of the gap over zero */
    bool alone = tail == 0 || rule->clamp;
    size_t over = rule->both_sides ? p->count - 1 : tail; /* who owns above the last position */
    if (!alone && half > above)
        arc(a, p, half - above - 1, over);
    for (size_t i = 0, next; i < p->count; i = next) {
        next = next_position(p, i);
        size_t upper = rule->both_sides ? next - 1 : i;
        if (upper != i)
            arc(a, p, p->position[i], i);
        if (next < p->count)
            arc(a, p, p->position[i] + (p->position[next] - p->position[i]) / 2, upper);
    }
    if (!alone && half < above)
        arc(a, p, p->position[tail] + half, over);
    if (a->count == 0 || a->end[a->count - 1] < rule->last)
        arc(a, p, rule->last, !alone && half < above ? 0 : over);
}

int arcs_build(struct arcs *a, const struct points *p, const struct ring_rule *rule)
{
    *a = (struct arcs){0};
    size_t most = (rule->both_sides ? 2 : 1) * points_distinct(p) + 2;
    a->end = mem_alloc(most, sizeof *a->end);
    a->owner = mem_alloc(most, sizeof *a->owner);
    a->point = mem_alloc(most, sizeof *a->point);
    if (!a->end || !a->owner || !a->point) {
        arcs_release(a);
        return -ENOMEM;
    }
    if (p->count == 0) {
        a->end[0] = rule->last;
        a->owner[0] = NO_NODE;
        a->point[0] = UINT32_MAX;
        a->count = 1;
        return 0;
    }
    size_t tail = p->count - 1;
    while (tail > 0 && p->position[tail - 1] == p->position[tail])
        tail--;
    if (rule->seek == SEEK_LE)
        arcs_predecessor(a, p, rule, tail);
    else if (rule->seek == SEEK_NEAREST)
        arcs_nearest(a, p, rule, tail);
    else
        arcs_successor(a, p, rule, tail);
    return 0;
}
