/* The answer and the candidates beside it as specs of a study, timed by what times every other. */
#include "experiments/latency.h"
#include "experiments/tune_parts.h"

#include "base/text.h"

#include <errno.h>
#include <string.h>

static void copy_real(struct table *to, const struct table *from, size_t row, const struct column *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        table_real(to, list[i], table_get_real(from, row, list[i]));
}

/* One row of look-ups, with the cost of its candidate. */
static int join(const struct table *latency, size_t row, const struct table *cost, size_t of, struct table *t, char why[WHY])
{
    static const struct column *const texts[] = {COL(strategy), COL(options), COL(hash), COL(option), COL(value)},
                               *const looked[] = {COL(hash_ns), COL(lookup_ns), COL(lookup_min_ns), COL(lookup_p95_ns), COL(dependent_ns), COL(p99_ns)},
                               *const costs[] = {COL(build_ns), COL(build_min_ns), COL(build_p95_ns), COL(change_ns), COL(change_min_ns), COL(change_p95_ns)};
    int e = table_row(t);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !e; i++)
        e = table_text(t, texts[i], table_get_text(latency, row, texts[i]));
    if (e || table_text(t, COL(cache), table_get_text(latency, row, COL(cache))))
        return fail(why, ENOMEM, "no memory for another row");
    table_count(t, COL(schema), SCHEMA_VERSION);
    table_count(t, COL(nodes), table_get_count(latency, row, COL(nodes)));
    table_count(t, COL(reps), table_get_count(latency, row, COL(reps)));
    table_count(t, COL(memory_bytes), table_get_count(cost, of, COL(memory_bytes)));
    copy_real(t, latency, row, looked, sizeof looked / sizeof *looked);
    copy_real(t, cost, of, costs, sizeof costs / sizeof *costs);
    return 0;
}

/* Warm rows of all, and a cold one of the answer: to sweep the caches takes seconds. */
static int timed(struct study *s, size_t answer, struct table **out, char why[WHY])
{
    struct table *warm = NULL, *cold = NULL, *cost = NULL, *t = columns_table(columns_tune_cost);
    struct study one = *s;
    one.spec += answer;
    one.specs = 1;
    one.cache = 1;
    int e = t ? latency_run(s, &warm, why) : fail(why, ENOMEM, "no memory for a table");
    if (!e)
        e = latency_run(&one, &cold, why);
    if (!e)
        e = cost_run(s, &cost, why);
    for (size_t r = 0; !e && r < table_rows(warm); r++) {
        e = join(warm, r, cost, r, t, why);
        if (!e && r == answer)
            e = join(cold, 0, cost, r, t, why);
    }
    table_destroy(warm);
    table_destroy(cold);
    table_destroy(cost);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}

static uint64_t value_of(const struct table *candidates, size_t row)
{
    const char *text = table_get_text(candidates, row, COL(value));
    uint64_t value = 0;
    text_count(text, strlen(text), &value);
    return value;
}

int tune_cost(const struct study *s, const struct tune_answer *a, const struct table *candidates, struct table **out, char why[WHY])
{
    enum { BESIDE = 2 };
    struct spec *spec[2 * BESIDE + 1];
    size_t n = table_rows(candidates), answer = 0, made = 0;
    struct study timed_study = *s;
    struct knob knob = {.base = s->spec[0]};
    int e = 0;
    for (knob.option = catalog_find(s->spec[0]->name)->option; strcmp(knob.option->name, a->option);)
        knob.option++;
    while (answer + 1 < n && value_of(candidates, answer) < a->value)
        answer++;
    size_t first = answer > BESIDE ? answer - BESIDE : 0;
    for (size_t row = first; row < n && row <= answer + BESIDE && !e; row++) {
        e = knob_spec(&knob, value_of(candidates, row), &spec[made], why);
        made += !e;
    }
    timed_study.spec = spec;
    timed_study.specs = made;
    timed_study.workload = "user:count=1M";
    timed_study.cache = 0;
    if (!e && made)
        e = timed(&timed_study, answer - first, out, why);
    for (size_t i = 0; i < made; i++)
        spec_destroy(spec[i]);
    return e;
}
