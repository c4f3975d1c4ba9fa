#include "metrics/cascade.h"

bool cascade_over(double load, double capacity)
{
    return load > capacity * (1 + 1e-9) + 1e-15;
}

static double highest(const struct cascade *c, const bool *dead, const double *load)
{
    double most = 0;
    for (uint32_t i = 0; i < c->nodes; i++)
        most = !dead[i] && load[i] / c->fair[i] > most ? load[i] / c->fair[i] : most;
    return most;
}

/* Who is above capacity dies; how many did. */
static uint32_t fell(const struct cascade *c, bool *dead, const double *load)
{
    uint32_t fallen = 0;
    for (uint32_t i = 0; i < c->nodes; i++)
        if (!dead[i] && cascade_over(load[i], c->capacity[i])) {
            dead[i] = true;
            fallen++;
        }
    return fallen;
}

int cascade_run(const struct cascade *c, bool *dead, double *load, double lost, struct cascade_end *end, char why[WHY])
{
    *end = (struct cascade_end){.lost = lost};
    for (uint32_t i = 0; i < c->nodes; i++)
        end->survivors += !dead[i];
    for (;; end->steps++) {
        double peak = highest(c, dead, load);
        end->peak = peak > end->peak ? peak : end->peak;
        if (c->watch)
            c->watch(c->to, end->steps + 1, dead, load);
        uint32_t fallen = fell(c, dead, load);
        if (!fallen)
            return 0;
        end->survivors -= fallen;
        if (end->survivors) {
            int e = c->load(c->of, dead, load, &end->lost, why);
            if (e)
                return e;
            continue;
        }
        for (uint32_t i = 0; i < c->nodes; i++)
            load[i] = 0;
        end->lost = 1;
    }
}
