/* The benches: one for each strategy and size, run on all threads, told in order. */
#include "experiments/verify_parts.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/rng.h"
#include "base/text.h"
#include "experiments/published.h"
#include "metrics/chance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct verdict *verdict_new(struct bench *b, const char *check)
{
    if (mem_grow(&b->verdict, &b->capacity, b->verdicts + 1, sizeof *b->verdict))
        return NULL;
    struct verdict *v = &b->verdict[b->verdicts++];
    *v = (struct verdict){.low = 0, .high = 0, .p = NAN};
    snprintf(v->check, sizeof v->check, "%s", check);
    return v;
}

int verdict_skip(struct bench *b, const char *check, const char *reason)
{
    struct verdict *v = verdict_new(b, check);
    if (!v)
        return -ENOMEM;
    v->skipped = true;
    snprintf(v->detail, sizeof v->detail, "%.230s", reason);
    return 0;
}

void bench_digests(struct bench *b, size_t n)
{
    uint64_t last = b->p->key.hash.hash->last;
    for (size_t i = 0; i < n; i++)
        b->digest[i] = rng_upto(rng_at(b->stream, i), last);
}

void bench_owners(const struct placement *p, const uint64_t *digest, size_t n, uint32_t *owner)
{
    enum { BLOCK = 4096 };
    for (size_t from = 0; from < n; from += BLOCK)
        p->engine->lookup_many(p->state, digest + from, n - from < BLOCK ? n - from : BLOCK, owner + from);
}

void bench_counts(const uint32_t *owner, size_t n, uint64_t *count, uint32_t ids)
{
    memset(count, 0, ids * sizeof *count);
    for (size_t i = 0; i < n; i++)
        if (owner[i] < ids)
            count[owner[i]]++;
}

static void bench_close(struct bench *b)
{
    placement_close(b->p);
    registry_destroy(b->registry);
    mem_free(b->digest);
    mem_free(b->owner);
    b->p = NULL;
    b->registry = NULL;
    b->digest = NULL;
    b->owner = NULL;
}

/* Opens the strategy and draws the sample. A cluster that it refuses is a verdict, not an error. */
static int bench_open(struct bench *b, char why[WHY])
{
    char inner[WHY];
    const struct strategy *strategy = catalog_find(b->spec->name);
    b->registry = registry_create();
    int e = b->registry ? cluster_read(b->registry, b->nodes, strategy->addresses, &b->cluster, why) : fail(why, ENOMEM, "no memory to verify");
    if (e)
        return e;
    b->size = b->cluster->size;
    e = placement_open(&b->p, b->spec, b->cluster, &b->s->hash, inner);
    if (e)
        return e == -EINVAL && !verdict_skip(b, "open", inner) ? 0 : fail(why, -e, "%s", inner);
    b->system = strategy->version != NULL;
    b->scans = b->p->caps & CAP_SCANS;
    b->stream = rng_stream(b->s->seed, "verify", b->spec->name, b->size);
    b->samples = chance_keys(b->size, b->v->deep ? 0.03 : b->s->quick ? 0.2 : b->scans || b->size > 1000 ? 0.1 : 0.05, TEST_ALPHA, MISS);
    b->digest = mem_alloc(b->samples, sizeof *b->digest);
    b->owner = mem_alloc(b->samples, sizeof *b->owner);
    if (!b->digest || !b->owner || identity_take(&b->identity, b->p, b->spec))
        return fail(why, ENOMEM, "no memory to verify %u nodes", b->size);
    bench_digests(b, b->samples);
    return 0;
}

/* Another process's bench is opened too: what it is called stands in its rows. */
static int bench_run(struct bench *b, bool mine, char why[WHY])
{
    static int (*const checks[])(struct bench *, char *) = {verify_lookups, verify_victims, verify_growth, verify_scatter, verify_weights, verify_answers};
    *why = 0;
    int e = bench_open(b, why);
    for (size_t i = 0; i < sizeof checks / sizeof *checks && mine && !e && b->p; i++)
        if (i == 0 || !(b->p->caps & CAP_FLOOR)) /* what places nothing is only looked up */
            e = checks[i](b, why);
    bench_close(b);
    return e && !*why ? fail(why, -e, "no memory to verify %u nodes", b->size) : e; /* a check may just say -ENOMEM */
}

static bool passes(const struct verdict *v, double alpha)
{
    if (v->skipped)
        return true;
    return isnan(v->p) ? v->statistic >= v->low && v->statistic <= v->high : v->p >= alpha;
}

/* Text cells of the table's last row. */
static int texts(struct table *t, const char *check, bool good, bool skipped, const char *detail, char why[WHY])
{
    return table_text(t, COL(check), check) || table_text(t, COL(detail), detail) ||
                   table_text(t, COL(verdict), skipped ? "skipped" : good ? "passed" : "failed")
               ? fail(why, ENOMEM, "no memory for another row")
               : 0;
}

static int verdict_row(const struct bench *b, const struct verdict *v, double alpha, struct table *t, uint64_t *failed, char why[WHY])
{
    struct identity none = {b->spec->name, NULL, NULL, b->size}, of = b->identity.strategy ? b->identity : none;
    none.options = spec_options(b->spec, catalog_find(b->spec->name)->option);
    none.hash = mem_copy("", 0);
    if (!b->identity.strategy)
        of = none;
    int e = none.options && none.hash ? study_row_of(b->s, t, &of, b->spec, NULL, 0, why) : fail(why, ENOMEM, "no memory for another row");
    identity_release(&none);
    if (e)
        return e;
    bool good = passes(v, alpha);
    *failed += good ? 0 : 1;
    if (!v->skipped) {
        table_count(t, COL(samples), v->samples);
        table_real(t, COL(statistic), isinf(v->statistic) ? 1e9 : v->statistic);
        if (isnan(v->p)) {
            table_real(t, COL(low), v->low);
            table_real(t, COL(high), v->high);
        } else {
            table_real(t, COL(p_value), v->p);
            table_real(t, COL(p_bound), alpha);
        }
    }
    return texts(t, v->check, good, v->skipped, v->detail, why);
}

static int figure_row(const struct study *s, const struct published *f, double alpha, struct table *t, uint64_t *failed, char why[WHY])
{
    char value[32], detail[512];
    struct spec **spec;
    size_t n = 0;
    int e = catalog_expand(f->spec, &spec, &n, why);
    if (e)
        return e;
    struct identity of = {spec[0]->name, spec_options(spec[0], catalog_find(spec[0]->name)->option), mem_copy(s->hash.hash->name, strlen(s->hash.hash->name)),
                          f->nodes};
    e = of.options && of.hash ? study_row_of(s, t, &of, spec[0], NULL, 0, why) : fail(why, ENOMEM, "no memory for another row");
    if (!e) {
        double odds = published_odds(f);
        bool good = odds >= alpha;
        *failed += good ? 0 : 1;
        snprintf(detail, sizeof detail, "%s: %s", f->source, f->why);
        table_count(t, COL(samples), f->placements);
        table_real(t, COL(statistic), f->ours);
        table_real(t, COL(published), f->published);
        table_real(t, COL(low), f->low);
        table_real(t, COL(high), f->high);
        table_real(t, COL(p_value), odds);
        table_real(t, COL(p_bound), alpha);
        e = table_text(t, COL(option), f->option) || table_text(t, COL(value), text_number(f->value, value)) || table_text(t, COL(quantity), f->quantity)
                ? fail(why, ENOMEM, "no memory for another row")
                : texts(t, "published", good, false, detail, why);
    }
    identity_release(&of);
    for (size_t i = 0; i < n; i++)
        spec_destroy(spec[i]);
    mem_free(spec);
    return e;
}

/* All rows, judged by what a million runs may cry wolf. */
static int rows(const struct study *s, const struct bench *bench, size_t n, const struct published *figure, size_t figures, struct table *t,
                uint64_t *failed, char why[WHY])
{
    uint64_t chances = figures;
    int e = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < bench[i].verdicts; k++)
            chances += isnan(bench[i].verdict[k].p) ? 0 : 1;
    double alpha = RUN_ALPHA / (double)(chances ? chances : 1);
    for (size_t i = 0; i < n && !e; i++)
        for (size_t k = 0; k < bench[i].verdicts && !e; k++)
            e = verdict_row(&bench[i], &bench[i].verdict[k], alpha, t, failed, why);
    for (size_t i = 0; i < figures && !e; i++)
        e = figure_row(s, &figure[i], alpha, t, failed, why);
    return e;
}

/* Up to how many nodes a strategy is tried where no sizes were asked for: look-ups that visit every node, rings, and what is tried beside the
 * strategies as they come, end earlier; but a ring of one point a node is quick. */
static int reach_of(const struct study *s, const struct spec *spec, uint32_t *most, char why[WHY])
{
    struct registry *r = registry_create();
    const struct cluster *c;
    struct placement *p = NULL;
    const struct strategy *strategy = catalog_find(spec->name);
    char inner[WHY];
    *most = UINT32_MAX;
    int e = r ? cluster_read(r, "3", strategy->addresses, &c, why) : fail(why, ENOMEM, "no memory to verify");
    if (!e && (e = placement_open(&p, spec, c, &s->hash, inner)) == 0) {
        double points = bench_points(p); /* of three nodes */
        *most = strategy->version || p->caps & CAP_SCANS || (spec->count && points != 3) ? 1000
                : points > 0 || p->engine->lookup_loaded                                ? 10000
                                                                                        : 100000;
        placement_close(p);
    }
    registry_destroy(r);
    return e == -EINVAL ? 0 : e ? fail(why, -e, "%s", inner) : 0;
}

/* What the processes found on benches of their own. */
static int gather(struct bench *bench, size_t n, char why[WHY])
{
    uint64_t *verdicts = mem_alloc(n, sizeof *verdicts);
    int e = verdicts ? 0 : fail(why, ENOMEM, "no memory to verify %zu strategies", n);
    for (size_t i = 0; i < n && !e; i++)
        verdicts[i] = bench[i].verdicts;
    if (!e)
        e = ranks_gather(verdicts, sizeof *verdicts, 0, n, why);
    for (size_t i = 0; i < n && !e; i++) {
        struct bench *b = &bench[i];
        if (mem_grow(&b->verdict, &b->capacity, verdicts[i], sizeof *b->verdict))
            e = fail(why, ENOMEM, "no memory to verify %zu strategies", n);
        if (!e)
            e = ranks_gather(b->verdict, verdicts[i] * sizeof *b->verdict, i, 1, why);
        b->verdicts = verdicts[i];
    }
    mem_free(verdicts);
    return e;
}

/* All benches, the large clusters first so that no thread is left with one at the end. The first error in the study's order is told. */
static int run_all(const struct study *s, struct bench *bench, size_t n, char why[WHY])
{
    char(*inner)[WHY] = mem_alloc(n, sizeof *inner);
    unsigned threads = study_threads(s);
    (void)threads;
    if (!inner)
        return fail(why, ENOMEM, "no memory to verify %zu strategies", n);
    progress_start("verify", "strategies", n);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < n; i++) {
        size_t at = n - 1 - i;
        bench[at].error = bench_run(&bench[at], ranks_mine(at), inner[at]);
        progress_add(1);
    }
    progress_end();
    int e = 0;
    size_t i = 0;
    for (; i < n && !e; i++)
        if ((e = bench[i].error))
            memcpy(why, inner[i], WHY);
    mem_free(inner);
    e = ranks_agree(e, i, why);
    return e ? e : gather(bench, n, why);
}

int verify_run(const struct study *s, const struct verify *v, struct table **out, uint64_t *failed, char why[WHY])
{
    size_t n = 0, figures = 0;
    struct published *figure = NULL;
    struct bench *bench = mem_alloc(s->specs * s->sizes, sizeof *bench);
    struct table *t = columns_table(columns_verify);
    int e = bench && t ? 0 : fail(why, ENOMEM, "no memory to verify %zu strategies", s->specs);
    uint32_t *most = mem_alloc(s->specs, sizeof *most);
    *failed = 0;
    if (!e && !most)
        e = fail(why, ENOMEM, "no memory to verify %zu strategies", s->specs);
    for (size_t i = 0; i < s->specs && !e; i++)
        e = v->reach ? reach_of(s, s->spec[i], &most[i], why) : 0;
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs; i++)
            if (!v->reach || strtoul(s->nodes[k], NULL, 10) <= most[i])
                bench[n++] = (struct bench){.s = s, .v = v, .spec = s->spec[i], .nodes = s->nodes[k]};
    mem_free(most);
    if (!e)
        e = run_all(s, bench, n, why);
    if (!e)
        e = v->figures ? published_run(s, v->published, &figure, &figures, why) : 0;
    if (!e)
        e = rows(s, bench, n, figure, figures, t, failed, why);
    published_release(figure, figures);
    for (size_t i = 0; bench && i < n; i++) {
        mem_free(bench[i].verdict);
        identity_release(&bench[i].identity);
    }
    mem_free(bench);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
