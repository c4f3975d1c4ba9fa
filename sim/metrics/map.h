/* Who owns what: an array of ranges, and what is computed from it alone. Sums are integers.
 *
 * Without cells a range is an interval of digests 0 .. 2^64-1; with T cells it is an interval of cells, cell =
 * digest mod T. Only digests 0 .. last can be given by the key's hash. Shares are means over those: hashes of up to 24 bits are counted
 * digest by digest (in closed form); of a wider hash all residues count as equally likely where that is within 2^-20 of the truth,
 * and are counted else. */
#ifndef METRICS_MAP_H
#define METRICS_MAP_H

#include "metrics/flow.h"
#include "model/range.h"
#include <stdbool.h>
#include <stddef.h>

#define MAP_NARROW ((1ULL << 24) - 1) /* hashes whose largest digest is at most this are counted digest by digest */

struct map {
    struct range *range; /* ascending, without gaps, from 0 */
    size_t count;
    uint64_t cells; /* 0: intervals of digests */
    uint64_t last;  /* largest digest of the key's hash */
    uint32_t ids;   /* all ids are below; NO_NODE may own */
};

void map_release(struct map *m);

/* share[id] for ids values, and *unplaced: what NO_NODE owns. 0 or -ENOMEM. */
int map_shares(const struct map *m, double *share, double *unplaced, char why[WHY]);

/* The part of the positions that the hash can reach: 1 unless the ring is wider than the hash. */
double map_reach(const struct map *m);

/* Where two maps differ. standing[id] (ids values): the node is a member before and after and weighs the same. */
struct moves {
    double moved;     /* share of digests whose owner differs */
    double bystander; /* of these, between two standing nodes */
};

/* Exact comparison. Both maps must be of one hash (equal last). 0; -EINVAL when no exact way is known (intervals against cells) or
 * it would take too long; -ENOMEM. Cost: O(ranges); two cell maps of different T: O(gcd * (ranges + nodes)), or a walk over as
 * many digests as do not make whole runs of lcm(T, T'). */
int map_compare(const struct map *before, const struct map *after, const bool *standing, uint32_t ids, struct moves *out, char why[WHY]);

/* The same, and who gives how much to whom: flows (zeroed before; released by the caller in any case), parts of flows->total. */
int map_flows(const struct map *before, const struct map *after, const bool *standing, uint32_t ids, struct moves *out, struct flows *flows,
              char why[WHY]);

/* Both maps of one kind: intervals, or cells of one number. Where their owners differ, `mark` owns, else the owner: laid over one map after
 * another, a mark that is no id says what ever moved. 0 or -ENOMEM. Cost: O(ranges). */
int map_overlay(const struct map *a, const struct map *b, uint32_t mark, struct map *out, char why[WHY]);

/* A map of T cells as one of k T. 0 or -ENOMEM. */
int map_repeat(const struct map *m, uint64_t k, struct map *out, char why[WHY]);

#endif
