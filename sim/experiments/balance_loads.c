/* What the placements got: requests and, where their sizes are known, bytes, in one pass over the keys; then the keys, each once, in another.
 *
 * One hot key is one request in six but one key in a million: the two tell apart what the placement spreads badly and what it cannot spread. */
#include "experiments/balance_parts.h"

#include "base/mem.h"
#include "base/ranks.h"
#include "base/text.h"
#include "metrics/flow.h"

#include <errno.h>
#include <string.h>

/* A generated workload with more keys than this, and than requests, is not counted by keys. */
#define KEYS_MOST ((uint64_t)1 << 24)

/* What a thread adds to: counts, and bytes. */
struct tray {
    struct counts *counts;
    sum128 *bytes; /* laid out as the counts; NULL: without */
};

static void load_block(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    const struct tray *t = to;
    const struct counts *c = t->counts;
    counts_block(t->counts, thread, owner, block);
    for (size_t p = 0; t->bytes && p < c->placements; p++) {
        sum128 *row = t->bytes + (counts_row(c, thread, p) - c->count);
        for (size_t i = 0; i < block->count; i++)
            row[owner[p][i] < c->ids ? owner[p][i] : c->ids] += block->amount[i];
    }
}

static struct load *load_new(struct pass *pass, const char *name, size_t round)
{
    struct load *l = &pass->load[pass->loads];
    *l = (struct load){.name = name, .counts = &pass->counts[round], .share = mem_alloc(pass->placements, (pass->ids + (size_t)1) * sizeof *l->share)};
    pass->loads += l->share != NULL;
    return l->share ? l : NULL;
}

static int count_load(struct pass *pass, size_t round, char why[WHY])
{
    const struct counts *c = &pass->counts[round];
    struct load *l = load_new(pass, workload_load(pass->w), round);
    if (!l)
        return fail(why, ENOMEM, "no memory for shares");
    l->spill = pass->spill[round];
    l->sum_p2 = workload_sum_p2(pass->w);
    l->top = workload_top_share(pass->w);
    for (size_t p = 0; p < c->placements; p++)
        counts_shares(c, p, c->ids, l->share + p * (c->ids + (size_t)1), l->share + p * (c->ids + (size_t)1) + c->ids);
    return 0;
}

/* Bytes of all threads, over those of all requests. */
static int byte_load(struct pass *pass, const struct tray *tray, char why[WHY])
{
    const struct counts *c = tray->counts;
    size_t row = c->ids + (size_t)1, rows = c->placements * row;
    sum128 all = 0;
    for (size_t t = 1; t < c->threads; t++)
        for (size_t i = 0; i < rows; i++)
            tray->bytes[i] += tray->bytes[t * counts_room(c) + i];
    int e = ranks_sum_wide(tray->bytes, rows, why);
    if (e)
        return e;
    for (size_t i = 0; i < row; i++)
        all += tray->bytes[i]; /* whichever placement: of the first */
    if (!all)
        return fail(why, EINVAL, "%s: all sizes are 0: there are no bytes to count", workload_text(pass->w));
    struct load *l = load_new(pass, "bytes", 0);
    if (!l)
        return fail(why, ENOMEM, "no memory for shares");
    l->sum_p2 = workload_bytes_sum_p2(pass->w);
    l->top = workload_bytes_top_share(pass->w);
    for (size_t i = 0; i < rows; i++)
        l->share[i] = (double)tray->bytes[i] / (double)all;
    return 0;
}

/* Feeds the workload as it is to all placements. */
static int feed_round(const struct study *s, struct pass *pass, const struct placement *const *all, struct tray *tray, size_t round, char why[WHY])
{
    struct counts *c = tray->counts = &pass->counts[round];
    size_t threads = study_threads(s);
    bool sized = round == 0 && workload_has_sizes(pass->w);
    pass->spill[round] = mem_alloc(pass->placements, sizeof *pass->spill[round]);
    bool short_of = counts_init(c, pass->placements, threads, pass->ids);
    tray->bytes = sized ? mem_alloc(threads, counts_room(c) * sizeof *tray->bytes) : NULL;
    if (!pass->spill[round] || (sized && !tray->bytes) || short_of)
        return fail(why, ENOMEM, "no memory to count keys on %u nodes", pass->ids);
    int e = feed_spilling(s, pass->w, all, pass->placements, load_block, tray, pass->spill[round], "balance", &c->keys, why);
    return e ? e : counts_join(c, why);
}

/* Whether the keys can be counted beside the requests: 1, or 0, said in a warning. */
static int has_keys(const struct study *s, struct workload *w, char why[WHY])
{
    char inner[WHY], keys[32];
    uint64_t distinct = workload_distinct(w);
    int e = 0;
    if (workload_is_random_access(w) && distinct > KEYS_MOST && distinct > workload_requests(w))
        e = fail(why, EINVAL, "requests alone are counted: the keys are too many, %s", text_short((double)distinct, keys));
    else if ((e = workload_each_once(w, inner)))
        fail(why, -e, e == -EINVAL ? "requests alone are counted, not the keys: %s" : "%s", inner);
    if (e == -EINVAL && s->warn)
        s->warn(s->warn_to, why);
    return e == -EINVAL ? 0 : e ? e : 1;
}

static int count_all(const struct study *s, struct pass *pass, const struct placement *const *all, char why[WHY])
{
    struct tray tray, again;
    int e = feed_round(s, pass, all, &tray, 0, why);
    bool bytes = tray.bytes;
    if (!e)
        e = count_load(pass, 0, why);
    if (!e && bytes)
        e = byte_load(pass, &tray, why);
    mem_free(tray.bytes);
    if (e || !strcmp(workload_load(pass->w), "keys"))
        return e;
    int keys = has_keys(s, pass->w, why);
    if (keys <= 0)
        return keys;
    e = feed_round(s, pass, all, &again, 1, why);
    if (!e)
        e = count_load(pass, 1, why);
    if (!e && bytes) { /* requests, keys, bytes */
        struct load last = pass->load[1];
        pass->load[1] = pass->load[2];
        pass->load[2] = last;
    }
    return e;
}

int pass_run(const struct study *s, size_t size, struct pass *pass, char why[WHY])
{
    size_t n = s->specs * s->placements;
    *pass = (struct pass){.trial = mem_alloc(s->specs, sizeof *pass->trial), .placements = n};
    const struct placement **all = mem_alloc(n, sizeof *all);
    int e = pass->trial && all ? 0 : fail(why, ENOMEM, "no memory for placements");
    pass->trials = pass->trial ? s->specs : 0;
    for (size_t i = 0; i < s->specs && !e; i++) {
        e = trial_open(s, &pass->trial[i], i, size, s->placements, why);
        for (size_t k = 0; k < s->placements && !e; k++) {
            all[i * s->placements + k] = pass->trial[i].placement[k];
            uint32_t has = pass->trial[i].placement[k]->cluster->ids;
            pass->ids = has > pass->ids ? has : pass->ids;
        }
    }
    if (!e)
        e = study_workload(s, &pass->w, why);
    if (!e)
        e = count_all(s, pass, all, why);
    mem_free(all);
    return e;
}

void pass_close(struct pass *pass, const struct study *s)
{
    for (size_t i = 0; i < pass->trials; i++)
        trial_close(&pass->trial[i], s->placements);
    mem_free(pass->trial);
    for (size_t k = 0; k < pass->loads; k++)
        mem_free(pass->load[k].share);
    for (size_t k = 0; k < 2; k++) {
        counts_release(&pass->counts[k]);
        mem_free(pass->spill[k]);
    }
    workload_close(pass->w);
}
