/* Bounded loads over any strategy: no node holds more than 1 + eps times its fair share of the keys placed so far.
 *
 * A key goes to the first node of its preference list below capacity: ceil((1 + eps) (total + 1) w / W), where total is what all hold
 * before it and w / W the node's part of the weights (1 / N where over= knows none). The list is that of replicas, asked for 2, 4, 8 ..
 * nodes, or else the owners of salted digests. Where it has no more, members are tried in configuration order; one always has room.
 *
 * Source: Mirrokni, Thorup, Zadimoghaddam, "Consistent Hashing with Bounded Loads", 2016.
 * Cost: over='s look-up while the first choice has room, else a list that ends behind the full nodes; 8 bytes a node and 2 kB more.
 * Exact: single placements only, since all depends on the order of the keys. lookup() answers the first choice, as if nothing were full.
 *
 * The paper has a ring alone, moves keys already placed so that each is where its list says at any time, and rounds some capacities
 * down. Here, as in the load balancers that took the idea up, a key stays where it came under that moment's capacity, always rounded
 * up; and each request counts as a key, so that one asked for again may go elsewhere. */
#include "strategies/engines/choices.h"
#include "strategies/engines/loaded.h"

#include "base/mem.h"

#include <errno.h>

struct bounded_options {
    struct loaded_options loaded;
    double eps;
};

struct bounded {
    struct loaded loaded;
    double limit; /* 1 + eps */
};

static const struct option options[] = {
    LOADED_OVER,
    {.name = "eps", .type = OPTION_REAL, .offset = offsetof(struct bounded_options, eps), .fallback = "0.25", .min = 1e-4, .max = 1e6, .always = true,
     .help = "how far above its fair share a node may go: 0.25 is 25 %"},
    LOADED_HASH,
    {0},
};

/* Without ceil(): no library decides. A product that should be whole (1.1 * 100 / 10) may come out a few units of the last place above it. */
static uint64_t bounded_capacity(const void *state, uint32_t id, uint64_t total)
{
    const struct bounded *b = state;
    double x = b->limit * ((double)(total + 1) * b->loaded.room->weight[id]) / b->loaded.room->total;
    x -= x * 0x1p-50;
    uint64_t whole = x < 0x1p63 ? (uint64_t)x : INT64_MAX;
    return whole + ((double)whole < x);
}

static bool has_room(const struct bounded *b, uint32_t id, const uint64_t *load, uint64_t total)
{
    return load[id] < bounded_capacity(b, id, total);
}

/* The first of the further choices that has room; NO_NODE: none. */
static uint32_t next_listed(const struct bounded *b, uint64_t digest, const uint64_t *load, uint64_t total)
{
    const struct placement *p = &b->loaded.inner.p;
    uint32_t *list = b->loaded.room->list;
    size_t nodes = p->cluster->size, seen = 1;
    for (size_t k = 2; seen < nodes; k *= 2) {
        size_t most = k < nodes ? k : nodes, n = p->engine->replicas(p->state, digest, list, most);
        for (; seen < n; seen++)
            if (has_room(b, list[seen], load, total))
                return list[seen];
        if (n < most)
            break;
    }
    return NO_NODE;
}

/* Likewise. Nodes met again are still full; of two with room one is met but for a chance of e^-16. */
static uint32_t next_salted(const struct bounded *b, uint64_t digest, const uint64_t *load, uint64_t total)
{
    for (uint64_t try = 1, most = 8 * (uint64_t)b->loaded.inner.p.cluster->size; try <= most; try++) {
        uint32_t id = choice_at(&b->loaded.inner.p, digest, try);
        if (id != NO_NODE && has_room(b, id, load, total))
            return id;
    }
    return NO_NODE;
}

static uint32_t bounded_lookup_loaded(const void *state, uint64_t digest, const uint64_t *load, uint64_t total)
{
    const struct bounded *b = state;
    const struct placement *p = &b->loaded.inner.p;
    uint32_t first = p->engine->lookup(p->state, digest);
    if (first == NO_NODE || has_room(b, first, load, total))
        return first;
    uint32_t id = p->engine->replicas ? next_listed(b, digest, load, total) : next_salted(b, digest, load, total);
    for (uint32_t i = 0; i < p->cluster->size && id == NO_NODE; i++)
        if (has_room(b, p->cluster->node[i].id, load, total))
            id = p->cluster->node[i].id;
    return id == NO_NODE ? first : id;
}

#define BOUNDED                                                                                                \
    .name = "bounded", .destroy = loaded_destroy, .lookup = loaded_lookup, .lookup_many = loaded_lookup_many, \
    .lookup_loaded = bounded_lookup_loaded, .capacity = bounded_capacity
static const struct engine salted_engine = {BOUNDED}, listed_engine = {BOUNDED, .replicas = loaded_replicas};

static int bounded_open(struct placement *p, char why[WHY])
{
    struct bounded *b = mem_alloc(1, sizeof *b);
    if (!b)
        return fail(why, ENOMEM, "no memory to bound loads");
    b->loaded.salted = &salted_engine;
    b->loaded.listed = &listed_engine;
    b->limit = 1 + ((const struct bounded_options *)p->options)->eps;
    return loaded_open(p, &b->loaded, why);
}

const struct strategy strategy_bounded = {
    .name = "bounded",
    .summary = "bounded loads over any strategy: no node above 1 + eps of its fair share, full ones pass keys on",
    .source = "Mirrokni, Thorup, Zadimoghaddam, 2016",
    .cost = "that of over= while nodes have room; 8 bytes a node and 2 kB more",
    .option = options,
    .options_size = sizeof(struct bounded_options),
    .open = bounded_open,
    .change = loaded_change,
};
