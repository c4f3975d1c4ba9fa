/* What look-ups must keep on a cluster as it stands. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "metrics/chance.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool *members(const struct cluster *c)
{
    bool *in = mem_alloc(c->ids + (size_t)1, sizeof *in);
    for (uint32_t i = 0; in && i < c->size; i++)
        in[c->node[i].id] = true;
    return in;
}

/* Every key of a batch as it is looked up by itself: batches of all lengths, and their last keys. */
static int batch(struct bench *b)
{
    struct verdict *v = verdict_new(b, "batch");
    if (!v)
        return -ENOMEM;
    size_t n = b->scans && b->samples > 5000 ? 5000 : b->samples, wrong = 0, len = 1;
    uint32_t owner[1024];
    for (size_t from = 0; from < n; from += len, len = len * 3 % 1021 + 1) {
        len = len < n - from ? len : n - from;
        b->p->engine->lookup_many(b->p->state, b->digest + from, len, owner);
        for (size_t i = 0; i < len; i++)
            wrong += owner[i] != b->p->engine->lookup(b->p->state, b->digest[from + i]);
    }
    v->samples = n;
    v->statistic = (double)wrong;
    snprintf(v->detail, sizeof v->detail, "keys that a batch places elsewhere than a single look-up");
    return 0;
}

static const char *const owners_check[] = {"owners", "owners-grown", "owners-churned", "owners-weighted"},
                         *const keys_check[] = {"keys", "keys-grown", "keys-churned", "keys-weighted"};

/* Nobody owns but members; and where so many keys leave nobody out, each node owns some. share NULL: not known. */
static int owners(struct bench *b, const struct placement *p, enum when when, const uint32_t *owner, const uint64_t *count, const double *share)
{
    struct verdict *v = verdict_new(b, owners_check[when]);
    bool *in = v ? members(p->cluster) : NULL;
    size_t strangers = 0;
    uint32_t n = p->cluster->size, empty = 0;
    double odds = 0; /* that a right program leaves a node without keys */
    if (!in)
        return -ENOMEM;
    for (size_t i = 0; i < b->samples; i++)
        strangers += owner[i] >= p->cluster->ids || !in[owner[i]];
    for (uint32_t i = 0; share && i < n; i++) /* what an algorithm says of itself may be wrong: half a fair share is asked then */
        odds += exp(-(double)b->samples * (p->law == LAW_FIXED && !p->engine->ranges ? 0.5 / n : share[p->cluster->node[i].id]));
    for (uint32_t i = 0; share && odds < TEST_ALPHA && i < n; i++)
        empty += count[p->cluster->node[i].id] == 0;
    mem_free(in);
    v->samples = b->samples;
    v->statistic = (double)strangers + empty;
    v->skipped = b->system && when == CHURNED && strangers > 0;
    if (v->skipped)
        snprintf(v->detail, sizeof v->detail, "%zu keys stay with nodes that left: the system's own way", strangers);
    else
        snprintf(v->detail, sizeof v->detail, "%zu keys without a live owner, %u nodes that should own keys and do not", strangers, empty);
    return 0;
}

/* Exact shares, or those by weight where the law fixes them within what keys can tell. 0; -EINVAL: not known. */
static int shares_expected(const struct placement *p, double *share, const char **kind, char why[WHY])
{
    double unplaced;
    int e = placement_shares(p, share, &unplaced, why);
    *kind = p->engine->ranges ? "the ownership map" : "the algorithm's own shares";
    if (e == -EINVAL && p->law == LAW_FIXED && !p->engine->lookup_loaded) {
        cluster_fair_shares(p->cluster, share);
        *kind = "fair shares";
        e = 0;
    }
    return e;
}

/* Chi-square of the keys against the shares. */
static int spread(struct bench *b, const struct placement *p, enum when when, const uint64_t *count, const double *share, const char *kind)
{
    struct verdict *v = verdict_new(b, keys_check[when]);
    if (!v)
        return -ENOMEM;
    v->samples = b->samples;
    v->p = chance_counts(count, share, p->cluster->ids, b->samples, &v->statistic);
    snprintf(v->detail, sizeof v->detail, "chi-square of keys against %s (1 expected); finds a cv of %.3f more",
             kind, chance_found_cv(p->cluster->size, b->samples, TEST_ALPHA, MISS));
    return 0;
}

int verify_keys(struct bench *b, const struct placement *p, enum when when, char why[WHY])
{
    uint64_t *count = mem_alloc(p->cluster->ids, sizeof *count);
    uint32_t *owner = mem_alloc(b->samples, sizeof *owner);
    double *share = mem_alloc(p->cluster->ids, sizeof *share);
    const char *kind;
    char inner[WHY];
    int e = count && owner && share ? 0 : -ENOMEM;
    if (!e) {
        bench_owners(p, b->digest, b->samples, owner);
        bench_counts(owner, b->samples, count, p->cluster->ids);
        e = shares_expected(p, share, &kind, inner);
    }
    bool known = e == 0;
    if (e == -EINVAL)
        e = p->engine->lookup_loaded ? 0 : verdict_skip(b, keys_check[when], inner);
    if (!e)
        e = owners(b, p, when, owner, count, known ? share : NULL);
    if (!e && known)
        e = spread(b, p, when, count, share, kind);
    mem_free(count);
    mem_free(owner);
    mem_free(share);
    return e ? fail(why, ENOMEM, "no memory to verify %u nodes", p->cluster->size) : 0;
}

/* Copies on different live nodes, the owner first; algorithms name as many as are asked for. */
static int replicas(struct bench *b)
{
    enum { COPIES = 3 };
    size_t n = b->scans ? 200 : 1000, wrong = 0, few = 0, want = b->size < COPIES ? b->size : COPIES;
    bool *in = members(b->cluster), salted = false;
    struct verdict *v = in ? verdict_new(b, "replicas") : NULL;
    if (!v) {
        mem_free(in);
        return -ENOMEM;
    }
    n = n < b->samples ? n : b->samples;
    for (size_t i = 0; i < n; i++) {
        uint32_t id[COPIES];
        size_t found = placement_replicas(b->p, b->digest[i], id, want, &salted);
        bool good = found > 0 && id[0] == b->owner[i];
        for (size_t k = 0; k < found; k++) {
            good &= id[k] < b->cluster->ids && in[id[k]];
            for (size_t j = 0; j < k; j++)
                good &= id[j] != id[k];
        }
        wrong += !good;
        few += found < want;
    }
    v->samples = n;
    v->statistic = (double)(wrong + (b->system || b->p->caps & CAP_FLOOR ? 0 : few));
    snprintf(v->detail, sizeof v->detail, "keys whose %zu copies are not on distinct live nodes, the owner first; %s", want,
             salted ? "by salted look-ups" : "the strategy's own");
    mem_free(in);
    return 0;
}

/* Key after key, none above its capacity. */
static int bounded(struct bench *b)
{
    uint64_t *load = mem_alloc(b->cluster->ids, sizeof *load), over = 0;
    struct verdict *v = load ? verdict_new(b, "bounded") : NULL;
    for (size_t i = 0; v && i < b->samples; i++) {
        uint32_t id = b->p->engine->lookup_loaded(b->p->state, b->digest[i], load, i);
        if (id < b->cluster->ids)
            load[id]++;
        over += id >= b->cluster->ids || load[id] > b->p->engine->capacity(b->p->state, id, i);
    }
    if (v) {
        v->samples = b->samples;
        v->statistic = (double)over;
        snprintf(v->detail, sizeof v->detail, "keys that put their node above its capacity");
    }
    mem_free(load);
    return v ? 0 : -ENOMEM;
}

int verify_lookups(struct bench *b, char why[WHY])
{
    bench_owners(b->p, b->digest, b->samples, b->owner);
    int e = batch(b);
    if (!e && b->p->caps & CAP_FLOOR)
        return 0;
    if (!e)
        e = verify_keys(b, b->p, AS_OPENED, why);
    if (!e)
        e = replicas(b);
    if (!e && b->p->engine->lookup_loaded)
        e = bounded(b);
    return e == -ENOMEM ? fail(why, ENOMEM, "no memory to verify %u nodes", b->size) : e;
}
