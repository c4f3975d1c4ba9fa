/* Jump consistent hash (Lamping and Veach, 2014): even, minimal, and nothing to store; but nodes are numbers,
 * so only the last can leave. Weights are not known.
 *
 * The digest is the algorithm's 64-bit key: hash=identity takes the key's own number, as the published code does. A narrow hash
 * is a poor seed: it leaves the generator few places to start from. */
#include "strategies/engines/jump.h"

struct jump_options {
    struct keyed_hash hash;
};

static const struct option options[] = {
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct jump_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H); identity: keys are numbers, as in the paper"},
    {0},
};

static int jump_open(struct placement *p, char why[WHY])
{
    const struct jump_options *o = p->options;
    if (o->hash.hash)
        p->key.hash = o->hash;
    return jump_attach(p, false, why);
}

const struct strategy strategy_jump = {
    .name = "jump",
    .summary = "jump consistent hash: even, minimal, stores nothing; only the last node can leave",
    .source = "Lamping and Veach, 2014",
    .cost = "O(log N), no memory",
    .option = options,
    .options_size = sizeof(struct jump_options),
    .open = jump_open,
    .change = jump_change,
};
