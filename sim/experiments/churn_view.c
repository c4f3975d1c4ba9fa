/* Who owns what, exactly or by keys: what churn compares from change to change. Keys are placed anew by each look, so that only their owners are kept. */
#include "experiments/churn_parts.h"

#include "base/mem.h"
#include "experiments/feed.h"

#include <errno.h>
#include <string.h>

#define QUICK 2e6 /* look-ups that one thread has done before others have met */

static void count_only(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    (void)to, (void)thread, (void)owner, (void)block;
}

int viewer_init(struct viewer *of, const struct study *s, bool keys, uint32_t ids, const struct placement *p, char why[WHY])
{
    *of = (struct viewer){.study = *s, .ids = ids};
    if (!keys)
        return 0;
    int e = study_workload(s, &of->w, why);
    if (e)
        return e;
    of->keys = workload_requests(of->w);
    if (!of->keys)
        e = feed(s, of->w, &p, 1, count_only, NULL, NULL, &of->keys, why);
    if (viewer_lookups(of, p) < QUICK)
        of->study.threads = 1;
    return e || of->keys ? e : fail(why, EINVAL, "-k %s: there are no keys", s->workload);
}

double viewer_lookups(const struct viewer *of, const struct placement *p)
{
    return (double)of->keys * (p->caps & CAP_SCANS ? p->cluster->size : 1);
}

void viewer_release(struct viewer *of)
{
    if (of->w)
        workload_close(of->w);
}

int view_init(struct view *v, const struct viewer *of)
{
    *v = (struct view){.owner = mem_alloc(of->keys, sizeof *v->owner), .share = mem_alloc(of->ids, sizeof *v->share)};
    return v->owner && v->share ? 0 : -ENOMEM;
}

void view_release(struct view *v)
{
    map_release(&v->map);
    mem_free(v->owner);
    mem_free(v->share);
}

/* Where a block's owners go. */
struct shelf {
    uint32_t *owner;
    uint64_t keys;
};

static void keep_block(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    struct shelf *s = to;
    (void)thread;
    if (block->first + block->count <= s->keys) /* a file may grow meanwhile */
        memcpy(s->owner + block->first, owner[0], block->count * sizeof **owner);
}

static int take_keys(struct view *v, struct viewer *of, const struct placement *p, char why[WHY])
{
    uint64_t keys = 0, *count = mem_alloc(of->ids + (size_t)1, sizeof *count);
    int e = count ? workload_rewind(of->w, why) : fail(why, ENOMEM, "no memory to count keys");
    if (!e)
        e = feed(&of->study, of->w, &p, 1, keep_block, &(struct shelf){v->owner, of->keys}, NULL, &keys, why);
    if (!e && keys != of->keys)
        e = fail(why, EINVAL, "-k %s: changed while it was read", of->study.workload);
    for (uint64_t i = 0; i < of->keys && !e; i++)
        count[v->owner[i] < of->ids ? v->owner[i] : of->ids]++;
    for (uint32_t id = 0; id < of->ids && !e; id++)
        v->share[id] = (double)count[id] / (double)keys;
    v->unplaced = e ? 0 : (double)count[of->ids] / (double)keys;
    mem_free(count);
    return e;
}

int view_take(struct view *v, struct viewer *of, const struct placement *p, char why[WHY])
{
    if (of->w)
        return take_keys(v, of, p, why);
    map_release(&v->map);
    int e = placement_map(p, false, &v->map, why);
    v->map.ids = of->ids; /* nodes that come later count too */
    return e ? e : map_shares(&v->map, v->share, &v->unplaced, why);
}

int view_moves(const struct viewer *of, const struct view *before, const struct view *after, const bool *standing, struct moves *out, char why[WHY])
{
    uint64_t moved = 0, bystander = 0;
    if (!of->w)
        return map_compare(&before->map, &after->map, standing, of->ids, out, why);
    for (uint64_t i = 0; i < of->keys; i++) {
        uint32_t from = before->owner[i], to = after->owner[i];
        moved += from != to;
        bystander += from != to && from < of->ids && to < of->ids && standing[from] && standing[to];
    }
    *out = (struct moves){(double)moved / (double)of->keys, (double)bystander / (double)of->keys};
    return 0;
}
