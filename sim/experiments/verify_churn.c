/* What many changes, one after the other, must keep: random nodes leave, come back and are reweighed. */
#include "experiments/verify_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* What came of a run of changes. */
struct churned {
    struct turmoil turmoil;
    uint64_t events, bystanders;
    uint32_t *before, *after;
    size_t n;
};

static void churned_release(struct churned *t)
{
    turmoil_release(&t->turmoil);
    mem_free(t->before);
    mem_free(t->after);
}

/* Up to half of the nodes are away. */
static int churned_init(struct churned *t, const struct bench *b, const struct placement *p, const struct cluster *c)
{
    const struct turmoil_rules rules = {.least = c->size - c->size / 2, .most = c->size, .together = 3, .leaving = 4,
                                        .weights = p->caps & CAP_WEIGHTS && !b->system && !p->engine->lookup_loaded};
    *t = (struct churned){.n = b->scans ? 100 : b->size > 250 ? 2 * (size_t)b->size : 500};
    t->n = t->n < b->samples ? t->n : b->samples;
    t->before = mem_alloc(t->n, sizeof *t->before);
    t->after = mem_alloc(t->n, sizeof *t->after);
    int e = turmoil_init(&t->turmoil, c, c->size, &rules, rng_mix(b->stream ^ 0x6368));
    return t->before && t->after ? e : -ENOMEM;
}

/* Only nodes that changed may lose keys (those that leave or lose weight), or gain them (those that come or gain it). */
static void watch(struct churned *t, uint32_t ids)
{
    for (size_t i = 0; i < t->n; i++) {
        uint32_t changed = t->turmoil.leaving ? t->before[i] : t->after[i];
        t->bystanders += t->before[i] != t->after[i] && !(changed < ids && t->turmoil.touched[changed]);
    }
}

/* Random nodes leave, come back and are reweighed. */
static int churn(struct bench *b, struct placement *p, struct churned *t, char why[WHY])
{
    uint32_t events = b->scans || bench_points(p) > 20000 || b->size > 10000 ? 24 : 200, ids = t->turmoil.pool->ids;
    int e = 0;
    bench_owners(p, b->digest, t->n, t->before);
    for (; t->events < events && t->turmoil.pool->size / 2 >= 3 && !e; t->events++) {
        if ((e = placement_change(p, turmoil_next(&t->turmoil), why)))
            return e;
        bench_owners(p, b->digest, t->n, t->after);
        watch(t, ids);
        memcpy(t->before, t->after, t->n * sizeof *t->before);
    }
    return e;
}

/* After all that: nothing moved that had no need to, and what depends on its members alone is as if it had been opened on them. */
static int churn_verdicts(struct bench *b, const struct placement *p, struct churned *t, char why[WHY])
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
    struct churned t;
    int e = churned_init(&t, b, p, c) ? fail(why, ENOMEM, "no memory to verify %u nodes", b->size) : churn(b, p, &t, why);
    if (!e)
        e = churn_verdicts(b, p, &t, why);
    if (!e)
        e = verify_keys(b, p, CHURNED, why);
    churned_release(&t);
    return e;
}
