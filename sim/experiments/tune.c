#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "base/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The sizes to come; 12..40 means every one. */
static int later_sizes(const char *text, char ***out, size_t *n, char why[WHY])
{
    const char *dots = strstr(text, "..");
    char *each = mem_alloc(strlen(text) + 3, 1), inner[WHY];
    if (!each)
        return fail(why, ENOMEM, "no memory for the sizes to come");
    sprintf(each, "%s%s", text, dots && !strpbrk(dots, "+x/") ? "+1" : "");
    int e = cluster_sweep(each, out, n, inner);
    mem_free(each);
    return e == -EINVAL ? fail(why, EINVAL, "--nodes-later '%s': %s", text, inner) : e ? fail(why, -e, "%s", inner) : 0;
}

static int open_stages(struct tuner *t, const struct cluster *c, char why[WHY])
{
    char **size = NULL;
    size_t n = 0;
    int e = t->ask->later ? later_sizes(t->ask->later, &size, &n, why) : 0;
    t->stage = e ? NULL : mem_alloc(n + 1, sizeof *t->stage);
    if (!e && !t->stage)
        e = fail(why, ENOMEM, "no memory for %zu sizes", n + 1);
    for (size_t i = 0; i <= n && !e; i++) {
        if (i > 0)
            e = cluster_read_as(t->s->registry, "--nodes-later", size[i - 1], catalog_find(t->s->spec[0]->name)->addresses, &c, why);
        if (!e)
            e = stage_init(t, &t->stage[t->stages++], c, why);
    }
    for (size_t i = 0; i < n; i++)
        mem_free(size[i]);
    mem_free(size);
    return e;
}

/* Whether all stages are ideal rings whose target the Beta distribution decides. */
static bool has_condition(const struct tuner *t)
{
    bool ideal = t->target.what == TARGET_MOVED || t->ask->confidence > 0.9 - 1e-9; /* the sum of chances is the chance where it is small */
    for (size_t i = 0; i < t->stages; i++)
        ideal &= t->stage[i].ideal;
    return ideal && t->target.what != TARGET_CV && !t->ask->keys && t->stage[0].arcs_drawn;
}

static enum tune_method method_of(const struct tuner *t)
{
    const struct stage *g = &t->stage[0];
    return t->exact ? TUNE_EXACT : g->arcs_drawn ? TUNE_DRAWN : g->fixed ? TUNE_FIXED : TUNE_PLACED;
}

static void close_stages(struct tuner *t)
{
    for (size_t i = 0; i < t->stages; i++)
        stage_release(&t->stage[i]);
    mem_free(t->stage);
    t->stage = NULL;
    t->stages = 0;
}

/* Makes a target the one that is looked at. */
static int turn_to(struct tuner *t, size_t target, const struct cluster *c, char why[WHY])
{
    close_stages(t);
    t->target = t->all[target];
    t->text = t->ask->target[target];
    int e = open_stages(t, c, why);
    t->exact = !e && has_condition(t);
    return e;
}

/* Whether answer a asks for more than b. */
static bool needs_more(const struct tune_answer *a, const struct tune_answer *b)
{
    return a->met != b->met ? !a->met : a->met && a->value > b->value;
}

/* The largest of the targets' own answers; the tuner is left at its target. */
static int search_all(struct tuner *t, const struct cluster *c, struct tune_answer *a, char why[WHY])
{
    int e = 0;
    bool lasting = true;
    for (size_t i = 0; i < t->ask->targets && !e; i++) {
        struct tune_answer one = {.targets = t->ask->targets, .binding = i};
        e = turn_to(t, i, c, why);
        one.method = e ? 0 : method_of(t);
        if (!e)
            e = tune_search(t, &one, why);
        lasting &= one.lasting;
        one.lead = t->lead;
        if (!e && (i == 0 || needs_more(&one, a)))
            *a = one;
    }
    a->lasting = lasting;
    memcpy(a->target, t->all, sizeof t->all);
    if (!e && a->binding != t->ask->targets - 1)
        e = turn_to(t, a->binding, c, why);
    t->lead = a->lead;
    a->worst_nodes = !e && t->stages > 1 ? t->stage[t->lead].cluster->size : 0;
    return e;
}

static int read_targets(struct tuner *t, char why[WHY])
{
    int e = t->ask->targets <= TARGETS_MOST ? 0 : fail(why, EINVAL, "--target is given %zu times: at most %d targets at once", t->ask->targets, TARGETS_MOST);
    for (size_t i = 0; i < t->ask->targets && !e; i++)
        e = target_parse(t->ask->target[i], &t->all[i], why);
    return e;
}

int tune_run(const struct study *s, const struct tune *ask, struct table **out, struct tune_answer *a, char why[WHY])
{
    struct tuner t = {.s = s, .ask = ask};
    const struct cluster *c;
    *a = (struct tune_answer){0};
    int e = read_targets(&t, why);
    if (!e)
        e = study_cluster(s, 0, 0, &c, why);
    if (e)
        return e;
    progress_start("tune", "placements", 0);
    e = knob_find(s, c, &t.knob, why);
    if (!e)
        e = search_all(&t, c, a, why);
    a->nodes = c->size;
    for (uint32_t i = 1; i < c->size; i++)
        a->weighted |= c->node[i].weight != c->node[0].weight;
    struct table *table = e ? NULL : columns_table(columns_tune);
    if (!e)
        snprintf(a->option, sizeof a->option, "%s", t.knob.option->name);
    if (!e)
        e = table ? tune_rows(&t, a, table, why) : fail(why, ENOMEM, "no memory for a table");
    progress_end();
    close_stages(&t);
    knob_release(&t.knob);
    if (e)
        table_destroy(table);
    else
        *out = table;
    return e;
}
