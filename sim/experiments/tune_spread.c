/* How wide the samples of a value spread, by means: those of the few that a search sees tell sizes and values apart better than to count who fails. */
#include "experiments/tune_parts.h"

#include <errno.h>

static double off(const struct tuner *t, const struct sample *s)
{
    switch (t->target.what) {
    case TARGET_MAX:
    case TARGET_SHARE: return s->max - 1;
    case TARGET_MIN: return 1 - s->min;
    case TARGET_CV: return sqrt(s->square);
    case TARGET_MOVED: return s->moved;
    }
    return NAN;
}

static double mean_off(const struct tuner *t, const struct stage *g, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += off(t, &g->sample[i]);
    return sum / (double)n;
}

double stage_off(const struct tuner *t, const struct stage *g)
{
    enum { FIRST = 16 }; /* that every value has, of the same names */
    return g->filled >= FIRST && t->target.what != TARGET_MOVED ? mean_off(t, g, FIRST) : NAN;
}

int stage_reach(struct tuner *t, struct stage *g, uint64_t value, double *reach, double *error, char why[WHY])
{
    uint64_t failed;
    double square = 0;
    *reach = INFINITY;
    *error = 0;
    g->placements = stage_quick(t, g, value, 100);
    int e = stage_samples(t, g, value, UINT64_MAX, &failed, why);
    if (e == -EINVAL) /* too few cells for so many nodes */
        return 0;
    if (e)
        return e;
    double n = (double)g->placements, mean = mean_off(t, g, g->placements);
    for (uint64_t i = 0; i < g->placements; i++)
        square += (off(t, &g->sample[i]) - mean) * (off(t, &g->sample[i]) - mean) / n;
    *reach = mean + 2 * sqrt(square);
    *error = sqrt(3 * square / n); /* of the mean, and twice that of the deviation */
    return 0;
}
