/* What look-ups must keep on a cluster as it stands. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "base/text.h"
#include "metrics/chance.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool *members(const struct cluster *c)
{
    bool *in = mem_alloc(c->ids + (size_t)1, sizeof *in);
    for (uint32_t i = 0; in && i < c->size; i++)
        in[c->node[i].id] = true;
    return in;
}

/* Every key of a batch as it is looked up by itself: batches of many lengths, among them those that experiments use, and their last keys. */
static int batch(struct bench *b)
{
    static const size_t lengths[] = {1, 2, 3, 7, 64, 65, 333, 1021, 4095, 4096, 4097};
    enum { LENGTHS = sizeof lengths / sizeof *lengths, LONGEST = 4097 };
    struct verdict *v = verdict_new(b, "batch");
    uint32_t *owner = v ? mem_alloc(LONGEST, sizeof *owner) : NULL;
    size_t n = b->scans && b->samples > 9750 ? 9750 : b->samples, wrong = 0;
    if (!owner)
        return -ENOMEM;
    for (size_t from = 0, k = 3, len; from < n; from += len, k++) {
        len = lengths[(k * 7) % LENGTHS] < n - from ? lengths[(k * 7) % LENGTHS] : n - from;
        b->p->engine->lookup_many(b->p->state, b->digest + from, len, owner);
        for (size_t i = 0; i < len; i++)
            wrong += owner[i] != b->p->engine->lookup(b->p->state, b->digest[from + i]);
    }
    mem_free(owner);
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
    double weight = p->caps & CAP_WEIGHTS ? (double)cluster_weight(p->cluster) : n;
    for (uint32_t i = 0; share && i < n; i++) {
        const struct node *node = &p->cluster->node[i];
        double fair = (p->caps & CAP_WEIGHTS ? node->weight : 1) / weight; /* what an algorithm says of itself may be wrong: half of this is asked then */
        odds += exp(-(double)b->samples * (p->law == LAW_FIXED && !p->engine->ranges ? fair / 2 : share[node->id]));
    }
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

/* How many nodes own any of the sample. */
static uint32_t owning(const struct bench *b, uint64_t *count)
{
    uint32_t n = 0;
    bench_counts(b->owner, b->samples, count, b->cluster->ids);
    for (uint32_t id = 0; id < b->cluster->ids; id++)
        n += count[id] > 0;
    return n;
}

/* What one key's copies must be: on different live nodes, the owner first. */
static bool copies_good(const struct bench *b, const bool *in, const uint32_t *id, size_t found, uint32_t owner)
{
    bool good = found > 0 && id[0] == owner;
    for (size_t k = 0; k < found; k++) {
        good &= id[k] < b->cluster->ids && in[id[k]];
        for (size_t j = 0; j < k; j++)
            good &= id[j] != id[k];
    }
    return good;
}

/* Where weights differ much, a copy may be given up (CRUSH tries 51 times). */
static bool alike(const struct cluster *c)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        least = c->node[i].weight < least ? c->node[i].weight : least;
        most = c->node[i].weight > most ? c->node[i].weight : most;
    }
    return most / least <= 20;
}

/* Copies: also, algorithms name as many as are asked for, and on many nodes not always the same one takes the second (a random second choice falls on one
 * node for a tenth of all keys with odds far below any bound here, even where arcs are as unequal as those of one point a node). */
static int replicas(struct bench *b)
{
    enum { COPIES = 8, MANY = 200 };
    size_t n = b->scans ? 200 : 1000, wrong = 0, few = 0, most = 0;
    bool *in = members(b->cluster), salted = false;
    uint64_t *second = mem_alloc(b->cluster->ids, sizeof *second);
    struct verdict *v = in && second ? verdict_new(b, "replicas") : NULL;
    if (!v) {
        mem_free(in);
        mem_free(second);
        return -ENOMEM;
    }
    size_t want = owning(b, second);
    want = want < COPIES ? want : COPIES;
    n = n < b->samples ? n : b->samples;
    memset(second, 0, b->cluster->ids * sizeof *second);
    for (size_t i = 0; i < n; i++) {
        uint32_t id[COPIES];
        size_t found = placement_replicas(b->p, b->digest[i], id, want, &salted);
        wrong += !copies_good(b, in, id, found, b->owner[i]);
        few += found < want;
        if (found > 1 && id[1] < b->cluster->ids && ++second[id[1]] > most)
            most = second[id[1]];
    }
    bool crowded = !b->system && b->size >= MANY && most > n / 10;
    v->samples = n;
    v->statistic = (double)(wrong + (b->system || b->p->engine->lookup_loaded || !alike(b->cluster) ? 0 : few) + crowded);
    snprintf(v->detail, sizeof v->detail, "keys whose %zu copies are not on distinct live nodes, the owner first; at most %zu second copies on one node; %s", want,
             most, salted ? "by salted look-ups" : "the strategy's own");
    mem_free(in);
    mem_free(second);
    return 0;
}

/* A number among the options, as the spec has it; NaN: there is none of the name. */
static double asked(const struct bench *b, const char *name)
{
    const char *text = NULL;
    double x = NAN;
    for (const struct option *o = b->p->strategy->option; o && o->name; o++)
        if (!strcmp(o->name, name))
            text = o->fallback;
    for (size_t i = 0; i < b->spec->count; i++)
        if (!strcmp(b->spec->item[i].name, name))
            text = b->spec->item[i].value;
    return text && !text_real(text, strlen(text), &x) ? x : NAN;
}

static double *fair_shares(const struct bench *b)
{
    double *fair = mem_alloc(b->cluster->ids, sizeof *fair);
    for (uint32_t i = 0; fair && i < b->size; i++)
        fair[b->cluster->node[i].id] = b->p->caps & CAP_WEIGHTS ? b->cluster->node[i].weight / (double)cluster_weight(b->cluster) : 1.0 / b->size;
    return fair;
}

/* Key after key: none above the capacity that was asked for, and each on the first node of its list that has room. */
static int bounded(struct bench *b)
{
    enum { LISTED = 64 };
    uint64_t *load = mem_alloc(b->cluster->ids, sizeof *load), over = 0, astray = 0;
    double limit = 1 + asked(b, "eps"), *fair = fair_shares(b);
    struct verdict *v = load && fair && !isnan(limit) ? verdict_new(b, "bounded") : NULL;
    for (size_t i = 0; v && i < b->samples; i++) {
        uint32_t list[LISTED], id = b->p->engine->lookup_loaded(b->p->state, b->digest[i], load, i);
        bool salted, full = id != b->owner[i], member = id < b->cluster->ids;
        size_t listed = full && b->size <= LISTED ? placement_replicas(b->p, b->digest[i], list, b->size, &salted) : 0;
        for (size_t k = 0; k < listed && list[k] != id; k++) /* those before it are full */
            astray += (double)load[list[k]] + 1 <= limit * (double)(i + 1) * fair[list[k]] * (1 - 1e-9);
        if (member)
            load[id]++;
        over += !member || (double)load[id] >= limit * (double)(i + 1) * fair[id] * (1 + 1e-9) + 1;
    }
    if (v) {
        v->samples = b->samples;
        v->statistic = (double)(over + astray);
        snprintf(v->detail, sizeof v->detail, "%" PRIu64 " keys that put their node above its capacity, %" PRIu64 " that passed a node with room", over, astray);
    }
    mem_free(load);
    mem_free(fair);
    return v || isnan(limit) ? 0 : -ENOMEM;
}

/* Key after key: each on the least loaded of its first copies, of equals on the first. */
static int least(struct bench *b)
{
    enum { LISTED = 64 };
    size_t of = (size_t)asked(b, "of"), most = of < b->size ? of : b->size, wrong = 0, passed = 0;
    uint64_t *load = mem_alloc(b->cluster->ids, sizeof *load);
    double *fair = fair_shares(b);
    double all = b->p->caps & CAP_WEIGHTS ? (double)cluster_weight(b->cluster) : b->size;
    struct verdict *v = load && fair && of <= LISTED ? verdict_new(b, "least") : NULL;
    for (size_t i = 0; v && i < b->samples; i++) {
        uint32_t list[LISTED], id = b->p->engine->lookup_loaded(b->p->state, b->digest[i], load, i);
        bool salted;
        size_t n = placement_replicas(b->p, b->digest[i], list, most, &salted), at = 0;
        while (at < n && list[at] != id)
            at++;
        bool good = at < n;
        for (size_t k = 0; good && k < n; k++) { /* whole numbers, compared across: fair shares are whole weights over one sum */
            double mine = round((double)load[id] * fair[list[k]] * all), other = round((double)load[list[k]] * fair[id] * all);
            good = k < at ? mine < other : mine <= other;
        }
        wrong += !good;
        passed += at > 0;
        if (id < b->cluster->ids)
            load[id]++;
    }
    if (v) {
        v->samples = b->samples;
        v->statistic = (double)wrong;
        snprintf(v->detail, sizeof v->detail, "keys that are not on the least loaded of their first %zu copies; %zu are not on the first", most, passed);
    }
    mem_free(load);
    mem_free(fair);
    return v || of > LISTED ? 0 : -ENOMEM;
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
    if (!e && b->p->engine->capacity)
        e = bounded(b);
    if (!e && b->p->engine->among)
        e = least(b);
    return e == -ENOMEM ? fail(why, ENOMEM, "no memory to verify %u nodes", b->size) : e;
}
