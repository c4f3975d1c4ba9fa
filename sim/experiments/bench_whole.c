/* Whole simulations: number -> text -> hash -> node -> count, keysim's stages beside a plain loop. */
#include "experiments/bench_parts.h"

#include "base/mem.h"
#include "experiments/counts.h"
#include "experiments/feed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 16384 };

struct whole {
    struct ground g;
    struct study study;
    struct workload *w;
    struct counts counts;
    uint64_t keys, *ours, *theirs, peak; /* ours and theirs: keys of each node */
    unsigned our_threads, their_threads;
    struct plain_point *ring; /* or */
    uint32_t *slot;
    size_t points;
    int error;
    char why[WHY];
};

static void watch(void *of, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    struct whole *w = of;
    if (!thread && mem_live() > w->peak)
        w->peak = mem_live();
    counts_block(&w->counts, thread, owner, block);
}

static double feed_on(struct whole *w, unsigned threads, uint64_t *count)
{
    uint64_t keys = 0, from = clock_ns();
    w->study.threads = threads;
    memset(w->counts.count, 0, w->counts.threads * counts_room(&w->counts) * sizeof *w->counts.count);
    int e = feed(&w->study, w->w, (const struct placement *const *)&w->g.placement, 1, watch, w, NULL, &keys, w->why);
    if (!e)
        e = counts_join(&w->counts, w->why);
    double ns = (double)(clock_ns() - from) / (double)w->keys;
    memcpy(count, counts_row(&w->counts, 0, 0), w->g.cluster->size * sizeof *count);
    w->error = e ? e : w->error;
    return ns;
}

static double feed_ours(void *of)
{
    struct whole *w = of;
    return feed_on(w, w->our_threads, w->ours);
}

static double feed_theirs(void *of)
{
    struct whole *w = of;
    return feed_on(w, w->their_threads, w->theirs);
}

static double plain_side(void *of)
{
    struct whole *w = of;
    uint64_t from = clock_ns();
    memset(w->theirs, 0, w->g.cluster->size * sizeof *w->theirs);
    if (w->slot)
        plain_slots_keys(w->slot, w->keys, w->theirs);
    else
        plain_ring_keys(w->ring, w->points, w->keys, w->theirs);
    return (double)(clock_ns() - from) / (double)w->keys;
}

static void whole_close(struct whole *w)
{
    ground_close(&w->g);
    workload_close(w->w);
    counts_release(&w->counts);
    mem_free(w->ours);
    mem_free(w->theirs);
    mem_free(w->ring);
    mem_free(w->slot);
}

/* The tables of the plain side. */
static int open_plain(struct whole *w)
{
    size_t distinct;
    const struct placement *p = w->g.placement;
    placement_points(p, &w->points, &distinct, NULL);
    if (w->points) {
        w->ring = mem_alloc(w->points, sizeof *w->ring);
        for (size_t i = 0; w->ring && i < w->points; i++)
            w->ring[i].position = ring_position(p, i, &w->ring[i].owner);
        return w->ring ? 0 : -ENOMEM;
    }
    w->slot = mem_alloc(SLOTS, sizeof *w->slot);
    for (uint64_t i = 0; w->slot && i < SLOTS; i++)
        w->slot[i] = placement_owner(p, "", 0, i);
    return w->slot ? 0 : -ENOMEM;
}

static int whole_open(struct whole *w, const struct figure *f, uint64_t keys, unsigned threads, char why[WHY])
{
    char text[40];
    *w = (struct whole){.keys = keys, .our_threads = threads, .their_threads = 1};
    snprintf(text, sizeof text, "user:count=%llu", (unsigned long long)keys);
    int e = ground_open(&w->g, f->spec, f->nodes, why);
    if (!e)
        e = workload_open_text(&w->w, text, 1, why);
    w->ours = mem_alloc(f->nodes, sizeof *w->ours);
    w->theirs = mem_alloc(f->nodes, sizeof *w->theirs);
    if (!e && (!w->ours || !w->theirs || counts_init(&w->counts, 1, threads, w->g.cluster->ids) || open_plain(w)))
        e = fail(why, ENOMEM, "no memory to count keys");
    return e;
}

static int whole_measure(struct bench *b, struct whole *w, bench_side *theirs, struct outcome *o, char why[WHY])
{
    bench_race(b, feed_ours, theirs, w, o);
    if (w->error)
        return memcpy(why, w->why, WHY), w->error;
    o->points = w->points;
    o->keys = w->keys;
    if (theirs)
        o->answers = memcmp(w->theirs, w->ours, w->g.cluster->size * sizeof *w->theirs) ? ANSWERS_DIFFER : ANSWERS_SAME;
    return 0;
}

static int whole_run(struct bench *b, const struct figure *f, unsigned threads, bench_side *theirs, struct outcome *o, char why[WHY])
{
    struct whole w;
    int e = whole_open(&w, f, b->quick ? f->keys / 4 : f->keys, threads, why);
    if (!e)
        e = whole_measure(b, &w, theirs, o, why);
    whole_close(&w);
    return e;
}

int bench_whole(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    return whole_run(b, f, 1, plain_side, o, why);
}

/* Two threads as ours, one as theirs. */
int bench_threads(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    if (study_threads(&(struct study){0}) < 2)
        return fail(why, EINVAL, "two threads beside one: this process has one core, or was built without OpenMP"), 1;
    return whole_run(b, f, 2, feed_theirs, o, why);
}

/* Ten times the keys: time a key and most memory held, over those of the fewer. */
static int grow(struct bench *b, const struct figure *f, bool memory, struct outcome *o, char why[WHY])
{
    struct outcome small = {0};
    double peak[2];
    uint64_t keys = b->quick ? f->keys / 4 : f->keys;
    for (int large = 0; large < 2; large++) {
        struct whole w;
        uint64_t before = mem_live();
        int e = whole_open(&w, f, large ? 10 * keys : keys, 1, why);
        if (!e)
            e = whole_measure(b, &w, NULL, large ? o : &small, why);
        peak[large] = (double)(w.peak - before);
        whole_close(&w);
        if (e)
            return e;
    }
    o->theirs = small.ours;
    if (memory) {
        o->theirs = peak[0];
        o->ours = peak[1];
        o->spread = 0;
    }
    return 0;
}

int bench_linear(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    return grow(b, f, false, o, why);
}

int bench_level(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    return grow(b, f, true, o, why);
}
