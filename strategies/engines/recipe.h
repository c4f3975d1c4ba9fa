/* Systems that are a ring and nothing more: a label, a hash, a rule, so many points a node.
 * Such a system is a recipe and an option table, no code. */
#ifndef STRATEGIES_ENGINES_RECIPE_H
#define STRATEGIES_ENGINES_RECIPE_H

#include "strategies/engines/labels.h"
#include "strategies/engines/ring.h"

struct recipe {
    struct labels labels;
    const struct hash *hash; /* of keys and labels */
    enum ring_seek seek;
    bool last_wins;      /* equal points: the node added last owns (a map overwritten) */
    bool keeps_departed; /* a removed node's points stay in the ring */
};

/* The options of a recipe's strategy begin with this. */
struct recipe_options {
    uint64_t vnodes;
};

/* The hooks of a strategy whose data is a struct recipe. Weights are not known to such
 * systems: other weights than 1 are warned of and ignored. */
int recipe_open(struct placement *p, char why[WHY]);
int recipe_change(struct placement *p, const struct cluster *after, char why[WHY]);
int recipe_points(const struct placement *p, const struct node *only, point_sink *emit, void *to);

#define RECIPE_VNODES(number)                                                                                              \
    {                                                                                                                      \
        .name = "vnodes", .type = OPTION_COUNT, .offset = offsetof(struct recipe_options, vnodes), .fallback = number,     \
        .min = 1, .max = 1000000, .always = true, .help = "points a node"                                                  \
    }

#endif
