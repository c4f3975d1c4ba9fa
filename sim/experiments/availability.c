#include "experiments/availability.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/rng.h"
#include "experiments/trial.h"
#include "metrics/availability.h"
#include "metrics/chance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* A cluster's nodes as the copies see them. */
struct floor_plan {
    uint32_t replicas, fail;
    uint32_t nodes, racks; /* racks 0: none are named */
    uint32_t *index;       /* of each id: its place in the cluster */
    uint32_t *rack;        /* of each place */
    uint32_t *others;      /* of each place: nodes that may hold another copy of its ranges */
};

/* Sums over placements. */
struct tally {
    double sets, neighbours, most, below, lost, worst, theory;
    uint64_t subsets, broken, gone;
    bool sampled;
};

static void plan_release(struct floor_plan *f)
{
    mem_free(f->index);
    mem_free(f->rack);
    mem_free(f->others);
}

static bool same_attribute(const struct node *a, const struct node *b, const char *name)
{
    size_t m = 0, n = 0;
    const char *x = node_attribute(a, name, &m), *y = node_attribute(b, name, &n);
    return !x == !y && m == n && (!x || !memcmp(x, y, m));
}

/* Racks of two data centres are two, whatever their names. */
static int number_racks(struct floor_plan *f, const struct cluster *c, char why[WHY])
{
    const struct node *named = NULL, *bare = NULL;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        size_t len;
        uint32_t first = 0;
        if (!node_attribute(n, "rack", &len)) {
            bare = n;
            continue;
        }
        named = n;
        while (!same_attribute(&c->node[first], n, "rack") || !same_attribute(&c->node[first], n, "dc"))
            first++;
        f->rack[i] = first == i ? f->racks++ : f->rack[first];
    }
    return named && bare ? fail(why, EINVAL, "node %s names its rack and node %s does not: give rack= to all nodes or to none", named->name, bare->name) : 0;
}

static void count_others(struct floor_plan *f)
{
    uint32_t *size = f->index; /* not in use yet */
    for (uint32_t i = 0; i < f->nodes && f->racks; i++)
        size[f->rack[i]]++;
    for (uint32_t i = 0; i < f->nodes; i++)
        f->others[i] = f->nodes - (f->racks ? size[f->rack[i]] : 1);
}

static int plan_init(struct floor_plan *f, const struct cluster *c, bool system, char why[WHY])
{
    f->nodes = c->size;
    if (f->replicas > c->size)
        return fail(why, EINVAL, "--replicas %u: copies lie on different nodes, and there are %u; give --replicas %u or fewer", f->replicas, c->size, c->size);
    if (f->fail >= c->size)
        return fail(why, EINVAL, "--fail %u of %u nodes leaves none: give 1 to %u", f->fail, c->size, c->size - 1);
    for (uint32_t i = 0; i < c->size; i++)
        if (c->node[i].down)
            return fail(why, EINVAL, "node %s is down already: leave it out of -n, or its down=1, and say with --fail how many fail", c->node[i].name);
    f->index = mem_alloc(c->ids, sizeof *f->index);
    f->rack = mem_alloc(c->size, sizeof *f->rack);
    f->others = mem_alloc(c->size, sizeof *f->others);
    if (!f->index || !f->rack || !f->others)
        return fail(why, ENOMEM, "no memory for %u nodes", c->size);
    int e = system ? 0 : number_racks(f, c, why);
    if (!e && f->racks && f->racks < f->replicas)
        e = fail(why, EINVAL, "--replicas %u: copies lie on different racks, and there are %u; give --replicas %u, or no rack=", f->replicas, f->racks,
                 f->racks);
    count_others(f);
    return e;
}

/* The first nodes of new racks along `list`; how many, at most `replicas`. */
static uint32_t new_racks(const struct floor_plan *f, const uint32_t *list, size_t n, uint32_t *out)
{
    uint32_t found = 0;
    for (size_t i = 0; i < n && found < f->replicas; i++) {
        uint32_t place = f->index[list[i]], k = 0;
        while (k < found && (f->racks ? f->rack[out[k]] != f->rack[place] : out[k] != place))
            k++;
        if (k == found)
            out[found++] = place;
    }
    return found;
}

/* The nodes that keep copies of the digest, as places; how many. The strategy's own order of preference is followed until there are enough racks.
 * list: room for all nodes. */
static uint32_t copies_of(const struct placement *p, const struct floor_plan *f, uint64_t digest, uint32_t *list, uint32_t *out, bool *salted)
{
    for (size_t most = f->replicas;; most = 2 * most < f->nodes ? 2 * most : f->nodes) {
        size_t n = placement_replicas(p, digest, list, most, salted);
        uint32_t found = new_racks(f, list, n, out);
        if (found == f->replicas || !f->racks || n < most || most == f->nodes || *salted)
            return found;
    }
}

/* The sets of nodes that hold the placement's ranges, with their shares: each range's owner becomes the number of its set. */
static int sets_of(const struct placement *p, const struct floor_plan *f, struct copysets *c, char why[WHY])
{
    struct map map = {0};
    double unplaced;
    bool salted = false;
    uint32_t *list = mem_alloc(f->nodes + (size_t)f->replicas, sizeof *list), *copies = list ? list + f->nodes : NULL;
    int e = list ? placement_map(p, true, &map, why) : fail(why, ENOMEM, "no memory for the copies");
    for (size_t i = 0; i < map.count && !e; i++) {
        uint32_t found = copies_of(p, f, map.range[i].first, list, copies, &salted);
        if (salted)
            e = fail(why, EINVAL, "%s keeps no copies by ranges: it names one node, and a key's further copies are look-ups of their own; try -s ring, slots, maglev or dynamo",
                     p->strategy->name);
        else if (found < f->replicas)
            e = fail(why, EINVAL, "%s names %u nodes for the copies of some range, and --replicas asks for %u; give --replicas %u", p->strategy->name, found,
                     f->replicas, found ? found : 1);
        else if (copysets_add(c, copies, &map.range[i].id))
            e = fail(why, ENOMEM, "no memory for the copies");
    }
    map.ids = (uint32_t)c->count;
    if (!e && copysets_index(c))
        e = fail(why, ENOMEM, "no memory for the copies");
    if (!e)
        e = map_shares(&map, c->share, &unplaced, why);
    map_release(&map);
    mem_free(list);
    return e;
}

/* A strategy without a map has no ranges to speak of: what can be said instead. */
static int no_ranges(const struct placement *p, char why[WHY])
{
    return fail(why, EINVAL, "%s has no ranges that share their copies (each key has its own), so there is no map to count them from; try -s ring, slots, maglev or dynamo",
                p->strategy->name);
}

/* Lynch and Snyder's expected neighbours, for random points and equal nodes; NAN where it does not apply. */
static double expected_neighbours(const struct placement *p, const struct floor_plan *f)
{
    const struct cluster *c = p->cluster;
    size_t points, distinct;
    double sum = 0;
    if (p->law != LAW_ARCS || cluster_weight(c) != c->size || (p->strategy->version && !f->racks && node_attribute(&c->node[0], "rack", &points)))
        return NAN;
    placement_points(p, &points, &distinct, NULL);
    for (uint32_t i = 0; i < f->nodes; i++)
        sum += theory_neighbours(f->others[i], (double)points / f->nodes, f->replicas);
    return sum / f->nodes;
}

/* The share of the keys that have two copies on one rack. */
static double same_rack_share(const struct copysets *c, const struct cluster *all)
{
    double sum = 0;
    size_t len;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t *place = c->node + i * c->replicas;
        bool same = false;
        for (uint32_t a = 1; a < c->replicas; a++)
            for (uint32_t b = 0; b < a; b++) {
                const struct node *x = &all->node[place[a]], *y = &all->node[place[b]];
                same |= node_attribute(x, "rack", &len) && same_attribute(x, y, "rack") && same_attribute(x, y, "dc");
            }
        sum += same ? c->share[i] : 0;
    }
    return sum;
}

/* A real system may take no notice of racks. */
static void tell_racks(const struct study *s, const struct spec *spec, const struct placement *p, const struct copysets *c)
{
    const struct node *one = &p->cluster->node[0];
    double same = p->strategy->version ? same_rack_share(c, p->cluster) : 0;
    char why[WHY], cure[96] = "";
    size_t len = strlen("datacenter1");
    if (same < 1e-12 || !s->warn)
        return;
    const char *dc = node_attribute(one, "dc", &len);
    bool asked = false; /* for its own way of minding racks */
    for (size_t i = 0; i < spec->count; i++)
        asked |= !strcmp(spec->item[i].name, "strategy");
    if (!strcmp(p->strategy->name, "cassandra") && !asked)
        snprintf(cure, sizeof cure, "; its racks count with -s cassandra:strategy=network,rf=%.*s:%u", (int)(len < 32 ? len : 32), dc ? dc : "datacenter1", c->replicas);
    fail(why, EINVAL, "%s goes by its own rule, not by rack=: %.3g %% of the keys have two copies on one rack%s", p->strategy->name, 100 * same, cure);
    s->warn(s->warn_to, why);
}

static int tally_add(struct tally *t, const struct study *s, const struct spec *spec, const struct placement *p, struct floor_plan *f, char why[WHY])
{
    struct copysets c;
    struct failures fails;
    double mean;
    uint32_t most;
    for (uint32_t i = 0; i < f->nodes; i++)
        f->index[p->cluster->node[i].id] = i;
    if (p->engine->lookup_loaded || (!p->engine->ranges && p->key.hash.hash->last > MAP_NARROW))
        return no_ranges(p, why);
    copysets_init(&c, f->nodes, f->replicas);
    int e = sets_of(p, f, &c, why);
    if (!e && !t->subsets)
        tell_racks(s, spec, p, &c);
    if (!e && (copysets_neighbours(&c, &mean, &most) ||
               copysets_fail(&c, f->fail, rng_stream(s->seed, "failures", "", f->nodes), study_threads(s), &fails)))
        e = fail(why, ENOMEM, "no memory to let %u nodes fail", f->fail);
    if (!e) {
        t->sets += (double)c.count;
        t->neighbours += mean;
        t->most += most;
        t->theory += expected_neighbours(p, f);
        t->below += fails.below_quorum;
        t->lost += fails.lost;
        t->worst = fails.worst > t->worst ? fails.worst : t->worst;
        t->subsets += fails.subsets;
        t->broken += fails.broken;
        t->gone += fails.gone;
        t->sampled |= fails.sampled;
    }
    copysets_release(&c);
    return e;
}

/* How often, with the 95 % interval where subsets are a sample. */
static void chance_columns(struct table *t, const struct tally *y, uint64_t hits, const struct column *of, const struct column *low, const struct column *high)
{
    double from, to;
    table_real(t, of, (double)hits / (double)y->subsets);
    if (!y->sampled)
        return;
    chance_interval(hits, y->subsets, 0.95, &from, &to);
    table_real(t, low, from);
    table_real(t, high, to);
}

static int tally_row(const struct tally *y, const struct study *s, const struct floor_plan *f, struct table *t, char why[WHY])
{
    double n = (double)s->placements, neighbours = y->theory / n;
    uint32_t losers = quorum_losers(f->replicas);
    table_count(t, COL(placements), s->placements);
    table_count(t, COL(replicas), f->replicas);
    if (f->racks)
        table_count(t, COL(racks), f->racks);
    table_count(t, COL(failed), f->fail);
    table_real(t, COL(copysets), y->sets / n);
    table_real(t, COL(neighbours), y->neighbours / n);
    table_real(t, COL(neighbours_max), y->most / n);
    table_real(t, COL(theory_neighbours), neighbours);
    chance_columns(t, y, y->broken, COL(quorum_chance), COL(quorum_chance_low), COL(quorum_chance_high));
    if (f->fail == 2 && losers == 2)
        table_real(t, COL(theory_quorum_chance), neighbours / (f->nodes - 1));
    chance_columns(t, y, y->gone, COL(lost_chance), COL(lost_chance_low), COL(lost_chance_high));
    table_real(t, COL(quorum_share), y->below / n);
    table_real(t, COL(theory_quorum_share), theory_dead_share(f->nodes, f->replicas, f->fail, losers));
    table_real(t, COL(lost_share), y->lost / n);
    table_real(t, COL(theory_lost_share), theory_dead_share(f->nodes, f->replicas, f->fail, f->replicas));
    table_real(t, COL(worst_quorum_share), y->worst);
    table_count(t, COL(subsets), y->subsets);
    return table_text(t, COL(method), y->sampled ? "sampled" : "exact") ? fail(why, ENOMEM, "no memory for another row") : 0;
}

static int one_row(const struct study *s, uint32_t replicas, uint32_t fails, size_t spec, size_t size, struct table *t, char why[WHY])
{
    struct trial trial = {0};
    struct tally tally = {0};
    struct floor_plan f = {.replicas = replicas, .fail = fails};
    int e = trial_open(s, &trial, spec, size, 0, why);
    if (!e)
        e = plan_init(&f, trial.given, catalog_find(trial.spec->name)->version != NULL, why);
    if (!e)
        e = trial_place(s, &trial, 0, why);
    if (!e)
        e = study_row(s, t, trial.placement[0], trial.spec, NULL, 0, why);
    for (size_t i = 0; i < s->placements && !e; i++) {
        e = trial_place(s, &trial, i, why);
        if (!e)
            e = tally_add(&tally, s, trial.spec, trial.placement[i], &f, why);
        if (!e && i == 0) {
            size_t points, distinct;
            placement_points(trial.placement[i], &points, &distinct, NULL);
            if (points)
                table_count(t, COL(points), points);
        }
        if (!e)
            trial_drop(&trial, i);
        progress_add(1);
    }
    if (!e)
        e = tally_row(&tally, s, &f, t, why);
    plan_release(&f);
    trial_close(&trial, s->placements);
    return e;
}

int availability_run(const struct study *s, uint32_t replicas, uint32_t fails, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_availability);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for the results");
    progress_start("availability", "placements", s->placements * s->specs * s->sizes);
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs && !e; i++)
            e = one_row(s, replicas, fails, i, k, t, why);
    progress_end();
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
