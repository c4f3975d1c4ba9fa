#include "experiments/timing.h"

#include "base/stats.h"

void timing_add(struct timing *t, double ns)
{
    if (t->count < TIMING_REPS)
        t->ns[t->count++] = ns;
}

void timing_columns(struct timing *t, struct table *table, const struct column *median, const struct column *min, const struct column *p95)
{
    if (t->count == 0)
        return;
    stats_sort(t->ns, t->count);
    table_real(table, median, stats_quantile(t->ns, t->count, 0.5));
    table_real(table, min, t->ns[0]);
    table_real(table, p95, stats_quantile(t->ns, t->count, 0.95));
}

static volatile uint64_t sink;

void timing_use(uint64_t value)
{
    sink = value;
}
