/* What strategies over another share that look at loads: the other's first choices as they are, and the weights that loads are held against. */
#ifndef STRATEGIES_ENGINES_LOADED_H
#define STRATEGIES_ENGINES_LOADED_H

#include "strategies/engines/wrapped.h"

/* What the nodes may hold. */
struct room {
    double total;      /* of the weights */
    uint32_t *list;    /* of all nodes: written by loaded look-ups, which come one after another, as each changes the loads */
    uint32_t weight[]; /* by id; 0: no member, or known to be down */
};

/* The head of such a strategy's state. */
struct loaded {
    struct wrapped inner;
    const struct engine *salted, *listed; /* over strategies without replicas of their own, and with */
    struct room *room;
};

/* The first fields of its options, and their rows of its table. */
struct loaded_options {
    struct keyed_hash hash;
    const char *over;
};
#define LOADED_OVER                                                                                                                  \
    {.name = "over", .type = OPTION_CUSTOM, .offset = offsetof(struct loaded_options, over), .parse = loaded_over, .fallback = "ring", .always = true, \
     .help = "any other strategy, with '\\,' between its options: over=ring:vnodes=9\\,seek=gt; keysim where answers its first choice"}
#define LOADED_HASH                                                                                                                  \
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct loaded_options, hash), .parse = hash_parse, .sweeps = true,    \
     .help = "hash of the key (default: the run's, -H), unless over= names one"}
int loaded_over(const char *text, void *field, char why[WHY]);

/* The other's own answers, for the engine's fields of these names. The state begins with its struct loaded. */
uint32_t loaded_lookup(const void *state, uint64_t digest);
void loaded_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id);
size_t loaded_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k);
void loaded_destroy(void *state); /* frees it too */

/* For strategy.open: l is zeroed but for its engines, and p's state from then on, or freed on failure. */
int loaded_open(struct placement *p, struct loaded *l, char why[WHY]);
int loaded_change(struct placement *p, const struct cluster *after, char why[WHY]);

#endif
