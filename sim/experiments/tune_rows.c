/* A row a candidate: the spread over placements, theory beside it, and what the user's own names give. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "base/ranks.h"
#include "base/stats.h"
#include "metrics/theory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define OPENED_MOST 3e7 /* points of all candidates whose own figures are looked at; a tenth where there are many */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether more than the one next larger value would take long to show. */
static bool is_slow(const struct tuner *t, uint64_t value)
{
    const struct stage *g = &t->stage[t->lead];
    return !g->arcs_drawn && !g->fixed && 32 * stage_work(g, value) > 1.5e7;
}

/* The values to show, ascending, each once: *out is mem_freed by the caller. */
static int candidates(const struct tuner *t, const struct tune_answer *a, uint64_t **out, size_t *n, char why[WHY])
{
    enum { AROUND = 6 };
    const struct knob *k = &t->knob;
    uint64_t *list = mem_alloc(k->count + AROUND + 1, sizeof *list), power = 1;
    size_t count = 0, kept = 0;
    if (!list)
        return fail(why, ENOMEM, "no memory for the candidates");
    for (; count < k->count; count++)
        list[count] = k->listed[count];
    while (power <= (a->value - 1) / 2)
        power *= 2;
    for (int i = 0; i < AROUND && !k->count; i++) /* two or three powers of two on either side; or what was tried in vain */
        list[count++] = a->met ? knob_valid(k, i < 3 ? power >> (2 - i) : power << (i - 2)) : knob_valid(k, (a->tried >> 2 * i) > 0 ? a->tried >> 2 * i : 1);
    if (a->met)
        list[count++] = a->value;
    qsort(list, count, sizeof *list, by_size);
    for (size_t i = 0; i < count; i++) {
        bool beyond = !k->count && a->met && kept > 0 && list[kept - 1] > a->value && is_slow(t, list[i]);
        if (!beyond && list[i] >= k->low && list[i] <= k->high && (kept == 0 || list[kept - 1] != list[i]))
            list[kept++] = list[i];
    }
    *out = list;
    *n = kept;
    return 0;
}

/* What placements and theory say of one value. */
struct figures {
    uint64_t placements;
    double max, q05, q50, q95, q99, cv, kept; /* kept: the target's quantity that so many placements keep to */
    double theory_max, theory_cv, receivers;  /* NaN: see the placement */
    int error;
    char why[WHY];
};

static int figure_theory(const struct tuner *t, uint64_t value, struct figures *f)
{
    const struct stage *g = &t->stage[t->lead];
    const struct cluster *c = g->cluster;
    struct node_theory *theory = mem_alloc(c->size, sizeof *theory);
    uint64_t *owned = mem_alloc(c->size, sizeof *owned);
    int e = theory && owned ? 0 : fail(f->why, ENOMEM, "no memory for the theory of %u nodes", c->size);
    for (uint32_t i = 0; i < c->size && !e; i++)
        owned[i] = value * c->node[i].weight;
    if (!e) {
        theory_nodes(owned, 0, NULL, g->fair, c->size, t->ask->keys ? 1 / (double)t->ask->keys : 0, theory);
        f->theory_cv = theory_cv(theory, c->size);
        e = theory_max(theory, c->size, &f->theory_max, f->why);
    }
    mem_free(theory);
    mem_free(owned);
    return e;
}

/* g: a stage with room for its samples; x: room for so many numbers. */
static int figure_samples(struct tuner *t, struct stage *g, uint64_t value, double *x, struct figures *f)
{
    uint64_t failed;
    double q = t->ask->confidence;
    int e = stage_samples(t, g, value, UINT64_MAX, &failed, f->why);
    if (e)
        return e;
    f->placements = g->placements;
    for (uint64_t i = 0; i < g->placements; i++)
        x[i] = sample_value(&g->sample[i], t->target.what);
    stats_sort(x, g->placements);
    f->kept = stats_quantile(x, g->placements, t->target.what == TARGET_MIN ? 1 - q : q);
    f->max = f->cv = 0;
    for (uint64_t i = 0; i < g->placements; i++) {
        x[i] = g->sample[i].max;
        f->max += x[i] / (double)g->placements;
        f->cv += g->sample[i].square / (double)g->placements;
    }
    f->cv = sqrt(f->cv);
    stats_sort(x, g->placements);
    bool exact = g->arcs_drawn && !t->ask->keys;
    f->q05 = stats_quantile(x, g->placements, 0.05);
    f->q50 = stats_quantile(x, g->placements, 0.50);
    f->q95 = exact ? dirichlet_max_quantile(&g->arcs, (double)value, 0.95) : stats_quantile(x, g->placements, 0.95);
    f->q99 = exact ? dirichlet_max_quantile(&g->arcs, (double)value, 0.99) : stats_quantile(x, g->placements, 0.99);
    return 0;
}

static void figure(struct tuner *t, const struct tune_answer *a, uint64_t value, struct sample *room, struct figures *f)
{
    struct stage g = t->stage[t->lead];
    double *x = mem_alloc(g.room, sizeof *x);
    f->theory_max = f->theory_cv = f->receivers = NAN;
    g.sample = room;
    g.placements = stage_quick(t, &g, value, a->met && value <= a->value ? 100 : 32); /* as many as the search looked at */
    f->error = x ? figure_samples(t, &g, value, x, f) : fail(f->why, ENOMEM, "no memory for the candidates");
    if (!f->error && g.arcs_drawn)
        f->error = figure_theory(t, value, f);
    if (g.ideal && g.cluster->size > 1)
        f->receivers = dirichlet_receivers(&g.arcs, (double)value);
    mem_free(x);
}

/* The figures of n values. Drawn rings by value, each on one thread; placements, or many processes, one value after the other, each on all. */
static void figures(struct tuner *t, const struct tune_answer *a, const uint64_t *value, size_t n, struct sample *room, struct figures *f)
{
    unsigned threads = t->stage[t->lead].arcs_drawn && ranks_count() == 1 ? study_threads(t->s) : 1;
    (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i++)
        figure(t, a, value[i], room + i * t->stage[t->lead].room, &f[i]);
}

/* Writes the spec as a person would type it. */
static int write_spec(const struct knob *k, uint64_t value, char text[512], char why[WHY])
{
    struct spec *spec;
    int e = knob_spec(k, value, &spec, why);
    if (e)
        return e;
    char *options = spec_options(spec, catalog_find(spec->name)->option);
    snprintf(text, 512, "%s:%s", spec->name, options ? options : "");
    mem_free(options);
    spec_destroy(spec);
    return options ? 0 : fail(why, ENOMEM, "no memory for a candidate");
}

static int row(struct tuner *t, struct tune_answer *a, uint64_t value, bool open, const struct figures *f, struct table *out, char why[WHY])
{
    struct sample own;
    char number[24];
    bool answer = value == a->value;
    snprintf(number, sizeof number, "%" PRIu64, value);
    if (table_row(out) || table_text(out, COL(option), t->knob.option->name) || table_text(out, COL(value), number))
        return fail(why, ENOMEM, "no memory for another row");
    table_count(out, COL(placements), f->placements);
    table_real(out, COL(max_over_mean), f->max);
    table_real(out, COL(max_over_mean_q05), f->q05);
    table_real(out, COL(max_over_mean_q50), f->q50);
    table_real(out, COL(max_over_mean_q95), f->q95);
    table_real(out, COL(max_over_mean_q99), f->q99);
    table_real(out, COL(theory_max_over_mean), f->theory_max);
    table_real(out, COL(cv), f->cv);
    table_real(out, COL(theory_cv), f->theory_cv);
    table_real(out, COL(receivers), f->receivers);
    table_count(out, COL(chosen), a->met && answer);
    int e = open ? own_columns(t, value, &own, out, why) : 0;
    if (!e && open && answer) {
        for (size_t k = 0; k < a->targets; k++)
            a->yours[k] = sample_value(&own, t->all[k].what);
        a->names_pass = own_pass(t, &own);
    }
    return e;
}

/* Rows of n values with their figures. */
static int rows(struct tuner *t, struct tune_answer *a, const uint64_t *value, size_t n, const struct figures *f, double *points, double most,
                struct table *out, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; i < n && !e; i++) {
        bool answer = value[i] == a->value;
        *points += answer ? 0 : t->stage[0].pieces * (double)value[i];
        bool open = answer ? t->stage[0].pieces * (double)value[i] < OPENED_MOST : *points < most;
        if (f[i].error == -EINVAL) /* fewer cells than nodes: no candidate */
            continue;
        if (f[i].error)
            return fail(why, -f[i].error, "%s", f[i].why);
        e = row(t, a, value[i], open, &f[i], out, why);
        a->unopened += !open;
        if (answer)
            a->row = table_rows(out) - 1;
    }
    return e;
}

/* Where nothing holds, the best of the candidates is what there is to say: known only when all are. */
static void settle(const struct tuner *t, struct tune_answer *a, const uint64_t *value, size_t n, const struct figures *f, double *best)
{
    for (size_t i = 0; i < n && !a->met; i++)
        if (!f[i].error && (isnan(*best) || (t->target.what == TARGET_MIN ? f[i].kept > *best : f[i].kept < *best))) {
            *best = a->kept = f[i].kept;
            a->value = value[i];
        }
}

int tune_rows(struct tuner *t, struct tune_answer *a, struct table *out, char why[WHY])
{
    enum { BLOCK = 32 };
    struct stage *g = &t->stage[t->lead];
    uint64_t *value = NULL, failed;
    size_t n = 0;
    double points = t->stage[0].pieces * (double)a->value, best = NAN;
    int e = candidates(t, a, &value, &n, why);
    struct sample *room = mem_alloc(BLOCK * g->room, sizeof *room);
    struct figures *f = mem_alloc(n, sizeof *f);
    if (!e && (!room || !f))
        e = fail(why, ENOMEM, "no memory for the candidates");
    if (!e && g->arcs_drawn) /* draws what all share */
        e = stage_samples(t, g, value[0], UINT64_MAX, &failed, why);
    for (size_t i = 0; i < n && !e; i += BLOCK) {
        size_t some = n - i < BLOCK ? n - i : BLOCK;
        figures(t, a, value + i, some, room, f + i);
        settle(t, a, value + i, some, f + i, &best);
    }
    a->row = n;
    for (size_t k = 0; k < a->targets; k++)
        a->yours[k] = NAN;
    a->draws = own_draws(t, &t->stage[0]);
    if (!e)
        e = write_spec(&t->knob, a->value, a->spec, why);
    if (!e)
        e = rows(t, a, value, n, f, &points, n > 64 ? OPENED_MOST / 10 : OPENED_MOST, out, why);
    if (!e && a->met)
        e = own_follow(t, a, why);
    mem_free(value);
    mem_free(room);
    mem_free(f);
    return e;
}
