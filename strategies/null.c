/* Null: every key goes to the first node. Places nothing worth having; its row shows
 * what the harness itself costs, so that nobody takes the harness for the strategy. */
#include "strategies/strategy.h"

#include "base/mem.h"

#include <errno.h>

static uint32_t null_lookup(const void *state, uint64_t digest)
{
    (void)digest;
    return *(const uint32_t *)state;
}

static void null_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    uint32_t only = *(const uint32_t *)state;
    (void)digest;
    for (size_t i = 0; i < n; i++)
        id[i] = only;
}

static size_t null_ranges(const void *state, size_t from, struct range *r, size_t n)
{
    if (from > 0 || n == 0)
        return 0;
    *r = (struct range){0, UINT64_MAX, *(const uint32_t *)state};
    return 1;
}

static const struct engine null_engine = {
    .name = "null",
    .destroy = mem_free,
    .lookup = null_lookup,
    .lookup_many = null_lookup_many,
    .ranges = null_ranges,
};

static int null_open(struct placement *p, char why[WHY])
{
    uint32_t *only = mem_alloc(1, sizeof *only);
    if (!only)
        return fail(why, ENOMEM, "no memory");
    *only = p->cluster->node[0].id;
    p->engine = &null_engine;
    p->state = only;
    p->caps = CAP_FLOOR | CAP_ANY_REMOVAL;
    return 0;
}

const struct strategy strategy_null = {
    .name = "null",
    .summary = "every key to the first node: shows the harness's own cost",
    .source = "-",
    .cost = "O(1), 4 bytes",
    .open = null_open,
};
