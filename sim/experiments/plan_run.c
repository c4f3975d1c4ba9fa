/* The rows of a plan: a row for each pair of nodes of each step, beside it what its giver and its receiver give and get in all, and the step's figures. */
#include "base/mem.h"
#include "base/text.h"
#include "experiments/balance.h"
#include "experiments/plan_parts.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* One step, by id; the last of ids + 1 values is nobody's. */
struct step_figures {
    double *fair_before, *fair, *gives, *gets;
    double needed, optimum, theory_cv, theory_max;
    struct balance balance;
};

static void step_release(struct step_figures *s)
{
    mem_free(s->fair_before);
    mem_free(s->fair);
    mem_free(s->gives);
    mem_free(s->gets);
}

static int step_init(struct step_figures *s, uint32_t ids)
{
    size_t n = ids + (size_t)1;
    *s = (struct step_figures){.fair_before = mem_alloc(n, sizeof(double)), .fair = mem_alloc(n, sizeof(double)),
                               .gives = mem_alloc(n, sizeof(double)), .gets = mem_alloc(n, sizeof(double))};
    s->theory_cv = s->theory_max = (double)NAN;
    return s->fair_before && s->fair && s->gives && s->gets ? 0 : -ENOMEM;
}

static size_t place_of(uint32_t id, uint32_t ids)
{
    return id < ids ? id : ids;
}

static double part_of(const struct flows *f, const struct flow *flow)
{
    return (double)flow->amount / (double)f->total;
}

static void step_measure(struct step_figures *s, const struct plan *p, const struct plan_figures *f, size_t k)
{
    const struct flows *flows = &f->step[k].flows;
    const double *share = f->share + k * p->ids, *after = share + p->ids;
    cluster_fair_shares(p->stage[k].cluster, s->fair_before);
    cluster_fair_shares(p->stage[k + 1].cluster, s->fair);
    for (size_t i = 0; i < flows->count; i++) {
        s->gives[place_of(flows->item[i].from, p->ids)] += part_of(flows, &flows->item[i]);
        s->gets[place_of(flows->item[i].to, p->ids)] += part_of(flows, &flows->item[i]);
    }
    s->needed = share_distance(share, after, p->ids);
    s->optimum = share_distance(s->fair_before, s->fair, p->ids);
    balance_measure(after, s->fair, p->ids, f->unplaced[k + 1], &s->balance);
}

/* The columns that are the same in all rows of a step. sum: moved up to here. */
static int step_columns(struct table *t, const struct plan *p, const struct plan_figures *f, const struct step_figures *s, size_t k, double sum)
{
    const struct plan_moves *moves = &f->step[k];
    table_count(t, COL(step), k + 1);
    table_count(t, COL(nodes_before), p->stage[k].cluster->size);
    table_count(t, COL(nodes_after), p->stage[k + 1].cluster->size);
    table_real(t, COL(moved_share), moves->moved);
    table_real(t, COL(needed_share), s->needed);
    table_real(t, COL(optimum_share), s->optimum);
    table_real(t, COL(excess), s->optimum > 0 ? moves->moved / s->optimum : (double)NAN);
    table_real(t, COL(bystander_share), moves->bystander);
    table_real(t, COL(sum_share), sum);
    table_real(t, COL(ever_share), moves->ever);
    table_real(t, COL(max_over_mean), s->balance.max_over_mean);
    table_real(t, COL(min_over_mean), s->balance.min_over_mean);
    table_real(t, COL(theory_max_over_mean), s->theory_max);
    table_real(t, COL(cv), s->balance.cv);
    table_real(t, COL(theory_cv), s->theory_cv);
    table_real(t, COL(unplaced_share), f->unplaced[k + 1]);
    if (p->levelled) {
        table_real(t, COL(count_moved_share), moves->count_moved);
        table_real(t, COL(count_max_over_mean), moves->count_max);
    }
    return table_text(t, COL(change), p->stage[k + 1].text) || table_text(t, COL(load), f->load) ||
           table_text(t, COL(method), f->workload && !p->levelled ? "sampled" : "exact");
}

static int flow_columns(struct table *t, const struct plan *p, const struct plan_wish *wish, const struct plan_figures *f,
                        const struct step_figures *s, size_t k, const struct flow *flow)
{
    const struct registry *names = p->study->registry;
    const struct flows *flows = &f->step[k].flows;
    size_t from = place_of(flow->from, p->ids), to = place_of(flow->to, p->ids);
    table_real(t, COL(share), part_of(flows, flow));
    table_real(t, COL(gives_share), s->gives[from]);
    table_real(t, COL(gets_share), s->gets[to]);
    if (f->keys)
        table_count(t, COL(moved_keys), (uint64_t)flow->keys);
    if (f->bytes > 0)
        table_count(t, COL(moved_bytes), (uint64_t)(part_of(flows, flow) * f->bytes + 0.5));
    if (s->fair[to] > 0) {
        table_real(t, COL(gain_over_fair), s->gets[to] / s->fair[to]);
        table_real(t, COL(load_over_fair), f->share[(k + 1) * p->ids + to] / s->fair[to]);
    }
    if (wish->rate > 0)
        table_real(t, COL(hours), s->gets[to] * f->bytes / wish->rate / 3600);
    return table_text(t, COL(from), flow->from == NO_NODE ? "-" : registry_name(names, flow->from)) ||
           table_text(t, COL(to), flow->to == NO_NODE ? "-" : registry_name(names, flow->to));
}

/* Rows of step k; a step that moves nothing has one row without nodes. */
static int step_rows(struct table *t, const struct plan *p, const struct plan_wish *wish, const struct plan_figures *f, size_t k, double sum, char why[WHY])
{
    const struct flows *flows = &f->step[k].flows;
    struct step_figures s;
    int e = step_init(&s, p->ids) ? fail(why, ENOMEM, "no memory for a plan") : 0;
    if (!e)
        step_measure(&s, p, f, k);
    if (!e && strcmp(f->load, "load") && strcmp(f->load, "bytes")) /* no law knows what was measured */
        e = balance_theory(p->stage[k + 1].placement, f->workload, &s.theory_cv, &s.theory_max, why);
    for (size_t i = 0; !e && (i == 0 || i < flows->count); i++) {
        e = study_row(p->study, t, p->stage[k].placement, p->spec, f->workload, f->requests, why);
        if (!e && (step_columns(t, p, f, &s, k, sum) || (flows->count && flow_columns(t, p, wish, f, &s, k, &flows->item[i]))))
            e = fail(why, ENOMEM, "no memory for another row");
    }
    step_release(&s);
    return e;
}

void plan_figures_release(struct plan_figures *f, const struct plan *p)
{
    for (size_t k = 0; f->step && k < p->steps; k++)
        flows_release(&f->step[k].flows);
    mem_free(f->share);
    mem_free(f->unplaced);
    mem_free(f->step);
    if (f->workload)
        workload_close(f->workload);
    *f = (struct plan_figures){0};
}

static int figures_init(struct plan_figures *f, const struct plan *p, char why[WHY])
{
    *f = (struct plan_figures){.share = mem_alloc(p->steps + 1, p->ids * sizeof *f->share), .unplaced = mem_alloc(p->steps + 1, sizeof *f->unplaced),
                               .step = mem_alloc(p->steps, sizeof *f->step)};
    return f->share && f->unplaced && f->step ? 0 : fail(why, ENOMEM, "no memory for a plan");
}

/* --rate needs bytes. */
static int check_bytes(const struct plan_wish *wish, const struct plan_figures *f, char why[WHY])
{
    if (wish->rate <= 0 || wish->total > 0 || wish->load.path || (f->workload && workload_has_sizes(f->workload)))
        return 0;
    return fail(why, EINVAL, "--rate: how many bytes there are is not known: say how many in all, as in --rate 2TB@100MB/s, or give each key's "
                             "(-k file:path=F,column=1,size-column=2, or --load F)");
}

/* Slots dealt by load, and beside it what dealing them by number would do. */
static int measure_levelled(const struct plan *p, const struct plan_wish *wish, struct plan_figures *f, char why[WHY])
{
    struct plan_figures count;
    double *fair = mem_alloc(p->ids, sizeof *fair);
    int e = figures_init(&count, p, why);
    if (!e && !fair)
        e = fail(why, ENOMEM, "no memory for a plan");
    if (!e)
        e = plan_exact(p, wish, true, &count, why);
    if (!e)
        e = plan_exact(p, wish, false, f, why);
    for (size_t k = 0; k < p->steps && !e; k++) {
        struct balance b;
        cluster_fair_shares(p->stage[k + 1].cluster, fair);
        balance_measure(count.share + (k + 1) * p->ids, fair, p->ids, count.unplaced[k + 1], &b);
        f->step[k].count_moved = count.step[k].moved;
        f->step[k].count_max = b.max_over_mean;
    }
    if (!e && p->piles.keys) {
        f->keys = true;
        f->requests = p->piles.requests;
        e = study_workload(p->study, &f->workload, why);
    }
    plan_figures_release(&count, p);
    mem_free(fair);
    return e;
}

static int measure(const struct plan *p, const struct plan_wish *wish, struct plan_figures *f, char why[WHY])
{
    int e = wish->keys ? 0 : check_bytes(wish, f, why);
    if (e)
        return e;
    if (p->levelled)
        return measure_levelled(p, wish, f, why);
    if (!wish->keys) {
        e = plan_exact(p, wish, false, f, why);
        if (e != -EINVAL || wish->load.path || p->study->exact)
            return e;
        plan_figures_release(f, p); /* no exact way: ask keys */
        e = figures_init(f, p, why);
    }
    return e ? e : plan_sampled(p, wish, f, why);
}

int plan_run(const struct plan *p, const struct plan_wish *wish, struct table **out, char why[WHY])
{
    struct plan_figures f;
    struct table *t = columns_table(columns_plan);
    double sum = 0;
    int e = figures_init(&f, p, why);
    if (!e && !t)
        e = fail(why, ENOMEM, "no memory for a table");
    if (!e)
        e = measure(p, wish, &f, why);
    if (!e)
        e = check_bytes(wish, &f, why);
    bool sized = wish->load.path ? wish->load.bytes || wish->rate > 0 : f.workload && workload_has_sizes(f.workload);
    if (!e)
        f.bytes = wish->total > 0 ? wish->total : sized ? (double)f.step[0].flows.total / (double)TEXT_AMOUNT_ONE : 0;
    for (size_t k = 0; k < p->steps && !e; k++) {
        sum += f.step[k].moved;
        e = step_rows(t, p, wish, &f, k, sum, why);
    }
    plan_figures_release(&f, p);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
