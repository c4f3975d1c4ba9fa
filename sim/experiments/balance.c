/* How even loads are: a row for each way to count them, measured against fair shares, with theory and noise beside. */
#include "experiments/balance_parts.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/stats.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Shares of one placement: of what was counted (row `row`), or from ownership when nothing was. */
static int shares_of(const struct placement *p, const struct load *load, size_t row, uint32_t ids, double *share, double *unplaced, char why[WHY])
{
    if (!load)
        return placement_shares(p, share, unplaced, why);
    memcpy(share, load->share + row * (ids + (size_t)1), p->cluster->ids * sizeof *share);
    *unplaced = load->share[row * (ids + (size_t)1) + ids];
    return 0;
}

/* What one placement comes to. */
struct measured {
    double max, min, cv, empty, unplaced;
    uint64_t points, distinct;
};

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

static int measure(const struct placement *p, const struct load *load, size_t row, uint32_t ids, struct desk *d, struct measured *out,
                   char why[WHY])
{
    struct balance b;
    double unplaced;
    size_t points, distinct;
    cluster_fair_shares(p->cluster, d->fair);
    int e = shares_of(p, load, row, ids, d->share, &unplaced, why);
    if (e)
        return e;
    balance_measure(d->share, d->fair, p->cluster->ids, unplaced, &b);
    placement_points(p, &points, &distinct, NULL);
    *out = (struct measured){b.max_over_mean, b.min_over_mean, b.cv, b.empty_nodes, b.unplaced_share, points, distinct};
    return 0;
}

static void spread_add(struct spread *v, size_t i, const struct measured *m)
{
    v->max[i] = m->max;
    v->min[i] = m->min;
    v->square[i] = m->cv * m->cv;
    v->empty += m->empty;
    v->unplaced += m->unplaced;
    v->points += m->points;
    v->distinct += m->distinct;
}

/* Measures the trial's placements. What was counted is known to all processes; else each measures its own, and they are opened one at a time. */
static int measure_all(const struct study *s, struct trial *trial, const struct load *load, size_t first, uint32_t ids, struct desk *d,
                       struct spread *v, char why[WHY])
{
    size_t n = s->placements, i = 0;
    struct measured *m = mem_alloc(n, sizeof *m);
    int e = m ? 0 : fail(why, ENOMEM, "no memory for %zu placements", n);
    for (; i < n && !e; i++) {
        progress_add(1);
        if (!load && !ranks_mine(i))
            continue;
        e = trial_place(s, trial, i, why);
        if (!e)
            e = measure(trial->placement[i], load, first + i, ids, d, &m[i], why);
        if (!load && i > 0)
            trial_drop(trial, i);
    }
    if (m && !load)
        e = ranks_agree(e, i, why);
    if (!e && !load)
        e = ranks_gather(m, sizeof *m, 0, n, why);
    for (i = 0; i < n && !e; i++)
        spread_add(v, i, &m[i]);
    mem_free(m);
    return e;
}

/* What chance and theory say of the load; fair shares are on the desk. */
static int expected_columns(const struct placement *p, const struct load *load, struct desk *d, struct table *t, char why[WHY])
{
    double sum_p2 = load ? load->sum_p2 : 0, cv, max;
    bool light = !load || light_keys(load->top, sum_p2, p->cluster->size);
    table_real(t, COL(noise_cv), balance_noise(d->fair, p->cluster->ids, sum_p2));
    if (isnan(sum_p2))
        return 0;
    if (load) {
        table_real(t, COL(top_share), load->top);
        table_real(t, COL(floor_max_over_mean), floor_theory(p, d, load->top));
    }
    int e = law_theory(p, d, sum_p2, light, &cv, &max, why);
    table_real(t, COL(theory_cv), cv);
    if (light)
        table_real(t, COL(theory_max_over_mean), max);
    return e;
}

/* Of the n placements of a trial, whose first is row `first`. */
static void spill_columns(const struct load *load, size_t first, size_t n, struct table *t)
{
    uint64_t spilled = 0, asked = 0;
    for (size_t i = 0; i < n; i++) {
        spilled += load->spill[first + i].spilled;
        asked += load->spill[first + i].asked;
    }
    double keys = (double)load->counts->keys * (double)n;
    table_real(t, COL(spilled_share), (double)spilled / keys);
    table_real(t, COL(extra_lookups), (double)asked / keys);
}

static int load_columns(struct table *t, const struct load *load, char why[WHY])
{
    return table_text(t, COL(load), load ? load->name : "share") || table_text(t, COL(method), load ? "sampled" : "exact")
               ? fail(why, ENOMEM, "no memory for another row")
               : 0;
}

/* One row. load: one of the pass's, this trial's from row `first` on; NULL when exact. */
static int trial_row(const struct study *s, struct trial *trial, const struct pass *pass, const struct load *load, size_t first, struct table *t,
                     char why[WHY])
{
    size_t n = s->placements;
    const struct placement *p = trial->placement[0];
    struct desk d;
    struct spread v = {.max = mem_alloc(n, sizeof(double)), .min = mem_alloc(n, sizeof(double)), .square = mem_alloc(n, sizeof(double)), .reach = 1};
    int e = desk_init(&d, p->cluster->ids);
    if (e || !v.max || !v.min || !v.square)
        e = fail(why, ENOMEM, "no memory for the balance of %u nodes", p->cluster->size);
    if (!e)
        e = study_row(s, t, p, trial->spec, load ? pass->w : NULL, load ? load->counts->keys : 0, why);
    if (!e)
        e = measure_all(s, trial, load, first, load ? pass->ids : 0, &d, &v, why);
    struct map map = {0};
    if (!e && p->engine->ranges && !(e = placement_map(p, false, &map, why)))
        v.reach = map_reach(&map);
    map_release(&map);
    if (!e) {
        cluster_fair_shares(p->cluster, d.fair);
        spread_columns(t, &v, n);
        e = load_columns(t, load, why);
    }
    if (!e)
        e = expected_columns(p, load, &d, t, why);
    if (!e && load && load->spill && p->engine->lookup_loaded)
        spill_columns(load, first, n, t);
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
        for (size_t k = 0; k < pass.loads && !e; k++)
            e = trial_row(s, &pass.trial[i], &pass, &pass.load[k], i * s->placements, t, why);
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
            e = trial_row(s, &trial, NULL, NULL, 0, t, why);
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
static int node_rows(const struct study *s, const struct trial *trial, const struct pass *pass, const struct load *load, size_t row, struct table *t,
                     char why[WHY])
{
    const struct placement *p = trial->placement[0];
    struct desk d;
    double unplaced;
    int e = desk_init(&d, p->cluster->ids) ? fail(why, ENOMEM, "no memory for %u nodes", p->cluster->size) : 0;
    if (!e)
        e = shares_of(p, load, row, load ? pass->ids : 0, d.share, &unplaced, why);
    if (!e)
        cluster_fair_shares(p->cluster, d.fair);
    for (uint32_t i = 0; i < p->cluster->size && !e; i++) {
        const struct node *n = &p->cluster->node[i];
        e = study_row(s, t, p, trial->spec, load ? pass->w : NULL, 0, why);
        if (!e)
            e = load_columns(t, load, why);
        if (!e && table_text(t, COL(node), n->name))
            e = fail(why, ENOMEM, "no memory for another row");
        if (e)
            break;
        if (load)
            table_count(t, COL(keys), counts_row(load->counts, 0, row)[n->id]);
        table_count(t, COL(weight), n->weight);
        table_real(t, COL(share), d.share[n->id]);
        table_real(t, COL(fair_share), d.fair[n->id]);
    }
    desk_release(&d);
    return e;
}

static int nodes_sampled(const struct study *s, size_t size, struct table *t, char why[WHY])
{
    struct pass pass;
    int e = pass_run(s, size, &pass, why);
    for (size_t i = 0; i < s->specs && !e; i++)
        for (size_t k = 0; k < pass.loads && !e; k++)
            e = node_rows(s, &pass.trial[i], &pass, &pass.load[k], i, t, why);
    pass_close(&pass, s);
    return e;
}

static int nodes_exact(const struct study *s, size_t size, struct table *t, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; i < s->specs && !e; i++) {
        struct trial trial = {0};
        e = trial_open(s, &trial, i, size, 1, why);
        if (!e)
            e = node_rows(s, &trial, NULL, NULL, 0, t, why);
        trial_close(&trial, s->placements);
    }
    return e;
}

int balance_per_node(const struct study *s, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_per_node);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for a table");
    if (!e && s->placements > 1)
        e = fail(why, EINVAL, "balance: --per-node shows one placement; leave out --placements");
    for (size_t k = 0; k < s->sizes && !e; k++)
        e = s->exact ? nodes_exact(s, k, t, why) : nodes_sampled(s, k, t, why);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
