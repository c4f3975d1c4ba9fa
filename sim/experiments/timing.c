#include "experiments/timing.h"

#include "base/stats.h"

void timing_add(struct timing *t, double ns)
{
    if (t->count < TIMING_REPS)
        t->ns[t->count++] = ns;
}

static struct timing sorted(const struct timing *t)
{
    struct timing s = *t;
    stats_sort(s.ns, s.count);
    return s;
}

void timing_columns(const struct timing *t, struct table *table, const struct column *median, const struct column *min, const struct column *p95)
{
    if (t->count == 0)
        return;
    struct timing s = sorted(t);
    table_real(table, median, stats_quantile(s.ns, s.count, 0.5));
    table_real(table, min, s.ns[0]);
    table_real(table, p95, stats_quantile(s.ns, s.count, 0.95));
}

double timing_spread(const struct timing *t)
{
    if (t->count < 2)
        return 0;
    struct timing s = sorted(t);
    double median = stats_quantile(s.ns, s.count, 0.5);
    return median > 0 ? (stats_quantile(s.ns, s.count, 0.75) - stats_quantile(s.ns, s.count, 0.25)) / median : 0;
}

static volatile uint64_t sink;

void timing_use(uint64_t value)
{
    sink = value;
}
