/* AnchorHash (Mendelson, Vargaftik, Barabash, Lorenz, Keslassy and Orda, 2020): even, minimal, any node can leave, and a look-up's time does not
 * grow with the nodes; but the number of seats a is fixed when it opens.
 *
 * A key goes to a seat out of all a. Where that seat b is empty the key is dealt again, among those that were taken just after b had been left, by
 * a hash of its own for b; and so on. A[b] says how many those were (0: b is taken). They are found without lists: place i of the taken ones is
 * seat i, and where seat i had been left before b, the seat K[i] that came into its place, and so on. Seats come back in the reverse order in which they
 * were left, which puts back what their leaving changed.
 *
 * Exact: every node has 1/N. Each of a seats has 1/a of the keys when all are taken; if each of n has 1/n, then when b is left its keys go
 * evenly to the n - 1 others, which have 1/n + 1/(n(n-1)) = 1/(n-1); coming back undoes a leaving. Seats that nobody ever took count as left,
 * the last first. (To within a / 2^64, as words of 64 bits are dealt among a.)
 * Cost: 1 + H(a) - H(N) hashes on average, about 1 + ln(a/N); 20 bytes a seat.
 * Left open: the hashes. Here the digest through SplitMix64's finaliser, then word b of the digest's stream, each brought to a range by
 * multiplication. The paper keeps the removed seats on a stack R; here it is the chain of empty seats. The default a of twice the nodes is ours. */
#include "base/rng.h"
#include "strategies/engines/names.h"
#include "strategies/engines/seats.h"

#include <errno.h>

struct anchor_options {
    struct keyed_hash hash;
    uint64_t capacity;
};

static const struct option anchor_option[] = {
    {.name = "capacity", .type = OPTION_COUNT, .offset = offsetof(struct anchor_options, capacity), .fallback = "0", .min = 0, .max = SEATS_MOST,
     .help = "the most nodes there can ever be; 0: twice those at opening, at least 16"},
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct anchor_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H)"},
    {0},
};

/* The paper's letters. */
struct anchor {
    struct seats seats; /* first */
    uint32_t *A;        /* of each seat: how many were taken just after it was left; 0: it is taken */
    uint32_t *K;        /* of each seat: which came into its place when it was left; itself while it is taken */
    uint32_t *W, *L;    /* the taken seats by place, and each seat's place: W[nodes] .. are what they were before the latest removals */
    uint32_t array[];
};

static void anchor_fill(struct anchor *a)
{
    for (uint32_t b = 0; b < a->seats.count; b++) {
        a->A[b] = b < a->seats.nodes ? 0 : b;
        a->K[b] = a->W[b] = a->L[b] = b;
    }
}

static void anchor_leave(void *state, uint32_t b)
{
    struct anchor *a = state;
    uint32_t n = a->seats.nodes, last = a->W[n];
    a->W[a->L[b]] = last;
    a->L[last] = a->L[b];
    a->K[b] = last;
    a->A[b] = n;
}

static void anchor_come(void *state, uint32_t b)
{
    struct anchor *a = state;
    uint32_t n = a->seats.nodes;
    a->L[a->W[n]] = n;
    a->W[a->L[b]] = b;
    a->K[b] = b;
    a->A[b] = 0;
}

static const struct seats_rule anchor_rule = {.leave = anchor_leave, .come = anchor_come};

static inline uint32_t anchor_first(const struct anchor *a, uint64_t digest)
{
    return (uint32_t)rng_upto(rng_mix(digest), a->seats.count - 1);
}

/* From empty seat b to one that was left later or is taken; NO_NODE: the arrays are none of this algorithm's, where each seat is replaced by one that is left
 * later. So A falls with every step, here and from call to call, and look-ups end. */
static inline uint32_t anchor_next(const struct anchor *a, uint32_t b, uint64_t digest)
{
    uint32_t size = a->A[b], h = (uint32_t)rng_upto(rng_at(digest, b), size - 1);
    while (a->A[h] >= size) {
        uint32_t heir = a->K[h];
        if (a->A[heir] >= a->A[h])
            return NO_NODE;
        h = heir;
    }
    return h;
}

static inline uint32_t anchor_owner(const struct anchor *a, uint64_t digest)
{
    uint32_t b = anchor_first(a, digest);
    while (a->A[b] > 0)
        if ((b = anchor_next(a, b, digest)) == NO_NODE)
            return NO_NODE;
    return a->seats.id[b];
}

static uint32_t anchor_lookup(const void *state, uint64_t digest)
{
    return anchor_owner(state, digest);
}

static void anchor_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    for (size_t i = 0; i < n; i++)
        id[i] = anchor_owner(state, digest[i]);
}

static const struct engine anchor_engine = {
    .name = "anchor",
    .destroy = seats_destroy,
    .lookup = anchor_lookup,
    .lookup_many = anchor_lookup_many,
    .shares = seats_shares,
};

static int anchor_open(struct placement *p, char why[WHY])
{
    const struct anchor_options *o = p->options;
    uint64_t nodes = p->cluster->size, capacity = o->capacity ? o->capacity : nodes > 8 ? 2 * nodes : 16;
    take_hash(p, &o->hash);
    int e = seats_fit(p->cluster->size, capacity, why);
    if (e)
        return e;
    struct anchor *a = seats_create(sizeof *a + 4 * capacity * sizeof a->array[0], &anchor_rule, p->cluster, (uint32_t)capacity, why);
    if (!a)
        return -ENOMEM;
    a->A = a->array;
    a->K = a->A + capacity;
    a->W = a->K + capacity;
    a->L = a->W + capacity;
    anchor_fill(a);
    seats_attach(p, &anchor_engine, a);
    return 0;
}

const struct strategy strategy_anchor = {
    .name = "anchor",
    .summary = "AnchorHash: even, minimal, any node can leave; the capacity is fixed when opened",
    .source = "Mendelson et al., 2020",
    .cost = "O(1 + ln(a/N)) hashes, 20 bytes a seat (a = capacity)",
    .option = anchor_option,
    .options_size = sizeof(struct anchor_options),
    .open = anchor_open,
    .change = seats_change,
};
