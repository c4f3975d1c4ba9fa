/* Modulo hashing: node = hash(key) mod N.
 *
 * The baseline of every tutorial: perfectly even, nothing to store, and nearly all
 * keys move when N changes (N/(N+1) of them when one node is added). Weights repeat
 * a node's bucket as often as it weighs, in configuration order and without
 * dividing by a common factor, as twemproxy's modula and nginx's `hash` do. */
#include "strategies/engines/modulo.h"

struct modulo_options {
    struct keyed_hash hash;
};

static const struct option options[] = {
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct modulo_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

static int modulo_open(struct placement *p, char why[WHY])
{
    const struct modulo_options *o = p->options;
    if (o->hash.hash)
        p->key.hash = o->hash;
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL;
    p->law = LAW_FIXED;
    return modulo_attach(p, p->cluster, why);
}

const struct strategy strategy_modulo = {
    .name = "modulo",
    .summary = "hash mod N: even, stores the nodes' list alone, moves nearly every key when N changes",
    .source = "folklore; early memcached clients",
    .cost = "O(1), 4 bytes a node",
    .option = options,
    .options_size = sizeof(struct modulo_options),
    .open = modulo_open,
};
