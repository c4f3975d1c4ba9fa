#include "experiments/latency_parts.h"

#include "base/progress.h"
#include "experiments/latency.h"
#include "experiments/timing.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static int latency_rows(const struct study *s, size_t spec, size_t size, const struct workload *w, struct rig *b, struct table *t, char why[WHY])
{
    const struct cluster *c;
    struct placement *p = NULL;
    int e = study_cluster(s, spec, size, &c, why);
    if (!e)
        e = study_open(s, s->spec[spec], c, &p, why);
    for (int state = CACHE_WARM; state < CACHE_STATES && !e; state++) {
        if (!(cache_states(s) & 1u << state))
            continue;
        e = study_row(s, t, p, s->spec[spec], w, b->block.count, why);
        if (!e)
            e = table_text(t, COL(cache), cache_names[state]) ? fail(why, ENOMEM, "no memory for another row") : 0;
        if (!e)
            e = latency_hashing(b, p, w, t, why);
        if (!e)
            e = latency_lookups(b, p, (enum cache_state)state, t, why);
        if (!e) {
            latency_counts(b, p, (enum cache_state)state, t);
            table_real(t, COL(key_bytes), b->key_bytes);
        }
    }
    placement_close(p);
    return e;
}

size_t latency_noise(const struct table *t, char text[WHY])
{
    enum { NAMED = 3 };
    char names[512] = "";
    size_t len = 0, noisy = 0;
    double worst = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        double spread = table_get_real(t, r, COL(lookup_spread));
        if (!(spread > TIMING_NOISY))
            continue;
        worst = fmax(worst, spread);
        const char *options = table_get_text(t, r, COL(options)), *state = table_get_text(t, r, COL(cache));
        if (noisy++ < NAMED)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%.50s%s%.50s on %" PRIu64 " node%s, %s", len ? "; " : "", table_get_text(t, r, COL(strategy)),
                                    *options ? ":" : "", options, table_get_count(t, r, COL(nodes)), table_get_count(t, r, COL(nodes)) == 1 ? "" : "s", state);
    }
    if (noisy > NAMED)
        snprintf(names + len, sizeof names - len, "; and %zu more", noisy - NAMED);
    if (noisy)
        fail(text, EINVAL, "the machine is noisy: the middle half of the repetitions spreads by up to %.0f %% of the median (%s); what helps: an idle machine, "
                           "one core (taskset -c 1 keysim ...), the governor 'performance'", 100 * worst, names);
    return noisy;
}

int latency_run(const struct study *s, struct table **out, char why[WHY])
{
    struct workload *w = NULL;
    struct rig b = {0};
    struct table *t = columns_table(columns_latency);
    int e = t ? study_workload(s, &w, why) : fail(why, ENOMEM, "no memory for a table");
    if (!e)
        e = rig_init(&b, s, w, why);
    progress_start("latency", "strategies", s->specs * s->sizes);
    for (size_t k = 0; k < s->sizes && !e; k++)
        for (size_t i = 0; i < s->specs && !e; i++) {
            e = latency_rows(s, i, k, w, &b, t, why);
            progress_add(1);
        }
    progress_end();
    rig_release(&b);
    workload_close(w);
    if (e) {
        table_destroy(t);
        return e;
    }
    char noise[WHY];
    if (latency_noise(t, noise) && s->warn)
        s->warn(s->warn_to, noise);
    *out = t;
    return 0;
}
