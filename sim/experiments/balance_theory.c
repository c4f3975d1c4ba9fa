/* What theory expects of a placement's balance, from its law, its nodes and how concentrated the load is on few keys. */
#include "experiments/balance_parts.h"

#include "base/mem.h"
#include "metrics/theory.h"

#include <errno.h>
#include <math.h>
#include <string.h>

bool light_keys(double top, double sum_p2, uint32_t nodes)
{
    return (top < 4 * sum_p2 && top * nodes <= 1) || top * top < sum_p2 / 100;
}

void desk_release(struct desk *d)
{
    mem_free(d->share);
    mem_free(d->fair);
    mem_free(d->fixed);
    mem_free(d->owned);
    mem_free(d->theory);
}

int desk_init(struct desk *d, uint32_t ids)
{
    *d = (struct desk){mem_alloc(ids, sizeof *d->share), mem_alloc(ids, sizeof *d->fair), mem_alloc(ids, sizeof *d->fixed),
                       mem_alloc(ids, sizeof *d->owned), mem_alloc(ids, sizeof *d->theory)};
    return d->share && d->fair && d->fixed && d->owned && d->theory ? 0 : -ENOMEM;
}

int law_theory(const struct placement *p, struct desk *d, double sum_p2, bool light, double *cv, double *max, char why[WHY])
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
        e = placement_shares(p, d->fixed, &unplaced, why);
    else
        memcpy(d->fixed, d->fair, ids * sizeof *d->fair);
    if (e)
        return e;
    n = p->law == LAW_BALLS ? theory_balls(p->law_count, d->fair, ids, sum_p2, d->theory)
                            : theory_nodes(p->law == LAW_ARCS ? d->owned : NULL, placement_full(p), d->fixed, d->fair, ids, sum_p2, d->theory);
    *cv = theory_cv(d->theory, n);
    return light ? theory_max(d->theory, n, max, why) : 0;
}

/* A key has one node, or where loads are looked at those that may take its requests: at best they are the largest. */
double floor_theory(const struct placement *p, struct desk *d, double top)
{
    const struct engine *engine = p->engine;
    size_t nodes = !engine->lookup_loaded ? 1 : engine->among ? engine->among(p->state) : p->cluster->size;
    double fair = 0;
    if (nodes >= p->cluster->size)
        return 1;
    memcpy(d->fixed, d->fair, p->cluster->ids * sizeof *d->fair);
    for (size_t k = 0; k < nodes; k++) {
        uint32_t most = 0;
        for (uint32_t id = 1; id < p->cluster->ids; id++)
            most = d->fixed[id] > d->fixed[most] ? id : most;
        fair += d->fixed[most];
        d->fixed[most] = 0;
    }
    return fmax(1, top / fair);
}

int balance_theory(const struct placement *p, const struct workload *w, double *cv, double *max, char why[WHY])
{
    struct desk d;
    int e = desk_init(&d, p->cluster->ids) ? fail(why, ENOMEM, "no memory for the theory of %u nodes", p->cluster->size) : 0;
    if (!e) {
        cluster_fair_shares(p->cluster, d.fair);
        e = law_theory(p, &d, w ? workload_sum_p2(w) : 0, !w || light_keys(workload_top_share(w), workload_sum_p2(w), p->cluster->size), cv, max, why);
    }
    desk_release(&d);
    return e;
}
