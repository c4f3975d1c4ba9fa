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
            e = cluster_read(t->s->registry, size[i - 1], catalog_find(t->s->spec[0]->name)->addresses, &c, why);
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

int tune_run(const struct study *s, const struct tune *ask, struct table **out, struct tune_answer *a, char why[WHY])
{
    struct tuner t = {.s = s, .ask = ask};
    const struct cluster *c;
    *a = (struct tune_answer){0};
    int e = target_parse(ask->target, &t.target, why);
    if (!e)
        e = study_cluster(s, 0, 0, &c, why);
    if (e)
        return e;
    progress_start("tune", "placements", 0);
    e = knob_find(s, c, &t.knob, why);
    if (!e)
        e = open_stages(&t, c, why);
    if (!e) {
        a->target = t.target;
        t.exact = has_condition(&t);
        a->method = method_of(&t);
        snprintf(a->option, sizeof a->option, "%s", t.knob.option->name);
        e = tune_search(&t, a, why);
    }
    if (!e && t.stages == 1)
        a->worst_nodes = 0;
    struct table *table = e ? NULL : columns_table(columns_tune);
    if (!e)
        e = table ? tune_rows(&t, a, table, why) : fail(why, ENOMEM, "no memory for a table");
    progress_end();
    for (size_t i = 0; i < t.stages; i++)
        stage_release(&t.stage[i]);
    mem_free(t.stage);
    knob_release(&t.knob);
    if (e)
        table_destroy(table);
    else
        *out = table;
    return e;
}
