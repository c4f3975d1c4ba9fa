/* What many changes, one after the other, must keep: random nodes leave, come back and are reweighed. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "base/rng.h"

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

int verify_churn(struct bench *b, struct placement *p, const struct cluster *c, char why[WHY])
{
    struct turmoil t;
    int e = turmoil_init(&t, b, c) ? fail(why, ENOMEM, "no memory to verify %u nodes", b->size) : churn(b, p, &t, why);
    if (!e)
        e = churn_verdicts(b, p, &t, why);
    if (!e)
        e = verify_keys(b, p, CHURNED, why);
    turmoil_release(&t);
    return e;
}
