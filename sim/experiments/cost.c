#include "base/clock.h"
#include "base/progress.h"
#include "experiments/latency.h"
#include "experiments/timing.h"

#include <errno.h>

#define SECONDS_ENOUGH 2e9 /* no more repetitions after so many ns, but at least 3 */

/* Opens, adds one node, closes, over and over. */
static int cost_row(const struct study *s, size_t spec, size_t size, struct table *t, char why[WHY])
{
    const struct cluster *c, *more;
    struct timing build = {.count = 0}, change = {.count = 0};
    uint64_t began = clock_ns();
    int e = study_cluster(s, spec, size, &c, why);
    if (!e)
        e = cluster_change(s->registry, c, "+1", catalog_find(s->spec[spec]->name)->addresses, &more, why);
    for (size_t r = 0, reps = s->quick ? TIMING_QUICK : TIMING_REPS; r < reps && !e; r++) {
        struct placement *p = NULL;
        uint64_t from = clock_ns();
        e = placement_open(&p, s->spec[spec], c, &s->hash, why);
        timing_add(&build, (double)(clock_ns() - from));
        if (e)
            break;
        if (r == 0) {
            size_t points, distinct;
            if ((e = study_row(s, t, p, s->spec[spec], NULL, 0, why))) {
                placement_close(p);
                break;
            }
            table_count(t, COL(memory_bytes), placement_memory(p));
            placement_points(p, &points, &distinct, NULL);
            if (points)
                table_count(t, COL(points), points);
        }
        from = clock_ns();
        e = placement_change(p, more, why);
        timing_add(&change, (double)(clock_ns() - from));
        placement_close(p);
        if (r >= 2 && (double)(clock_ns() - began) > SECONDS_ENOUGH)
            break;
    }
    if (e)
        return e;
    table_count(t, COL(reps), build.count);
    timing_columns(&build, t, COL(build_ns), COL(build_min_ns), COL(build_p95_ns));
    timing_columns(&change, t, COL(change_ns), COL(change_min_ns), COL(change_p95_ns));
    return 0;
}

int cost_run(const struct study *s, struct table **out, char why[WHY])
{
    struct table *t = columns_table(columns_cost);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for a table");
    progress_start("cost", "strategies", s->specs * s->sizes);
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs && !e; i++) {
            e = cost_row(s, i, k, t, why);
            progress_add(1);
        }
    progress_end();
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
