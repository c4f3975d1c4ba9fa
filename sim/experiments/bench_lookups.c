/* Look-ups with the digest ready: keysim's in batches, or a call a key, beside a plain loop. */
#include "experiments/bench_parts.h"

#include "base/machine.h"
#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PROBES = 21 };

struct lookups {
    struct ground g;
    size_t n;
    uint64_t *digest;
    uint32_t *ours, *theirs;
    struct plain_point *ring; /* the plain side's */
    uint64_t *word;
    size_t points;
};

double lookups_many(void *of)
{
    struct lookups *l = of;
    const struct placement *p = l->g.placement;
    uint64_t from = clock_ns();
    for (size_t k = 0; k < l->n; k += KEY_BLOCK)
        p->engine->lookup_many(p->state, l->digest + k, l->n - k < KEY_BLOCK ? l->n - k : KEY_BLOCK, l->ours + k);
    return (double)(clock_ns() - from) / (double)l->n;
}

double lookups_single(void *of)
{
    struct lookups *l = of;
    const struct placement *p = l->g.placement;
    uint64_t from = clock_ns();
    for (size_t k = 0; k < l->n; k++)
        l->ours[k] = p->engine->lookup(p->state, l->digest[k]);
    return (double)(clock_ns() - from) / (double)l->n;
}

/* A plain side: the loop on l, timed. */
#define PLAIN_SIDE(name, ...)                                \
    double name(void *of)                                    \
    {                                                        \
        struct lookups *l = of;                              \
        uint64_t from = clock_ns();                          \
        __VA_ARGS__;                                         \
        return (double)(clock_ns() - from) / (double)l->n;   \
    }
PLAIN_SIDE(plain_ring_side, plain_ring_lookups(l->ring, l->points, l->digest, l->n, l->theirs))
PLAIN_SIDE(plain_jump_side, plain_jump_lookups(l->g.cluster->size, l->digest, l->n, l->theirs))
PLAIN_SIDE(plain_rendezvous_side, plain_rendezvous_lookups(l->word, l->g.cluster->size, l->digest, l->n, l->theirs))
PLAIN_SIDE(plain_probe_side, plain_probe_lookups(l->ring, l->g.cluster->size, PROBES, l->digest, l->n, l->theirs))

static void lookups_close(struct lookups *l)
{
    ground_close(&l->g);
    mem_free(l->digest);
    mem_free(l->ours);
    mem_free(l->theirs);
    mem_free(l->ring);
    mem_free(l->word);
}

static int lookups_open(struct lookups *l, const char *spec, uint32_t nodes, size_t keys, char why[WHY])
{
    size_t distinct;
    *l = (struct lookups){.n = keys};
    int e = ground_open(&l->g, spec, nodes, why);
    if (e)
        return e;
    placement_points(l->g.placement, &l->points, &distinct, NULL);
    l->digest = mem_alloc(keys, sizeof *l->digest);
    l->ours = mem_alloc(keys, sizeof *l->ours);
    l->theirs = mem_alloc(keys, sizeof *l->theirs);
    l->ring = mem_alloc(l->points > nodes ? l->points : nodes, sizeof *l->ring);
    l->word = mem_alloc(nodes, sizeof *l->word);
    if (!l->digest || !l->ours || !l->theirs || !l->ring || !l->word)
        return fail(why, ENOMEM, "no memory to time look-ups");
    for (size_t i = 0; i < keys; i++)
        l->digest[i] = rng_at(1, i);
    for (size_t i = 0; i < l->points; i++) /* sorted already: qsort of the largest would take minutes; `build` sorts its own */
        l->ring[i].position = ring_position(l->g.placement, i, &l->ring[i].owner);
    plain_rendezvous_words(l->word, nodes);
    if (!l->points)
        plain_probe_points(l->ring, nodes);
    return 0;
}

static void measure(struct bench *b, const struct figure *f, struct lookups *l, struct outcome *o)
{
    bench_race(b, f->one_side, f->other_side, l, o);
    o->points = l->points;
    o->keys = l->n;
    o->bytes = placement_memory(l->g.placement);
    o->answers = memcmp(l->ours, l->theirs, l->n * sizeof *l->ours) ? ANSWERS_DIFFER : ANSWERS_SAME;
    if (l->points)
        o->limit = machine_load(b, o->bytes, false);
}

int bench_lookups(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    struct lookups l;
    int e = lookups_open(&l, f->spec, f->nodes, b->quick ? f->keys / 4 : f->keys, why);
    if (!e)
        measure(b, f, &l, o);
    lookups_close(&l);
    return e;
}

/* How a look-up grows from 10 nodes to many: the larger ring's time over the smaller one's. */
int bench_flat(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    struct outcome small = {0};
    struct lookups l;
    for (int large = 0; large < 2; large++) {
        int e = lookups_open(&l, f->spec, large ? f->nodes : 10, f->keys, why);
        if (!e)
            bench_race(b, lookups_many, NULL, &l, large ? o : &small);
        o->points = l.points;
        lookups_close(&l);
        if (e)
            return e;
    }
    o->theirs = small.ours;
    o->keys = f->keys;
    return 0;
}

/* A row for each power of ten of points that memory holds: where the caches end. */
int bench_knees(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    enum { NODES = 1000, BYTES = 150 }; /* a point, while the ring is built and the plain one beside it */
    char spec[32];
    uint64_t most = b->quick ? 1000000 : 100000000;
    (void)o;
    for (uint64_t points = NODES; points <= most; points *= 10) {
        struct figure row = *f;
        struct outcome of = {0};
        struct lookups l;
        if (points * BYTES > machine_available())
            return fail(why, EINVAL, "no ring of %g points: it would take %.1f GB of memory to build, and %.1f GB are free", (double)points,
                        (double)points * BYTES / 1e9, (double)machine_available() / 1e9), 1;
        snprintf(spec, sizeof spec, "ring:vnodes=%u", (unsigned)(points / NODES));
        row.nodes = NODES;
        int e = lookups_open(&l, spec, NODES, f->keys, why);
        if (!e) {
            measure(b, &row, &l, &of);
            e = bench_row(b, &row, &of, why);
        }
        lookups_close(&l);
        if (e)
            return e;
    }
    return 0;
}
