/* How far shares scatter over placements, against the law they should follow; and whether load follows weights. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "metrics/balance.h"
#include "metrics/chance.h"
#include "metrics/theory.h"

#include <errno.h>
#include <string.h>

static int no_memory(const struct bench *b, char why[WHY])
{
    return fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
}

/* Points by id, as the strategy's rule names them: not as its ring holds them. */
static int count_point(void *to, const struct point *point)
{
    double *points = to;
    points[point->id]++;
    return 0;
}

double bench_points(const struct placement *p)
{
    double sum = 0, *points = p->strategy->points && p->law != LAW_FIXED ? mem_alloc(p->cluster->ids, sizeof *points) : NULL;
    if (points)
        p->strategy->points(p, NULL, count_point, points);
    for (uint32_t id = 0; points && id < p->cluster->ids; id++)
        sum += points[id];
    mem_free(points);
    return sum;
}

static void points_promised(const struct placement *p, double *points)
{
    memset(points, 0, p->cluster->ids * sizeof *points);
    if (p->strategy->points)
        p->strategy->points(p, NULL, count_point, points);
}

/* Sums over placements. */
struct scatter {
    double seen, squares; /* of each placement's statistic */
    double mean, variance; /* what their sum should have */
    uint64_t placements;
    bool measured; /* the variance is taken from what was seen */
};

/* One placement: the sum of squared shares (arcs, probes), or chi-square of the cells dealt (balls). */
static int scatter_add(const struct placement *p, struct scatter *c, double *share, double *scratch, char why[WHY])
{
    uint32_t ids = p->cluster->ids, n = p->cluster->size;
    double unplaced, x = 0, mean = 0, variance = 0;
    int e = placement_shares(p, share, &unplaced, why);
    if (e)
        return e;
    for (uint32_t i = 0; i < n && p->law != LAW_BALLS; i++)
        x += share[p->cluster->node[i].id] * share[p->cluster->node[i].id];
    if (p->law == LAW_ARCS) {
        points_promised(p, scratch);
        chance_arcs_square(scratch, ids, &mean, &variance);
    } else if (p->law == LAW_BALLS) {
        double cells = (double)p->law_count, inverse = 0;
        cluster_fair_shares(p->cluster, scratch);
        for (uint32_t i = 0; i < n; i++) {
            double fair = scratch[p->cluster->node[i].id], off = share[p->cluster->node[i].id] - fair;
            x += off * off * cells / fair;
            inverse += 1 / fair;
        }
        mean = n - 1.0;
        variance = 2 * (n - 1.0) * (cells - 1) / cells + (inverse - (double)n * n) / cells;
    } else {
        double cv, max;
        theory_probes(n, p->law_count, 0, &cv, &max);
        mean = (cv * cv + 1) / n;
        c->measured = true;
    }
    c->seen += x;
    c->squares += x * x;
    c->mean += mean;
    c->variance += variance;
    c->placements++;
    return 0;
}

static double scatter_chance(const struct scatter *c)
{
    double n = (double)c->placements;
    if (!c->measured)
        return chance_gamma(c->seen, c->mean, c->variance);
    return chance_gamma(c->seen, c->mean, (c->squares - c->seen * c->seen / n) * n / (n - 1));
}

/* Enough placements that a ring with a quarter of its points missing (15 % more cv) cannot pass: (N - 1) x placements. Fewer of what takes long. */
static uint64_t placements_wanted(const struct bench *b)
{
    uint64_t trials = (b->v->deep ? 18000 : b->s->quick ? 180 : 1800) / (b->size - 1) + 1, least = b->p->law == LAW_PROBES ? b->s->quick ? 50 : 200 : 4;
    double points = b->p->law == LAW_PROBES ? b->size : bench_points(b->p), most = (b->v->deep ? 2e8 : 2e7) / (points + 1);
    trials = (double)trials < most ? trials : (uint64_t)most;
    return trials > least ? trials : least;
}

int verify_scatter(struct bench *b, char why[WHY])
{
    enum law law = b->p->law;
    struct scatter c = {0};
    if (b->system || b->size < 2 || (law != LAW_ARCS && law != LAW_BALLS && law != LAW_PROBES))
        return 0;
    if (placement_full(b->p) > 1e-3)
        return verdict_skip(b, "scatter", "points stand on so large a part of the ring's positions that arcs are no random arcs") ? no_memory(b, why) : 0;
    int e = 0;
    for (uint64_t i = 0, n = placements_wanted(b); i < n && !e; i++) {
        struct registry *r = registry_create();
        const struct cluster *drawn;
        struct placement *p = NULL;
        e = r ? cluster_random(r, b->cluster, rng_at(b->stream, i), &drawn, why) : no_memory(b, why);
        if (!e)
            e = placement_open(&p, b->spec, drawn, &b->s->hash, why);
        double *share = e ? NULL : mem_alloc(2 * (size_t)drawn->ids, sizeof *share);
        if (!e)
            e = share ? scatter_add(p, &c, share, share + drawn->ids, why) : no_memory(b, why);
        mem_free(share);
        placement_close(p);
        registry_destroy(r);
    }
    struct verdict *v = e ? NULL : verdict_new(b, "scatter");
    if (!v)
        return e ? e : no_memory(b, why);
    double flat = b->p->law == LAW_BALLS ? 0 : (double)c.placements / b->size; /* what perfectly even shares would sum to */
    v->samples = c.placements;
    v->statistic = sqrt((c.seen - flat) / (c.mean - flat));
    v->p = scatter_chance(&c);
    snprintf(v->detail, sizeof v->detail, "cv over placements with names drawn anew, over what the law says (%.6f)",
             law == LAW_BALLS ? sqrt((b->size - 1) / (double)b->p->law_count) /* of equal nodes */ : sqrt((c.mean / (double)c.placements) * b->size - 1));
    return 0;
}

/* -- weights -- */

/* Nodes of weight 1 3 5 2 4 1 .. with the names the bench's nodes have. */
static int unequal(struct bench *b, struct crowd *c)
{
    if (crowd_init(c, b->cluster))
        return -ENOMEM;
    for (uint32_t i = 0; i < b->size; i++)
        c->node[i].weight = 1 + i * 2 % 5;
    return 0;
}

/* How far a share may be from its weight where the rule fixes it: two cells of a table; else what a strategy's own law may lean, as straw2's does. */
static double departure_allowed(const struct placement *p, double least_fair)
{
    uint64_t cells = p->engine->ranges && p->engine->cells ? p->engine->cells(p->state) : 0;
    return p->engine->ranges ? cells ? 2 / (double)cells / least_fair : NAN : 0.05;
}

/* The chance of one node's share: of random arcs, as many as the weight asks for; of a narrow hash's digests; else 1. */
static double weight_chance(const struct placement *p, double share, double fair, double points)
{
    uint64_t digests = p->key.hash.hash->last + 1;
    if (p->law == LAW_ARCS)
        return chance_arc(share, fair * points, points);
    if (!p->engine->ranges && p->law == LAW_FIXED && p->key.hash.hash->last <= MAP_NARROW)
        return chance_binomial((uint64_t)(share * (double)digests + 0.5), digests, fair);
    return NAN;
}

static int weight_verdict(struct bench *b, const struct placement *p, const double *share, const double *fair, char why[WHY])
{
    double error = 0, worst = NAN, least = 1, points = p->law == LAW_ARCS ? bench_points(p) : 0, square = 0;
    struct verdict *v = verdict_new(b, "weights");
    if (!v)
        return no_memory(b, why);
    for (uint32_t i = 0; i < p->cluster->size; i++) {
        uint32_t id = p->cluster->node[i].id;
        double off = share[id] / fair[id] - 1, chance = weight_chance(p, share[id], fair[id], points);
        error = fabs(off) > error ? fabs(off) : error;
        worst = fmin(worst, chance); /* ignores NaN */
        least = fair[id] < least ? fair[id] : least;
        square += off * off * fair[id];
    }
    v->samples = b->size;
    v->statistic = error;
    if (p->law == LAW_BALLS)
        worst = chance_gamma(square * (double)p->law_count, b->size - 1, 2.0 * (b->size - 1)) / b->size;
    v->p = fmin(worst * b->size, 1);
    if (isnan(worst)) {
        v->p = NAN;
        v->high = departure_allowed(p, least);
    }
    snprintf(v->detail, sizeof v->detail, "largest departure of a share from its weight, weights 1 to 5%s",
             isnan(worst) ? "" : "; the chance is that of its random arcs, cells or digests");
    return 0;
}

int verify_weights(struct bench *b, char why[WHY])
{
    struct crowd c = {0};
    struct placement *p = NULL;
    if (!(b->p->caps & CAP_WEIGHTS) || b->system || b->size < 3 || b->size > 1000 || b->p->engine->lookup_loaded)
        return 0;
    int e = unequal(b, &c) ? no_memory(b, why) : placement_open(&p, b->spec, &c.cluster, &b->s->hash, why);
    double *share = e ? NULL : mem_alloc(2 * (size_t)c.cluster.ids, sizeof *share), unplaced;
    char inner[WHY];
    if (!e && !share)
        e = no_memory(b, why);
    if (!e && placement_full(p) > 1e-3) {
        e = verdict_skip(b, "weights", "points stand on so large a part of the ring's positions that arcs are no random arcs") ? no_memory(b, why) : 0;
    } else if (!e && (p->law == LAW_NONE || placement_shares(p, share, &unplaced, inner))) {
        e = verdict_skip(b, "weights", p->law == LAW_NONE ? "no law of these shares is known" : "no exact shares: see keys-weighted") ? no_memory(b, why) : 0;
    } else if (!e) {
        cluster_fair_shares(&c.cluster, share + c.cluster.ids);
        e = weight_verdict(b, p, share, share + c.cluster.ids, why);
    }
    if (!e)
        e = verify_keys(b, p, WEIGHTED, why);
    mem_free(share);
    placement_close(p);
    crowd_release(&c);
    return e;
}
