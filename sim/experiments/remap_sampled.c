/* How much moves, from keys: the owners before and after each step, all in one pass where memory allows. */
#include "base/mem.h"
#include "base/ranks.h"
#include "experiments/counts.h"
#include "experiments/feed.h"
#include "experiments/remap_parts.h"
#include "metrics/balance.h"

#include <errno.h>
#include <string.h>

#define GROUP_BYTES 1e9 /* placements open at once for one pass over the keys */

/* What is compared: one strategy before, and after each step of a group. */
struct pairs {
    const struct cluster *before;
    uint32_t ids;
    size_t count;
    bool *standing;     /* [count][ids] */
    bool *member;       /* [count][ids]: in the cluster afterwards */
    struct counts counts; /* row 0: before; row 1 + k: after step k */
    uint64_t *moved, *bystander, *lost; /* [threads][count] */
};

static void pairs_release(struct pairs *m)
{
    mem_free(m->standing);
    mem_free(m->member);
    counts_release(&m->counts);
    mem_free(m->moved);
    mem_free(m->bystander);
    mem_free(m->lost);
}

static int pairs_init(struct pairs *m, const struct cluster *before, const struct step *step, size_t count, uint32_t ids, size_t threads)
{
    *m = (struct pairs){.before = before, .ids = ids, .count = count};
    m->standing = mem_alloc(count, ids + (size_t)1);
    m->member = mem_alloc(count, ids + (size_t)1);
    m->moved = mem_alloc(threads * count, sizeof *m->moved);
    m->bystander = mem_alloc(threads * count, sizeof *m->bystander);
    m->lost = mem_alloc(threads * count, sizeof *m->lost);
    uint32_t *weight = mem_alloc(ids, sizeof *weight);
    int e = m->standing && m->member && m->moved && m->bystander && m->lost && weight ? counts_init(&m->counts, count + 1, threads, ids) : -ENOMEM;
    for (size_t k = 0; k < count && !e; k++) {
        mark_standing(before, step[k].after, m->standing + k * ids, ids, weight);
        for (uint32_t i = 0; i < step[k].after->size; i++)
            m->member[k * ids + step[k].after->node[i].id] = true;
    }
    mem_free(weight);
    return e;
}

static void compare_block(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    struct pairs *m = to;
    counts_block(&m->counts, thread, owner, block);
    for (size_t k = 0; k < m->count; k++) {
        const bool *standing = m->standing + k * m->ids, *member = m->member + k * m->ids;
        const uint32_t *from = owner[0], *now = owner[k + 1];
        uint64_t moved = 0, bystander = 0, lost = 0;
        for (size_t i = 0; i < block->count; i++) {
            lost += now[i] >= m->ids || !member[now[i]];
            if (from[i] == now[i])
                continue;
            moved++;
            bystander += from[i] < m->ids && now[i] < m->ids && standing[from[i]] && standing[now[i]];
        }
        m->moved[thread * m->count + k] += moved;
        m->bystander[thread * m->count + k] += bystander;
        m->lost[thread * m->count + k] += lost;
    }
}

/* Adds all threads and processes into thread 0's numbers. */
static int pairs_join(struct pairs *m, size_t threads, char why[WHY])
{
    uint64_t *const all[] = {m->moved, m->bystander, m->lost};
    int e = counts_join(&m->counts, why);
    for (size_t i = 0; i < sizeof all / sizeof *all && !e; i++) {
        for (size_t k = m->count; k < threads * m->count; k++)
            all[i][k % m->count] += all[i][k];
        e = ranks_sum(all[i], m->count, why);
    }
    return e;
}

/* One pass over the keys for the steps from `first` on that fit in memory together; *done: how many they were. */
static int remap_group(const struct study *s, const struct spec *spec, const struct placement *before, struct steps *l, size_t first,
                       struct workload *w, struct table *t, size_t *done, char why[WHY])
{
    const struct placement **all = mem_alloc(l->count - first + 1, sizeof *all);
    size_t n = 0, threads = study_threads(s);
    uint32_t ids = before->cluster->ids;
    struct pairs m = {0};
    uint64_t keys = 0;
    double bytes = 0;
    int e = all ? 0 : fail(why, ENOMEM, "no memory for the changes");
    if (all)
        all[0] = before;
    for (; !e && first + n < l->count && (n == 0 || bytes < GROUP_BYTES); n++) {
        struct placement *after;
        e = step_open(s, spec, before->cluster, &l->item[first + n], &after, why);
        if (e) {
            step_leave(&l->item[first + n]);
            break;
        }
        all[n + 1] = after;
        bytes += (double)placement_memory(after) + 16.0 * KEY_BLOCK + (double)before->cluster->size * 64;
        ids = after->cluster->ids > ids ? after->cluster->ids : ids;
    }
    if (!e && pairs_init(&m, before->cluster, l->item + first, n, ids, threads))
        e = fail(why, ENOMEM, "no memory to compare %zu changes", n);
    if (!e && first > 0)
        e = workload_rewind(w, why);
    if (!e)
        e = feed(s, w, all, n + 1, compare_block, &m, "remap", &keys, why);
    double *share = e ? NULL : mem_alloc(2 * (size_t)ids, sizeof *share), unplaced;
    if (!e) {
        e = share ? 0 : fail(why, ENOMEM, "no memory to compare %zu changes", n);
        m.counts.keys = keys;
    }
    if (!e)
        e = pairs_join(&m, threads, why);
    for (size_t k = 0; k < n && !e; k++) {
        double all_keys = (double)keys;
        counts_shares(&m.counts, 0, ids, share, &unplaced);
        counts_shares(&m.counts, k + 1, ids, share + ids, &unplaced);
        const struct outcome o = {(double)m.moved[k] / all_keys, (double)m.bystander[k] / all_keys, (double)m.lost[k] / all_keys,
                                  share_distance(share, share + ids, ids)};
        e = outcome_row(s, before, spec, &l->item[first + k], &o, w, keys, t, why);
    }
    for (size_t k = 0; all && k < n; k++) {
        placement_close((struct placement *)(uintptr_t)all[k + 1]);
        step_leave(&l->item[first + k]);
    }
    pairs_release(&m);
    mem_free(share);
    mem_free(all);
    *done = n;
    return e;
}

int remap_sampled(const struct study *s, const struct spec *spec, const struct placement *before, struct steps *l, struct table *t,
                  char why[WHY])
{
    struct workload *w;
    int e = study_workload(s, &w, why);
    if (e)
        return e;
    for (size_t first = 0, done; first < l->count && !e; first += done)
        e = remap_group(s, spec, before, l, first, w, t, &done, why);
    workload_close(w);
    return e;
}
