#include "experiments/churn.h"

#include "base/mem.h"
#include "base/progress.h"
#include "experiments/churn_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The study's strategies of which any node can leave. */
struct field {
    bool *kept;
    size_t count;
    char skipped[WHY / 2];  /* names of the others */
    const char *weightless; /* one of them that does not follow weights; NULL: all do */
};

/* Whether loads follow weights like those that reweighing will give; no where the strategy does not take them. */
static int weighs(const struct study *s, const struct spec *spec, const struct cluster *c, bool *yes, char why[WHY])
{
    struct crowd heavy;
    struct placement *p = NULL;
    char refused[WHY];
    if (crowd_init(&heavy, c))
        return fail(why, ENOMEM, "no memory for %u nodes", c->size);
    for (uint32_t i = 0; i < c->size; i++)
        if (heavy.node[i].weight <= WEIGHT_MAX / 5)
            heavy.node[i].weight *= 1 + i % 5;
    int e = placement_open(&p, spec, &heavy.cluster, &s->hash, refused);
    *yes = !e && p->caps & CAP_WEIGHTS;
    placement_close(p);
    crowd_release(&heavy);
    return e == -ENOMEM ? fail(why, ENOMEM, "%s", refused) : 0;
}

/* Names spec i among the skipped, once a strategy. */
static void skip(const struct study *s, size_t i, struct field *f)
{
    size_t at = strlen(f->skipped);
    for (size_t k = 0; k < i; k++)
        if (!f->kept[k] && !strcmp(s->spec[k]->name, s->spec[i]->name))
            return;
    snprintf(f->skipped + at, sizeof f->skipped - at, "%s%s", at ? ", " : "", s->spec[i]->name);
}

/* Who takes part, and whether nodes are reweighed: only if all of them can. */
static int choose(const struct study *s, struct field *f, struct churn_plan *plan, char why[WHY])
{
    const struct cluster *c;
    struct placement *p;
    int e = 0;
    for (size_t i = 0; i < s->specs && !e; i++) {
        bool yes = true;
        e = study_cluster(s, i, 0, &c, why);
        if (!e)
            e = placement_open(&p, s->spec[i], c, &s->hash, why);
        if (e)
            break;
        f->kept[i] = p->caps & CAP_ANY_REMOVAL;
        placement_close(p);
        f->count += f->kept[i];
        if (!f->kept[i])
            skip(s, i, f);
        else
            e = weighs(s, s->spec[i], c, &yes, why);
        f->weightless = yes ? f->weightless : s->spec[i]->name;
    }
    if (e)
        return e;
    if (!f->count)
        return fail(why, EINVAL, "churn lets any node leave, and of %s only the last one can: try -s ring -s slots -s anchor", f->skipped);
    plan->weights = !f->weightless;
    return 0;
}

/* At the end, as a mistake is one line. */
static void tell(const struct study *s, const struct field *f)
{
    char text[WHY];
    if (*f->skipped && s->warn) {
        snprintf(text, sizeof text, "skipped, as only their last node can leave: %s", f->skipped);
        s->warn(s->warn_to, text);
    }
    if (f->weightless && s->warn) {
        snprintf(text, sizeof text, "nodes come and leave, but none gets another weight: %s does not follow weights", f->weightless);
        s->warn(s->warn_to, text);
    }
}

static int churn_size(const struct study *s, size_t size, const struct field *f, const struct churn_plan *plan, bool keys, struct table *t, char why[WHY])
{
    const struct cluster *c;
    int e = 0;
    for (size_t i = 0; i < s->specs && !e; i++) {
        if (!f->kept[i])
            continue;
        e = study_cluster(s, i, size, &c, why);
        if (!e)
            e = churn_one(s, s->spec[i], c, plan, keys, t, why);
        if (e == -EINVAL && !keys && !s->exact) /* no exact way, it may be: ask keys */
            e = churn_one(s, s->spec[i], c, plan, true, t, why);
    }
    return e;
}

/* A node must be able to leave. */
static int check_sizes(const struct study *s, char why[WHY])
{
    const struct cluster *c;
    int e = 0;
    for (size_t k = 0; k < s->sizes && !e; k++) {
        e = study_cluster(s, 0, k, &c, why);
        if (!e && c->size < 2)
            e = fail(why, EINVAL, "-n %s: one node only, so that none can leave; give 2 or more, like -n 10", s->nodes[k]);
    }
    return e;
}

int churn_run(const struct study *s, uint64_t events, bool keys, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_churn);
    struct field f = {.kept = mem_alloc(s->specs, sizeof *f.kept)};
    struct churn_plan plan = {.events = events};
    int e = t && f.kept ? check_sizes(s, why) : fail(why, ENOMEM, "no memory for a table");
    if (!e)
        e = choose(s, &f, &plan, why);
    progress_start("churn", "changes", events * f.count * s->sizes);
    for (size_t k = 0; k < s->sizes && !e; k++)
        e = churn_size(s, k, &f, &plan, keys, t, why);
    progress_end();
    if (!e)
        tell(s, &f);
    mem_free(f.kept);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
