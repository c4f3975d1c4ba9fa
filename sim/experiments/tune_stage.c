/* One cluster: whether a value holds there, by theory, by the rule, or by placements. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/text.h"
#include "metrics/chance.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <string.h>

enum { PLACED_FEWEST = 40, PLACED_LEAST = 100, PLACED_MOST = 1000 };

/* Hashes whose values look random whatever the names. */
static bool is_strong(const struct hash *h)
{
    return !strncmp(h->name, "xxh", 3) || !strncmp(h->name, "md5", 3) || !strncmp(h->name, "murmur", 6);
}

/* Whether theory describes the ring: an algorithm's, with random points on a wide circle. */
static bool is_ideal(const struct placement *p, const struct spec *spec)
{
    if (p->law != LAW_ARCS || p->strategy->version || !is_ring(p) || ring_position_bits(p) < 32 || placement_full(p) > 1e-4)
        return false;
    for (const struct option *o = p->strategy->option; o->name; o++) {
        struct keyed_hash named;
        char why[WHY];
        for (size_t i = 0; i < spec->count && o->parse == hash_parse; i++)
            if (!strcmp(spec->item[i].name, o->name) && (hash_parse(spec->item[i].value, &named, why) || !is_strong(named.hash)))
                return false;
    }
    return is_strong(p->key.hash.hash);
}

/* Whether a node's points are its weight times the option's value, each a point of its own. */
static bool is_proportional(const struct placement *p, uint64_t value)
{
    size_t points, distinct;
    placement_points(p, &points, &distinct, NULL);
    return points == value * cluster_weight(p->cluster) && distinct == points;
}

static double pieces_of(const struct placement *p)
{
    size_t points, distinct;
    placement_points(p, &points, &distinct, NULL);
    return p->cluster->size + (double)points + (p->engine->cells ? (double)p->engine->cells(p->state) : 0);
}

/* So many placements that a look at all of them is quick. */
static uint64_t placements_for(const struct tuner *t, const struct stage *g)
{
    double rows = (double)t->knob.count + 1, n = g->cluster->size;
    if (t->ask->placements)
        return t->ask->placements;
    if (!g->arcs_drawn)
        return g->fixed ? 1 : PLACED_MOST;
    double enough = 2e5 / n, quick = 4e8 / n / rows;
    enough = enough < 400 ? 400 : enough > 4000 ? 4000 : enough;
    return (uint64_t)(enough < quick ? enough : quick < 100 ? 100 : quick);
}

double stage_work(const struct stage *g, uint64_t value)
{
    return (g->pieces * (double)value + g->cluster->size) * g->turns + g->deaths;
}

uint64_t stage_quick(const struct tuner *t, const struct stage *g, uint64_t value, uint64_t least)
{
    const double quick_most = 5e6, most_pieces = 1.5e7; /* pieces of all placements, where few would do and where so many must be */
    double work = stage_work(g, value), quick = quick_most / work, slow = most_pieces / work;
    uint64_t most = g->room;
    if (g->arcs_drawn || t->ask->placements || most == 1)
        return most;
    if (least > PLACED_FEWEST && slow < (double)least)
        least = slow < PLACED_FEWEST ? PLACED_FEWEST : (uint64_t)slow;
    return quick < (double)least ? least : quick > (double)most ? most : (uint64_t)quick;
}

static int stage_fair(struct stage *g, char why[WHY])
{
    double weight = (double)cluster_weight(g->cluster);
    g->fair = mem_alloc(g->cluster->size, sizeof *g->fair);
    double *units = mem_alloc(g->cluster->size, sizeof *units);
    int e = g->fair && units ? 0 : fail(why, ENOMEM, "no memory for %u nodes", g->cluster->size);
    for (uint32_t i = 0; i < g->cluster->size && !e; i++) {
        units[i] = g->cluster->node[i].weight;
        g->fair[i] = units[i] / weight;
    }
    if (!e)
        e = dirichlet_init(&g->arcs, units, g->cluster->size, why);
    mem_free(units);
    return e;
}

/* A value at which the strategy opens: its default, or what was asked for. */
static uint64_t usual_value(const struct knob *k, const struct cluster *c)
{
    uint64_t value = 100, quick = 2000000 / cluster_weight(c) + c->size; /* points are as many as weights say */
    const char *usual = k->option->fallback;
    if (k->count)
        return k->listed[k->count - 1];
    if (usual)
        text_count(usual, strlen(usual), &value);
    value = value < quick ? value : quick;
    return knob_valid(k, value < k->low ? k->low : value);
}

static int bound_possible(const struct tuner *t, const struct stage *g, char why[WHY])
{
    double least = 0, one = 1 / ((double)cluster_weight(g->cluster) + 1);
    for (uint32_t i = 0; i < g->cluster->size; i++)
        least = g->fair[i] > least ? g->fair[i] : least;
    if (t->target.what == TARGET_SHARE && t->target.bound < least)
        return fail(why, EINVAL, "--target '%s' cannot be met: the fair share of the heaviest of %u nodes is %.4g", t->text, g->cluster->size, least);
    if (t->target.what == TARGET_MOVED && t->target.bound < one)
        return fail(why, EINVAL, "--target '%s' cannot be met: one more of %u nodes must take its fair share, %.4g, and that moves", t->text,
                    g->cluster->size, one);
    return 0;
}

int stage_init(struct tuner *t, struct stage *g, const struct cluster *c, char why[WHY])
{
    struct spec *spec = NULL;
    struct placement *p = NULL;
    struct sample one;
    uint64_t usual = usual_value(&t->knob, c);
    *g = (struct stage){.cluster = c};
    int e = stage_fair(g, why);
    if (!e)
        e = bound_possible(t, g, why);
    if (!e)
        e = knob_spec(&t->knob, usual, &spec, why);
    if (!e)
        e = t->warned ? placement_open(&p, spec, c, &t->s->hash, why) : study_open(t->s, spec, c, &p, why);
    t->warned = true;
    if (!e)
        e = measure_check(t->ask, t->target.what, p, why);
    if (!e)
        e = measure(t->ask, t->target.what == TARGET_MOVED, t->s, spec, p, t->s->registry, NULL, 1, &one, why);
    placement_close(p);
    p = NULL;
    if (!e)
        e = placement_open(&p, spec, c, &t->s->hash, why);
    if (!e) {
        g->ideal = is_ideal(p, spec) && is_proportional(p, usual);
        g->fixed = p->law == LAW_FIXED && t->target.what != TARGET_MOVED && !t->ask->keys;
        g->arcs_drawn = g->ideal && !t->ask->survive && t->ask->replicas <= 1;
        g->pieces = pieces_of(p) / (double)usual;
        double ways = deaths_ways(c->size, t->ask->survive);
        g->turns = is_ring(p) ? deaths_work(t->ask->replicas > 1 ? t->ask->replicas : 1, t->ask->survive) : 1 + ways;
        g->deaths = is_ring(p) ? (t->ask->keys ? 20 : 0.1) * ways * c->size : 0;
        g->placements = g->room = placements_for(t, g);
        g->sample = mem_alloc(g->room, sizeof *g->sample);
        if (!g->sample)
            e = fail(why, ENOMEM, "no memory for %u nodes", c->size);
    }
    placement_close(p);
    if (spec)
        spec_destroy(spec);
    return e;
}

void stage_release(struct stage *g)
{
    dirichlet_release(&g->arcs);
    draws_release(&g->draws);
    mem_free(g->fair);
    mem_free(g->sample);
}

/* -- placements -- */

/* Placement i, its names drawn anew. */
static int placed_sample(const struct tuner *t, const struct stage *g, const struct spec *spec, uint64_t i, struct sample *out, char why[WHY])
{
    struct registry *r = g->fixed ? t->s->registry : registry_create();
    const struct cluster *c = g->cluster;
    struct placement *p = NULL;
    struct rng keys = rng_start(rng_stream(t->s->seed, "tune keys", "", i));
    int e = r ? 0 : fail(why, ENOMEM, "no memory for placements");
    if (!e && !g->fixed) /* where names do not matter, the ones given do */
        e = cluster_random(r, g->cluster, rng_stream(t->s->seed, "placements", "", i), &c, why);
    if (!e)
        e = placement_open(&p, spec, c, &t->s->hash, why);
    if (!e)
        e = measure(t->ask, t->target.what == TARGET_MOVED, t->s, spec, p, r, &keys, 1, out, why);
    placement_close(p);
    if (!g->fixed)
        registry_destroy(r);
    return e;
}

enum { BATCH = 16 };

static int first_error(const int *error, char (*inner)[WHY], uint64_t n, char why[WHY])
{
    uint64_t i = 0;
    while (i < n && !error[i])
        i++;
    if (i < n)
        memcpy(why, inner[i], WHY);
    return ranks_agree(i < n ? error[i] : 0, i, why);
}

/* Batches, each of all threads and processes, until more than `allowed` fail. */
static int placed_samples(struct tuner *t, struct stage *g, const struct spec *spec, double work, uint64_t allowed, uint64_t *failed, char why[WHY])
{
    unsigned threads = study_threads(t->s);
    char inner[BATCH][WHY];
    int error[BATCH];
    (void)threads;
    for (g->filled = 0; g->filled < g->placements && *failed <= allowed;) {
        uint64_t from = g->filled;
        uint64_t n = g->placements - from < BATCH ? g->placements - from : BATCH;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (n > 1)
        for (uint64_t i = 0; i < n; i++)
            error[i] = ranks_mine(i) ? placed_sample(t, g, spec, from + i, &g->sample[from + i], inner[i]) : 0;
        int e = first_error(error, inner, n, why);
        if (!e)
            e = ranks_gather(&g->sample[from], sizeof *g->sample, 0, n, why);
        if (e)
            return e;
        for (uint64_t i = 0; i < n; i++)
            *failed += !target_holds(&t->target, sample_value(&g->sample[from + i], t->target.what));
        g->filled += n;
        progress_add((uint64_t)((double)n * work));
    }
    progress_add((uint64_t)((double)(g->placements - g->filled) * work)); /* what need not be looked at is done, too */
    return 0;
}

int stage_samples(struct tuner *t, struct stage *g, uint64_t value, uint64_t allowed, uint64_t *failed, char why[WHY])
{
    struct spec *spec;
    *failed = 0;
    if (g->arcs_drawn) {
        int e = g->draws.normal ? 0 : draws_init(&g->draws, t->s->seed, g->cluster->size, g->room, why);
        if (!e)
            e = draws_samples(&g->draws, t->s, g->fair, (double)cluster_weight(g->cluster), (double)value, t->ask->keys,
                              t->target.what == TARGET_MOVED, g->sample, why);
        for (uint64_t i = 0; i < g->placements && !e; i++)
            *failed += !target_holds(&t->target, sample_value(&g->sample[i], t->target.what));
        return e;
    }
    g->filled = 0;
    int e = knob_spec(&t->knob, value, &spec, why);
    if (e)
        return e;
    e = placed_samples(t, g, spec, stage_work(g, value), allowed, failed, why);
    spec_destroy(spec);
    return e;
}

/* -- whether a value holds -- */

/* How many of n placements may fail, each with the chance `miss`; false: not even none says enough. With a margin, the bounds of Clopper and Pearson on
 * the chance behind a count: there is one that fits (lenient), or all that fit are small enough (strict). */
static bool failures_allowed(enum margin margin, double miss, uint64_t n, uint64_t *out)
{
    double low, high;
    *out = (uint64_t)(miss * (double)n + 1e-9);
    for (; margin == LENIENT && *out < n; ++*out) {
        chance_interval(*out + 1, n, 0.95, &low, &high);
        if (low > miss)
            break;
    }
    for (; margin == STRICT; --*out) {
        chance_interval(*out, n, 0.95, &low, &high);
        if (high <= miss)
            break;
        if (*out == 0)
            return false;
    }
    return true;
}

int stage_holds(struct tuner *t, struct stage *g, uint64_t value, bool *holds, char why[WHY])
{
    static const enum dirichlet_side side[] = {[TARGET_MAX] = ARCS_MAX, [TARGET_MIN] = ARCS_MIN, [TARGET_SHARE] = ARCS_SHARE, [TARGET_MOVED] = ARCS_NEW};
    double miss = 1 - t->ask->confidence;
    if (t->exact) {
        *holds = dirichlet_breach(&g->arcs, (double)value, side[t->target.what], t->target.bound) <= miss * (1 + 1e-12);
        return 0;
    }
    g->placements = stage_quick(t, g, value, PLACED_LEAST);
    uint64_t failed, allowed;
    *holds = false;
    if (!failures_allowed(t->margin, miss, g->placements, &allowed))
        return 0;
    int e = stage_samples(t, g, value, allowed, &failed, why);
    *holds = failed <= allowed;
    if (e == -EINVAL) { /* too few cells for so many nodes: an answer too */
        *holds = false;
        e = 0;
    }
    return e;
}

int tuner_holds(struct tuner *t, uint64_t value, bool *holds, char why[WHY])
{
    int e = 0;
    if (t->led)
        return stage_holds(t, &t->stage[t->lead], value, holds, why);
    *holds = true;
    for (size_t i = t->stages; i-- > 0 && *holds && !e;) {
        e = stage_holds(t, &t->stage[i], value, holds, why);
        if (!*holds)
            t->lead = i;
    }
    return e;
}
