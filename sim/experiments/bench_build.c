/* Building, changing and knowing a placement: keysim beside snprintf, qsort and counting keys. */
#include "experiments/bench_parts.h"

#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { VNODES = 150, PROBED = 4096 /* look-ups that compare two placements */ };

struct builds {
    struct ground g;
    const struct cluster *more; /* and a node */
    struct placement *made;     /* what the last repetition built */
    struct plain_point *ring;
    uint64_t *count;
    double *share;
    size_t points, keys;
    int error;
    char why[WHY];
};

static void builds_close(struct builds *s)
{
    placement_close(s->made);
    ground_close(&s->g);
    mem_free(s->ring);
    mem_free(s->count);
    mem_free(s->share);
}

static int builds_open(struct builds *s, const struct figure *f, char why[WHY])
{
    *s = (struct builds){.points = (size_t)f->nodes * VNODES, .keys = f->keys};
    int e = ground_open(&s->g, f->spec, f->nodes, why);
    if (!e)
        e = cluster_change(s->g.registry, s->g.cluster, "+1", false, &s->more, why);
    s->ring = mem_alloc(s->points, sizeof *s->ring);
    s->count = mem_alloc(f->nodes, sizeof *s->count);
    s->share = mem_alloc(f->nodes + 1, sizeof *s->share); /* an id more is known */
    return e ? e : s->ring && s->count && s->share ? 0 : fail(why, ENOMEM, "no memory to time building");
}

/* What a side could not do is told once all is over. */
static void note(struct builds *s, int e)
{
    s->error = e ? e : s->error;
}

static double build_ours(void *of)
{
    struct builds *s = of;
    placement_close(s->made);
    uint64_t from = clock_ns();
    note(s, ground_build(&s->g, &s->made, s->why));
    return (double)(clock_ns() - from);
}

static double build_plain(void *of)
{
    struct builds *s = of;
    uint64_t from = clock_ns();
    plain_ring(s->ring, s->g.cluster->size, VNODES);
    return (double)(clock_ns() - from);
}

/* From names to shares. */
static double shares_ours(void *of)
{
    struct builds *s = of;
    double unplaced;
    uint64_t from = clock_ns();
    double ns = build_ours(s);
    if (!s->error)
        note(s, placement_shares(s->made, s->share, &unplaced, s->why));
    ns = (double)(clock_ns() - from);
    return ns;
}

static double shares_sampled(void *of)
{
    struct builds *s = of;
    uint64_t from = clock_ns();
    build_plain(s);
    memset(s->count, 0, s->g.cluster->size * sizeof *s->count);
    plain_ring_keys(s->ring, s->points, s->keys, s->count);
    return (double)(clock_ns() - from);
}

/* A node joins, timed, and leaves. */
static double add_ours(void *of)
{
    struct builds *s = of;
    uint64_t from = clock_ns();
    note(s, placement_change(s->g.placement, s->more, s->why));
    double ns = (double)(clock_ns() - from);
    note(s, placement_change(s->g.placement, s->g.cluster, s->why));
    return ns;
}

static double rebuild(void *of)
{
    struct builds *s = of;
    struct ground larger = s->g;
    larger.cluster = s->more;
    placement_close(s->made);
    uint64_t from = clock_ns();
    note(s, ground_build(&larger, &s->made, s->why));
    return (double)(clock_ns() - from);
}

static int finish(struct builds *s, struct outcome *o, char why[WHY])
{
    o->points = s->points;
    return s->error ? memcpy(why, s->why, WHY), s->error : 0;
}

static enum bench_answers same_ring(const struct builds *s)
{
    size_t points, distinct;
    uint32_t id;
    placement_points(s->made, &points, &distinct, NULL);
    bool same = points == s->points;
    for (size_t i = 0; same && i < points; i++)
        same = ring_position(s->made, i, &id) == s->ring[i].position && id == s->ring[i].owner;
    return same ? ANSWERS_SAME : ANSWERS_DIFFER;
}

int bench_build(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    struct builds s;
    int e = builds_open(&s, f, why);
    if (!e) {
        bench_race(b, build_ours, build_plain, &s, o);
        e = finish(&s, o, why);
    }
    if (!e)
        o->answers = same_ring(&s);
    builds_close(&s);
    return e;
}

int bench_add(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    struct builds s;
    int e = builds_open(&s, f, why);
    if (!e) {
        bench_race(b, add_ours, rebuild, &s, o);
        e = finish(&s, o, why);
    }
    if (!e)
        e = placement_change(s.g.placement, s.more, why);
    bool same = true;
    for (uint64_t i = 0; !e && i < PROBED; i++)
        same &= placement_owner(s.made, "", 0, rng_at(1, i)) == placement_owner(s.g.placement, "", 0, rng_at(1, i));
    o->answers = same ? ANSWERS_SAME : ANSWERS_DIFFER;
    builds_close(&s);
    return e;
}

/* The sample's counts must lie about the shares: none six standard deviations away. */
int bench_shares(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    struct builds s;
    int e = builds_open(&s, f, why);
    if (!e) {
        bench_race(b, shares_ours, shares_sampled, &s, o);
        e = finish(&s, o, why);
    }
    o->answers = ANSWERS_SAME;
    o->keys = f->keys;
    for (uint32_t i = 0; !e && i < f->nodes; i++) {
        double mean = s.share[i] * (double)s.keys;
        if (fabs((double)s.count[i] - mean) > 6 * sqrt(mean) + 6)
            o->answers = ANSWERS_DIFFER;
    }
    builds_close(&s);
    return e;
}

int bench_memory(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    struct ground g;
    (void)b;
    int e = ground_open(&g, f->spec, f->nodes, why);
    if (!e) {
        o->ours = (double)placement_memory(g.placement);
        o->points = (uint64_t)f->nodes * VNODES;
        o->reps = 1;
    }
    ground_close(&g);
    return e;
}
