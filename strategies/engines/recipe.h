/* Systems that are a ring and nothing more: a label, a hash, a rule, so many points a node.
 * Such a system is a recipe and an option table, no code. */
#ifndef STRATEGIES_ENGINES_RECIPE_H
#define STRATEGIES_ENGINES_RECIPE_H

#include "strategies/engines/labels.h"
#include "strategies/engines/ring.h"

/* How many labels a node has. */
enum recipe_weights {
    WEIGHTS_UNKNOWN, /* vnodes; other weights than 1 are warned of and ignored */
    WEIGHTS_TIMES,   /* vnodes * weight */
    WEIGHTS_SHARE,   /* floor(vnodes * nodes * weight / sum of weights): each depends on all */
};

struct recipe {
    struct labels labels;
    const struct hash *hash; /* of keys and labels */
    enum ring_seek seek;
    enum recipe_weights weights;
    uint64_t vnodes;     /* where the option gives none */
    bool last_wins;      /* equal points: the node added last owns (a map overwritten) */
    bool keeps_departed; /* a removed node's points stay in the ring */
    bool ketama;         /* a label gives four points (engines/ketama.h) */
};

/* The options of a recipe's strategy begin with this. */
struct recipe_options {
    uint64_t vnodes;
    uint32_t kind; /* which recipe of an array */
};

/* The hooks of a strategy whose data is a struct recipe, or an array that an option for `kind` picks from. recipe_change is not
 * for WEIGHTS_SHARE. */
int recipe_open(struct placement *p, char why[WHY]);
int recipe_change(struct placement *p, const struct cluster *after, char why[WHY]);
int recipe_points(const struct placement *p, const struct node *only, point_sink *emit, void *to);

#define RECIPE_HOOKS                                                                                                       \
    .options_size = sizeof(struct recipe_options), .open = recipe_open, .change = recipe_change, .points = recipe_points

/* The option for points a node, under the system's own name for them. */
#define RECIPE_POINTS(word, number)                                                                                        \
    {                                                                                                                      \
        .name = word, .type = OPTION_COUNT, .offset = offsetof(struct recipe_options, vnodes), .fallback = number,         \
        .min = 1, .max = 1000000, .always = true, .help = "points a node"                                                  \
    }
#define RECIPE_VNODES(number) RECIPE_POINTS("vnodes", number)

/* The option that picks a recipe: words in the array's order. */
#define RECIPE_KIND(word, words, first, text)                                                                              \
    {                                                                                                                      \
        .name = word, .type = OPTION_CHOICE, .offset = offsetof(struct recipe_options, kind), .fallback = first,           \
        .choices = words, .help = text                                                                                     \
    }

#endif
