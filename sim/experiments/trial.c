#include "experiments/trial.h"

#include "base/mem.h"
#include "base/rng.h"

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
