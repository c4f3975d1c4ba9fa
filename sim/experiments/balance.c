#include "experiments/balance.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/stats.h"
#include "experiments/trial.h"
#include "metrics/balance.h"
#include "metrics/theory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shares of one placement: from its counts (row `row`), or from ownership when there are none. */
static int shares_of(const struct placement *p, const struct counts *counts, size_t row, double *share, double *unplaced, char why[WHY])
{
    if (counts) {
        counts_shares(counts, row, p->cluster->ids, share, unplaced);
        return 0;
    }
    return placement_shares(p, share, unplaced, why);
}

/* The maximum's theory knows no heavy keys, each of which falls on one node: none outweighs a node or is much more popular than others, or all
 * are too light to matter. */
static bool light_keys(const struct workload *w, uint32_t nodes)
{
    double top = workload_top_share(w), sum_p2 = workload_sum_p2(w);
    return (top < 4 * sum_p2 && top * nodes <= 1) || top * top < sum_p2 / 100;
}

/* Scratch for one cluster's numbers, by id. */
struct desk {
    double *share, *fair, *fixed;
    uint64_t *owned;
    struct node_theory *theory;
};

static void desk_release(struct desk *d)
{
    mem_free(d->share);
    mem_free(d->fair);
    mem_free(d->fixed);
    mem_free(d->owned);
    mem_free(d->theory);
}

static int desk_init(struct desk *d, uint32_t ids)
{
    *d = (struct desk){mem_alloc(ids, sizeof *d->share), mem_alloc(ids, sizeof *d->fair), mem_alloc(ids, sizeof *d->fixed),
                       mem_alloc(ids, sizeof *d->owned), mem_alloc(ids, sizeof *d->theory)};
    return d->share && d->fair && d->fixed && d->owned && d->theory ? 0 : -ENOMEM;
}

/* What theory expects of a placement whose fair shares are on the desk; NAN where it knows no law. light: the maximum too. */
static int law_theory(const struct placement *p, struct desk *d, double sum_p2, bool light, double *cv, double *max, char why[WHY])
{
    double unplaced;
    size_t points, distinct;
    uint32_t n, size = p->cluster->size, ids = p->cluster->ids;
    int e = 0;
    *cv = *max = NAN;
    if (p->law == LAW_NONE)
        return 0;
    if (p->law == LAW_PROBES) {
        theory_probes(size, p->law_count, sum_p2, cv, max);
        return 0;
    }
    if (p->law == LAW_ARCS)
        placement_points(p, &points, &distinct, d->owned);
    else if (p->law == LAW_FIXED && (p->engine->ranges || p->engine->shares))
        e = shares_of(p, NULL, 0, d->fixed, &unplaced, why);
    else
        memcpy(d->fixed, d->fair, ids * sizeof *d->fair);
    if (e)
        return e;
    n = p->law == LAW_BALLS ? theory_balls(p->law_count, d->fair, ids, sum_p2, d->theory)
                            : theory_nodes(p->law == LAW_ARCS ? d->owned : NULL, placement_full(p), d->fixed, d->fair, ids, sum_p2, d->theory);
    *cv = theory_cv(d->theory, n);
    return light ? theory_max(d->theory, n, max, why) : 0;
}

static int theory_columns(const struct placement *p, struct desk *d, double sum_p2, bool light, struct table *t, char why[WHY])
{
    double cv, max;
    int e = law_theory(p, d, sum_p2, light, &cv, &max, why);
    table_real(t, COL(theory_cv), cv);
    if (light)
        table_real(t, COL(theory_max_over_mean), max);
    return e;
}

int balance_theory(const struct placement *p, const struct workload *w, double *cv, double *max, char why[WHY])
{
    struct desk d;
    int e = desk_init(&d, p->cluster->ids) ? fail(why, ENOMEM, "no memory for the theory of %u nodes", p->cluster->size) : 0;
    if (!e) {
        cluster_fair_shares(p->cluster, d.fair);
        e = law_theory(p, &d, w ? workload_sum_p2(w) : 0, !w || light_keys(w, p->cluster->size), cv, max, why);
    }
    desk_release(&d);
    return e;
}

/* Numbers over placements. */
struct spread {
    double *max, *min, *square; /* square of cv */
    double empty, unplaced, reach;
    uint64_t points, distinct;
};

static void quantile_columns(struct table *t, double *x, size_t n, const struct column *q05, const struct column *q50, const struct column *q95)
{
    stats_sort(x, n);
    table_real(t, q05, stats_quantile(x, n, 0.05));
    table_real(t, q50, stats_quantile(x, n, 0.50));
    table_real(t, q95, stats_quantile(x, n, 0.95));
}

static void spread_columns(struct table *t, struct spread *v, size_t n)
{
    double squares = stats_mean(v->square, n);
    table_real(t, COL(max_over_mean), stats_mean(v->max, n));
    table_real(t, COL(min_over_mean), stats_mean(v->min, n));
    table_real(t, COL(cv), sqrt(squares));
    table_real(t, COL(empty_nodes), v->empty / (double)n);
    table_real(t, COL(unplaced_share), v->unplaced / (double)n);
    table_real(t, COL(reach_share), v->reach);
    if (v->points) {
        table_count(t, COL(points), (v->points + n / 2) / n);
        table_count(t, COL(points_distinct), (v->distinct + n / 2) / n);
    }
    table_count(t, COL(placements), n);
    if (n == 1)
        return;
    for (size_t i = 0; i < n; i++)
        v->square[i] = sqrt(v->square[i]);
    quantile_columns(t, v->max, n, COL(max_over_mean_q05), COL(max_over_mean_q50), COL(max_over_mean_q95));
    quantile_columns(t, v->min, n, COL(min_over_mean_q05), COL(min_over_mean_q50), COL(min_over_mean_q95));
    quantile_columns(t, v->square, n, COL(cv_q05), COL(cv_q50), COL(cv_q95));
}

/* Measures placement i of the trial into v; fair shares stay on the desk. */
static int measure(const struct placement *p, const struct counts *counts, size_t row, struct desk *d, struct spread *v, size_t i, char why[WHY])
{
    struct balance b;
    double unplaced;
    size_t points, distinct;
    cluster_fair_shares(p->cluster, d->fair);
    int e = shares_of(p, counts, row, d->share, &unplaced, why);
    if (e)
        return e;
    balance_measure(d->share, d->fair, p->cluster->ids, unplaced, &b);
    placement_points(p, &points, &distinct, NULL);
    v->max[i] = b.max_over_mean;
    v->min[i] = b.min_over_mean;
    v->square[i] = b.cv * b.cv;
    v->empty += b.empty_nodes;
    v->unplaced += b.unplaced_share;
    v->points += points;
    v->distinct += distinct;
    return 0;
}

/* One row. counts: of the pass, this trial's from row `first` on; NULL when exact, and then the placements are opened one at a time. */
static int trial_row(const struct study *s, struct trial *trial, const struct counts *counts, size_t first, const struct workload *w,
                     struct table *t, char why[WHY])
{
    size_t n = s->placements;
    const struct placement *p = trial->placement[0];
    struct desk d;
    struct spread v = {.max = mem_alloc(n, sizeof(double)), .min = mem_alloc(n, sizeof(double)), .square = mem_alloc(n, sizeof(double)), .reach = 1};
    int e = desk_init(&d, p->cluster->ids);
    if (e || !v.max || !v.min || !v.square)
        e = fail(why, ENOMEM, "no memory for the balance of %u nodes", p->cluster->size);
    if (!e)
        e = study_row(s, t, p, trial->spec, w, counts ? counts->keys : 0, why);
    for (size_t i = 0; i < n && !e; i++) {
        e = trial_place(s, trial, i, why);
        if (!e)
            e = measure(trial->placement[i], counts, first + i, &d, &v, i, why);
        if (!counts && i > 0)
            trial_drop(trial, i);
        progress_add(1);
    }
    struct map map = {0};
    if (!e && p->engine->ranges && !(e = placement_map(p, false, &map, why)))
        v.reach = map_reach(&map);
    map_release(&map);
    if (!e) {
        double sum_p2 = w ? workload_sum_p2(w) : 0;
        spread_columns(t, &v, n);
        e = table_text(t, COL(load), w ? workload_load(w) : "share") || table_text(t, COL(method), w ? "sampled" : "exact")
                ? fail(why, ENOMEM, "no memory for another row")
                : 0;
        table_real(t, COL(noise_cv), balance_noise(d.fair, p->cluster->ids, sum_p2));
        if (!e && !isnan(sum_p2))
            e = theory_columns(p, &d, sum_p2, !w || light_keys(w, p->cluster->size), t, why);
    }
    desk_release(&d);
    mem_free(v.max);
    mem_free(v.min);
    mem_free(v.square);
    return e;
}

static int balance_sampled(const struct study *s, size_t size, struct table *t, char why[WHY])
{
    struct pass pass;
    int e = pass_run(s, size, &pass, why);
    for (size_t i = 0; i < s->specs && !e; i++)
        e = trial_row(s, &pass.trial[i], &pass.counts, i * s->placements, pass.w, t, why);
    pass_close(&pass, s);
    return e;
}

static int balance_exact(const struct study *s, size_t size, struct table *t, char why[WHY])
{
    int e = 0;
    progress_start("balance", "placements", s->specs * s->placements);
    for (size_t i = 0; i < s->specs && !e; i++) {
        struct trial trial = {0};
        e = trial_open(s, &trial, i, size, 1, why);
        if (!e)
            e = trial_row(s, &trial, NULL, 0, NULL, t, why);
        trial_close(&trial, s->placements);
    }
    progress_end();
    return e;
}

int balance_run(const struct study *s, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_balance);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for a table");
    for (size_t k = 0; k < s->sizes && !e; k++)
        e = s->exact ? balance_exact(s, k, t, why) : balance_sampled(s, k, t, why);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}

/* A row for each node of one placement. */
static int node_rows(const struct study *s, const struct trial *trial, const struct counts *counts, size_t row, const struct workload *w,
                     struct table *t, char why[WHY])
{
    const struct placement *p = trial->placement[0];
    struct desk d;
    double unplaced;
    int e = desk_init(&d, p->cluster->ids) ? fail(why, ENOMEM, "no memory for %u nodes", p->cluster->size) : 0;
    if (!e)
        e = shares_of(p, counts, row, d.share, &unplaced, why);
    if (!e)
        cluster_fair_shares(p->cluster, d.fair);
    for (uint32_t i = 0; i < p->cluster->size && !e; i++) {
        const struct node *n = &p->cluster->node[i];
        e = study_row(s, t, p, trial->spec, w, 0, why);
        if (!e && (table_text(t, COL(load), w ? workload_load(w) : "share") || table_text(t, COL(method), w ? "sampled" : "exact") ||
                   table_text(t, COL(node), n->name)))
            e = fail(why, ENOMEM, "no memory for another row");
        if (e)
            break;
        if (counts)
            table_count(t, COL(keys), counts_row(counts, 0, row)[n->id]);
        table_count(t, COL(weight), n->weight);
        table_real(t, COL(share), d.share[n->id]);
        table_real(t, COL(fair_share), d.fair[n->id]);
    }
    desk_release(&d);
    return e;
}

int balance_per_node(const struct study *s, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_per_node);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for a table");
    if (!e && s->placements > 1)
        e = fail(why, EINVAL, "balance: --per-node shows one placement; leave out --placements");
    for (size_t k = 0; k < s->sizes && !e; k++) {
        struct pass pass = {0};
        if (!s->exact)
            e = pass_run(s, k, &pass, why);
        for (size_t i = 0; i < s->specs && !e; i++) {
            struct trial trial = {0};
            if (s->exact)
                e = trial_open(s, &trial, i, k, 1, why);
            if (!e)
                e = node_rows(s, s->exact ? &trial : &pass.trial[i], s->exact ? NULL : &pass.counts, i, pass.w, t, why);
            if (s->exact)
                trial_close(&trial, s->placements);
        }
        pass_close(&pass, s);
    }
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
