#include "experiments/failure.h"

#include "base/mem.h"
#include "base/stats.h"
#include "base/text.h"
#include "experiments/failure_parts.h"
#include "metrics/cascade.h"
#include "metrics/chance.h"
#include "metrics/dirichlet.h"
#include "metrics/subsets.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define STEPS 4e9 /* of one row that are still waited for */
enum { ALL_MOST = 10000, LEAST = 20 };

/* How many first deaths are looked at. */
static int plan_kills(struct scene *c, double cost, char why[WHY])
{
    double room = STEPS / cost / (double)c->s->placements;
    uint64_t most = room < 1 ? 1 : room > ALL_MOST ? ALL_MOST : (uint64_t)room;
    uint64_t all = c->victim != NO_NODE ? 1 : subsets_count(c->nodes, c->kill, ALL_MOST + 1);
    c->sampled = all > most;
    c->kills = c->sampled ? most : all;
    if (c->sampled && c->kills * c->s->placements < LEAST)
        return fail(why, EINVAL, "%s: there is time for %u first death%s, too few to say how often anything happens: name one with --kill NAME, "
                                 "or ask for fewer %s",
                    c->trial.spec->name, (unsigned)(c->kills * c->s->placements), c->kills * c->s->placements == 1 ? "" : "s", c->way == HAND_KEYS ? "keys with -k" : "points");
    return 0;
}

/* --kill names a node, or says how many. */
static int find_victim(struct scene *c, const struct cluster *all, char why[WHY])
{
    const char *name = c->wish->victim, **known;
    const struct node *named = name ? cluster_by_name(all, name) : NULL;
    c->kill = named || !c->wish->kill ? 1 : c->wish->kill;
    c->victim = named ? (uint32_t)(named - all->node) : NO_NODE;
    if (!name || named || c->wish->kill)
        return 0;
    if (!(known = mem_alloc(all->size, sizeof *known)))
        return fail(why, ENOMEM, "no memory for the names of %u nodes", all->size);
    for (uint32_t i = 0; i < all->size; i++)
        known[i] = all->node[i].name;
    size_t near = text_nearest(name, known, all->size);
    fail(why, EINVAL, "--kill '%s': no such node; %s%s%s", name, near < all->size ? "did you mean '" : "give a node's name, like '",
         known[near < all->size ? near : 0], near < all->size ? "'?" : "', or how many die at once");
    mem_free(known);
    return -EINVAL;
}

/* What cannot be, whatever the strategy. */
static int check(struct scene *c, const struct cluster *all, char why[WHY])
{
    const struct failure_wish *w = c->wish;
    int e = find_victim(c, all, why);
    c->nodes = all->size;
    if (e)
        return e;
    if (w->replicas > all->size)
        return fail(why, EINVAL, "--replicas %u: copies lie on different nodes, and there are %u; give --replicas %u or fewer", w->replicas, all->size, all->size);
    if (all->size == 1)
        return fail(why, EINVAL, "one node alone has nobody to take its load: -n needs 2 nodes or more");
    if (c->kill >= all->size)
        return fail(why, EINVAL, "--kill %s of %u nodes leaves none: give 1 to %u", w->victim ? w->victim : "1", all->size, all->size - 1);
    for (uint32_t i = 0; i < all->size; i++)
        if (all->node[i].down)
            return fail(why, EINVAL, "node %s is down already: leave it out of -n, or its down=1; --kill says who fails", all->node[i].name);
    return w->per_node && c->victim == NO_NODE
               ? fail(why, EINVAL, "--per-node shows one cascade, step by step: say who dies first, like --kill '%s'", all->node[0].name)
               : 0;
}

static void scene_close(struct scene *c)
{
    trial_close(&c->trial, c->s->placements);
    if (c->w)
        workload_close(c->w);
    mem_free(c->tally);
    mem_free(c->heirs);
    mem_free(c->left);
}

static int scene_open(struct scene *c, char why[WHY])
{
    double cost = 0;
    const struct failure_wish *w = c->wish;
    const struct placement *p = c->trial.placement[0];
    c->tally = mem_alloc(c->s->placements * w->capacities, sizeof *c->tally);
    c->heirs = mem_alloc(c->s->placements, sizeof *c->heirs);
    c->left = mem_alloc(w->capacities, (c->nodes + (size_t)1) * sizeof *c->left);
    int e = c->tally && c->heirs && c->left ? 0 : fail(why, ENOMEM, "no memory to let %u nodes fail", c->nodes);
    if (!e)
        e = handing_choose(c->s, c->trial.spec, p, w->replicas, c->victim == NO_NODE ? 0 : c->victim, &c->way, &cost, why);
    if (!e && c->way == HAND_KEYS)
        e = study_workload(c->s, &c->w, why);
    return e ? e : plan_kills(c, cost, why);
}

/* -- rows -- */

/* What an ideal ring gives; NAN where it does not apply. */
static int expected_receivers(const struct scene *c, double *out, char why[WHY])
{
    const struct placement *p = c->trial.placement[0];
    const struct cluster *all = p->cluster;
    struct dirichlet arcs;
    size_t points, distinct;
    *out = NAN;
    if (p->law != LAW_ARCS || c->kill != 1 || (c->way == HAND_COPIES && c->wish->replicas < 2))
        return 0;
    double *weight = mem_alloc(all->ids, sizeof *weight);
    if (!weight)
        return fail(why, ENOMEM, "no memory for the theory of %u nodes", c->nodes);
    for (uint32_t i = 0; i < all->size; i++)
        weight[all->node[i].id] = p->caps & CAP_WEIGHTS ? all->node[i].weight : 1;
    int e = dirichlet_init(&arcs, weight, all->ids, why);
    placement_points(p, &points, &distinct, NULL);
    if (!e)
        *out = dirichlet_receivers(&arcs, (double)points / arcs.weight);
    dirichlet_release(&arcs);
    mem_free(weight);
    return e;
}

/* The smallest number of survivors that a part q of the cascades does not exceed. */
static uint64_t left_quantile(const uint64_t *left, uint64_t cascades, double q)
{
    uint64_t n = 0, sum = left[0];
    while ((double)sum < q * (double)cascades)
        sum += left[++n];
    return n;
}

/* What 95 % of the placements do not exceed; NAN where that is infinite. */
static int needed_capacity(const struct scene *c, double *out, char why[WHY])
{
    uint64_t n = c->s->placements;
    double *needed = mem_alloc(n, sizeof *needed);
    if (!needed)
        return fail(why, ENOMEM, "no memory for %u placements", (unsigned)n);
    for (uint64_t i = 0; i < n; i++)
        needed[i] = c->heirs[i].needed;
    stats_sort(needed, n);
    *out = needed[(95 * n + 99) / 100 - 1];
    *out = isinf(*out) ? (double)NAN : *out;
    mem_free(needed);
    return 0;
}

static int start_row(const struct scene *c, struct table *t, double capacity, char why[WHY])
{
    size_t points, distinct;
    const struct placement *p = c->trial.placement[0];
    int e = study_row(c->s, t, p, c->trial.spec, c->w, c->keys, why);
    if (e)
        return e;
    placement_points(p, &points, &distinct, NULL);
    if (points)
        table_count(t, COL(points), points);
    table_real(t, COL(capacity), capacity);
    if (c->wish->replicas || c->way == HAND_COPIES)
        table_count(t, COL(replicas), c->wish->replicas ? c->wish->replicas : 1);
    bool full = table_text(t, COL(capacity_of), c->wish->own ? "own" : "fair") ||
                table_text(t, COL(method), c->sampled || c->way == HAND_KEYS ? "sampled" : "exact");
    return full ? fail(why, ENOMEM, "no memory for another row") : 0;
}

static void survivor_columns(struct table *t, const struct scene *c, size_t k, uint64_t cascades)
{
    const uint64_t *left = c->left + k * (c->nodes + (size_t)1);
    uint64_t sum = 0;
    for (uint32_t n = 0; n <= c->nodes; n++)
        sum += n * left[n];
    table_real(t, COL(survivors), (double)sum / (double)cascades);
    table_count(t, COL(survivors_q05), left_quantile(left, cascades, 0.05));
    table_count(t, COL(survivors_q50), left_quantile(left, cascades, 0.50));
    table_count(t, COL(survivors_q95), left_quantile(left, cascades, 0.95));
}

static int capacity_row(const struct scene *c, size_t k, double expected, double needed, struct table *t, char why[WHY])
{
    struct tally sum = {0};
    struct heirs heirs = {0};
    uint64_t placements = c->s->placements, cascades = placements * c->kills, some_over = 0, over = 0;
    for (uint64_t i = 0; i < placements; i++) {
        const struct tally *one = &c->tally[i * c->wish->capacities + k];
        sum.stable += one->stable;
        sum.collapsed += one->collapsed;
        sum.steps += one->steps;
        sum.peak += one->peak;
        sum.peak_most = one->peak_most > sum.peak_most ? one->peak_most : sum.peak_most;
        sum.lost += one->lost;
        over += one->over;
        some_over += one->over > 0;
        heirs.receivers += c->heirs[i].receivers;
        heirs.gain += c->heirs[i].gain;
    }
    double n = (double)cascades, low, high;
    int e = start_row(c, t, c->wish->capacity[k], why);
    if (e)
        return e;
    table_count(t, COL(failed), c->kill);
    table_count(t, COL(placements), placements);
    table_count(t, COL(cascades), cascades);
    table_real(t, COL(needed_capacity), needed);
    table_real(t, COL(over_before), (double)over / (double)placements);
    table_real(t, COL(over_before_chance), (double)some_over / (double)placements);
    table_real(t, COL(stable_chance), (double)sum.stable / n);
    table_real(t, COL(collapse_chance), (double)sum.collapsed / n);
    if (c->sampled) {
        chance_interval(sum.collapsed, cascades, 0.95, &low, &high);
        table_real(t, COL(collapse_chance_low), low);
        table_real(t, COL(collapse_chance_high), high);
    }
    survivor_columns(t, c, k, cascades);
    table_real(t, COL(steps), (double)sum.steps / n);
    table_real(t, COL(peak_over_fair), sum.peak / n);
    table_real(t, COL(peak_over_fair_max), sum.peak_most);
    table_real(t, COL(lost_share), sum.lost / n);
    table_real(t, COL(receivers), (double)heirs.receivers / n);
    table_real(t, COL(theory_receivers), expected);
    table_real(t, COL(worst_gain), heirs.gain / n);
    return 0;
}

static int node_rows(void *to, const struct scene *c, double capacity, uint32_t step, const bool *dead, const double *load, const double *fair,
                     const double *bears, char why[WHY])
{
    const struct cluster *all = c->trial.placement[0]->cluster;
    int e = 0;
    for (uint32_t i = 0; i < c->nodes && !e; i++) {
        if ((e = start_row(c, to, capacity, why)))
            return e;
        table_count(to, COL(step), step);
        table_count(to, COL(weight), all->node[i].weight);
        table_real(to, COL(load_over_fair), load[i] / fair[i]);
        const char *state = dead[i] ? "dead" : cascade_over(load[i], bears[i]) ? "over" : "up";
        if (table_text(to, COL(node), all->node[i].name) || table_text(to, COL(state), state))
            e = fail(why, ENOMEM, "no memory for another row");
    }
    return e;
}

static int scene_rows(struct scene *c, struct table *t, char why[WHY])
{
    double expected, needed = NAN;
    if (c->wish->per_node)
        return scene_show(c, node_rows, t, why);
    int e = scene_count(c, why);
    if (!e)
        e = expected_receivers(c, &expected, why);
    if (!e)
        e = needed_capacity(c, &needed, why);
    for (size_t k = 0; k < c->wish->capacities && !e; k++)
        e = capacity_row(c, k, expected, needed, t, why);
    return e;
}

/* *cannot: this strategy has no answer, and another may. */
static int one_spec(const struct study *s, const struct failure_wish *wish, size_t spec, size_t size, struct table *t, bool *cannot, char why[WHY])
{
    struct scene c = {.s = s, .wish = wish};
    int e = trial_open(s, &c.trial, spec, size, 0, why);
    if (!e)
        e = check(&c, c.trial.given, why);
    if (!e)
        e = trial_place(s, &c.trial, 0, why);
    if (!e) {
        e = scene_open(&c, why);
        *cannot = e == -EINVAL;
    }
    if (!e)
        e = scene_rows(&c, t, why);
    scene_close(&c);
    return e;
}

int failure_run(const struct study *s, const struct failure_wish *wish, struct table **out, char why[WHY])
{
    struct table *t = columns_table(wish->per_node ? columns_failure_nodes : columns_failure);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for the results");
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs && !e; i++) {
            bool cannot = false, last = k + 1 == s->sizes && i + 1 == s->specs;
            e = one_spec(s, wish, i, k, t, &cannot, why);
            if (!cannot || (last && !table_rows(t)))
                continue;
            fail(why, EINVAL, "left out: %s", why);
            if (s->warn)
                s->warn(s->warn_to, why);
            e = 0;
        }
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
