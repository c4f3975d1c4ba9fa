/* What changes must keep: every node leaves and comes back; the cluster grows; many come and go. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "metrics/balance.h"
#include "metrics/chance.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int crowd_init(struct crowd *c, const struct cluster *from)
{
    c->node = mem_alloc(from->size + (size_t)1, sizeof *c->node);
    if (!c->node)
        return -ENOMEM;
    crowd_copy(c, from);
    return 0;
}

void crowd_release(struct crowd *c)
{
    mem_free(c->node);
}

void crowd_copy(struct crowd *c, const struct cluster *from)
{
    memcpy(c->node, from->node, from->size * sizeof *c->node);
    c->cluster = (struct cluster){c->node, from->size, from->ids};
}

void crowd_drop(struct crowd *c, uint32_t at)
{
    memmove(c->node + at, c->node + at + 1, (c->cluster.size - at - 1) * sizeof *c->node);
    c->cluster.size--;
}

void crowd_append(struct crowd *c, const struct node *n)
{
    c->node[c->cluster.size++] = *n;
}

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
    if (!e && before->law != LAW_NONE && !before->engine->lookup_loaded && !placement_shares(before, share, &unplaced, inner) &&
        !placement_shares(after, share + ids, &unplaced, inner)) {
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

/* -- many changes -- */

/* What came of a run of changes. */
struct turmoil {
    struct crowd now, next;
    struct node *away;
    uint32_t gone, most;
    bool *touched;   /* by id: came, left or was reweighed in the last change */
    uint64_t events, bystanders;
    uint32_t *before, *after;
    size_t n;
};

static void turmoil_release(struct turmoil *t)
{
    crowd_release(&t->now);
    crowd_release(&t->next);
    mem_free(t->away);
    mem_free(t->touched);
    mem_free(t->before);
    mem_free(t->after);
}

static int turmoil_init(struct turmoil *t, const struct bench *b, const struct cluster *c)
{
    *t = (struct turmoil){.most = c->size / 2, .n = b->scans ? 100 : b->size > 250 ? 2 * (size_t)b->size : 500};
    t->n = t->n < b->samples ? t->n : b->samples;
    t->away = mem_alloc(t->most + (size_t)1, sizeof *t->away);
    t->touched = mem_alloc(c->ids, sizeof *t->touched);
    t->before = mem_alloc(t->n, sizeof *t->before);
    t->after = mem_alloc(t->n, sizeof *t->after);
    return t->away && t->touched && t->before && t->after && !crowd_init(&t->now, c) && !crowd_init(&t->next, c) ? 0 : -ENOMEM;
}

static void leave(struct turmoil *t, struct rng *r)
{
    uint32_t at = (uint32_t)rng_below(r, t->next.cluster.size);
    t->away[t->gone++] = t->next.node[at];
    t->touched[t->next.node[at].id] = true;
    crowd_drop(&t->next, at);
}

static void come_back(struct turmoil *t, struct rng *r)
{
    uint32_t at = (uint32_t)rng_below(r, t->gone);
    crowd_append(&t->next, &t->away[at]);
    t->touched[t->away[at].id] = true;
    t->away[at] = t->away[--t->gone];
}

/* The next change, into t->next: one node leaves or comes, or three do at once, or one is given another weight. Whether nodes leave or lose weight. */
static bool next_change(struct turmoil *t, struct rng *r, bool weights)
{
    uint64_t dice = rng_below(r, 8);
    uint32_t many = dice == 0 ? 3 : 1;
    crowd_copy(&t->next, &t->now.cluster);
    if (weights && dice == 1) {
        struct node *n = &t->next.node[rng_below(r, t->next.cluster.size)];
        n->weight = n->weight % 5 + 1 + (n->weight == 5);
        t->touched[n->id] = true;
        return n->weight < cluster_by_id(&t->now.cluster, n->id)->weight;
    }
    if (t->gone + many <= t->most && (t->gone < many || rng_below(r, 3) > 0)) {
        for (uint32_t i = 0; i < many; i++)
            leave(t, r);
        return true;
    }
    for (uint32_t i = 0; i < many; i++)
        come_back(t, r);
    return false;
}

/* Only nodes that changed may lose keys (those that leave or lose weight), or gain them (those that come or gain it). */
static void watch(struct turmoil *t, bool leaving, uint32_t ids)
{
    for (size_t i = 0; i < t->n; i++) {
        uint32_t changed = leaving ? t->before[i] : t->after[i];
        t->bystanders += t->before[i] != t->after[i] && !(changed < ids && t->touched[changed]);
    }
}

/* Random nodes leave, come back and are reweighed. */
static int churn(struct bench *b, struct placement *p, struct turmoil *t, char why[WHY])
{
    uint32_t events = b->scans || bench_points(p) > 20000 || b->size > 10000 ? 24 : 200, ids = t->now.cluster.ids;
    bool weights = p->caps & CAP_WEIGHTS && !b->system && !p->engine->lookup_loaded;
    struct rng r = rng_start(rng_mix(b->stream ^ 0x6368));
    int e = 0;
    bench_owners(p, b->digest, t->n, t->before);
    for (; t->events < events && t->most >= 3 && !e; t->events++) {
        memset(t->touched, 0, ids * sizeof *t->touched);
        bool leaving = next_change(t, &r, weights);
        e = placement_change(p, &t->next.cluster, why);
        struct crowd swap = t->now;
        t->now = t->next;
        t->next = swap;
        p->cluster = &t->now.cluster;
        if (e)
            return e;
        bench_owners(p, b->digest, t->n, t->after);
        watch(t, leaving, ids);
        memcpy(t->before, t->after, t->n * sizeof *t->before);
    }
    return e;
}

/* After all that: nothing moved that had no need to, and what depends on its members alone is as if it had been opened on them. */
static int churn_verdicts(struct bench *b, const struct placement *p, struct turmoil *t, char why[WHY])
{
    struct placement *anew = NULL;
    struct verdict *v;
    uint64_t differ = 0;
    int e = 0;
    if (t->events && p->caps & CAP_MINIMAL) {
        if (!(v = verdict_new(b, "minimal-churned")))
            return fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
        v->samples = t->n * t->events;
        v->statistic = (double)t->bystanders;
        snprintf(v->detail, sizeof v->detail, "keys that moved for no node that changed, over %" PRIu64 " changes of one node or three", t->events);
    }
    if (p->caps & CAP_HISTORY || b->system)
        return 0;
    if ((e = placement_open(&anew, b->spec, p->cluster, &b->s->hash, why)))
        return e;
    bench_owners(p, b->digest, t->n, t->before);
    bench_owners(anew, b->digest, t->n, t->after);
    for (size_t i = 0; i < t->n; i++)
        differ += t->before[i] != t->after[i];
    placement_close(anew);
    if (!(v = verdict_new(b, "anew")))
        return fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
    v->samples = t->n;
    v->statistic = (double)differ;
    snprintf(v->detail, sizeof v->detail, "keys elsewhere than if it had been opened on the nodes that %" PRIu64 " changes left", t->events);
    return 0;
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
    struct turmoil t = {0};
    if (!e && p->caps & CAP_ANY_REMOVAL) {
        e = turmoil_init(&t, b, grown) ? fail(why, ENOMEM, "no memory to verify %u nodes", b->size) : churn(b, p, &t, why);
        if (!e)
            e = churn_verdicts(b, p, &t, why);
        if (!e)
            e = verify_keys(b, p, CHURNED, why);
    }
    placement_close(p);
    turmoil_release(&t);
    return e;
}
