#include "experiments/remap.h"

#include "base/mem.h"
#include "base/progress.h"
#include "experiments/counts.h"
#include "experiments/feed.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GROUP_BYTES 1e9 /* placements open at once for one pass over the keys */

/* One change. Clusters that miss one node are made when they are needed: `each` on 10,000 nodes would fill gigabytes. */
struct step {
    const struct cluster *after; /* NULL until entered, for a victim */
    char *text;
    uint32_t victim; /* index of the one node that leaves, of `each`; else NO_NODE */
    struct cluster without;
};

struct steps {
    struct step *item;
    size_t count, capacity;
};

static void steps_release(struct steps *l)
{
    for (size_t i = 0; i < l->count; i++)
        mem_free(l->item[i].text);
    mem_free(l->item);
}

/* prefix and name make the text. */
static int steps_add(struct steps *l, const struct cluster *after, const char *prefix, const char *name, uint32_t victim, char why[WHY])
{
    char *text = mem_alloc(strlen(prefix) + strlen(name) + 1, 1);
    if (!text || mem_grow(&l->item, &l->capacity, l->count + 1, sizeof *l->item)) {
        mem_free(text);
        return fail(why, ENOMEM, "no memory for the changes");
    }
    strcat(strcpy(text, prefix), name);
    l->item[l->count++] = (struct step){after, text, victim, {0}};
    return 0;
}

static int steps_each(struct steps *l, const struct cluster *before, char why[WHY])
{
    int e = before->size > 1 ? 0 : fail(why, EINVAL, "change 'each' needs at least 2 nodes");
    for (uint32_t i = 0; i < before->size && !e; i++)
        e = steps_add(l, NULL, "-", before->node[i].name, i, why);
    return e;
}

static int steps_list(const struct study *s, struct steps *l, const struct cluster *before, bool addresses, char why[WHY])
{
    const struct cluster *after;
    int e = 0;
    for (size_t i = 0; i < s->changes && !e; i++) {
        if (!strcmp(s->change[i], "each"))
            e = steps_each(l, before, why);
        else if (!(e = cluster_change(s->registry, before, s->change[i], addresses, &after, why)))
            e = steps_add(l, after, "", s->change[i], NO_NODE, why);
    }
    if (!e && s->to && !(e = cluster_read(s->registry, s->to, addresses, &after, why)))
        e = steps_add(l, after, "to ", s->to, NO_NODE, why);
    if (!e && s->to_spec)
        e = steps_add(l, before, "to ", s->to_spec_text, NO_NODE, why);
    return e;
}

/* Makes a step's cluster, if it is one node less than before. */
static int step_enter(struct step *step, const struct cluster *before, char why[WHY])
{
    if (step->victim == NO_NODE)
        return 0;
    struct node *node = mem_alloc(before->size, sizeof *node);
    if (!node)
        return fail(why, ENOMEM, "no memory for the changes");
    size_t head = step->victim, tail = before->size - head - 1;
    memcpy(node, before->node, head * sizeof *node);
    memcpy(node + head, before->node + head + 1, tail * sizeof *node);
    step->without = (struct cluster){node, before->size - 1, before->ids};
    step->after = &step->without;
    return 0;
}

static void step_leave(struct step *step)
{
    if (step->victim == NO_NODE || !step->after)
        return;
    mem_free((struct node *)(uintptr_t)step->without.node);
    step->after = NULL;
}

/* Opens the placement that a step leads to. */
static int open_after(const struct study *s, const struct spec *spec, const struct cluster *before, struct step *step,
                      struct placement **out, char why[WHY])
{
    if (s->to_spec)
        return study_open(s, s->to_spec, before, out, why);
    int e = step_enter(step, before, why);
    if (!e)
        e = placement_open(out, spec, before, &s->hash, why);
    if (!e && (e = placement_change(*out, step->after, why))) {
        placement_close(*out);
        *out = NULL;
    }
    return e;
}

/* standing[id]: the node is in both clusters and weighs and answers the same. */
static void mark_standing(const struct cluster *before, const struct cluster *after, bool *standing, uint32_t ids, uint32_t *weight)
{
    memset(standing, 0, ids * sizeof *standing);
    memset(weight, 0, ids * sizeof *weight);
    for (uint32_t i = 0; i < before->size; i++)
        weight[before->node[i].id] = before->node[i].weight * 2 + before->node[i].down;
    for (uint32_t i = 0; i < after->size; i++)
        standing[after->node[i].id] = weight[after->node[i].id] == after->node[i].weight * 2 + after->node[i].down;
}

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

static void compare_block(void *to, unsigned thread, const uint32_t *const *owner, size_t n)
{
    struct pairs *m = to;
    counts_block(&m->counts, thread, owner, n);
    for (size_t k = 0; k < m->count; k++) {
        const bool *standing = m->standing + k * m->ids, *member = m->member + k * m->ids;
        const uint32_t *from = owner[0], *now = owner[k + 1];
        uint64_t moved = 0, bystander = 0, lost = 0;
        for (size_t i = 0; i < n; i++) {
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

static double total(const uint64_t *count, size_t threads, size_t stride, size_t k)
{
    uint64_t sum = 0;
    for (size_t t = 0; t < threads; t++)
        sum += count[t * stride + k];
    return (double)sum;
}

/* The numbers of one row. */
struct outcome {
    double moved, bystander, lost, needed;
};

static int outcome_row(const struct study *s, const struct placement *before, const struct spec *spec, const struct step *step,
                       const struct outcome *o, const struct workload *w, uint64_t keys, struct table *t, char why[WHY])
{
    uint32_t ids = step->after->ids > before->cluster->ids ? step->after->ids : before->cluster->ids;
    double *fair = mem_alloc(2 * (size_t)ids, sizeof *fair);
    int e = fair ? study_row(s, t, before, spec, w, keys, why) : fail(why, ENOMEM, "no memory for another row");
    if (!e) {
        cluster_fair_shares(before->cluster, fair);
        cluster_fair_shares(step->after, fair + ids);
        double optimum = share_distance(fair, fair + ids, ids);
        table_count(t, COL(nodes_before), before->cluster->size);
        table_count(t, COL(nodes_after), step->after->size);
        table_real(t, COL(moved_share), o->moved);
        table_real(t, COL(needed_share), o->needed);
        table_real(t, COL(optimum_share), optimum);
        table_real(t, COL(excess), optimum > 0 ? o->moved / optimum : NAN);
        table_real(t, COL(bystander_share), o->bystander);
        table_real(t, COL(unplaced_share), o->lost);
        if (table_text(t, COL(change), step->text) || table_text(t, COL(load), w ? workload_load(w) : "share") ||
            table_text(t, COL(method), w ? "sampled" : "exact"))
            e = fail(why, ENOMEM, "no memory for another row");
    }
    mem_free(fair);
    return e;
}

static int exact_outcome(const struct placement *before, const struct placement *after, const struct step *step, struct outcome *o, char why[WHY])
{
    struct map a = {0}, b = {0};
    struct moves moves;
    uint32_t ids = step->after->ids > before->cluster->ids ? step->after->ids : before->cluster->ids;
    double *share = mem_alloc(2 * (size_t)ids, sizeof *share), unplaced;
    bool *standing = mem_alloc(ids, sizeof *standing);
    uint32_t *weight = mem_alloc(ids, sizeof *weight);
    int e = share && standing && weight ? placement_map(before, false, &a, why) : fail(why, ENOMEM, "no memory to compare placements");
    if (!e)
        e = placement_map(after, false, &b, why);
    a.ids = b.ids = ids; /* a departed node may still own */
    if (!e)
        e = map_shares(&a, share, &unplaced, why);
    if (!e)
        e = map_shares(&b, share + ids, &unplaced, why);
    if (!e) {
        mark_standing(before->cluster, step->after, standing, ids, weight);
        e = map_compare(&a, &b, standing, ids, &moves, why);
    }
    if (!e) {
        *o = (struct outcome){moves.moved, moves.bystander, unplaced, share_distance(share, share + ids, ids)};
        memset(weight, 0, ids * sizeof *weight);
        for (uint32_t i = 0; i < step->after->size; i++)
            weight[step->after->node[i].id] = 1;
        for (uint32_t id = 0; id < ids; id++)
            o->lost += weight[id] ? 0 : share[ids + id];
    }
    map_release(&a);
    map_release(&b);
    mem_free(share);
    mem_free(standing);
    mem_free(weight);
    return e;
}

static int remap_exact(const struct study *s, const struct spec *spec, const struct placement *before, const struct steps *l, struct table *t,
                       char why[WHY])
{
    int e = 0;
    for (size_t k = 0; k < l->count && !e; k++) {
        struct placement *after = NULL;
        struct outcome o;
        e = open_after(s, spec, before->cluster, &l->item[k], &after, why);
        if (!e)
            e = exact_outcome(before, after, &l->item[k], &o, why);
        if (!e)
            e = outcome_row(s, before, spec, &l->item[k], &o, NULL, 0, t, why);
        placement_close(after);
        step_leave(&l->item[k]);
        progress_add(1);
    }
    return e;
}

/* One pass over the keys for the steps from `first` on that fit in memory together; *done: how many they were. */
static int remap_group(const struct study *s, const struct spec *spec, const struct placement *before, const struct steps *l, size_t first,
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
        e = open_after(s, spec, before->cluster, &l->item[first + n], &after, why);
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
        counts_join(&m.counts);
    }
    for (size_t k = 0; k < n && !e; k++) {
        double all_keys = (double)keys;
        counts_shares(&m.counts, 0, ids, share, &unplaced);
        counts_shares(&m.counts, k + 1, ids, share + ids, &unplaced);
        const struct outcome o = {total(m.moved, threads, n, k) / all_keys, total(m.bystander, threads, n, k) / all_keys,
                                  total(m.lost, threads, n, k) / all_keys, share_distance(share, share + ids, ids)};
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

static int remap_sampled(const struct study *s, const struct spec *spec, const struct placement *before, const struct steps *l, struct table *t,
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

/* Marks the worst of the rows from..to-1 that came of `each`. */
static void mark_worst(struct table *t, const struct steps *l, size_t from)
{
    double most = -1;
    size_t worst = 0;
    for (size_t k = 0; k < l->count; k++) {
        double moved = table_get_real(t, from + k, COL(moved_share));
        if (l->item[k].victim != NO_NODE && moved > most) {
            most = moved;
            worst = k;
        }
    }
    for (size_t k = 0; k < l->count; k++)
        if (l->item[k].victim != NO_NODE)
            table_count_at(t, from + k, COL(worst_victim), k == worst);
}

static int remap_one(const struct study *s, size_t spec, size_t size, struct table *t, char why[WHY])
{
    const struct cluster *c;
    struct placement *before = NULL;
    struct steps steps = {0};
    size_t row = table_rows(t);
    int e = study_cluster(s, spec, size, &c, why);
    if (!e)
        e = steps_list(s, &steps, c, catalog_find(s->spec[spec]->name)->addresses, why);
    if (!e)
        e = study_open(s, s->spec[spec], c, &before, why);
    if (!e) {
        progress_start("remap", "changes", s->exact ? steps.count : 0);
        e = s->exact ? remap_exact(s, s->spec[spec], before, &steps, t, why) : remap_sampled(s, s->spec[spec], before, &steps, t, why);
        progress_end();
    }
    if (!e)
        mark_worst(t, &steps, row);
    placement_close(before);
    steps_release(&steps);
    return e;
}

int remap_run(const struct study *s, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_remap);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for a table");
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs && !e; i++)
            e = remap_one(s, i, k, t, why);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
