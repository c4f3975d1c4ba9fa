/* One placement: its loads, with copies, with nodes dead, with so many keys, or with one node more. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "metrics/balance.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { DEATHS_MOST = 1000 };

double sample_value(const struct sample *s, enum target_what what)
{
    return what == TARGET_MAX ? s->max : what == TARGET_MIN ? s->min : what == TARGET_CV ? sqrt(s->square) : what == TARGET_SHARE ? s->top : s->moved;
}

bool target_holds(const struct target *t, double value)
{
    return t->what == TARGET_MIN ? value >= t->bound - 1e-12 : value <= t->bound + 1e-12;
}

void sample_worsen(struct sample *out, const double *share, const double *fair, uint32_t ids)
{
    struct balance b;
    balance_measure(share, fair, ids, 0, &b);
    out->max = b.max_over_mean > out->max ? b.max_over_mean : out->max;
    out->min = b.min_over_mean < out->min ? b.min_over_mean : out->min;
    out->square = b.cv * b.cv > out->square ? b.cv * b.cv : out->square;
    for (uint32_t id = 0; id < ids; id++)
        out->top = fair[id] > 0 && share[id] > out->top ? share[id] : out->top;
}

static int no_memory(const struct placement *p, char why[WHY])
{
    return fail(why, ENOMEM, "no memory to measure %u nodes", p->cluster->size);
}

static double deaths(uint32_t n, uint64_t k)
{
    double sets = 1;
    for (uint64_t i = 0; i < k; i++)
        sets *= (n - (double)i) / (double)(i + 1);
    return sets;
}

static int moved_share(const struct spec *spec, struct placement *p, struct registry *r, double *moved, char why[WHY])
{
    const struct cluster *before = p->cluster, *after;
    struct map a = {0}, b = {0};
    struct moves moves;
    int e = cluster_change(r, before, "+1", catalog_find(spec->name)->addresses, &after, why);
    bool *standing = e ? NULL : mem_alloc(after->ids, sizeof *standing);
    if (!e)
        e = standing ? placement_map(p, false, &a, why) : no_memory(p, why);
    if (!e)
        e = placement_change(p, after, why);
    if (!e)
        e = placement_map(p, false, &b, why);
    a.ids = b.ids;
    if (!e)
        e = map_compare(&a, &b, standing, after->ids, &moves, why);
    *moved = e ? 0 : moves.moved;
    map_release(&a);
    map_release(&b);
    mem_free(standing);
    return e;
}

/* Each copy's keys on a node are binomial; without copies, all nodes' together are multinomial. */
static void draw_keys(struct rng *rng, uint64_t keys, uint64_t copies, double *share, uint32_t ids)
{
    if (copies <= 1)
        draw_multinomial(rng, keys, share, ids, share);
    for (uint32_t id = 0; id < ids; id++)
        share[id] = copies <= 1 ? share[id] / (double)keys
                                : (double)draw_binomial(rng, keys, share[id] * (double)copies) / (double)keys / (double)copies;
}

int measure(const struct tune *ask, const struct target *target, const struct study *s, const struct spec *spec, struct placement *p,
            struct registry *r, struct rng *keys, struct sample *out, char why[WHY])
{
    uint32_t ids = p->cluster->ids;
    *out = (struct sample){.min = INFINITY};
    int failed = ask->survive ? measure_deaths(ask, s, spec, p, keys, out, why) : 0; /* the worse of so many dead and none */
    if (failed)
        return failed;
    double *share = mem_alloc(3 * (size_t)ids, sizeof *share), *fair = share + ids;
    int e = share ? load_shares(p, ask->replicas, share, fair + ids, why) : no_memory(p, why);
    if (!e) {
        cluster_fair_shares(p->cluster, fair);
        if (keys && ask->keys)
            draw_keys(keys, ask->keys, ask->replicas, share, ids);
        sample_worsen(out, share, fair, ids);
    }
    mem_free(share);
    return e || target->what != TARGET_MOVED ? e : moved_share(spec, p, r, &out->moved, why);
}

int measure_check(const struct tune *ask, const struct target *target, const struct placement *p, char why[WHY])
{
    uint32_t n = p->cluster->size;
    uint64_t copies = ask->replicas ? ask->replicas : 1;
    bool salted;
    uint32_t one[1];
    if (copies > n)
        return fail(why, EINVAL, "--replicas %" PRIu64 ": %u nodes cannot hold so many copies on different nodes", copies, n);
    if (ask->survive + copies > n)
        return fail(why, EINVAL, "--survive %" PRIu64 ": of %u nodes too few would be left for %" PRIu64 " cop%s", ask->survive, n, copies, copies > 1 ? "ies" : "y");
    if (ask->survive && deaths(n, ask->survive) > (ask->survive == 1 ? DEATHS_PAIRS : DEATHS_MOST))
        return fail(why, EINVAL, "--survive %" PRIu64 ": %u nodes can die in %.0f ways, more than the %d that are tried out: ask for fewer dead or fewer nodes",
                    ask->survive, n, deaths(n, ask->survive), ask->survive == 1 ? DEATHS_PAIRS : DEATHS_MOST);
    if (ask->survive && ask->keys && (ask->survive > 1 || copies > 1 || !is_ring(p)))
        return fail(why, EINVAL, "-k with --survive: only one dead node of a ring without copies; leave out -k to count exact shares");
    if (target->what == TARGET_MOVED && (ask->survive || copies > 1 || ask->keys))
        return fail(why, EINVAL, "--target moved is about one node more: it takes neither --survive nor --replicas nor -k");
    if (copies > 1) {
        placement_replicas(p, 0, one, 1, &salted);
        if (salted)
            return fail(why, EINVAL, "%s finds copies by hashing the key again, so their load has no exact figure: leave out --replicas", p->strategy->name);
    }
    return 0;
}
