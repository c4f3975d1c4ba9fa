/* The parts of one engine; nothing else includes this. */
#ifndef STRATEGIES_ENGINES_RING_PARTS_H
#define STRATEGIES_ENGINES_RING_PARTS_H

#include "base/divide.h"
#include "strategies/engines/ring.h"

/* -- points in two plain arrays: to collect, sort and merge -- */

struct points {
    uint64_t *position;
    uint32_t *id;
    size_t count, capacity;
};

void points_release(struct points *p);
int points_reserve(struct points *p, size_t n); /* 0 or -ENOMEM */
int points_add(void *points, const struct point *point); /* a point_sink; -EOVERFLOW past 2^32-2 points */

/* Sorts by position; equal positions keep their order. 0 or -ENOMEM. */
int points_sort(struct points *p);
/* Turns each run of equal positions around. */
void points_reverse_ties(struct points *p);
/* Puts each run of equal positions in the order of rank[id], below ranks; equal ones keep theirs. 0 or -ENOMEM. */
int points_rank_ties(struct points *p, const uint32_t *rank, uint32_t ranks);

/* -- points in leaves: sorted, and open to insertion -- */

enum { LEAF = 64 }; /* slots */
#define NO_POINT UINT32_MAX

/* A point is named by its slot: slot / LEAF is its leaf. */
struct leaves {
    uint64_t *position; /* of each slot */
    uint32_t *id;
    struct leaf {
        uint32_t count; /* of its slots; these come first */
        uint32_t arcs;  /* that its points begin: one for each whose predecessor lies at another position; see leaves_pour */
        uint32_t rank;  /* its place among the leaves */
    } *leaf;
    uint32_t *order;  /* [rank]: leaf */
    uint64_t *low;    /* [rank]: position of its first point */
    struct before {
        uint32_t points, arcs;
    } *before;        /* [rank]: how many lie before it; leaves_recount() brings them up to date */
    uint32_t used, made, capacity; /* leaves in order, ever given out, and with memory */
    uint32_t spare;   /* the first leaf given back, a list through rank; NO_POINT: none */
    size_t count, distinct; /* points; their positions */
};

void leaves_release(struct leaves *l);
/* Into none. both_sides: the second of equal points begins an arc too; such leaves do not change. 0 or -ENOMEM. */
int leaves_pour(struct leaves *l, const struct points *sorted, bool both_sides);
void leaves_flatten(const struct leaves *l, const bool *keep, struct points *to); /* those with keep[id], into room for all */
void leaves_recount(struct leaves *l);
int leaves_reserve(struct leaves *l, const struct points *sorted); /* room to insert these. 0 or -ENOMEM */
uint32_t leaves_insert(struct leaves *l, uint32_t before, uint64_t position, uint32_t id); /* before NO_POINT: at the end; the new slot */
void leaves_remove(struct leaves *l, uint32_t slot);

uint32_t leaves_bound(const struct leaves *l, uint64_t position); /* the first point at or after; NO_POINT: none */
uint32_t leaves_bound_onward(const struct leaves *l, uint64_t position, size_t *rank); /* the same for ascending positions; *rank: 0 at first */
size_t leaves_number(const struct leaves *l, uint32_t slot);      /* in ring order, and back */
uint32_t leaves_slot(const struct leaves *l, size_t number);
uint32_t run_start(const struct leaves *l, uint32_t slot); /* the first of the points at this one's position */
uint32_t run_after(const struct leaves *l, uint32_t slot); /* the next point at another position; NO_POINT: none */

static inline uint32_t leaves_first(const struct leaves *l)
{
    return l->count ? l->order[0] * LEAF : NO_POINT;
}

static inline uint32_t leaves_last(const struct leaves *l)
{
    return l->count ? l->order[l->used - 1] * LEAF + l->leaf[l->order[l->used - 1]].count - 1 : NO_POINT;
}

static inline uint32_t leaves_next(const struct leaves *l, uint32_t slot)
{
    const struct leaf *leaf = &l->leaf[slot / LEAF];
    if (slot % LEAF + 1 < leaf->count)
        return slot + 1;
    return leaf->rank + 1 < l->used ? l->order[leaf->rank + 1] * LEAF : NO_POINT;
}

static inline uint32_t leaves_before(const struct leaves *l, uint32_t slot)
{
    if (slot % LEAF)
        return slot - 1;
    uint32_t rank = l->leaf[slot / LEAF].rank;
    return rank ? l->order[rank - 1] * LEAF + l->leaf[l->order[rank - 1]].count - 1 : NO_POINT;
}

/* How many of the sorted values are below x: no branch to guess. The empty assembly keeps the compiler from making one of the mask. */
static inline size_t count_below(const uint64_t *value, size_t n, uint64_t x)
{
    size_t at = 0;
    for (; n > 1; n -= n / 2) {
        size_t mask = -(size_t)(value[at + n / 2 - 1] < x);
        __asm__("" : "+r"(mask));
        at += n / 2 & mask;
    }
    return at + (n && value[at] < x);
}

/* -- arcs: the positions that one point owns, in a row -- */

struct ring {
    struct ring_rule rule;
    struct divisor size; /* by rule.size */
    struct leaves points;
    struct lines {
        struct line *line;
        size_t count;
        unsigned shift;    /* line = position >> shift */
        unsigned up, down; /* suffix = the lowest 32 bits of position << up >> down */
        bool wide;         /* ids need 32 bits */
    } lines;
    struct plain {
        uint64_t *end;
        uint32_t *owner;
        size_t count, capacity;
    } plain; /* of the textbook's searches */
    bool *down;      /* down[id]; NULL: all points stand for themselves */
    uint32_t lone;   /* with it: the only usable node, or NO_NODE */
    struct ring_zones *zones; /* NULL: copies go to the next nodes, wherever they are */
};

struct arc {
    uint64_t end;   /* the last position of the arc, up to rule.last */
    uint32_t point; /* NO_POINT on an empty ring */
    uint32_t owner; /* id; NO_NODE on an empty ring */
};

/* A walk over arcs in ascending order: at = arc_seek(r, x), arc_here(r, at, x); then x = end + 1, at = arc_onward(r, at, x). */
uint32_t arc_seek(const struct ring *r, uint64_t x);
uint32_t arc_seek_from(const struct ring *r, uint32_t near, uint64_t x); /* down from a point above, or, where it is not, from nowhere */
struct arc arc_by_rule(const struct ring *r, uint32_t at, uint64_t x);
/* The first position of arc number `from` counted from 0; false: there are not so many. */
bool arc_start(const struct ring *r, size_t from, uint64_t *x);

/* Nearly all arcs of nearly all rings end at their own point. */
static inline struct arc arc_here(const struct ring *r, uint32_t at, uint64_t x)
{
    if (r->rule.seek == SEEK_GE && at != NO_POINT && !r->down)
        return (struct arc){r->points.position[at], at, r->points.id[at]};
    return arc_by_rule(r, at, x);
}

static inline uint32_t arc_onward(const struct ring *r, uint32_t at, uint64_t x)
{
    bool after = r->rule.seek != SEEK_GE;
    while (at != NO_POINT && (r->points.position[at] < x || (after && r->points.position[at] == x)))
        at = leaves_next(&r->points, at);
    return at;
}

static inline struct arc arc_find(const struct ring *r, uint64_t x)
{
    return arc_here(r, arc_seek(r, x), x);
}

/* -- searches -- */

int lines_build(struct ring *r, uint32_t ids); /* 0 or -ENOMEM */
bool lines_fit(const struct ring *r, size_t points, uint32_t ids); /* whether so many points may still share them */
/* After a change of what positions from .. to belong to. near: a slot that was at or below `from`, to begin at; NO_POINT: none is known. */
void lines_refresh(struct ring *r, uint64_t from, uint64_t to, uint32_t near);
uint32_t lines_owner(const struct ring *r, uint64_t position);
void lines_owners(const struct ring *r, const uint64_t *digest, size_t n, uint32_t *id);

int plain_build(struct ring *r); /* 0 or -ENOMEM; leaves what was there on failure */
uint32_t plain_owner(const struct ring *r, uint64_t position);

static inline uint64_t ring_place(const struct ring *r, uint64_t digest)
{
    return r->rule.size ? divisor_mod(&r->size, digest) : digest >> r->rule.key_shift;
}

extern const struct engine ring_engine;
void ring_release(struct ring *r);

/* Makes a ring of sorted points, which it takes over (also when it fails). NULL: no memory. */
struct ring *ring_create(const struct ring_rule *rule, struct points *points, uint32_t ids);
int ring_refuse_size(uint64_t points, char why[WHY]); /* more than memory holds: -EINVAL */

static inline unsigned bit_length(uint64_t x)
{
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

#endif
