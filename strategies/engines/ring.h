/* The ring: points on a circle of positions, and a rule by which a position finds
 * its point. All rings of all systems are this one; they differ in their points and
 * in struct ring_rule.
 *
 * Points are collected and sorted (ring_points.c) and kept in leaves with room between them
 * (ring_leaves.c), equal positions in the order that decides ties. Whatever the rule, the map
 * from positions to points is a step function: ring_arcs.c says which arc a position lies in.
 * An index of one cache line a bucket (ring_lines.c) answers look-ups; the textbook's searches
 * stand beside it (ring_plain.c). Cost: O(1) expected, O(log points) at worst; 41 to 69 bytes
 * a point (41 at 150,000). A change of few nodes touches only their points (ring_change.c). */
#ifndef STRATEGIES_ENGINES_RING_H
#define STRATEGIES_ENGINES_RING_H

#include "strategies/strategy.h"

enum ring_seek {
    SEEK_GE,      /* the first point at or after the digest */
    SEEK_GT,      /* the first point strictly after */
    SEEK_LE,      /* the last point at or before */
    SEEK_NEAREST, /* the nearer neighbour; the one before on a tie */
};

enum ring_search {
    SEARCH_INDEX,
    SEARCH_BINARY,     /* one key at a time, a branch a step: as the tutorials write it */
    SEARCH_BRANCHLESS, /* the same steps without branches */
};

struct ring_rule {
    uint64_t last;       /* the largest position */
    unsigned key_shift;  /* position = digest >> key_shift */
    uint64_t size;       /* not 0: position = digest mod size instead */
    enum ring_seek seek;
    enum ring_search search; /* all answer alike */
    bool clamp;          /* past the end the end point owns, instead of going around */
    bool last_wins;      /* of equal points the one emitted last owns (a map overwritten), else the first */
    bool both_sides;     /* SEEK_NEAREST: from above the last of equal points owns (a tree's predecessor) */
    uint32_t down_steps; /* not 0: a point of a node that is down yields to the next distinct one, so often at most; after that
                          * the only usable node owns if there is just one, else none. Not kept by ring_change. */
};

/* Builds the ring from p's points and attaches it. `points`: how many there will be
 * (for the check that memory holds them). 0, -EINVAL, -ENOMEM, or what the walk gave. */
int ring_attach(struct placement *p, const struct ring_rule *rule, uint64_t points, char why[WHY]);

/* A strategy's change(): drops the points of nodes that left or weigh otherwise, adds those of
 * nodes that came, and settles ties by the new configuration order; equal to opening anew,
 * without hashing the others again. For strategies whose points of a node depend on that
 * node alone and whose ties follow the configuration. points: as for ring_attach, of the members after.
 * keep_departed: points of nodes that left stay. */
int ring_change(struct placement *p, const struct cluster *after, uint64_t points, bool keep_departed, char why[WHY]);

/* Copies kept apart: so many a zone (data centre), on racks not yet used first. */
struct ring_zones {
    uint32_t *copies;      /* of each zone */
    uint32_t *zone, *rack; /* of each id that has points; racks of one zone differ */
    uint64_t firsts, total; /* copies on racks not yet used, and in all: min(copies, racks) and min(copies, nodes), over all zones */
};

/* From now on replicas() spreads copies over zones: the ring owns what is returned, zeroed, and the caller fills it in.
 * ring_change does not keep it. NULL: no memory. */
struct ring_zones *ring_spread(struct placement *p, uint32_t zones);

/* Points in ring order, and how many differ in position. */
size_t ring_points(const struct placement *p, size_t *distinct);
uint64_t ring_position(const struct placement *p, size_t point, uint32_t *id);
uint64_t ring_last_position(const struct placement *p); /* the largest that there is, point or not */
unsigned ring_position_bits(const struct placement *p); /* bits of the largest position */

/* How a digest finds its point, in words. */
const char *ring_rule_words(const struct placement *p);

/* Whether p's engine is the ring. */
bool is_ring(const struct placement *p);

#endif
