#include "metrics/cascade.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

enum { BLOCK = 32 };

bool cascade_over(double load, double capacity)
{
    return load > capacity * (1 + 1e-9) + 1e-15;
}

/* Who is above capacity dies; how many did, and the highest load over fair share so far. A long cascade changes few loads a step: blocks of nodes that
 * have the loads that were seen the last time are passed over. The dead have no load, so they need not be told apart. */
static uint32_t fell(const struct cascade *c, bool *dead, const double *load, double *seen, double *peak)
{
    uint32_t fallen = 0;
    for (uint32_t from = 0; from < c->nodes; from += BLOCK) {
        uint32_t n = c->nodes - from < BLOCK ? c->nodes - from : BLOCK;
        if (!memcmp(seen + from, load + from, n * sizeof *load))
            continue;
        memcpy(seen + from, load + from, n * sizeof *load);
        for (uint32_t i = from; i < from + n; i++) {
            if (load[i] > *peak * c->fair[i])
                *peak = load[i] / c->fair[i];
            if (cascade_over(load[i], c->capacity[i])) {
                dead[i] = true;
                fallen++;
            }
        }
    }
    return fallen;
}

/* cascade_run, with room for all loads, 0 at first. */
static int run_seeing(const struct cascade *c, bool *dead, double *load, double *seen, struct cascade_end *end, char why[WHY])
{
    for (;; end->steps++) {
        if (c->watch)
            c->watch(c->to, end->steps + 1, dead, load);
        uint32_t fallen = fell(c, dead, load, seen, &end->peak);
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

int cascade_run(const struct cascade *c, bool *dead, double *load, double lost, struct cascade_end *end, char why[WHY])
{
    double *seen = mem_alloc(c->nodes, sizeof *seen);
    *end = (struct cascade_end){.lost = lost};
    for (uint32_t i = 0; i < c->nodes; i++)
        end->survivors += !dead[i];
    int e = seen ? run_seeing(c, dead, load, seen, end, why) : fail(why, ENOMEM, "no memory to let %u nodes fail", c->nodes);
    mem_free(seen);
    return e;
}
