#include "experiments/trial.h"

#include "base/mem.h"
#include "base/rng.h"
#include "experiments/feed.h"

#include <errno.h>

void trial_drop(struct trial *t, size_t i)
{
    placement_close(t->placement[i]);
    registry_destroy(t->registry[i]);
    t->placement[i] = NULL;
    t->registry[i] = NULL;
}

void trial_close(struct trial *t, size_t n)
{
    for (size_t i = 0; t->placement && t->registry && i < n; i++)
        trial_drop(t, i);
    mem_free(t->placement);
    mem_free(t->registry);
    *t = (struct trial){0};
}

int trial_place(const struct study *s, struct trial *t, size_t i, char why[WHY])
{
    const struct cluster *c = t->given;
    int e = 0;
    if (t->placement[i])
        return 0;
    if (s->placements > 1) {
        t->registry[i] = registry_create();
        e = t->registry[i] ? cluster_random(t->registry[i], t->given, rng_stream(s->seed, "placements", "", i), &c, why)
                           : fail(why, ENOMEM, "no memory for placements");
    }
    if (e)
        return e;
    return i == 0 ? study_open(s, t->spec, c, &t->placement[i], why) : placement_open(&t->placement[i], t->spec, c, &s->hash, why);
}

int trial_open(const struct study *s, struct trial *t, size_t spec, size_t size, size_t count, char why[WHY])
{
    t->spec = s->spec[spec];
    t->placement = mem_alloc(s->placements, sizeof *t->placement);
    t->registry = mem_alloc(s->placements, sizeof *t->registry);
    int e = t->placement && t->registry ? study_cluster(s, spec, size, &t->given, why) : fail(why, ENOMEM, "no memory for placements");
    for (size_t i = 0; i < count && !e; i++)
        e = trial_place(s, t, i, why);
    return e;
}

void pass_close(struct pass *pass, const struct study *s)
{
    for (size_t i = 0; i < pass->trials; i++)
        trial_close(&pass->trial[i], s->placements);
    mem_free(pass->trial);
    counts_release(&pass->counts);
    workload_close(pass->w);
}

int pass_run(const struct study *s, size_t size, struct pass *pass, char why[WHY])
{
    size_t n = s->specs * s->placements;
    uint32_t ids = 0;
    *pass = (struct pass){.trial = mem_alloc(s->specs, sizeof *pass->trial), .trials = s->specs};
    const struct placement **all = mem_alloc(n, sizeof *all);
    int e = pass->trial && all ? 0 : fail(why, ENOMEM, "no memory for placements");
    if (!pass->trial)
        pass->trials = 0;
    for (size_t i = 0; i < s->specs && !e; i++) {
        e = trial_open(s, &pass->trial[i], i, size, s->placements, why);
        for (size_t k = 0; k < s->placements && !e; k++) {
            all[i * s->placements + k] = pass->trial[i].placement[k];
            uint32_t has = pass->trial[i].placement[k]->cluster->ids;
            ids = has > ids ? has : ids;
        }
    }
    if (!e)
        e = study_workload(s, &pass->w, why);
    if (!e && counts_init(&pass->counts, n, study_threads(s), ids))
        e = fail(why, ENOMEM, "no memory to count keys on %u nodes", ids);
    if (!e)
        e = feed(s, pass->w, all, n, counts_block, &pass->counts, "balance", &pass->counts.keys, why);
    if (!e)
        counts_join(&pass->counts);
    mem_free(all);
    return e;
}
