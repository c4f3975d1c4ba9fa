#include "experiments/failure_parts.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/rng.h"
#include "metrics/cascade.h"
#include "metrics/subsets.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* One placement's scratch, by place. */
struct desk {
    struct handing h;
    double *fair, *before, *first, *now, *capacity; /* capacity: for a factor of 1 */
    double *bears;
    bool *dead, *died, *taken;
    uint32_t *subset;
};

static void desk_close(struct desk *d)
{
    handing_close(&d->h);
    mem_free(d->fair);
    mem_free(d->dead);
    mem_free(d->subset);
}

static int desk_open(struct desk *d, struct scene *c, const struct placement *p, char why[WHY])
{
    uint32_t n = c->nodes;
    double lost, weight = (double)cluster_weight(p->cluster);
    int e = handing_open(&d->h, c->s, c->trial.spec, p, c->way, c->wish->replicas, why);
    d->fair = mem_alloc(n, 6 * sizeof *d->fair);
    d->dead = mem_alloc(n, 3 * sizeof *d->dead);
    d->subset = mem_alloc(n, sizeof *d->subset);
    if (e || !d->fair || !d->dead || !d->subset)
        return e ? e : fail(why, ENOMEM, "no memory to let %u nodes fail", n);
    d->before = d->fair + n;
    d->first = d->before + n;
    d->now = d->first + n;
    d->capacity = d->now + n;
    d->bears = d->capacity + n;
    d->died = d->dead + n;
    d->taken = d->died + n;
    e = handing_load(&d->h, d->dead, d->before, &lost, why);
    for (uint32_t i = 0; i < n; i++)
        d->fair[i] = p->cluster->node[i].weight / weight;
    memcpy(d->capacity, c->wish->own ? d->before : d->fair, n * sizeof *d->capacity);
    return e;
}

static struct cascade cascade_on(const struct scene *c, struct desk *d, double capacity)
{
    for (uint32_t i = 0; i < c->nodes; i++)
        d->bears[i] = capacity * d->capacity[i];
    return (struct cascade){.nodes = c->nodes, .fair = d->fair, .capacity = d->bears, .load = handing_load, .of = &d->h};
}

/* First deaths number k of a placement, marked in dead[]. */
static void choose_dead(const struct scene *c, struct desk *d, uint64_t placement, uint64_t k)
{
    uint32_t n = c->nodes, kill = c->kill;
    memset(d->dead, 0, n * sizeof *d->dead);
    if (c->victim != NO_NODE)
        d->subset[0] = c->victim;
    else if (c->sampled)
        subset_random(rng_at(rng_stream(c->s->seed, "first deaths", "", placement), k), n, kill, d->taken, d->subset);
    else if (k == 0)
        subset_first(kill, d->subset);
    else
        subset_next(n, kill, d->subset);
    for (uint32_t i = 0; i < kill; i++)
        d->dead[d->subset[i]] = true;
}

/* The largest load of the living, over what a capacity of 1 bears; infinite where that is nothing. */
static double needed(const struct desk *d, const double *load, uint32_t nodes)
{
    double most = 0;
    for (uint32_t i = 0; i < nodes; i++)
        if (!d->dead[i] && cascade_over(load[i], most * d->capacity[i]))
            most = load[i] / d->capacity[i];
    return most;
}

static void count_heirs(const struct scene *c, const struct desk *d, struct heirs *out)
{
    double most = 0;
    for (uint32_t i = 0; i < c->nodes; i++) {
        double gain = d->dead[i] ? 0 : d->first[i] - d->before[i];
        out->receivers += gain > 1e-12;
        most = gain > most ? gain : most;
    }
    out->gain += most * c->nodes;
    out->needed = fmax(out->needed, needed(d, d->first, c->nodes));
}

/* The loads after the first deaths are known: what follows at one capacity. */
static int follow(struct scene *c, struct desk *d, size_t k, double lost, struct tally *t, char why[WHY])
{
    struct cascade all = cascade_on(c, d, c->wish->capacity[k]);
    struct cascade_end end;
    memcpy(d->died, d->dead, c->nodes * sizeof *d->died);
    memcpy(d->now, d->first, c->nodes * sizeof *d->now);
    int e = cascade_run(&all, d->died, d->now, lost, &end, why);
    if (e)
        return e;
    t->stable += end.steps == 0;
    t->collapsed += end.survivors == 0;
    t->steps += end.steps;
    t->peak += end.peak;
    t->peak_most = end.peak > t->peak_most ? end.peak : t->peak_most;
    t->lost += end.lost;
#pragma omp atomic
    c->left[k * (c->nodes + (size_t)1) + end.survivors]++;
    return 0;
}

/* A placement that remembers is brought back to the first deaths for each capacity. */
static int kill_once(struct scene *c, struct desk *d, uint64_t placement, char why[WHY])
{
    struct tally *tally = c->tally + placement * c->wish->capacities;
    double lost = 0;
    int e = 0;
    for (size_t k = 0; k < c->wish->capacities && !e; k++) {
        if (k == 0 || (d->h.p && d->h.p->caps & CAP_HISTORY)) {
            e = d->h.p ? handing_restart(&d->h, why) : 0;
            if (!e)
                e = handing_load(&d->h, d->dead, d->first, &lost, why);
        }
        if (!e && k == 0)
            count_heirs(c, d, &c->heirs[placement]);
        if (!e)
            e = follow(c, d, k, lost, &tally[k], why);
    }
    return e;
}

static int one_placement(struct scene *c, uint64_t i, char why[WHY])
{
    struct desk d = {0};
    int e = trial_place(c->s, &c->trial, i, why);
    if (!e)
        e = desk_open(&d, c, c->trial.placement[i], why);
    if (!e)
        c->heirs[i].needed = needed(&d, d.before, c->nodes);
    for (size_t k = 0; k < c->wish->capacities && !e; k++) {
        struct cascade all = cascade_on(c, &d, c->wish->capacity[k]);
        for (uint32_t n = 0; n < c->nodes; n++)
            c->tally[i * c->wish->capacities + k].over += cascade_over(d.before[n], all.capacity[n]);
    }
    for (uint64_t k = 0; k < c->kills && !e; k++) {
        choose_dead(c, &d, i, k);
        e = kill_once(c, &d, i, why);
        progress_add(1);
    }
    if (i == 0)
        c->keys = d.h.keys;
    desk_close(&d);
    if (i > 0) /* which names the row */
        trial_drop(&c->trial, i);
    return e;
}

/* What the processes found in placements of their own. */
static int gather(struct scene *c, char why[WHY])
{
    size_t capacities = c->wish->capacities;
    int e = ranks_gather(c->tally, capacities * sizeof *c->tally, 0, c->s->placements, why);
    if (!e)
        e = ranks_gather(c->heirs, sizeof *c->heirs, 0, c->s->placements, why);
    return e ? e : ranks_sum(c->left, capacities * (c->nodes + (size_t)1), why);
}

/* Keys go through all threads and processes at once; else placements do. */
int scene_count(struct scene *c, char why[WHY])
{
    bool keys = c->way == HAND_KEYS;
    unsigned threads = keys ? 1 : study_threads(c->s);
    (void)threads;
    c->broken = c->s->placements;
    c->why = why;
    progress_start("failure", "cascades", c->s->placements * c->kills);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint64_t i = 0; i < c->s->placements; i++) {
        char inner[WHY];
        int e = keys || ranks_mine(i) ? one_placement(c, i, inner) : 0;
        if (!e)
            continue;
#pragma omp critical
        if (i < c->broken) {
            c->broken = i;
            c->error = fail(c->why, -e, "%s", inner);
        }
    }
    progress_end();
    if (keys)
        return c->error;
    int e = ranks_agree(c->error, c->broken, why);
    return e ? e : gather(c, why);
}

/* What cascade_run's watcher needs to make rows. */
struct show {
    const struct scene *c;
    const struct desk *d;
    double capacity;
    scene_row *row;
    void *to;
    int error;
    char *why;
};

static void show_state(void *to, uint32_t step, const bool *dead, const double *load)
{
    struct show *s = to;
    if (!s->error)
        s->error = s->row(s->to, s->c, s->capacity, step, dead, load, s->d->fair, s->d->bears, s->why);
}

int scene_show(struct scene *c, scene_row *row, void *to, char why[WHY])
{
    struct desk d = {0};
    struct cascade_end end;
    int e = desk_open(&d, c, c->trial.placement[0], why);
    for (size_t k = 0; k < c->wish->capacities && !e; k++) {
        struct show show = {c, &d, c->wish->capacity[k], row, to, 0, why};
        struct cascade all = cascade_on(c, &d, c->wish->capacity[k]);
        double lost = 0;
        all.watch = show_state;
        all.to = &show;
        memset(d.dead, 0, c->nodes * sizeof *d.dead);
        show_state(&show, 0, d.dead, d.before);
        choose_dead(c, &d, 0, 0);
        if (d.h.p)
            e = handing_restart(&d.h, why);
        if (!e)
            e = handing_load(&d.h, d.dead, d.now, &lost, why);
        if (!e)
            e = cascade_run(&all, d.dead, d.now, lost, &end, why);
        e = e ? e : show.error;
    }
    c->keys = d.h.keys;
    desk_close(&d);
    return e;
}
