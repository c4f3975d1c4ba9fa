/* What the user's own names give: placement is deterministic once they are known. Where there are but so many keys, those are drawn, and a figure is what
 * the confidence's part of the draws keeps to. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "base/stats.h"
#include "experiments/balance.h"
#include "metrics/balance.h"

#include <errno.h>
#include <string.h>

#define NAMES_MOST 1e7   /* points of the placements by which the names are followed down */
#define POINTS_A_DRAW 5. /* that a binomial number takes as long as */

/* Among which the keys are drawn: nodes, or pairs of an owner and an heir. */
static double boxes_of(const struct tuner *t, const struct stage *g)
{
    double n = g->cluster->size;
    return t->ask->survive ? n * n : n;
}

size_t own_draws(const struct tuner *t, const struct stage *g)
{
    double quick = 4e4 / boxes_of(t, g);
    return !t->ask->keys ? 0 : quick < 100 ? 100 : quick > 400 ? 400 : (size_t)quick;
}

bool own_pass(const struct tuner *t, const struct sample *own)
{
    bool pass = true;
    for (size_t i = 0; i < t->ask->targets; i++)
        pass &= target_holds(&t->all[i], sample_value(own, t->all[i].what));
    return pass;
}

/* What part q of the draws keeps to, one figure after the other. */
static void keep_to(const struct sample *draw, size_t n, double q, double *x, struct sample *own)
{
    for (int what = TARGET_MAX; what <= TARGET_SHARE; what++) {
        for (size_t i = 0; i < n; i++)
            x[i] = sample_value(&draw[i], (enum target_what)what);
        stats_sort(x, n);
        double kept = stats_quantile(x, n, what == TARGET_MIN ? 1 - q : q);
        switch ((enum target_what)what) {
        case TARGET_MAX: own->max = kept; break;
        case TARGET_MIN: own->min = kept; break;
        case TARGET_CV: own->square = kept * kept; break;
        case TARGET_SHARE: own->top = kept; break;
        case TARGET_MOVED: break;
        }
    }
}

static int own_measure(const struct tuner *t, const struct spec *spec, struct placement *p, struct sample *own, char why[WHY])
{
    size_t n = own_draws(t, &t->stage[0]);
    bool moved = false;
    for (size_t i = 0; i < t->ask->targets; i++)
        moved |= t->all[i].what == TARGET_MOVED;
    if (n == 0)
        return measure(t->ask, moved, t->s, spec, p, t->s->registry, NULL, 1, own, why);
    struct rng *keys = mem_alloc(n, sizeof *keys);
    struct sample *draw = mem_alloc(n, sizeof *draw);
    double *x = mem_alloc(n, sizeof *x);
    int e = keys && draw && x ? 0 : fail(why, ENOMEM, "no memory for %zu draws of the keys", n);
    for (size_t i = 0; i < n && !e; i++)
        keys[i] = rng_start(rng_stream(t->s->seed, "tune own keys", "", i));
    if (!e)
        e = measure(t->ask, false, t->s, spec, p, t->s->registry, keys, n, draw, why);
    if (!e)
        keep_to(draw, n, t->ask->confidence, x, own);
    mem_free(keys);
    mem_free(draw);
    mem_free(x);
    return e;
}

/* What theory and the map say of the lead's own names, where drawn arcs do not. */
static int lead_columns(const struct tuner *t, const struct spec *spec, struct table *out, char why[WHY])
{
    const struct stage *g = &t->stage[t->lead];
    const struct cluster *c = g->cluster;
    bool plain = !t->ask->survive && t->ask->replicas <= 1;
    double p2 = t->ask->keys ? 1 / (double)t->ask->keys : 0, cv, max, receivers = NAN;
    struct placement *p = NULL;
    double *fair = mem_alloc(c->ids, sizeof *fair);
    int e = fair ? placement_open(&p, spec, c, &t->s->hash, why) : fail(why, ENOMEM, "no memory for %u nodes", c->size);
    if (!e && plain && !(e = balance_theory(p, NULL, &cv, &max, why))) {
        cluster_fair_shares(c, fair);
        table_real(out, COL(theory_cv), hypot(cv * sqrt(1 - p2), balance_noise(fair, c->ids, p2)));
        table_real(out, COL(theory_max_over_mean), t->ask->keys ? NAN : max);
    }
    if (!e && !(e = count_receivers(t->s, spec, c, &receivers, why)))
        table_real(out, COL(receivers), receivers);
    placement_close(p);
    mem_free(fair);
    return e;
}

int own_columns(struct tuner *t, uint64_t value, struct sample *own, struct table *out, char why[WHY])
{
    struct spec *spec;
    struct placement *p = NULL;
    int e = knob_spec(&t->knob, value, &spec, why);
    if (e)
        return e;
    e = placement_open(&p, spec, t->stage[0].cluster, &t->s->hash, why);
    if (!e) {
        table_count(out, COL(memory_bytes), placement_memory(p));
        e = own_measure(t, spec, p, own, why);
    }
    if (!e)
        table_real(out, COL(yours_max_over_mean), own->max);
    placement_close(p);
    if (!e && !t->stage[t->lead].ideal)
        e = lead_columns(t, spec, out, why);
    spec_destroy(spec);
    return e;
}

int own_follow(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    struct stage *g = &t->stage[0];
    double points = 0, drawn = a->draws ? (double)a->draws * boxes_of(t, g) * POINTS_A_DRAW : 0;
    a->names_from = 0;
    for (uint64_t v = a->value; v >= a->first && points + g->pieces * (double)v + drawn < NAMES_MOST; v--) {
        struct spec *spec;
        struct placement *p = NULL;
        struct sample own;
        if (knob_valid(&t->knob, v) != v)
            continue;
        points += g->pieces * (double)v + drawn;
        int e = knob_spec(&t->knob, v, &spec, why);
        if (e)
            return e;
        e = placement_open(&p, spec, g->cluster, &t->s->hash, why);
        if (!e)
            e = own_measure(t, spec, p, &own, why);
        placement_close(p);
        spec_destroy(spec);
        if (e == -EINVAL || (!e && !own_pass(t, &own)))
            return 0;
        if (e)
            return e;
        a->names_from = v;
    }
    a->names_from = a->names_from == a->first ? a->names_from : 0; /* gave up on the way */
    return 0;
}
