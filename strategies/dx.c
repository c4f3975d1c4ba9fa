/* DxHash (Dong, Wang and Feng, 2021): a key tries seats in a pseudo-random sequence of its own until one is taken. Even, minimal, any node can leave,
 * and a look-up reads one bit a try; but the number of seats a is fixed when it opens.
 *
 * Cost: a/N tries on average; 1 bit a seat, and 4 bytes for the node's id.
 * Exact: tries are even over all seats, so the first that hits is even over the taken ones: 1/N each. Tries end after 28 a; then the key takes
 * the next taken seat in order, which is not even, but that happens to (1 - N/a)^(28 a) < e^-28N of the keys: below 2^-40 for one node, 2^-80
 * for two. The order in which a key asks for seats, tries and walk, depends on no node, so it moves no more than it must.
 * Left open: the generator (here word i of the digest's SplitMix64 stream), how many tries and what then (the authors' program gives up after
 * 4 a and names no node), and which seat an arrival takes (here the one left last; of those never taken the lowest). Their doubling of a full
 * cluster is left out: it moves keys between nodes that stay. */
#include "base/rng.h"
#include "strategies/engines/names.h"
#include "strategies/engines/seats.h"

#include <errno.h>
#include <inttypes.h>

struct dx_options {
    struct keyed_hash hash;
    uint64_t capacity;
};

static const struct option dx_option[] = {
    {.name = "capacity", .type = OPTION_COUNT, .offset = offsetof(struct dx_options, capacity), .fallback = "0", .min = 0, .max = SEATS_MOST,
     .help = "the most nodes there can ever be, a power of two; 0: twice those at opening or the next above, at least 16"},
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct dx_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

struct dx {
    struct seats seats; /* first */
    uint64_t tries;
    uint64_t taken[]; /* a bit a seat */
};

static inline bool dx_taken(const struct dx *d, uint32_t seat)
{
    return d->taken[seat / 64] >> seat % 64 & 1;
}

static void dx_flip(void *state, uint32_t seat)
{
    ((struct dx *)state)->taken[seat / 64] ^= 1ull << seat % 64;
}

static void dx_fill(struct dx *d)
{
    for (uint32_t seat = 0; seat < d->seats.nodes; seat++)
        dx_flip(d, seat);
}

static const struct seats_rule dx_rule = {.leave = dx_flip, .come = dx_flip};

static inline uint32_t dx_try(const struct dx *d, uint64_t digest, uint64_t i)
{
    return (uint32_t)rng_at(digest, i) & (d->seats.count - 1);
}

static inline uint32_t dx_owner(const struct dx *d, uint64_t digest)
{
    uint32_t seat = 0;
    for (uint64_t i = 0; i < d->tries; i++)
        if (dx_taken(d, seat = dx_try(d, digest, i)))
            return d->seats.id[seat];
    for (uint32_t i = 0; i < d->seats.count; i++)
        if (dx_taken(d, seat = (seat + 1) & (d->seats.count - 1)))
            return d->seats.id[seat];
    return NO_NODE;
}

static uint32_t dx_lookup(const void *state, uint64_t digest)
{
    return dx_owner(state, digest);
}

static void dx_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    for (size_t i = 0; i < n; i++)
        id[i] = dx_owner(state, digest[i]);
}

static const struct engine dx_engine = {
    .name = "dx",
    .destroy = seats_destroy,
    .lookup = dx_lookup,
    .lookup_many = dx_lookup_many,
    .shares = seats_shares,
};

static uint64_t dx_power(uint64_t least)
{
    uint64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

static int dx_open(struct placement *p, char why[WHY])
{
    const struct dx_options *o = p->options;
    uint64_t nodes = p->cluster->size, capacity = o->capacity ? o->capacity : dx_power(nodes > 8 ? 2 * nodes : 16);
    take_hash(p, &o->hash);
    if (capacity != dx_power(capacity))
        return fail(why, EINVAL, "capacity=%" PRIu64 " is no power of two; the next that holds %u nodes is %" PRIu64, capacity, p->cluster->size,
                    dx_power(capacity > nodes ? capacity : nodes));
    int e = seats_fit(p->cluster->size, capacity, why);
    if (e)
        return e;
    struct dx *d = seats_create(sizeof *d + (capacity + 63) / 64 * sizeof d->taken[0], &dx_rule, p->cluster, (uint32_t)capacity, why);
    if (!d)
        return -ENOMEM;
    d->tries = 28 * capacity;
    dx_fill(d);
    seats_attach(p, &dx_engine, d);
    return 0;
}

const struct strategy strategy_dx = {
    .name = "dx",
    .summary = "DxHash: tries seats at random until one is taken; even, minimal, any node can leave; the capacity is fixed when opened",
    .source = "Dong, Wang and Feng, 2021",
    .cost = "O(a/N) hashes, 1 bit and 4 bytes a seat (a = capacity)",
    .option = dx_option,
    .options_size = sizeof(struct dx_options),
    .open = dx_open,
    .change = seats_change,
};
