/* BinomialHash: the digest's low bits choose a level of a binary tree of E buckets, the power of two that holds N, and a draw the place in that
 * level. A bucket that exists is the answer. Else up to `iterations` further draws among E follow: the first that is neither too high nor in the
 * lower half M = E/2 is the answer; with one in the lower half, or none left, the key takes its place among M.
 *
 * Source: Coluzzi, Brocco, Antonucci and Leidi, "BinomialHash: A Constant Time, Minimal Memory Consistent Hash Algorithm", 2024. Cost: O(1), at most
 * 3 + iterations words; nothing but ids to store. Minimal, but even only where N is a power of two: buckets from M on get less (see the shares).
 *
 * The paper leaves open the hashes and the number of further draws, its omega. Chosen: SplitMix64 with the digest as its seed, word 0 for the
 * level, 1 .. 32 for places in levels, from 33 on for further draws; and 4 of them, as in the authors' Java code (whose rehash is a biased
 * product, so that theirs strays from these shares). */
#include "strategies/engines/names.h"
#include "strategies/engines/numbered.h"

enum { FIRST_DRAW = 33 };

struct binomial_options {
    struct keyed_hash hash;
    uint64_t iterations;
};

#define FIELD(name) .offset = offsetof(struct binomial_options, name)
static const struct option options[] = {
    {.name = "iterations", .type = OPTION_COUNT, FIELD(iterations), .fallback = "4", .min = 0, .max = 64,
     .help = "further draws where a bucket does not exist (the paper's omega): more are more even"},
    {.name = "hash", .type = OPTION_CUSTOM, FIELD(hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H); identity: keys are numbers"},
    {0},
};

static inline uint32_t binomial_bucket(uint64_t digest, uint32_t nodes, uint32_t iterations)
{
    uint32_t mask = numbered_mask(nodes), bits = (uint32_t)rng_at(digest, 0) & mask, bucket = numbered_spread(digest, bits);
    if (bucket < nodes)
        return bucket;
    uint32_t below = mask >> 1;
    for (uint32_t i = 0; i < iterations; i++) {
        bucket = (uint32_t)rng_at(digest, FIRST_DRAW + i) & mask;
        if (bucket <= below)
            break;
        if (bucket < nodes)
            return bucket;
    }
    return numbered_spread(digest, bits & below);
}

/* A draw misses with q = (E-N)/E; bucket j >= M is hit by the first with 1/E and by the next if all before missed: the sum over w + 1 draws is
 * (1 - q^(w+1))/N. What that leaves is even among M. */
static int binomial_shares(const void *state, double *share)
{
    const struct numbered *s = state;
    double n = s->nodes, all = numbered_mask(s->nodes) + 1.0, missed = 1;
    uint32_t lower = numbered_mask(s->nodes) / 2 + 1;
    for (uint32_t i = 0; i <= s->option; i++)
        missed *= (all - n) / all;
    double high = (1 - missed) / n, low = (1 - (n - lower) * high) / lower;
    for (uint32_t i = 0; i < s->nodes; i++)
        share[s->id[i]] = i < lower ? low : high;
    return 0;
}

NUMBERED_ENGINE(binomial, binomial_bucket(digest, nodes, option), binomial_shares)

static int binomial_open(struct placement *p, char why[WHY])
{
    const struct binomial_options *o = p->options;
    take_hash(p, &o->hash);
    return numbered_attach(p, &binomial_engine, (uint32_t)o->iterations, why);
}

const struct strategy strategy_binomial = {
    .name = "binomial",
    .summary = "BinomialHash: minimal, constant time, nearly even; only the last node can leave",
    .source = "Coluzzi, Brocco, Antonucci and Leidi, 2024",
    .cost = "O(1), 4 bytes a node for its id",
    .option = options,
    .options_size = sizeof(struct binomial_options),
    .open = binomial_open,
    .change = numbered_change,
};
