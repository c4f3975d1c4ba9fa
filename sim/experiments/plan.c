#include "experiments/plan.h"

#include "base/mem.h"
#include "experiments/plan_parts.h"
#include "experiments/remap_parts.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { STEPS_MAX = 1000 };

static bool same_cluster(const struct cluster *a, const struct cluster *b)
{
    for (uint32_t i = 0; a->size == b->size && i < a->size; i++) {
        const struct node *x = &a->node[i], *y = &b->node[i];
        if (x->id != y->id || x->weight != y->weight || x->down != y->down || strcmp(x->attributes, y->attributes))
            return false;
    }
    return a->size == b->size;
}

/* Adds a stage on `c`. prefix and name make the text. */
static int add_stage(struct plan *p, const struct cluster *c, const char *prefix, const char *name, char why[WHY])
{
    struct plan_stage *stage = &p->stage[p->steps + 1];
    if (same_cluster(p->stage[p->steps].cluster, c))
        return p->steps ? fail(why, EINVAL, "--to %s: step %zu changes nothing: %s is there already", p->study->to, p->steps + 1, name)
                        : fail(why, EINVAL, "--to %s: changes nothing: these are the nodes before, too", p->study->to);
    if (!(stage->text = mem_alloc(strlen(prefix) + strlen(name) + 1, 1)))
        return fail(why, ENOMEM, "no memory for a plan");
    strcat(strcpy(stage->text, prefix), name);
    stage->cluster = c;
    p->steps++;
    return 0;
}

/* Room for the stages that n steps make. */
static int stages_of(struct plan *p, size_t n, char why[WHY])
{
    const struct cluster *before;
    if (n > STEPS_MAX)
        return fail(why, EINVAL, "a plan of %zu steps: at most %d", n, STEPS_MAX);
    int e = study_cluster(p->study, 0, 0, &before, why);
    if (e)
        return e;
    if (!(p->stage = mem_alloc(n + 1, sizeof *p->stage)))
        return fail(why, ENOMEM, "no memory for a plan");
    p->stage[0].cluster = before;
    return 0;
}

/* Each size of a sweep is a step from the one before. */
static int stages_to(struct plan *p, bool addresses, char why[WHY])
{
    char **nodes;
    size_t n;
    const struct cluster *c;
    int e = cluster_sweep(p->study->to, &nodes, &n, why);
    if (e)
        return e == -EINVAL ? fail(why, EINVAL, "--to '%.200s': several steps are sizes, 4/6/10, or grow by as many nodes each, 4..10+2; downwards list them, 10/8/6", p->study->to) : e;
    e = stages_of(p, n, why);
    for (size_t i = 0; i < n; i++) {
        if (!e)
            e = cluster_read_as(p->study->registry, "--to", nodes[i], addresses, &c, why);
        if (!e && i == 0) /* the steps after it count on in the same names */
            e = steps_check_to(p->study, nodes[i], p->stage[0].cluster, c, why);
        if (!e)
            e = add_stage(p, c, "to ", nodes[i], why);
        mem_free(nodes[i]);
    }
    mem_free(nodes);
    return e;
}

static int stages_change(struct plan *p, bool addresses, char why[WHY])
{
    const struct study *s = p->study;
    const struct cluster *c;
    int e = stages_of(p, s->changes, why);
    for (size_t i = 0; i < s->changes && !e; i++) {
        e = cluster_change(s->registry, p->stage[i].cluster, s->change[i], addresses, &c, why);
        if (!e)
            e = add_stage(p, c, "", s->change[i], why);
    }
    return e;
}

/* Another strategy on the same nodes. */
static int stages_spec(struct plan *p, char why[WHY])
{
    int e = stages_of(p, 1, why);
    if (e)
        return e;
    const char *text = p->study->to_spec_text;
    p->steps = 1;
    p->stage[1].cluster = p->stage[0].cluster;
    p->stage[1].text = mem_alloc(strlen(text) + 4, 1);
    if (!p->stage[1].text)
        return fail(why, ENOMEM, "no memory for a plan");
    strcat(strcpy(p->stage[1].text, "to "), text);
    return 0;
}

/* A strategy opened before and changed step by step. Where placement depends on the members alone, opening it there is the same. */
static int reach(const struct plan *p, const struct spec *spec, size_t stage, struct placement **out, char why[WHY])
{
    const struct keyed_hash *hash = &p->study->hash;
    int e = placement_open(out, spec, p->stage[0].cluster, hash, why);
    if (!e && stage && !((*out)->caps & CAP_HISTORY)) {
        placement_close(*out);
        return placement_open(out, spec, p->stage[stage].cluster, hash, why);
    }
    for (size_t k = 1; k <= stage && !e; k++)
        e = placement_change(*out, p->stage[k].cluster, why);
    if (e) {
        placement_close(*out);
        *out = NULL;
    }
    return e;
}

static int open_stages(struct plan *p, char why[WHY])
{
    const struct study *s = p->study;
    int e = study_open(s, p->spec, p->stage[0].cluster, &p->stage[0].placement, why);
    for (size_t k = 1; k <= p->steps && !e; k++)
        e = s->to_spec ? study_open(s, s->to_spec, p->stage[k].cluster, &p->stage[k].placement, why)
                       : reach(p, p->spec, k, &p->stage[k].placement, why);
    for (size_t k = 0; k <= p->steps; k++)
        p->ids = p->stage[k].cluster->ids > p->ids ? p->stage[k].cluster->ids : p->ids;
    return e;
}

/* --to-spec names what -s names. */
static int check_spec(const struct plan *p, char why[WHY])
{
    struct identity before, after;
    int e = identity_take(&before, p->stage[0].placement, p->spec), f = identity_take(&after, p->stage[1].placement, p->study->to_spec);
    if (e || f)
        e = fail(why, ENOMEM, "no memory for a plan");
    else if (!strcmp(before.strategy, after.strategy) && !strcmp(before.options, after.options) && !strcmp(before.hash, after.hash))
        e = fail(why, EINVAL, "--to-spec %s: is the strategy before, too: name another, or other options", p->study->to_spec_text);
    identity_release(&before);
    identity_release(&after);
    return e;
}

int plan_open(struct plan *p, const struct study *s, char why[WHY])
{
    *p = (struct plan){.study = s, .spec = s->spec[0]};
    bool addresses = catalog_find(p->spec->name)->addresses;
    int e = s->to_spec ? stages_spec(p, why) : s->to ? stages_to(p, addresses, why) : stages_change(p, addresses, why);
    if (!e)
        e = open_stages(p, why);
    return !e && s->to_spec ? check_spec(p, why) : e;
}

void plan_close(struct plan *p)
{
    for (size_t k = 0; p->stage && k <= p->steps; k++) {
        placement_close(p->stage[k].placement);
        mem_free(p->stage[k].text);
        map_release(&p->stage[k].dealt);
    }
    mem_free(p->stage);
    mem_free(p->piles.load);
    mem_free(p->piles.keys);
    *p = (struct plan){0};
}

int plan_map(const struct plan *p, size_t stage, struct map *out, char why[WHY])
{
    const struct plan_stage *s = &p->stage[stage];
    return s->dealt.count ? map_repeat(&s->dealt, 1, out, why) : placement_map(s->placement, false, out, why);
}

/* What one step of another strategy moves. */
static int other_step(const struct plan *p, const struct spec *spec, size_t step, const bool *standing, double *moved, char why[WHY])
{
    struct placement *before = NULL, *after = NULL;
    struct map a = {0}, b = {0};
    struct moves moves;
    int e = reach(p, spec, step, &before, why);
    if (!e)
        e = reach(p, spec, step + 1, &after, why);
    if (!e)
        e = placement_map(before, false, &a, why);
    if (!e)
        e = placement_map(after, false, &b, why);
    if (!e)
        e = map_compare(&a, &b, standing, p->ids, &moves, why);
    if (!e)
        *moved += moves.moved;
    map_release(&a);
    map_release(&b);
    placement_close(before);
    placement_close(after);
    return e;
}

int plan_other(const struct plan *p, const char *text, double *moved, char why[WHY])
{
    struct spec **spec = NULL;
    size_t n = 0;
    bool *standing = mem_alloc(p->ids, sizeof *standing);
    int e = standing ? catalog_expand(text, &spec, &n, why) : fail(why, ENOMEM, "no memory for the plan");
    *moved = 0;
    for (size_t k = 0; k < p->steps && !e; k++)
        e = other_step(p, spec[0], k, standing, moved, why);
    for (size_t i = 0; i < n; i++)
        spec_destroy(spec[i]);
    mem_free(spec);
    mem_free(standing);
    if (e)
        *moved = (double)NAN;
    return e == -EINVAL ? 0 : e;
}

int plan_slots(const struct plan *p, size_t step, struct plan_slots **item, size_t *n, uint64_t *cells, char why[WHY])
{
    const struct placement *before = p->stage[step].placement, *after = p->stage[step + 1].placement;
    struct map a = {0}, b = {0};
    size_t capacity = 0;
    *item = NULL;
    *n = 0;
    int e = plan_map(p, step, &a, why);
    if (!e)
        e = plan_map(p, step + 1, &b, why);
    if (!e || e == -EINVAL)
        e = e || !a.cells || a.cells != b.cells || !placement_hashes_alike(before, after)
                ? fail(why, EINVAL, "%s has no slots that stay the same and only change their owner: -s slots and -s redis-cluster have", before->strategy->name)
                : 0;
    *cells = a.cells;
    for (size_t i = 0, j = 0; !e && i < a.count && j < b.count;) {
        const struct range *x = &a.range[i], *y = &b.range[j];
        uint64_t first = x->first > y->first ? x->first : y->first, last = x->last < y->last ? x->last : y->last;
        if (x->id != y->id && mem_grow(item, &capacity, *n + 1, sizeof **item))
            e = fail(why, ENOMEM, "no memory for the slots");
        else if (x->id != y->id)
            (*item)[(*n)++] = (struct plan_slots){first, last, x->id, y->id};
        i += x->last == last;
        j += y->last == last;
    }
    map_release(&a);
    map_release(&b);
    return e;
}
