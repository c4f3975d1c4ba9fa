/* Experiments that run out of memory. */
#ifndef TESTS_STARVE_H
#define TESTS_STARVE_H

#include "experiments/study.h"
#include "tests/stage.h"

#include <errno.h>

typedef int starving(const struct study *s, struct table **t, char why[WHY]);

/* Each allocation of a run in turn fails: the run says so, and nothing is left. s->registry is made anew for each. */
static inline void starve(struct study *s, starving *run, const char *what)
{
    char why[WHY] = "";
    uint64_t n = 0;
    bool right = true;
    for (int e = -1; e && n < 5000;) {
        struct table *t = NULL;
        uint64_t live = mem_live();
        s->registry = registry_create();
        mem_fail_at(++n);
        e = run(s, &t, why);
        mem_fail_at(0);
        registry_destroy(s->registry);
        if (!e)
            table_destroy(t);
        right &= (e == 0 || e == -ENOMEM) && mem_live() == live;
    }
    ok(right && n > 50 && n < 5000, "%s: %d allocations fail, one a run: no memory, and nothing left", what, (int)n - 1);
}

#endif
