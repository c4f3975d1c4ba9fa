#include "experiments/names.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/stats.h"
#include "base/text.h"
#include "experiments/names_parts.h"
#include "metrics/balance.h"
#include "metrics/chance.h"
#include "metrics/theory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUN_ALPHA 1e-3 /* a run blames a right hash once in a thousand */
#define FULL_MOST 0.1  /* part of the positions that hold a point, above which arcs are no random arcs */

bool names_are_patterns(const char *nodes)
{
    uint64_t n;
    return text_count(nodes, strlen(nodes), &n) == 0;
}

/* Scratch for one cluster, by id. */
struct desk {
    double *share, *fair, *points;
    uint64_t *owned;
    struct node_theory *theory;
};

static int desk_init(struct desk *d, uint32_t ids)
{
    *d = (struct desk){mem_alloc(ids, sizeof *d->share), mem_alloc(ids, sizeof *d->fair), mem_alloc(ids, sizeof *d->points),
                       mem_alloc(ids, sizeof *d->owned), mem_alloc(ids, sizeof *d->theory)};
    return d->share && d->fair && d->points && d->owned && d->theory ? 0 : -ENOMEM;
}

static void desk_release(struct desk *d)
{
    mem_free(d->share);
    mem_free(d->fair);
    mem_free(d->points);
    mem_free(d->owned);
    mem_free(d->theory);
}

static int check_law(const struct placement *p, char why[WHY])
{
    if (p->law != LAW_ARCS)
        return fail(why, EINVAL, "names: no law is known of this ring's shares (seek=nearest, wrap=clamp, or tokens= of the nodes), so chance cannot be told");
    if (placement_full(p) > FULL_MOST)
        return fail(why, EINVAL, "names: points fill %.0f %% of the ring's positions, where chance is another matter: fewer points, or a wider hash",
                    100 * placement_full(p));
    return 0;
}

/* Adds one placement, number i of its row, to the row's sums. */
static int measure(const struct placement *p, struct desk *d, struct naming *n, size_t i, char why[WHY])
{
    const struct cluster *c = p->cluster;
    double unplaced, mean, variance;
    struct balance b;
    if ((n->skipped = n->extra && placement_full(p) > FULL_MOST))
        return 0;
    int e = check_law(p, why);
    if (!e)
        e = placement_shares(p, d->share, &unplaced, why);
    if (e)
        return e;
    cluster_fair_shares(c, d->fair);
    balance_measure(d->share, d->fair, c->ids, unplaced, &b);
    memset(d->points, 0, c->ids * sizeof *d->points);
    memset(d->owned, 0, c->ids * sizeof *d->owned);
    for (uint32_t k = 0; k < c->size; k++) {
        uint32_t id = c->node[k].id;
        d->owned[id] = n->vnodes * c->node[k].weight;
        d->points[id] = (double)d->owned[id];
        n->seen += d->share[id] * d->share[id];
    }
    size_t points, distinct;
    placement_points(p, &points, &distinct, NULL);
    double wide = (double)p->key.hash.hash->last, alike = (double)points * (double)points / 2 / wide; /* that any hash gives */
    n->run_together |= (double)(points - distinct) > 10 + 10 * alike;
    chance_arcs_square(d->points, c->ids, &mean, &variance);
    n->mean += mean;
    n->variance += variance;
    n->max += b.max_over_mean;
    n->min += b.min_over_mean;
    n->cv[i] = b.cv;
    n->theory_cv = theory_cv(d->theory, theory_nodes(d->owned, placement_full(p), NULL, d->fair, c->ids, 0, d->theory));
    return 0;
}

/* The cluster of placement i: the pattern's next names, or those given. */
static int cluster_of(const struct study *s, const struct naming *n, size_t i, struct registry *r, const struct cluster **out, char why[WHY])
{
    *out = n->given;
    return n->pattern ? pattern_cluster(r, n->pattern, n->given->size, i, s->seed, out, why) : 0;
}

static int naming_run(const struct study *s, struct naming *n, char why[WHY])
{
    int e = (n->cv = mem_alloc(s->placements, sizeof *n->cv)) ? 0 : fail(why, ENOMEM, "no memory for placements");
    for (size_t i = 0; i < s->placements && !e && !n->skipped; i++) {
        struct registry *r = registry_create();
        const struct cluster *c = NULL;
        struct placement *p = NULL;
        struct desk d = {0};
        e = r ? cluster_of(s, n, i, r, &c, why) : fail(why, ENOMEM, "no memory for placements");
        if (!e)
            e = placement_open(&p, n->spec, c, &s->hash, why);
        if (!e && (desk_init(&d, c->ids) || (i == 0 && identity_take(&n->identity, p, n->spec))))
            e = fail(why, ENOMEM, "no memory for %u nodes", c->size);
        if (!e && i == 0)
            snprintf(n->names, sizeof n->names, "%.100s, %.100s", c->node[0].name, c->node[1].name);
        if (!e)
            e = measure(p, &d, n, i, why);
        desk_release(&d);
        placement_close(p);
        registry_destroy(r);
    }
    progress_add(1);
    return e;
}

static double squares(const struct naming *n, size_t placements)
{
    double sum = 0;
    for (size_t i = 0; i < placements; i++)
        sum += n->cv[i] * n->cv[i];
    return sum / (double)placements;
}

static int naming_row(const struct study *s, struct naming *n, double bound, struct table *t, char why[WHY])
{
    size_t count = s->placements;
    double p = chance_gamma(n->seen, n->mean, n->variance);
    int e = study_row_of(s, t, &n->identity, n->spec, NULL, 0, why);
    if (e)
        return e;
    table_count(t, COL(vnodes), n->vnodes);
    table_real(t, COL(max_over_mean), n->max / (double)count);
    table_real(t, COL(min_over_mean), n->min / (double)count);
    table_real(t, COL(cv), sqrt(squares(n, count)));
    table_real(t, COL(theory_cv), n->theory_cv);
    table_count(t, COL(placements), count);
    if (count > 1) {
        stats_sort(n->cv, count);
        table_real(t, COL(cv_q05), stats_quantile(n->cv, count, 0.05));
        table_real(t, COL(cv_q50), stats_quantile(n->cv, count, 0.50));
        table_real(t, COL(cv_q95), stats_quantile(n->cv, count, 0.95));
    }
    table_real(t, COL(p_value), p);
    table_real(t, COL(p_bound), bound);
    const char *verdict = n->run_together ? "label" : p >= bound ? "count" : n->seen > n->mean ? "hash" : "even";
    return table_text(t, COL(pattern), n->pattern ? n->pattern->name : NAMES_GIVEN) || table_text(t, COL(names), n->names) ||
                   table_text(t, COL(label), n->label) || table_text(t, COL(verdict), verdict) || table_text(t, COL(method), "exact")
               ? fail(why, ENOMEM, "no memory for another row")
               : 0;
}

/* All rows on all threads; the first error in their order is told. */
static int run_all(const struct study *s, struct naming *n, size_t count, char why[WHY])
{
    char(*inner)[WHY] = mem_alloc(count, sizeof *inner);
    unsigned threads = study_threads(s);
    (void)threads;
    if (!inner)
        return fail(why, ENOMEM, "no memory for %zu kinds of names", count);
    progress_start("names", "rings", count);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < count; i++)
        n[i].error = naming_run(s, &n[i], inner[i]);
    progress_end();
    int e = 0;
    for (size_t i = 0; i < count && !e; i++)
        if ((e = n[i].error))
            memcpy(why, inner[i], WHY);
    mem_free(inner);
    return e;
}

int names_run(const struct study *s, bool everything, struct table **out, char why[WHY])
{
    struct names_plan plan = {0};
    struct table *t = columns_table(columns_names);
    int e = t ? names_plan(s, everything, &plan, why) : fail(why, ENOMEM, "no memory for the results");
    struct study mine = *s;
    mine.placements = plan.sets;
    if (!e)
        e = run_all(&mine, plan.row, plan.rows, why);
    for (size_t i = 0; i < plan.rows && !e; i++)
        e = plan.row[i].skipped ? 0 : naming_row(&mine, &plan.row[i], RUN_ALPHA / (double)plan.rows, t, why);
    names_plan_release(&plan);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
