/* How much moves, from the ownership maps before and after. */
#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "experiments/remap_parts.h"
#include "metrics/balance.h"

#include <errno.h>
#include <string.h>

/* The map before, its shares, and scratch by id. */
struct baseline {
    struct map map;
    double *share;    /* before, then after: 2 * ids */
    bool *standing;
    uint32_t *weight;
    uint32_t ids;
};

static void baseline_release(struct baseline *b)
{
    map_release(&b->map);
    mem_free(b->share);
    mem_free(b->standing);
    mem_free(b->weight);
}

static int baseline_init(struct baseline *b, const struct placement *before, uint32_t ids, char why[WHY])
{
    double unplaced;
    *b = (struct baseline){.share = mem_alloc(2 * (size_t)ids, sizeof *b->share), .standing = mem_alloc(ids, sizeof *b->standing),
                           .weight = mem_alloc(ids, sizeof *b->weight), .ids = ids};
    int e = b->share && b->standing && b->weight ? placement_map(before, false, &b->map, why) : fail(why, ENOMEM, "no memory to compare placements");
    b->map.ids = ids; /* nodes that come later count too */
    return e ? e : map_shares(&b->map, b->share, &unplaced, why);
}

static int exact_outcome(struct baseline *b, const struct cluster *before, const struct placement *after, struct outcome *o, char why[WHY])
{
    struct map map = {0};
    struct moves moves;
    double unplaced, *share = b->share + b->ids;
    int e = placement_map(after, false, &map, why);
    map.ids = b->ids; /* a departed node may still own */
    if (!e)
        e = map_shares(&map, share, &unplaced, why);
    if (!e) {
        mark_standing(before, after->cluster, b->standing, b->ids, b->weight);
        e = map_compare(&b->map, &map, b->standing, b->ids, &moves, why);
    }
    map_release(&map);
    if (e)
        return e;
    *o = (struct outcome){moves.moved, moves.bystander, unplaced, share_distance(b->share, share, b->ids)};
    memset(b->weight, 0, b->ids * sizeof *b->weight);
    for (uint32_t i = 0; i < after->cluster->size; i++)
        b->weight[after->cluster->node[i].id] = 1;
    for (uint32_t id = 0; id < b->ids; id++)
        o->lost += b->weight[id] ? 0 : share[id];
    return 0;
}

static uint32_t ids_of(const struct placement *before, const struct steps *l)
{
    uint32_t ids = before->cluster->ids;
    for (size_t k = 0; k < l->count; k++)
        if (l->item[k].after && l->item[k].after->ids > ids)
            ids = l->item[k].after->ids;
    return ids;
}

/* Leads *after to the step. Where placement depends on the members alone, the placement of the step before is changed on: cheaper than
 * opening anew, and the same. */
static int lead_after(const struct study *s, const struct spec *spec, const struct placement *before, struct step *step, struct placement **after,
                      char why[WHY])
{
    if (*after && !s->to_spec && !((*after)->caps & CAP_HISTORY)) {
        int e = step_enter(step, before->cluster, why);
        return e ? e : placement_change(*after, step->after, why);
    }
    placement_close(*after);
    *after = NULL;
    return step_open(s, spec, before->cluster, step, after, why);
}

/* The outcomes of this process's steps. */
static int compare_steps(const struct study *s, const struct spec *spec, const struct placement *before, struct steps *l, struct baseline *b,
                         struct outcome *o, char why[WHY])
{
    struct placement *after = NULL;
    struct step *last = NULL;
    size_t k = 0;
    int e = 0;
    for (; k < l->count && !e; k++) {
        progress_add(1);
        if (!ranks_mine(k))
            continue;
        e = lead_after(s, spec, before, &l->item[k], &after, why);
        if (last)
            step_leave(last); /* only now: the placement stood on its cluster */
        last = &l->item[k];
        if (!e && !placement_hashes_alike(before, after))
            e = fail(why, EINVAL, "the two placements hash keys differently: how much moves can only be sampled (leave out --exact)");
        if (!e)
            e = exact_outcome(b, before->cluster, after, &o[k], why);
    }
    placement_close(after);
    if (last)
        step_leave(last);
    return ranks_agree(e, k, why);
}

int remap_exact(const struct study *s, const struct spec *spec, const struct placement *before, struct steps *l, struct table *t, char why[WHY])
{
    struct baseline b;
    struct outcome *o = mem_alloc(l->count, sizeof *o);
    int e = baseline_init(&b, before, ids_of(before, l), why);
    if (!e && !o)
        e = fail(why, ENOMEM, "no memory for %zu changes", l->count);
    if (!e)
        e = compare_steps(s, spec, before, l, &b, o, why);
    if (!e)
        e = ranks_gather(o, sizeof *o, 0, l->count, why);
    for (size_t k = 0; k < l->count && !e; k++) {
        e = step_enter(&l->item[k], before->cluster, why);
        if (!e)
            e = outcome_row(s, before, spec, &l->item[k], &o[k], NULL, 0, t, why);
        step_leave(&l->item[k]);
    }
    for (size_t k = 0; k < l->count; k++)
        step_leave(&l->item[k]);
    baseline_release(&b);
    mem_free(o);
    return e;
}
