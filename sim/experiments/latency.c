#include "experiments/latency.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/stats.h"
#include "experiments/timing.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    BATCH = 64,             /* look-ups of one percentile batch: long enough for the clock, short enough to show a tail */
    TIMED_KEYS = 1 << 17,   /* keys a repetition, warm; fewer of a slow strategy */
    COLD_BATCHES = 64,      /* batches a repetition, cold */
    CHAIN_PART = 8,         /* dependent look-ups a repetition: so many times fewer */
    PACE_TRIES = 10,
    SWEEP_BYTES = 64 << 20, /* read and written to sweep the caches */
};
#define REPETITION_NS 4e6 /* about what a repetition may take: what visits every node is asked less */

/* Keys ready to be hashed, and room for what comes of them. */
struct bench {
    struct key_block block; /* the first keys of the workload */
    uint64_t *digest;       /* TIMED_KEYS random digests: look-ups of one block over and over would live in the caches */
    uint32_t *owner;
    size_t keys;            /* of them a repetition */
    uint8_t *verdict;
    unsigned char *swept;   /* NULL unless cold is asked for */
    double key_bytes;
};

static void bench_release(struct bench *b)
{
    key_block_release(&b->block);
    mem_free(b->digest);
    mem_free(b->owner);
    mem_free(b->verdict);
    mem_free(b->swept);
}

static int bench_init(struct bench *b, const struct study *s, struct workload *w, char why[WHY])
{
    *b = (struct bench){0};
    int e = key_block_init(&b->block);
    b->digest = mem_alloc(TIMED_KEYS, sizeof *b->digest);
    b->owner = mem_alloc(TIMED_KEYS, sizeof *b->owner);
    b->verdict = mem_alloc(KEY_BLOCK, 1);
    b->swept = s->cache ? mem_alloc(SWEEP_BYTES, 1) : NULL;
    if (e || !b->digest || !b->owner || !b->verdict || (s->cache && !b->swept))
        return fail(why, ENOMEM, "no memory to time look-ups");
    uint64_t total = workload_requests(w);
    if (workload_is_random_access(w))
        e = workload_fill(w, 0, total < KEY_BLOCK ? total : KEY_BLOCK, &b->block) ? fail(why, ENOMEM, "no memory for keys") : 0;
    else
        e = workload_next(w, &b->block, why);
    uint64_t bytes = 0;
    for (size_t i = 0; !e && i < b->block.count; i++)
        bytes += b->block.len[i];
    b->key_bytes = (double)bytes / (double)b->block.count;
    return e;
}

/* Reads and writes more than the caches hold. */
static void sweep_caches(struct bench *b)
{
    for (size_t i = 0; i < SWEEP_BYTES; i += 64)
        b->swept[i]++;
    timing_use(b->swept[rng_mix(b->swept[0]) % SWEEP_BYTES]);
}

static int time_hashing(struct bench *b, const struct placement *p, struct timing *t, char why[WHY])
{
    bool plain;
    size_t n = b->block.count, rounds = 1 + TIMED_KEYS / n;
    for (size_t r = 0; r <= TIMING_REPS; r++) {
        size_t invalid = 0;
        uint64_t from = clock_ns();
        for (size_t k = 0; k < rounds; k++)
            invalid += placement_digests(p, b->block.text, b->block.len, n, b->digest, b->verdict, &plain);
        if (r > 0) /* the first is a warm-up */
            timing_add(t, (double)(clock_ns() - from) / (double)(rounds * n));
        timing_use(b->digest[n - 1]);
        if (invalid)
            return fail(why, EINVAL, "the workload's keys are no keys for %s with hash %s: it wants %s", p->strategy->name,
                        p->key.hash.hash->name, placement_wants(p));
    }
    return 0;
}

/* Batches of look-ups back to back; each batch's own time goes to batch[] for the percentiles. Returns ns a look-up. */
static double run_batches(struct bench *b, const struct placement *p, size_t batches, bool cold, double *batch)
{
    double total = 0;
    for (size_t k = 0; k < batches; k++) {
        const uint64_t *digest = b->digest + k * BATCH % TIMED_KEYS;
        if (cold)
            sweep_caches(b);
        uint64_t from = clock_ns();
        p->engine->lookup_many(p->state, digest, BATCH, b->owner);
        batch[k] = (double)(clock_ns() - from) / BATCH;
        total += batch[k];
        timing_use(b->owner[BATCH - 1]);
    }
    return total / (double)batches;
}

/* All keys in large batches: the throughput, free of the clock. */
static double run_throughput(struct bench *b, const struct placement *p)
{
    uint64_t from = clock_ns();
    for (size_t k = 0; k < b->keys; k += KEY_BLOCK)
        p->engine->lookup_many(p->state, b->digest + k, b->keys < KEY_BLOCK ? b->keys : KEY_BLOCK, b->owner + k);
    double ns = (double)(clock_ns() - from) / (double)b->keys;
    timing_use(b->owner[b->keys - 1]);
    return ns;
}

/* Chooses how many keys a repetition looks up. The fastest of a few tries: one that the machine held up would leave so few keys that branch
 * predictors learn them by heart, and a look-up would seem several times faster than it is. */
static void measure_pace(struct bench *b, const struct placement *p)
{
    double ns = INFINITY;
    b->keys = BATCH;
    for (int k = 0; k < PACE_TRIES; k++)
        ns = fmin(ns, run_throughput(b, p));
    for (b->keys = TIMED_KEYS; b->keys > 4 * BATCH && (double)b->keys * ns > REPETITION_NS;)
        b->keys /= 2;
}

static double run_chain(const struct placement *p, uint64_t start, bool cold, struct bench *b)
{
    uint64_t last = p->key.hash.hash->last, digest = rng_upto(start, last);
    size_t n = cold ? BATCH : b->keys / CHAIN_PART;
    if (cold)
        sweep_caches(b);
    uint64_t from = clock_ns();
    for (size_t k = 0; k < n; k++)
        digest = rng_upto(rng_mix(digest + RNG_GOLDEN + p->engine->lookup(p->state, digest)), last);
    double ns = (double)(clock_ns() - from) / (double)n;
    timing_use(digest);
    return ns;
}

static int time_lookups(struct bench *b, const struct placement *p, bool cold, struct table *t, char why[WHY])
{
    struct timing lookup = {.count = 0}, chain = {.count = 0};
    for (size_t i = 0; i < TIMED_KEYS; i++)
        b->digest[i] = rng_upto(rng_at(1, i), p->key.hash.hash->last);
    measure_pace(b, p);
    size_t batches = cold ? COLD_BATCHES : b->keys / BATCH;
    double *batch = mem_alloc(TIMING_REPS * batches, sizeof *batch);
    if (!batch)
        return fail(why, ENOMEM, "no memory to time look-ups");
    if (!cold)
        run_throughput(b, p); /* warm-up */
    for (size_t r = 0; r < TIMING_REPS; r++) {
        double ns = run_batches(b, p, batches, cold, batch + r * batches);
        timing_add(&lookup, cold ? ns : run_throughput(b, p));
        timing_add(&chain, run_chain(p, rng_at(2, r), cold, b));
    }
    timing_columns(&lookup, t, COL(lookup_ns), COL(lookup_min_ns), COL(lookup_p95_ns));
    timing_columns(&chain, t, COL(dependent_ns), COL(dependent_min_ns), COL(dependent_p95_ns));
    stats_sort(batch, TIMING_REPS * batches);
    table_real(t, COL(p50_ns), stats_quantile(batch, TIMING_REPS * batches, 0.50));
    table_real(t, COL(p99_ns), stats_quantile(batch, TIMING_REPS * batches, 0.99));
    mem_free(batch);
    return 0;
}

static int latency_rows(const struct study *s, size_t spec, size_t size, const struct workload *w, struct bench *b, struct table *t, char why[WHY])
{
    const struct cluster *c;
    struct placement *p = NULL;
    int e = study_cluster(s, spec, size, &c, why);
    if (!e)
        e = study_open(s, s->spec[spec], c, &p, why);
    for (int cold = s->cache == 1; cold <= (s->cache > 0) && !e; cold++) {
        struct timing hash = {.count = 0};
        e = study_row(s, t, p, s->spec[spec], w, b->block.count, why);
        if (!e)
            e = time_hashing(b, p, &hash, why);
        if (!e)
            e = time_lookups(b, p, cold, t, why);
        if (e)
            break;
        timing_columns(&hash, t, COL(hash_ns), COL(hash_min_ns), COL(hash_p95_ns));
        table_real(t, COL(key_bytes), b->key_bytes);
        table_count(t, COL(reps), TIMING_REPS);
        e = table_text(t, COL(cache), cold ? "cold" : "warm") ? fail(why, ENOMEM, "no memory for another row") : 0;
    }
    placement_close(p);
    return e;
}

int latency_run(const struct study *s, struct table **out, char why[WHY])
{
    struct workload *w = NULL;
    struct bench b = {0};
    struct table *t = columns_table(columns_latency);
    int e = t ? study_workload(s, &w, why) : fail(why, ENOMEM, "no memory for a table");
    if (!e)
        e = bench_init(&b, s, w, why);
    progress_start("latency", "strategies", s->specs * s->sizes);
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs && !e; i++) {
            e = latency_rows(s, i, k, w, &b, t, why);
            progress_add(1);
        }
    progress_end();
    bench_release(&b);
    workload_close(w);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
