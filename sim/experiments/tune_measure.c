/* One placement: its loads, with copies, with nodes dead, with so many keys, or with one node more. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "metrics/balance.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

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
static void draw_keys(struct rng *rng, uint64_t keys, uint64_t copies, const double *share, double *drawn, uint32_t ids)
{
    if (copies <= 1)
        draw_multinomial(rng, keys, share, ids, drawn);
    for (uint32_t id = 0; id < ids; id++)
        drawn[id] = copies <= 1 ? drawn[id] / (double)keys
                                : (double)draw_binomial(rng, keys, share[id] * (double)copies) / (double)keys / (double)copies;
}

static int measure_alive(const struct tune *ask, const struct placement *p, struct rng *keys, size_t draws, struct sample *out, char why[WHY])
{
    uint32_t ids = p->cluster->ids;
    double *share = mem_alloc(3 * (size_t)ids, sizeof *share), *fair = share + ids, *drawn = fair + ids;
    int e = share ? load_shares(p, ask->replicas, share, why) : no_memory(p, why);
    if (!e)
        cluster_fair_shares(p->cluster, fair);
    for (size_t i = 0; i < draws && !e; i++) {
        if (keys)
            draw_keys(&keys[i], ask->keys, ask->replicas, share, drawn, ids);
        sample_worsen(&out[i], keys ? drawn : share, fair, ids);
    }
    mem_free(share);
    return e;
}

int measure(const struct tune *ask, bool moved, const struct study *s, const struct spec *spec, struct placement *p,
            struct registry *r, struct rng *keys, size_t draws, struct sample *out, char why[WHY])
{
    if (!ask->keys)
        keys = NULL;
    for (size_t i = 0; i < draws; i++)
        out[i] = (struct sample){.min = INFINITY};
    int e = ask->survive ? measure_deaths(ask, s, spec, p, keys, draws, out, why) : measure_alive(ask, p, keys, draws, out, why);
    return e || !moved ? e : moved_share(spec, p, r, &out->moved, why);
}

int measure_check(const struct tune *ask, enum target_what what, const struct placement *p, char why[WHY])
{
    uint32_t n = p->cluster->size;
    uint64_t copies = ask->replicas ? ask->replicas : 1;
    bool salted;
    uint32_t one[1];
    if (copies > n)
        return fail(why, EINVAL, "--replicas %" PRIu64 ": %u nodes cannot hold so many copies on different nodes", copies, n);
    if (ask->survive + copies > n)
        return fail(why, EINVAL, "--survive %" PRIu64 ": of %u nodes too few would be left for %" PRIu64 " cop%s", ask->survive, n, copies, copies > 1 ? "ies" : "y");
    double ways = deaths_ways(n, ask->survive), most = ask->survive == 1 ? DEATHS_PAIRS : DEATHS_MOST;
    if (ways > most)
        return fail(why, EINVAL, "--survive %" PRIu64 ": %u nodes can die in %s%.0f ways, more than the %.0f that are tried out: ask for fewer dead or fewer nodes",
                    ask->survive, n, ways < 1e9 ? "" : "over ", ways < 1e9 ? ways : 1e9, most);
    if (ask->survive && ask->keys && (ask->survive > 1 || copies > 1 || !is_ring(p)))
        return fail(why, EINVAL, "-k with --survive: only one dead node of a ring without copies; leave out -k to count exact shares");
    if (what == TARGET_MOVED && (ask->survive || copies > 1 || ask->keys))
        return fail(why, EINVAL, "--target moved is about one node more: it takes neither --survive nor --replicas nor -k");
    if (copies > 1) {
        placement_replicas(p, 0, one, 1, &salted);
        if (salted)
            return fail(why, EINVAL, "%s finds copies by hashing the key again, so their load has no exact figure: leave out --replicas", p->strategy->name);
    }
    return 0;
}
