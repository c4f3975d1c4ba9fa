/* Numbered buckets: a pure function bucket(digest, N) says which of the nodes 0 .. N-1, in configuration order, and nothing is stored but their
 * ids. A number cannot be missing in the middle, so only the last node can leave and new ones come last. */
#ifndef STRATEGIES_ENGINES_NUMBERED_H
#define STRATEGIES_ENGINES_NUMBERED_H

#include "base/mem.h"
#include "base/rng.h"
#include "strategies/strategy.h"

struct numbered {
    uint32_t nodes, option; /* option: what the bucket function takes besides, if anything */
    uint32_t id[];
};

/* Defines NAME_engine. BUCKET is an expression in uint64_t digest and uint32_t nodes and option that stands in the loop over keys as it is: a
 * pointer to a function would cost an indirect call a key. SHARES: numbered_shares, or the strategy's own. */
#define NUMBERED_ENGINE(NAME, BUCKET, SHARES)                                                            \
    NUMBERED_ENGINE_MANY(NAME, BUCKET, for (size_t i = 0; i < n; i++) {                                  \
        uint64_t digest = digests[i];                                                                    \
        bucket[i] = BUCKET;                                                                              \
    }, SHARES)

/* The same with a statement MANY of its own for the buckets of n digests. */
#define NUMBERED_ENGINE_MANY(NAME, BUCKET, MANY, SHARES)                                                 \
    static uint32_t NAME##_lookup(const void *state, uint64_t digest)                                    \
    {                                                                                                    \
        const struct numbered *numbered = state;                                                         \
        const uint32_t nodes = numbered->nodes, option = numbered->option;                               \
        (void)option;                                                                                    \
        return numbered->id[BUCKET];                                                                     \
    }                                                                                                    \
    static void NAME##_lookup_many(const void *state, const uint64_t *digests, size_t n, uint32_t *bucket) \
    {                                                                                                    \
        const struct numbered *numbered = state;                                                         \
        const uint32_t nodes = numbered->nodes, option = numbered->option;                               \
        (void)option;                                                                                    \
        MANY;                                                                                            \
        for (size_t i = 0; i < n; i++)                                                                   \
            bucket[i] = numbered->id[bucket[i]];                                                         \
    }                                                                                                    \
    static const struct engine NAME##_engine = {                                                         \
        .name = #NAME, .destroy = mem_free, .lookup = NAME##_lookup, .lookup_many = NAME##_lookup_many, .shares = SHARES, \
    };

/* Attaches the engine to p for its cluster and sets caps, law, and the warning that weights are ignored. 0 or -ENOMEM. */
int numbered_attach(struct placement *p, const struct engine *engine, uint32_t option, char why[WHY]);

/* A strategy's change(): nodes come and leave at the end; -EINVAL for all else. */
int numbered_change(struct placement *p, const struct cluster *after, char why[WHY]);

/* 1/N each. */
int numbered_shares(const void *state, double *share);

/* What a strategy needs whose only option is the key's hash: these, numbered_change, and its engine as .data. */
struct numbered_options {
    struct keyed_hash hash;
};
extern const struct option numbered_options[];
int numbered_open(struct placement *p, char why[WHY]);

/* The bits that number the smallest power of two of buckets that holds nodes (>= 1). */
static inline uint32_t numbered_mask(uint32_t nodes)
{
    return nodes > 1 ? UINT32_MAX >> __builtin_clz(nodes - 1) : 0;
}

/* Level l is buckets 2^l .. 2^(l+1)-1, one level after bucket 0. */
static inline uint32_t numbered_level(uint32_t bucket)
{
    return 31 - (uint32_t)__builtin_clz(bucket);
}

/* bits brought to a place in their level that the digest draws: where a level is added, a key stays or moves into it. Takes words 1 .. 32 of the
 * digest's stream. */
static inline uint32_t numbered_spread(uint64_t digest, uint32_t bits)
{
    if (!bits)
        return 0;
    uint32_t level = numbered_level(bits), first = 1u << level;
    return first | ((uint32_t)rng_at(digest, 1 + level) & (first - 1));
}

#endif
