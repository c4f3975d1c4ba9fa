/* What a strategy is: a name, options, and a way to open it on a cluster.
 *
 *     key --key_rule--> digest --engine--> node id
 *
 * A strategy never sees a key, a file or a metric. When it opens it picks an
 * engine (ring, table, modulo ...), builds the engine's state and states what it
 * promises. The core owns members, weights and names; a strategy owns only its
 * state. Adding one: a file with a `const struct strategy strategy_NAME`, and its
 * line in list.h. */
#ifndef STRATEGIES_STRATEGY_H
#define STRATEGIES_STRATEGY_H

#include "base/option.h"
#include "base/why.h"
#include "model/cluster.h"
#include "model/hash.h"
#include "model/range.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_verdict {
    KEY_HASHED,
    KEY_UNPLACED, /* the system decides otherwise (an empty key): no node */
    KEY_INVALID,  /* no key of this system: the user's mistake */
};

/* key -> digest. */
struct key_rule {
    /* The part of the key that is hashed: *part points into key or into buf. NULL: the whole key. */
    enum key_verdict (*filter)(const void *options, const char *key, size_t len, unsigned char buf[16],
                               const void **part, size_t *part_len);
    const char *wants; /* what the filter asks of a key, in words */
    struct keyed_hash hash;
};

/* Where a digest fell, for people. */
struct spot {
    enum { SPOT_NONE, SPOT_CELL, SPOT_POINT } kind;
    uint64_t cell;                     /* the slot, or the place in a table */
    size_t point, before, after;       /* of a ring: the owner's point and its neighbours, numbered in ring order */
};

/* digest -> node. Look-ups cannot fail and do not write; they may answer NO_NODE. */
struct engine {
    const char *name;
    void (*destroy)(void *state);
    uint32_t (*lookup)(const void *state, uint64_t digest);
    void (*lookup_many)(const void *state, const uint64_t *digest, size_t n, uint32_t *id);
    /* After NO_NODE: some systems hash the key's part again and look elsewhere (nginx's hash with a peer down). NULL: that is final. */
    uint32_t (*again)(const void *state, const void *part, size_t len, uint64_t digest);
    /* The owner of one more key when id holds load[id] and all hold total. NULL: loads are not looked at. Where it is given, lookup()
     * answers the first choice, and there is neither map nor shares. */
    uint32_t (*lookup_loaded)(const void *state, uint64_t digest, const uint64_t *load, uint64_t total);
    uint64_t (*capacity)(const void *state, uint32_t id, uint64_t total); /* bounded loads: what id may hold once that key is placed */
    size_t (*among)(const void *state); /* of how many of the key's first copies the owner is one, all asked each time. NULL: any node, in turn */
    /* Up to k distinct nodes, the owner first; how many. NULL: the core salts the digest and looks up again. */
    size_t (*replicas)(const void *state, uint64_t digest, uint32_t *id, size_t k);
    /* What ranges() speaks of. NULL or 0: intervals of digests; T: cells, digest mod T. */
    uint64_t (*cells)(const void *state);
    /* Ranges from .. from+n-1 of the whole map in ascending order, without gaps; how many were written.
     * NULL: no map, shares can only be sampled; so it is where again() may still answer. */
    size_t (*ranges)(const void *state, size_t from, struct range *r, size_t n);
    /* Without a map: the share of each member over all digests of an ideal wide hash, by the algorithm's own law, proved where it is
     * computed. share[id] of ids values come zeroed. 0 or -ENOMEM. NULL: not known. */
    int (*shares)(const void *state, double *share);
    void (*spot)(const void *state, uint64_t digest, struct spot *spot); /* NULL: nothing to show */
};

/* What a strategy promises once opened. */
enum {
    CAP_WEIGHTS = 1,     /* load follows weights */
    /* Between two placements that both promise it, where the nodes that stay keep their order: a change moves nothing from one node that stays
     * as it was to another; and one that only brings nodes or only takes nodes away, one or many, or alters the weight of one, moves no more than
     * the shares before and after demand.
     * (Where one node leaves and another comes, a third may both give and get; where two gain weight, one may give to the other.) */
    CAP_MINIMAL = 2,
    CAP_ANY_REMOVAL = 4, /* any node can leave, not only the last */
    CAP_HISTORY = 8,     /* placement depends on the changes that led here, not on the members alone */
    CAP_DOWN = 16,       /* a node that is down is told apart from one that is not there */
    CAP_FLOOR = 32,      /* places nothing: shows the harness's own cost (null) */
    CAP_SCANS = 64,      /* a look-up visits every node: its time grows with their number */
    CAP_ASSIGNED = 128,  /* what a dead node owned stays its own until someone deals it anew: without copies it is lost */
    CAP_DEPARTED = 256,  /* nodes that left still get keys (tutorial-java-fnv) */
};

/* The law that an ideal hash gives to the shares: what theory is computed from. */
enum law {
    LAW_NONE,  /* not known */
    LAW_FIXED, /* the rule fixes the shares whatever the hash: they stand in the ranges or in shares(); else they are equal, or by weight (CAP_WEIGHTS) */
    LAW_ARCS,  /* arcs between random points: Dirichlet(points of each node) */
    LAW_PROBES, /* one random point a node, and the nearest of law_count random probes (multi-probe) */
    LAW_BALLS, /* law_count cells, each dealt at random by weight: multinomial */
};

struct placement;

/* A virtual node of a ring. label is the hashed name. */
struct point {
    uint64_t position;
    uint32_t id;
    const char *label; /* not NUL-terminated; NULL where the point was given as a number */
    size_t label_len;
};
typedef int point_sink(void *to, const struct point *point); /* 0, or a negative errno that ends the walk */

struct strategy {
    const char *name, *summary;
    const char *source;  /* paper or system */
    const char *version; /* of a real system; NULL for algorithms */
    const char *cost;    /* look-up and memory in the field's notation */
    bool addresses;      /* default node names are addresses (10.0.0.1) */
    const struct option *option; /* ends with a NULL name; NULL: none */
    size_t options_size;

    /* Fills engine, state, key, caps and law; p->cluster and p->options are set, and
     * p->key.hash holds the run's hash. On failure nothing is left. */
    int (*open)(struct placement *p, char why[WHY]);

    /* Goes from p->cluster to after, leaving the old state on failure. All differences come in one
     * call, so that one change of several nodes can be minimal as a whole. NULL: open anew and swap. */
    int (*change)(struct placement *p, const struct cluster *after, char why[WHY]);

    /* Rings: emits the points of one node, or of all in configuration order (only NULL). Used to
     * build, to change and to explain. */
    int (*points)(const struct placement *p, const struct node *only, point_sink *emit, void *to);

    const void *data; /* for hooks that several strategies share (engines/recipe.h) */
};

/* A strategy opened on a cluster. */
struct placement {
    const struct strategy *strategy;
    const struct engine *engine;
    void *state;
    struct key_rule key;
    unsigned caps;
    enum law law;
    uint64_t law_count; /* what the law counts */
    const struct cluster *cluster;
    const void *options;
    char warning[WHY]; /* something the user should know; "" */
};

#endif
