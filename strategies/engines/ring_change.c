/* The ring's change: in place where few nodes differ, else made anew from the points that stay and those that come.
 *
 * In place a point costs a search, half a leaf moved and the lines around it made again; all memory is had first. Where
 * nodes that stay change places (ties follow the configuration), or a rule looks beyond the points around a position, the ring is
 * made anew. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

enum { ANEW = 1, MOST = 32 }; /* MOST: nodes changed in place */

/* What differs between two clusters: nodes whose points go, and nodes whose points come. */
struct difference {
    const struct node *goes[MOST], *comes[MOST];
    size_t go, come;
    bool beyond; /* more than these hold, or nodes that stay changed places */
};

static bool same_points(const struct node *a, const struct node *b)
{
    return a->weight == b->weight && (a->attributes == b->attributes || !strcmp(a->attributes, b->attributes));
}

static void note_node(struct difference *d, const struct node **list, size_t *n, const struct node *node)
{
    if (*n == MOST)
        d->beyond = true;
    else
        list[(*n)++] = node;
}

/* Nodes that stand before and after at the same places from either end are passed over; of the rest, those of one id are compared. 0 or -ENOMEM. */
static int compare(const struct cluster *before, const struct cluster *after, struct difference *d)
{
    enum { BEFORE = 1, AFTER = 2 };
    uint32_t from = 0, i = before->size, j = after->size;
    const struct node *a = before->node, *b = after->node;
    *d = (struct difference){0};
    while (from < i && from < j && a[from].id == b[from].id && same_points(&a[from], &b[from]))
        from++;
    while (i > from && j > from && a[i - 1].id == b[j - 1].id && same_points(&a[i - 1], &b[j - 1]))
        i--, j--;
    if (i == from || j == from) { /* only additions or removals, in one place */
        for (uint32_t k = from; k < i; k++)
            note_node(d, d->goes, &d->go, &a[k]);
        for (uint32_t k = from; k < j; k++)
            note_node(d, d->comes, &d->come, &b[k]);
        return 0;
    }
    uint32_t ids = before->ids > after->ids ? before->ids : after->ids;
    uint8_t *in = mem_alloc(ids, 1);
    if (!in)
        return -ENOMEM;
    for (uint32_t k = from; k < i; k++)
        in[a[k].id] = BEFORE;
    for (uint32_t k = from; k < j; k++)
        in[b[k].id] |= AFTER;
    for (uint32_t k = from, m = from; !d->beyond && (k < i || m < j);) {
        if (k < i && in[a[k].id] == BEFORE) {
            note_node(d, d->goes, &d->go, &a[k++]);
        } else if (m < j && in[b[m].id] == AFTER) {
            note_node(d, d->comes, &d->come, &b[m++]);
        } else if (a[k].id == b[m].id) {
            if (!same_points(&a[k], &b[m])) {
                note_node(d, d->goes, &d->go, &a[k]);
                note_node(d, d->comes, &d->come, &b[m]);
            }
            k++, m++;
        } else {
            d->beyond = true;
        }
    }
    mem_free(in);
    return 0;
}

static int collect(const struct placement *p, const struct node *const *node, size_t n, struct points *to)
{
    int e = points_reserve(to, 256);
    for (size_t i = 0; i < n && !e; i++)
        e = p->strategy->points(p, node[i], points_add, to);
    return e;
}

/* -- in place -- */

/* A walk over changes in ascending order that makes lines again behind it, those of neighbouring changes but once. */
struct mending {
    struct ring *ring;
    uint64_t from, to;
    uint32_t near; /* a point at or near `from`: where the search for it begins */
    bool any;
    size_t rank; /* of leaves_bound_onward() */
};

static void mend(struct mending *m)
{
    if (m->any)
        lines_refresh(m->ring, m->from, m->to, m->near);
    m->any = false;
}

/* Positions from one point to the other, at most, are about to go to others. */
static void note_between(struct mending *m, uint32_t before, uint32_t after)
{
    const struct leaves *l = &m->ring->points;
    uint64_t from = before != NO_POINT ? l->position[before] : 0, to = after != NO_POINT ? l->position[after] : m->ring->rule.last;
    unsigned shift = m->ring->lines.shift;
    if (m->any && from >> shift > m->to >> shift)
        mend(m);
    if (!m->any) {
        m->from = from;
        m->near = before;
    }
    m->to = to;
    m->any = true;
}

/* What lies over zero. */
static void mend_ends(struct mending *m)
{
    const struct leaves *l = &m->ring->points;
    mend(m);
    note_between(m, NO_POINT, leaves_first(l));
    mend(m);
    note_between(m, l->count ? run_start(l, leaves_last(l)) : NO_POINT, NO_POINT);
    mend(m);
}

/* The place of a node in the ring's ties; none where it leaves. */
static uint32_t rank_of(const struct ring *r, const struct cluster *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->size; i++)
        if (c->node[i].id == id)
            return r->rule.last_wins ? c->size - i : i;
    return UINT32_MAX;
}

/* Behind those of equal points that come before it. */
static void insert(struct mending *m, const struct cluster *c, uint64_t position, uint32_t id)
{
    struct leaves *l = &m->ring->points;
    uint32_t at = leaves_bound_onward(l, position, &m->rank), next = at;
    while (next != NO_POINT && l->position[next] == position) {
        uint32_t other = l->id[next];
        next = leaves_next(l, next);
        if (rank_of(m->ring, c, other) <= rank_of(m->ring, c, id))
            at = next;
    }
    uint32_t last = at != NO_POINT ? leaves_before(l, at) : leaves_last(l); /* an equal one, if there is one */
    bool tie = last != NO_POINT && l->position[last] == position;
    note_between(m, tie ? leaves_before(l, run_start(l, last)) : last, next);
    leaves_insert(l, at, position, id);
}

static void drop(struct mending *m, uint64_t position, uint32_t id)
{
    struct leaves *l = &m->ring->points;
    uint32_t at = leaves_bound_onward(l, position, &m->rank);
    note_between(m, leaves_before(l, at), run_after(l, at));
    while (l->id[at] != id)
        at = leaves_next(l, at);
    leaves_remove(l, at);
}

/* Insertions come first, so that no leaf has emptied. */
static int move_points(struct ring *r, const struct cluster *after, const struct points *go, const struct points *come)
{
    struct mending m = {.ring = r};
    int e = leaves_reserve(&r->points, come);
    if (e)
        return e;
    for (size_t i = 0; i < come->count; i++)
        insert(&m, after, come->position[i], come->id[i]);
    mend(&m);
    m.rank = 0;
    for (size_t i = 0; i < go->count; i++)
        drop(&m, go->position[i], go->id[i]);
    mend_ends(&m);
    leaves_recount(&r->points);
    return 0;
}

/* 0, -ENOMEM, or ANEW: this change is not one for it. */
static int change_in_place(struct placement *p, const struct cluster *after, uint64_t points)
{
    struct ring *r = p->state;
    struct difference d;
    if (r->rule.search != SEARCH_INDEX || r->down || r->rule.both_sides || !lines_fit(r, points, after->ids) ||
        r->points.distinct < r->points.count - r->points.count / 16)
        return ANEW;
    int e = compare(p->cluster, after, &d);
    if (e)
        return e;
    if (d.beyond)
        return ANEW;
    struct points go = {0}, come = {0};
    e = collect(p, d.goes, d.go, &go);
    if (!e)
        e = collect(p, d.comes, d.come, &come);
    if (!e && !(e = points_sort(&go)))
        e = points_sort(&come);
    if (!e)
        e = (go.count + come.count) * 8 > r->points.count ? ANEW : move_points(r, after, &go, &come);
    points_release(&go);
    points_release(&come);
    if (!e) {
        mem_free(r->zones);
        r->zones = NULL;
    }
    return e;
}

/* -- anew -- */

/* Merges two sorted lists into an empty one with room for both. */
static void merge(const struct points *a, const struct points *b, struct points *to)
{
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        bool take = j == b->count || (i < a->count && a->position[i] <= b->position[j]);
        to->position[to->count] = take ? a->position[i] : b->position[j];
        to->id[to->count++] = take ? a->id[i++] : b->id[j++];
    }
}

/* keep[id]: this node's points stay. rank[id]: its place in the ring's ties (1 .. after->size). */
static void settle(const struct cluster *before, const struct cluster *after, bool keep_departed, bool last_wins, bool *keep, uint32_t *rank)
{
    memset(keep, keep_departed, after->ids);
    memset(rank, 0, after->ids * sizeof *rank);
    for (uint32_t i = 0; i < after->size; i++) {
        keep[after->node[i].id] = false;
        rank[after->node[i].id] = last_wins ? after->size - i : i + 1;
    }
    for (uint32_t i = 0; i < before->size; i++) {
        uint32_t id = before->node[i].id, at = rank[id];
        if (at)
            keep[id] = same_points(&after->node[last_wins ? after->size - at : at - 1], &before->node[i]);
    }
}

static int change_anew(struct placement *p, const struct cluster *after, bool keep_departed)
{
    const struct ring *old = p->state;
    struct points fresh = {0}, kept = {0}, all = {0};
    bool *keep = mem_alloc(after->ids, sizeof *keep);
    uint32_t *rank = mem_alloc(after->ids, sizeof *rank);
    struct ring *r = NULL;
    int e = keep && rank ? points_reserve(&kept, old->points.count + 1) : -ENOMEM; /* one to spare: leaves_flatten writes, then counts */
    if (!e) {
        settle(p->cluster, after, keep_departed, old->rule.last_wins, keep, rank);
        for (uint32_t i = 0; i < after->size && !e; i++)
            if (!keep[after->node[i].id])
                e = p->strategy->points(p, &after->node[i], points_add, &fresh);
    }
    if (!e)
        leaves_flatten(&old->points, keep, &kept);
    if (!e && !(e = points_sort(&fresh)) && !(e = points_reserve(&all, kept.count + fresh.count))) {
        merge(&kept, &fresh, &all);
        if (!(e = points_rank_ties(&all, rank, after->size + 1)))
            r = ring_create(&old->rule, &all, after->ids);
    }
    points_release(&fresh);
    points_release(&kept);
    points_release(&all);
    mem_free(keep);
    mem_free(rank);
    if (!r)
        return -ENOMEM;
    ring_release(p->state);
    p->state = r;
    return 0;
}

int ring_change(struct placement *p, const struct cluster *after, uint64_t points, bool keep_departed, char why[WHY])
{
    int e = ring_refuse_size(points, why);
    if (e)
        return e;
    e = keep_departed ? ANEW : change_in_place(p, after, points);
    if (e == ANEW)
        e = change_anew(p, after, keep_departed);
    return e ? fail(why, ENOMEM, "no memory to change a ring of %zu points", ((const struct ring *)p->state)->points.count) : 0;
}
