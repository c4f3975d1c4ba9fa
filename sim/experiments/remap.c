#include "experiments/remap.h"

#include "base/mem.h"
#include "base/progress.h"
#include "experiments/remap_parts.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void mark_standing(const struct cluster *before, const struct cluster *after, bool *standing, uint32_t ids, uint32_t *place)
{
    memset(standing, 0, ids * sizeof *standing);
    memset(place, 0, ids * sizeof *place);
    for (uint32_t i = 0; i < before->size; i++)
        place[before->node[i].id] = i + 1;
    for (uint32_t i = 0; i < after->size; i++) {
        const struct node *now = &after->node[i], *old = place[now->id] ? &before->node[place[now->id] - 1] : NULL;
        standing[now->id] = old && old->weight == now->weight && old->down == now->down && !strcmp(old->attributes, now->attributes);
    }
}

int outcome_row(const struct study *s, const struct placement *before, const struct spec *spec, const struct step *step,
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
