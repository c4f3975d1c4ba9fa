/* The parts of one engine; nothing else includes this. */
#ifndef STRATEGIES_ENGINES_RING_PARTS_H
#define STRATEGIES_ENGINES_RING_PARTS_H

#include "strategies/engines/ring.h"

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
/* Puts each run of equal positions in the order of rank[id]. */
void points_rank_ties(struct points *p, const uint32_t *rank);
size_t points_distinct(const struct points *p);

/* Arcs: position x belongs to the first arc whose end is at or after x. The last end is rule->last. */
struct arcs {
    uint64_t *end;
    uint32_t *owner; /* id; NO_NODE on an empty ring */
    uint32_t *point; /* the owning point; UINT32_MAX on an empty ring */
    uint32_t count;
};

void arcs_release(struct arcs *a);
int arcs_build(struct arcs *a, const struct points *p, const struct ring_rule *rule); /* 0 or -ENOMEM */

struct ring {
    struct ring_rule rule;
    struct points points;
    struct arcs arcs;
    uint32_t *first; /* first[b]: the first arc that reaches into bucket b or beyond; buckets + 1 values */
    unsigned shift;  /* bucket = position >> shift */
    size_t distinct;
    bool *down;      /* down[id]; NULL: all points stand for themselves */
    struct ring_zones *zones; /* NULL: copies go to the next nodes, wherever they are */
};

extern const struct engine ring_engine;
void ring_release(struct ring *r);

static inline unsigned bit_length(uint64_t x)
{
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

#endif
