/* What a change must keep: every node leaves and comes back; the cluster grows. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "metrics/balance.h"
#include "metrics/chance.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* -- every victim -- */

/* The sample with the victim and without it. */
struct moves_seen {
    uint32_t *with, *without;
    size_t n;
    uint64_t victims;
    uint64_t bystanders; /* keys that moved between nodes that stayed */
    uint64_t stayed;     /* keys of the leaving node that did not leave it */
    uint64_t lost;       /* keys that are elsewhere once it is back */
    uint64_t compared;   /* victims whose maps were compared as well */
    double excess;       /* the most that they moved between nodes that stayed, or beyond what the shares need */
};

static void see(struct moves_seen *m, uint32_t victim)
{
    for (size_t i = 0; i < m->n; i++) {
        m->bystanders += m->with[i] != m->without[i] && m->with[i] != victim;
        m->stayed += m->without[i] == victim;
    }
}

/* The maps with all nodes and without the victim, digest by digest. 0; -EINVAL: no exact comparison. */
static int see_maps(struct moves_seen *m, const struct map *with, const struct placement *p, uint32_t victim, char why[WHY])
{
    uint32_t ids = with->ids;
    struct map without;
    struct moves moves;
    double *share = mem_alloc(2 * (size_t)ids, sizeof *share), unplaced;
    bool *standing = mem_alloc(ids, sizeof *standing);
    int e = share && standing ? placement_map(p, false, &without, why) : fail(why, ENOMEM, "no memory to compare two maps");
    if (!e) {
        without.ids = ids;
        for (uint32_t id = 0; id < ids; id++)
            standing[id] = id != victim;
        e = map_shares(with, share, &unplaced, why) || map_shares(&without, share + ids, &unplaced, why) ? -ENOMEM
                                                                                                          : map_compare(with, &without, standing, ids, &moves, why);
        map_release(&without);
    }
    if (!e) {
        double excess = fmax(moves.bystander, fabs(moves.moved - share_distance(share, share + ids, ids)));
        m->excess = excess > m->excess ? excess : m->excess;
        m->compared++;
    }
    mem_free(share);
    mem_free(standing);
    return e;
}

/* One node leaves and comes back: at the end of the configuration where the placement remembers, else where it was. */
static int one_victim(struct bench *b, struct placement *p, struct crowd *without, struct crowd *with, uint32_t at, struct moves_seen *m, char why[WHY])
{
    enum { COMPARED = 24 }; /* nodes, at most, where maps are compared too */
    struct node victim = with->node[at];
    struct map map = {0};
    bool maps = p->engine->ranges && b->size <= COMPARED && p->caps & CAP_MINIMAL;
    crowd_copy(without, &with->cluster);
    crowd_drop(without, at);
    int e = maps ? placement_map(p, false, &map, why) : 0;
    if (!e)
        e = placement_change(p, &without->cluster, why);
    if (!e && maps && (e = see_maps(m, &map, p, victim.id, why)) == -EINVAL)
        e = 0;
    map_release(&map);
    if (e)
        return e;
    bench_owners(p, b->digest, m->n, m->without);
    see(m, victim.id);
    if (p->caps & CAP_HISTORY) {
        crowd_drop(with, at);
        crowd_append(with, &victim);
    }
    if ((e = placement_change(p, &with->cluster, why)))
        return e;
    bench_owners(p, b->digest, m->n, b->owner);
    for (size_t i = 0; i < m->n; i++)
        m->lost += b->owner[i] != m->with[i];
    memcpy(m->with, b->owner, m->n * sizeof *m->with);
    if (p->caps & CAP_HISTORY)
        see(m, victim.id); /* what came back took from all, and nobody else did */
    m->victims++;
    return 0;
}

/* How many victims are tried, evenly chosen: all, unless a change takes long, as of large rings. */
static uint32_t victims_tried(const struct bench *b)
{
    enum { FEW = 24 };
    double points = bench_points(b->p);
    bool quick = points <= (b->size <= 1000 ? 200000 : 20000) && b->p->caps & CAP_MINIMAL && !b->system;
    if (!(b->p->caps & CAP_ANY_REMOVAL))
        return 1;
    return b->v->deep || quick || b->size < FEW ? b->size : FEW;
}

static int victims_verdicts(struct bench *b, const struct moves_seen *m)
{
    if (b->p->caps & CAP_MINIMAL) {
        struct verdict *v = verdict_new(b, "minimal");
        if (!v)
            return -ENOMEM;
        v->samples = m->n * m->victims;
        v->statistic = (double)(m->bystanders + m->stayed);
        snprintf(v->detail, sizeof v->detail, "%" PRIu64 " keys moved between nodes that stayed, %" PRIu64 " stayed with one that left; %" PRIu64 " of %u nodes left and came back",
                 m->bystanders, m->stayed, m->victims, b->size);
    }
    if (m->compared) {
        struct verdict *v = verdict_new(b, "minimal-exact");
        if (!v)
            return -ENOMEM;
        v->samples = m->compared;
        v->statistic = m->excess;
        v->high = 1e-12;
        snprintf(v->detail, sizeof v->detail, "largest share that moved between nodes that stayed, or beyond what the shares need; by the maps, %" PRIu64 " of %u nodes left",
                 m->compared, b->size);
    }
    if (!(b->p->caps & CAP_HISTORY)) {
        struct verdict *v = verdict_new(b, "restored");
        if (!v)
            return -ENOMEM;
        v->samples = m->n * m->victims;
        v->statistic = (double)m->lost;
        snprintf(v->detail, sizeof v->detail, "keys elsewhere after a node left and came back; %" PRIu64 " of %u nodes", m->victims, b->size);
    }
    return 0;
}

int verify_victims(struct bench *b, char why[WHY])
{
    struct moves_seen m = {.n = (b->scans ? 100u : b->size > 1000 ? 500u : 2000u) * (b->v->deep ? 10u : 1u)};
    struct crowd with = {0}, without = {0};
    struct placement *p = NULL;
    if (b->size < 2 || b->size > 10000)
        return 0;
    m.n = m.n < b->samples ? m.n : b->samples;
    m.with = mem_alloc(m.n, sizeof *m.with);
    m.without = mem_alloc(m.n, sizeof *m.without);
    int e = m.with && m.without && !crowd_init(&with, b->cluster) && !crowd_init(&without, b->cluster) ? placement_open(&p, b->spec, b->cluster, &b->s->hash, why)
                                                                                                     : fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
    if (!e)
        bench_owners(p, b->digest, m.n, m.with);
    uint32_t tried = victims_tried(b);
    for (uint32_t k = 0; k < tried && !e; k++) {
        uint32_t at = tried == 1 ? b->size - 1 : (uint32_t)((uint64_t)k * b->size / tried);
        e = one_victim(b, p, &without, &with, at - (b->p->caps & CAP_HISTORY ? k : 0), &m, why); /* those that came back stand at the end */
    }
    if (!e && victims_verdicts(b, &m))
        e = fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
    placement_close(p);
    crowd_release(&with);
    crowd_release(&without);
    mem_free(m.with);
    mem_free(m.without);
    return e;
}

/* -- growth -- */

/* Moved keys against what the shares before and after demand: less than that no placement can do with, more none needs that is minimal. */
static int moved(struct bench *b, const struct placement *before, const struct placement *after, char why[WHY])
{
    uint32_t ids = after->cluster->ids;
    double *share = mem_alloc(2 * (size_t)ids, sizeof *share), unplaced;
    uint32_t *was = mem_alloc(b->samples, sizeof *was), *now = mem_alloc(b->samples, sizeof *now);
    char inner[WHY];
    int e = share && was && now ? 0 : fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
    int unknown = before->law == LAW_NONE || before->engine->lookup_loaded ? -EINVAL : 0;
    if (!e && !unknown && !(unknown = placement_shares(before, share, &unplaced, inner)))
        unknown = placement_shares(after, share + ids, &unplaced, inner);
    if (!e && unknown && unknown != -EINVAL)
        e = fail(why, -unknown, "%s", inner);
    if (!e && !unknown) {
        double needed = share_distance(share, share + ids, ids);
        uint64_t count = 0;
        bench_owners(before, b->digest, b->samples, was);
        bench_owners(after, b->digest, b->samples, now);
        for (size_t i = 0; i < b->samples; i++)
            count += was[i] != now[i];
        struct verdict *v = verdict_new(b, "moved");
        if (!v)
            e = fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
        else {
            bool minimal = before->caps & after->caps & CAP_MINIMAL;
            v->samples = b->samples;
            v->statistic = (double)count / (double)b->samples / needed;
            v->p = minimal || v->statistic < 1 ? chance_binomial(count, b->samples, needed) : 1;
            snprintf(v->detail, sizeof v->detail, "keys moved by growing from %u nodes to %u, over what the shares need (%.6f)%s", before->cluster->size,
                     after->cluster->size, needed, minimal ? "" : ": at least 1");
        }
    }
    mem_free(share);
    mem_free(was);
    mem_free(now);
    return e;
}

int verify_growth(struct bench *b, char why[WHY])
{
    char change[32], inner[WHY];
    const struct cluster *grown;
    struct placement *p = NULL;
    snprintf(change, sizeof change, "+%u", b->size / 2 + 1);
    int e = placement_open(&p, b->spec, b->cluster, &b->s->hash, why);
    if (!e)
        e = cluster_change(b->registry, b->cluster, change, p->strategy->addresses, &grown, why);
    if (!e && (e = placement_change(p, grown, inner)) == -EINVAL) {
        e = verdict_skip(b, "keys-grown", inner) ? fail(why, ENOMEM, "no memory") : 0;
        placement_close(p);
        return e;
    }
    if (!e)
        e = verify_keys(b, p, GROWN, why);
    if (!e)
        e = moved(b, b->p, p, why);
    if (!e && p->caps & CAP_ANY_REMOVAL)
        e = verify_churn(b, p, grown, why);
    placement_close(p);
    return e;
}
