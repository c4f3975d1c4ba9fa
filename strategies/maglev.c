/* Maglev hashing (Eisenbud et al., NSDI 2016): digest mod a prime, and a table that all nodes filled in turns.
 *
 * Even to one cell for equal nodes; a change moves what it must and a little more, less with a larger table (100 cells a node and
 * more, says the paper). Turns go in configuration order. The paper leaves the hashes of a node's first cell and skip open, and weights too: here
 * they are XXH64 of the name with seeds 0 and 1, whatever hash= the keys have, and weights as in Envoy. */
#include "strategies/engines/maglev.h"

struct maglev_options {
    struct keyed_hash hash;
    uint64_t table;
};

static const struct option options[] = {
    MAGLEV_TABLE(offsetof(struct maglev_options, table), "65537", 16777216),
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct maglev_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H); nodes are placed by xxh64"},
    {0},
};

static int maglev_open(struct placement *p, char why[WHY])
{
    const struct maglev_options *o = p->options;
    if (o->hash.hash)
        p->key.hash = o->hash;
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL;
    p->law = LAW_FIXED;
    return maglev_attach_names(p, o->table, p->cluster->node, p->cluster->size, 1, why);
}

const struct strategy strategy_maglev = {
    .name = "maglev",
    .summary = "a prime table filled by all nodes in turns: even, and moves little more than it must",
    .source = "Eisenbud et al., NSDI 2016",
    .cost = "O(1), 4 bytes a cell",
    .option = options,
    .options_size = sizeof(struct maglev_options),
    .open = maglev_open,
};
