/* Is it the names? A system's own placement of the names given, beside its placement of names drawn anew.
 *
 * Where the names have bad luck, or are too alike for the system's hash, few draws are less even. Where the draws are as uneven, no renaming helps;
 * and where an ideal hash with as many points would do better than these, it is the system's own. Cost: a placement a draw. */
#include "experiments/names.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/stats.h"
#include "experiments/balance.h"
#include "experiments/trial.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { DRAWS = 400, DRAWS_LEAST = 200 };
#define POINTS_SOON 3e7 /* of all draws: some seconds */
#define BOUND 0.01      /* less even than all but one of a hundred draws: the names */
#define WORSE 1.25      /* times an ideal hash's scatter: the system's own */

static int measure(const struct placement *p, struct balance *b, char why[WHY])
{
    const struct cluster *c = p->cluster;
    double unplaced, *share = mem_alloc(c->ids, 2 * sizeof *share), *fair = share ? share + c->ids : NULL;
    int e = share ? placement_shares(p, share, &unplaced, why) : fail(why, ENOMEM, "no memory for %u nodes", c->size);
    if (!e) {
        cluster_fair_shares(c, fair);
        balance_measure(share, fair, c->ids, unplaced, b);
    }
    mem_free(share);
    return e;
}

/* The cv of each draw, on all threads; the first error in their order is told. */
static int draw(const struct study *s, size_t spec, double *cv, char why[WHY])
{
    struct trial t = {0};
    unsigned threads = study_threads(s);
    uint64_t broken = s->placements;
    int error = trial_open(s, &t, spec, 0, 0, why);
    (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint64_t i = 0; i < s->placements; i++) {
        char inner[WHY];
        struct balance b;
        int e = t.given ? trial_place(s, &t, i, inner) : -EINVAL;
        if (!e)
            e = measure(t.placement[i], &b, inner);
        if (!e) {
            cv[i] = b.cv;
            trial_drop(&t, i);
        }
#pragma omp critical(names_draw)
        if (e && t.given && i < broken) {
            broken = i;
            error = fail(why, -e, "%s", inner);
        }
        progress_add(1);
    }
    trial_close(&t, s->placements);
    return error;
}

static uint64_t draws_for(const struct study *s, const struct placement *p)
{
    size_t points, distinct;
    placement_points(p, &points, &distinct, NULL);
    double soon = POINTS_SOON / (double)(points ? points : p->cluster->size);
    return s->placements > 1 ? s->placements : soon > DRAWS ? DRAWS : soon < DRAWS_LEAST ? DRAWS_LEAST : (uint64_t)soon;
}

/* What the draws say of the names given. */
static int draw_columns(const struct balance *b, double ideal, double *cv, size_t n, struct table *t)
{
    double squares = 0;
    size_t worse = 0;
    stats_sort(cv, n);
    for (size_t i = 0; i < n; i++) {
        squares += cv[i] * cv[i];
        worse += cv[i] >= b->cv * (1 - 1e-9);
    }
    double p = (1 + (double)worse) / (1 + (double)n), typical = sqrt(squares / (double)n);
    table_real(t, COL(max_over_mean), b->max_over_mean);
    table_real(t, COL(min_over_mean), b->min_over_mean);
    table_real(t, COL(cv), b->cv);
    table_real(t, COL(theory_cv), ideal);
    table_real(t, COL(cv_q05), stats_quantile(cv, n, 0.05));
    table_real(t, COL(cv_q50), stats_quantile(cv, n, 0.5));
    table_real(t, COL(cv_q95), stats_quantile(cv, n, 0.95));
    table_count(t, COL(placements), n);
    table_real(t, COL(p_value), p);
    table_real(t, COL(p_bound), BOUND);
    return table_text(t, COL(verdict), p < BOUND ? "names" : typical > WORSE * ideal ? "hash" : "count");
}

static int one_row(const struct study *s, size_t spec, struct table *t, char why[WHY])
{
    struct study drawn = *s;
    const struct cluster *c;
    struct placement *p = NULL;
    struct balance b = {0};
    double ideal = NAN, max, *cv = NULL;
    char names[208];
    int e = study_cluster(s, spec, 0, &c, why);
    if (!e && c->size < 2)
        e = fail(why, EINVAL, "names: one node has every key, whatever its name: -n must name two or more");
    if (!e)
        e = study_open(s, s->spec[spec], c, &p, why);
    if (!e)
        e = measure(p, &b, why);
    if (e == -EINVAL && p)
        fail(why, EINVAL, "names: shares of %s are not known exactly, so its names cannot be judged; try keysim balance -s %s --placements 20", p->strategy->name, p->strategy->name);
    if (!e)
        e = balance_theory(p, NULL, &ideal, &max, why);
    if (!e)
        e = study_row(s, t, p, s->spec[spec], NULL, 0, why);
    if (!e) {
        drawn.placements = draws_for(s, p);
        drawn.warn = NULL; /* said of the names given */
        if (!(cv = mem_alloc(drawn.placements, sizeof *cv)))
            e = fail(why, ENOMEM, "no memory for the draws");
    }
    if (!e) {
        snprintf(names, sizeof names, "%.100s, %.100s", c->node[0].name, c->node[1].name);
        progress_start("names", "draws", drawn.placements);
        e = draw(&drawn, spec, cv, why);
        progress_end();
    }
    if (!e && (draw_columns(&b, ideal, cv, drawn.placements, t) || table_text(t, COL(pattern), NAMES_GIVEN) || table_text(t, COL(names), names) ||
               table_text(t, COL(method), "exact")))
        e = fail(why, ENOMEM, "no memory for another row");
    placement_close(p);
    mem_free(cv);
    return e;
}

int names_systems_run(const struct study *s, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_names);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for the results");
    for (size_t i = 0; i < s->specs && !e; i++)
        e = one_row(s, i, t, why);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
