/* Look-ups timed in three ways: many at a time, one after the other, and in single batches for the tail. No thread but this one runs. */
#include "experiments/latency_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "experiments/feed.h"
#include "experiments/timing.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    TAIL_BATCHES = 4096,   /* single batches a repetition, warm */
    SWEPT_BATCHES = 32,    /* the same where each comes after milliseconds of sweeping */
    SWEPT_FULL = 8,        /* batches of BATCH look-ups then */
    VISITED_LOOKUPS = 2048, /* look-ups a repetition beside the neighbour, which takes microseconds for each */
    CHAIN_PART = 8,        /* dependent look-ups a repetition: so many times fewer */
    TRIES = 11,
    RARE_BATCHES = 10000,  /* for a 99.9th percentile: ten of them lie beyond */
};
#define REPETITION_NS 4e6 /* about what a repetition may take: what visits every node is asked less */
#define CLOCK_PARTS 4     /* a batch takes at least so many times what the clock does */

int latency_hashing(struct rig *b, const struct placement *p, const struct workload *w, struct table *t, char why[WHY])
{
    bool plain;
    struct timing all = {.count = 0};
    size_t n = b->block.count, rounds = 1 + TIMED_KEYS / n;
    for (size_t r = 0; r <= b->reps; r++) {
        size_t invalid = 0;
        uint64_t from = clock_ns();
        for (size_t k = 0; k < rounds; k++)
            invalid += placement_digests(p, b->block.text, b->block.len, n, b->digest, b->verdict, &plain);
        if (r > 0) /* the first is a warm-up */
            timing_add(&all, (double)(clock_ns() - from) / (double)(rounds * n));
        timing_use(b->digest[n - 1]);
        if (invalid)
            return feed_refuse(p, w, &b->block, b->verdict, &n, why);
    }
    timing_columns(&all, t, COL(hash_ns), COL(hash_min_ns), COL(hash_p95_ns));
    return 0;
}

/* Batches of n look-ups from batch number `first` on; ns a look-up of each go to batch[]. Returns their mean. */
static double run_batches(struct rig *b, const struct placement *p, enum cache_state state, size_t n, size_t first, size_t batches, double *batch)
{
    uint64_t at_hand[BATCH];
    uint32_t owner[BATCH];
    void (*const lookup_many)(const void *, const uint64_t *, size_t, uint32_t *) = p->engine->lookup_many;
    const void *const strategy = p->state;
    double total = 0;
    for (size_t k = 0; k < batches; k++) {
        rig_disturb(b, state, n);
        /* Who asks has just hashed its keys, and room for the answers: only the strategy is cold. */
        memcpy(at_hand, b->digest + (first + k) * n % TIMED_KEYS, n * sizeof *at_hand);
        memset(owner, 0, n * sizeof *owner);
        uint64_t from = clock_ns();
        lookup_many(strategy, at_hand, n, owner);
        batch[k] = (double)(clock_ns() - from) / (double)n;
        total += batch[k];
        timing_use(owner[n - 1]);
    }
    return total / (double)batches;
}

/* All keys in large batches: the throughput, free of the clock. */
static double run_throughput(struct rig *b, const struct placement *p)
{
    uint64_t from = clock_ns();
    for (size_t k = 0; k < b->keys; k += KEY_BLOCK)
        p->engine->lookup_many(p->state, b->digest + k, b->keys < KEY_BLOCK ? b->keys : KEY_BLOCK, b->owner + k);
    double ns = (double)(clock_ns() - from) / (double)b->keys;
    timing_use(b->owner[b->keys - 1]);
    return ns;
}

static double run_chain(struct rig *b, const struct placement *p, enum cache_state state, uint64_t start)
{
    uint64_t last = p->key.hash.hash->last, digest = rng_upto(start, last);
    size_t n = state == CACHE_WARM ? b->keys / CHAIN_PART : BATCH;
    rig_disturb(b, state, n);
    uint64_t from = clock_ns();
    for (size_t k = 0; k < n; k++)
        digest = rng_upto(rng_mix(digest + RNG_GOLDEN + p->engine->lookup(p->state, digest)), last);
    double ns = (double)(clock_ns() - from) / (double)n;
    timing_use(digest);
    return ns;
}

/* Chooses how many keys a repetition looks up. The fastest of a few tries: one that the machine held up would leave so few keys that branch
 * predictors learn them by heart, and a look-up would seem several times faster than it is. */
static void measure_pace(struct rig *b, const struct placement *p)
{
    double ns = INFINITY;
    b->keys = BATCH;
    for (int k = 0; k < TRIES; k++)
        ns = fmin(ns, run_throughput(b, p));
    for (b->keys = TIMED_KEYS; b->keys > 4 * BATCH && (double)b->keys * ns > REPETITION_NS;)
        b->keys /= 2;
}

/* The fewest look-ups that the clock does not outweigh: the fewer, the less of the tail is averaged away. */
static size_t tail_batch(struct rig *b, const struct placement *p, enum cache_state state)
{
    size_t n = 1;
    for (size_t first = 0; n < BATCH; n *= 2, first += TRIES) {
        double ns[TRIES];
        run_batches(b, p, state, n, first, TRIES, ns);
        stats_sort(ns, TRIES);
        if (ns[TRIES / 2] * (double)n >= CLOCK_PARTS * b->clock.cost_ns)
            break;
    }
    return n;
}

/* How many batches of n look-ups a repetition affords. */
static size_t batches_of(const struct rig *b, enum cache_state state, size_t n)
{
    size_t swept = n == BATCH ? SWEPT_FULL : SWEPT_BATCHES, due = b->keys / n;
    size_t most = state == CACHE_WARM ? TAIL_BATCHES : state == CACHE_COLD ? swept : VISITED_LOOKUPS / n;
    return most < due ? most : due;
}

static void tail_columns(const struct rig *b, double *batch, size_t batches, size_t n, struct table *t)
{
    stats_sort(batch, batches);
    table_real(t, COL(p50_ns), stats_quantile(batch, batches, 0.50));
    table_real(t, COL(p99_ns), stats_quantile(batch, batches, 0.99));
    if (batches >= RARE_BATCHES)
        table_real(t, COL(p999_ns), stats_quantile(batch, batches, 0.999));
    table_count(t, COL(batch), n);
    table_real(t, COL(clock_ns), b->clock.cost_ns);
    table_real(t, COL(clock_step_ns), b->clock.step_ns);
}

int latency_lookups(struct rig *b, const struct placement *p, enum cache_state state, struct table *t, char why[WHY])
{
    struct timing lookup = {.count = 0}, chain = {.count = 0};
    for (size_t i = 0; i < TIMED_KEYS; i++)
        b->digest[i] = rng_upto(rng_at(1, i), p->key.hash.hash->last);
    measure_pace(b, p);
    size_t n = tail_batch(b, p, state), batches = batches_of(b, state, n), full = batches_of(b, state, BATCH);
    double *batch = mem_alloc(b->reps * batches + full, sizeof *batch);
    if (!batch)
        return fail(why, ENOMEM, "no memory to time look-ups");
    double *spare = batch + b->reps * batches;
    run_throughput(b, p); /* warm-up */
    for (size_t r = 0; r < b->reps; r++) {
        timing_add(&lookup, state == CACHE_WARM ? run_throughput(b, p) : run_batches(b, p, state, BATCH, r * full, full, spare));
        timing_add(&chain, run_chain(b, p, state, rng_at(2, r)));
        run_batches(b, p, state, n, r * batches, batches, batch + r * batches);
    }
    timing_columns(&lookup, t, COL(lookup_ns), COL(lookup_min_ns), COL(lookup_p95_ns));
    timing_columns(&chain, t, COL(dependent_ns), COL(dependent_min_ns), COL(dependent_p95_ns));
    table_real(t, COL(lookup_spread), timing_spread(&lookup));
    tail_columns(b, batch, b->reps * batches, n, t);
    table_count(t, COL(reps), b->reps);
    mem_free(batch);
    return 0;
}

/* Apart from the timed look-ups, which counting would hold up. */
void latency_counts(struct rig *b, const struct placement *p, enum cache_state state, struct table *t)
{
    static const struct column *const column[COUNTERS] = {
        [COUNTER_INSTRUCTIONS] = COL(instructions),
        [COUNTER_CYCLES] = COL(cycles),
        [COUNTER_CACHE_MISSES] = COL(cache_misses),
        [COUNTER_BRANCH_MISSES] = COL(branch_misses),
    };
    size_t n = state == CACHE_WARM ? b->keys : BATCH, batches = state == CACHE_WARM ? 1 : batches_of(b, state, BATCH);
    struct counters c;
    counters_open(&c, b->event);
    for (size_t k = 0; k < batches && counters_any(&c); k++) {
        rig_disturb(b, state, n);
        counters_start(&c);
        p->engine->lookup_many(p->state, b->digest + k * n, n, b->owner);
        counters_stop(&c);
    }
    for (int i = 0; i < COUNTERS; i++)
        table_real(t, column[i], counters_read(&c, (enum counter)i) / (double)(n * batches));
    counters_close(&c);
}
