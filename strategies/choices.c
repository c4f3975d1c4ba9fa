/* Two choices over any strategy: a request goes to whichever of its key's first copies has the least load.
 *
 * The key's first `of` nodes are those of replicas(), or else the owners of salted digests. Of them the one with the least load over its weight
 * takes the request; of equals the earlier in the list. A node known to be down takes none. So the nodes that hold a key's copies share its
 * requests, and what no placement can spread, one hot key, is spread over `of` nodes. All its copies must be there, as for reading.
 *
 * Source: Azar, Broder, Karlin, Upfal, "Balanced Allocations", STOC 1994; Mitzenmacher, "The Power of Two Choices in Randomized Load
 * Balancing", 2001: with n keys alike on n nodes the fullest holds ln ln n / ln of + O(1), where one choice gives ln n / ln ln n.
 * Cost: over='s look-up of `of` copies and as many loads asked; 8 bytes a node and 2 kB more.
 * Exact: single placements only, since all depends on the order of the requests. lookup() answers the first choice. */
#include "strategies/engines/choices.h"
#include "strategies/engines/loaded.h"

#include "base/mem.h"

#include <errno.h>

enum { OF_MAX = 16 };

struct choices_options {
    struct loaded_options loaded;
    uint64_t of;
};

struct choices {
    struct loaded loaded;
    size_t of;
};

static const struct option options[] = {
    LOADED_OVER,
    {.name = "of", .type = OPTION_COUNT, .offset = offsetof(struct choices_options, of), .fallback = "2", .min = 2, .max = OF_MAX, .always = true,
     .help = "how many of a key's copies are asked for their load"},
    LOADED_HASH,
    {0},
};

/* load[a] / weight[a] < load[b] / weight[b]; a weight of 0 holds infinitely much. */
static bool lighter(const struct room *r, const uint64_t *load, uint32_t a, uint32_t b)
{
    __extension__ typedef unsigned __int128 wide;
    return r->weight[a] && (!r->weight[b] || (wide)load[a] * r->weight[b] < (wide)load[b] * r->weight[a]);
}

static size_t choices_among(const void *state)
{
    return ((const struct choices *)state)->of;
}

static uint32_t choices_lookup_loaded(const void *state, uint64_t digest, const uint64_t *load, uint64_t total)
{
    const struct choices *c = state;
    const struct placement *p = &c->loaded.inner.p;
    uint32_t list[OF_MAX], best = NO_NODE;
    size_t want = c->of < p->cluster->size ? c->of : p->cluster->size;
    size_t n = p->engine->replicas ? p->engine->replicas(p->state, digest, list, want) : choices(p, digest, list, want);
    (void)total;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || lighter(c->loaded.room, load, list[i], best))
            best = list[i];
    return best;
}

#define CHOICES                                                                                               \
    .name = "choices", .destroy = loaded_destroy, .lookup = loaded_lookup, .lookup_many = loaded_lookup_many, \
    .lookup_loaded = choices_lookup_loaded, .among = choices_among
static const struct engine salted_engine = {CHOICES}, listed_engine = {CHOICES, .replicas = loaded_replicas};

static int choices_open(struct placement *p, char why[WHY])
{
    struct choices *c = mem_alloc(1, sizeof *c);
    if (!c)
        return fail(why, ENOMEM, "no memory to choose by load");
    c->loaded.salted = &salted_engine;
    c->loaded.listed = &listed_engine;
    c->of = (size_t)((const struct choices_options *)p->options)->of;
    return loaded_open(p, &c->loaded, why);
}

const struct strategy strategy_choices = {
    .name = "choices",
    .summary = "two choices over any strategy: a request goes to the least loaded of its key's first copies",
    .source = "Azar et al., STOC 1994; Mitzenmacher, 2001",
    .cost = "over='s copies and their loads asked; 8 bytes a node and 2 kB more",
    .option = options,
    .options_size = sizeof(struct choices_options),
    .open = choices_open,
    .change = loaded_change,
};
