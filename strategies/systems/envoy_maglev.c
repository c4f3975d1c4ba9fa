/* Envoy's maglev: the table of engines/maglev, filled by hosts sorted by the bytes of their text, so that the order of
 * configuration does not matter ("10.0.0.10:80" has its turn before "10.0.0.9:80"), weights divided by their sum.
 *
 * Keys are hashed by XXH64. Not covered: localities, retries (a retry's digest is xored), hash_balance_factor. */
#include "base/mem.h"
#include "model/hashes.h"
#include "strategies/engines/maglev.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct envoy_maglev_options {
    uint64_t table;
};

static const struct option options[] = {
    MAGLEV_TABLE(offsetof(struct envoy_maglev_options, table), "65537", 5000011), /* Envoy's limit */
    {0},
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static int envoy_maglev_open(struct placement *p, char why[WHY])
{
    const struct envoy_maglev_options *o = p->options;
    const struct cluster *c = p->cluster;
    struct node *sorted = mem_alloc(c->size, sizeof *sorted);
    if (!sorted)
        return fail(why, ENOMEM, "no memory to sort %u hosts", c->size);
    memcpy(sorted, c->node, c->size * sizeof *sorted);
    qsort(sorted, c->size, sizeof *sorted, by_name);
    int e = maglev_attach_names(p, o->table, sorted, c->size, (double)cluster_weight(c), why);
    mem_free(sorted);
    p->key.hash = (struct keyed_hash){&hash_xxh64, 0};
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL;
    p->law = LAW_FIXED;
    return e;
}

const struct strategy strategy_envoy_maglev = {
    .name = "envoy-maglev",
    .summary = "Envoy's maglev: a table of 65537 cells filled by weight, hosts sorted by text",
    .source = "Envoy, maglev load balancer",
    .version = "maglev_lb.cc at 104df3de",
    .cost = "O(1), 4 bytes a cell",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct envoy_maglev_options),
    .open = envoy_maglev_open,
};
