/* MementoHash (Coluzzi, Brocco, Antonucci and Leidi, 2023): jump, with a memory of the nodes that left, so that any can. Even and minimal, no
 * capacity to choose, and nothing to remember until a node other than the last one leaves.
 *
 * Jump gives a seat b out of n. Where b was left, the key is dealt again among those that were taken just after, by a hash of its own for b;
 * and so on. All that is kept of a leaving is how many those were, `size`: place i of them is seat i, and where seat i had been left before b
 * with size r, then seat r had come into its place, and so on. Seats come back in the reverse order in which they were left. The last seat
 * just goes when no other is empty, as in jump.
 *
 * Exact: every node has 1/N, as jump's seats have 1/n; and if each of m has 1/m, then when b is left its keys go evenly to the m - 1 others,
 * which have 1/m + 1/(m(m-1)) = 1/(m-1). Coming back undoes a leaving.
 * Cost: jump's H(n) divisions, then at most (1 + ln(n/N))^2 steps on average; 4 bytes a seat for the ids, 16 to 32 a removal. That table grows,
 * but does not shrink.
 * Left open: the base algorithm (here jump as published, on the digest itself: without removals this is jump), the hashes (word b of the
 * digest's SplitMix64 stream, brought to a range by multiplication) and the table (open addressing, at most half full). */
#include "base/mem.h"
#include "base/rng.h"
#include "strategies/engines/jump.h"
#include "strategies/engines/names.h"
#include "strategies/engines/seats.h"

#include <errno.h>
#include <string.h>

struct memento_options {
    struct keyed_hash hash;
};

static const struct option memento_option[] = {
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct memento_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

#define TAKEN UINT32_MAX /* the size of a seat that nobody left */

struct memento {
    struct seats seats; /* first */
    struct removal {
        uint32_t seat, size; /* NO_NODE, TAKEN: no entry */
    } *removal;          /* NULL: there was none yet */
    uint32_t mask;
};

static inline uint32_t memento_home(uint32_t seat, uint32_t mask)
{
    return (uint32_t)(seat * RNG_GOLDEN >> 32) & mask;
}

/* A seat's entry, or where it belongs. */
static inline struct removal *memento_find(struct removal *removal, uint32_t mask, uint32_t seat)
{
    uint32_t i = memento_home(seat, mask);
    while (removal[i].seat != seat && removal[i].seat != NO_NODE)
        i = (i + 1) & mask;
    return &removal[i];
}

static void memento_leave(void *state, uint32_t seat)
{
    struct memento *m = state;
    *memento_find(m->removal, m->mask, seat) = (struct removal){seat, m->seats.nodes};
}

/* Closes the gap that the entry leaves, as far as others were pushed over it. */
static void memento_come(void *state, uint32_t seat)
{
    struct memento *m = state;
    struct removal *t = m->removal;
    uint32_t mask = m->mask, gap = (uint32_t)(memento_find(t, mask, seat) - t);
    for (uint32_t i = (gap + 1) & mask; t[i].seat != NO_NODE; i = (i + 1) & mask)
        if (((i - memento_home(t[i].seat, mask)) & mask) >= ((i - gap) & mask)) {
            t[gap] = t[i];
            gap = i;
        }
    t[gap] = (struct removal){NO_NODE, TAKEN};
}

/* A table with the entries of m's, at most half full with `removals`; NULL: no memory. */
static struct removal *memento_table(const struct memento *m, uint32_t removals, uint32_t *mask)
{
    *mask = 7;
    while (*mask / 2 < removals)
        *mask = *mask * 2 + 1;
    struct removal *t = mem_alloc((size_t)*mask + 1, sizeof *t);
    if (!t)
        return NULL;
    memset(t, 0xff, ((size_t)*mask + 1) * sizeof *t);
    for (uint32_t i = 0; m->removal && i <= m->mask; i++)
        if (m->removal[i].seat != NO_NODE)
            *memento_find(t, *mask, m->removal[i].seat) = m->removal[i];
    return t;
}

static int memento_reserve(void *state, uint32_t leaving, uint32_t nodes, char why[WHY])
{
    struct memento *m = state;
    uint32_t removals = m->seats.count - m->seats.nodes + leaving, mask = m->mask, count = m->seats.count;
    bool grow = leaving > 0 && (!m->removal || mask / 2 < removals);
    struct removal *t = grow ? memento_table(m, removals, &mask) : m->removal;
    uint32_t *id = nodes > count && (t || !grow) ? mem_resize(m->seats.id, nodes, sizeof *id) : m->seats.id;
    if ((grow && !t) || !id) {
        if (grow)
            mem_free(t);
        return fail(why, ENOMEM, "no memory for %u seats of which %u are empty", nodes > count ? nodes : count, removals);
    }
    if (grow)
        mem_free(m->removal);
    m->removal = t;
    m->mask = mask;
    m->seats.id = id;
    return 0;
}

static const struct seats_rule memento_rule = {.leave = memento_leave, .come = memento_come, .reserve = memento_reserve};

/* From the digest's first seat b. Ends: `size` falls from turn to turn. Within one, different seats lead to different seats (no two have the same size), and none leads back
 * to the first, which is below `among` where they are not. */
static inline uint32_t memento_seat(const struct memento *m, uint64_t digest, uint32_t b)
{
    uint32_t size = m->seats.left == NO_NODE ? TAKEN : memento_find(m->removal, m->mask, b)->size;
    while (size != TAKEN) {
        uint32_t among = size;
        b = (uint32_t)rng_upto(rng_at(digest, b), among - 1);
        while ((size = memento_find(m->removal, m->mask, b)->size) != TAKEN && size >= among)
            b = size;
    }
    return b;
}

static uint32_t memento_lookup(const void *state, uint64_t digest)
{
    const struct memento *m = state;
    return m->seats.id[memento_seat(m, digest, jump_bucket(digest, m->seats.count))];
}

static void memento_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct memento *m = state;
    jump_many(digest, n, m->seats.count, false, id);
    for (size_t i = 0; i < n; i++)
        id[i] = m->seats.id[memento_seat(m, digest[i], id[i])];
}

static void memento_destroy(void *state)
{
    mem_free(((struct memento *)state)->removal);
    seats_destroy(state);
}

static const struct engine memento_engine = {
    .name = "memento",
    .destroy = memento_destroy,
    .lookup = memento_lookup,
    .lookup_many = memento_lookup_many,
    .shares = seats_shares,
};

static int memento_open(struct placement *p, char why[WHY])
{
    const struct memento_options *o = p->options;
    take_hash(p, &o->hash);
    struct memento *m = seats_create(sizeof *m, &memento_rule, p->cluster, p->cluster->size, why);
    if (!m)
        return -ENOMEM;
    seats_attach(p, &memento_engine, m);
    return 0;
}

const struct strategy strategy_memento = {
    .name = "memento",
    .summary = "MementoHash: jump, and a memory of the nodes that left, so that any can; no capacity",
    .source = "Coluzzi, Brocco, Antonucci and Leidi, 2023",
    .cost = "O(log N + ln^2(n/N)), 4 bytes a seat and 16 to 32 a removal (n seats)",
    .option = memento_option,
    .options_size = sizeof(struct memento_options),
    .open = memento_open,
    .change = seats_change,
};
