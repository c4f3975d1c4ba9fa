/* keysim latency and keysim cost: what a strategy takes in time and memory. */
#include "experiments/latency.h"

#include "commands/cells.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/counters.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void cell_cache(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(cache)));
}

static void cell_spread(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%.2f .. %.2f", table_get_real(t, row, COL(lookup_min_ns)), table_get_real(t, row, COL(lookup_p95_ns)));
}

static void cell_batch(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%" PRIu64, table_get_count(t, row, COL(batch)));
}

/* "ring:vnodes=150 on 10 nodes" */
static const char *name_row(const struct table *t, size_t row, char text[600])
{
    uint64_t nodes = table_get_count(t, row, COL(nodes));
    char spec[512];
    row_spec(t, row, spec, sizeof spec);
    snprintf(text, 600, "%s on %" PRIu64 " node%s", spec, nodes, nodes == 1 ? "" : "s");
    return text;
}

static bool is_state(const struct table *t, size_t row, const char *state)
{
    return !strcmp(table_get_text(t, row, COL(cache)), state);
}

/* Null places nothing: it is the floor, and nobody's answer. */
static bool is_floor(const struct table *t, size_t row)
{
    return !strcmp(table_get_text(t, row, COL(strategy)), "null");
}

/* The quickest and the slowest look-up among rows of one cache state, the first row's. Returns the slowest. */
static size_t say_answer(const struct table *t, FILE *to)
{
    const char *state = table_get_text(t, 0, COL(cache));
    size_t n = table_rows(t), quick = n, slow = n;
    for (size_t r = 0; r < n; r++) {
        double ns = table_get_real(t, r, COL(lookup_ns));
        if (!is_state(t, r, state) || is_floor(t, r))
            continue;
        quick = quick == n || ns < table_get_real(t, quick, COL(lookup_ns)) ? r : quick;
        slow = slow == n || ns > table_get_real(t, slow, COL(lookup_ns)) ? r : slow;
    }
    if (slow == n)
        quick = slow = 0;
    char name[600];
    double ns = table_get_real(t, slow, COL(lookup_ns));
    if (quick == slow)
        fprintf(to, "a look-up by %s takes %.2f ns in batches and %.2f ns one after the other", name_row(t, slow, name), ns,
                table_get_real(t, slow, COL(dependent_ns)));
    else {
        fprintf(to, "the quickest look-up is %s, %.2f ns in batches; ", name_row(t, quick, name), table_get_real(t, quick, COL(lookup_ns)));
        fprintf(to, "the slowest %s, %.2f ns", name_row(t, slow, name), ns);
    }
    fprintf(to, "; to hash a key of %.1f bytes takes %.2f ns more\n", table_get_real(t, slow, COL(key_bytes)), table_get_real(t, slow, COL(hash_ns)));
    return slow;
}

/* What emptied caches do to a single look-up: to whom the least, and to whom the most. */
static void say_emptied(const struct table *t, const char *state, const char *words, FILE *to)
{
    size_t n = table_rows(t), warm = n, least = n, most = n;
    double low = INFINITY, high = 0;
    for (size_t r = 0; r < n; r++) {
        if (is_state(t, r, "warm"))
            warm = r;
        if (!is_state(t, r, state) || warm == n || is_floor(t, r))
            continue;
        double times = table_get_real(t, r, COL(dependent_ns)) / table_get_real(t, warm, COL(dependent_ns));
        least = times < low ? r : least;
        most = times > high ? r : most;
        low = fmin(low, times);
        high = fmax(high, times);
    }
    char name[600];
    if (most == n)
        return;
    fprintf(to, "%s, one look-up after the other takes %.1f times as long with %s", words, high, name_row(t, most, name));
    if (least != most)
        fprintf(to, ", %.1f times with %s", low, name_row(t, least, name));
    fputs("\n", to);
}

/* What the clock can tell, and what of it stands in the percentiles. */
static void say_clock(const struct table *t, FILE *to)
{
    double clock = table_get_real(t, 0, COL(clock_ns)), low = INFINITY, high = 0;
    bool tail = false;
    for (size_t r = 0; r < table_rows(t); r++) {
        tail |= !table_is_empty(t, r, COL(p999_ns));
        double part = 100 * clock / (table_get_real(t, r, COL(p50_ns)) * (double)table_get_count(t, r, COL(batch)));
        low = fmin(low, part);
        high = fmax(high, part);
    }
    fprintf(to, "%s: of single batches, as few look-ups in one as the clock allows: a caller who has few keys at hand waits so long.\n", tail ? "p50 to p99.9" : "p50 and p99");
    fprintf(to, "The clock itself takes %.0f ns, ", clock);
    if (round(low) < round(high))
        fprintf(to, "%.0f to ", low);
    fprintf(to, "%.0f %% of a batch, and moves in steps of %.0f ns; nothing is subtracted (-s null shows the floor).\n", high,
            table_get_real(t, 0, COL(clock_step_ns)));
}

static void say_counters(const struct table *t, FILE *to)
{
    static const struct column *const column[] = {COL(instructions), COL(cycles), COL(cache_misses), COL(branch_misses)};
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        if (!table_is_empty(t, 0, column[i]))
            return;
    struct counters c;
    counters_open(&c, counters_hardware);
    fprintf(to, "no instructions or misses are counted: %s.\n", counters_why(c.error));
    counters_close(&c);
}

static int latency_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"nodes", UNLESS_SAME, .cell = cell_nodes},
        {"cache", UNLESS_SAME, .cell = cell_cache},
        {"hash ns", ALWAYS, .value = cell_real, .of = COL(hash_ns)},
        {"look-up ns", ALWAYS, .value = cell_real, .of = COL(lookup_ns)},
        {"min .. p95", ALWAYS, .cell = cell_spread},
        {"dependent ns", ALWAYS, .value = cell_real, .of = COL(dependent_ns)},
        {"p50", ALWAYS, .value = cell_real, .of = COL(p50_ns)},
        {"p99", ALWAYS, .value = cell_real, .of = COL(p99_ns)},
        {"p99.9", UNLESS_EMPTY, .value = cell_real, .of = COL(p999_ns)},
        {"batch", ALWAYS, .cell = cell_batch},
        {"instructions", UNLESS_EMPTY, .value = cell_real, .of = COL(instructions)},
        {"cycles", UNLESS_EMPTY, .value = cell_real, .of = COL(cycles)},
        {"cache misses", UNLESS_EMPTY, .value = cell_real, .of = COL(cache_misses)},
        {"branch misses", UNLESS_EMPTY, .value = cell_real, .of = COL(branch_misses)},
    };
    size_t slow = say_answer(t, to);
    say_emptied(t, "cold", "with the caches swept", to);
    say_emptied(t, "neighbour", "beside a neighbour that fills the caches", to);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "medians of %d repetitions on one core; dependent: one look-up after the other.\n", (int)table_get_count(t, 0, COL(reps)));
    say_clock(t, to);
    if (a->cache != 0)
        fputs("Caches swept or filled: look-up and dependent ns are means over 64 look-ups after that, the percentiles over the few of a batch, the first of which waits longest.\n", to);
    say_counters(t, to);
    if (e)
        return e;
    return a->cache ? suggest_row(a, to, why, "cost", t, slow, s->nodes[0], NULL) : suggest_row(a, to, why, "latency", t, slow, s->nodes[0], "--cache", "all", NULL);
}

static void cell_all_points(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(points)))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%" PRIu64, table_get_count(t, row, COL(points)));
}

static int cost_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    (void)a;
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"nodes", UNLESS_SAME, .cell = cell_nodes},
        {"points", UNLESS_EMPTY, .cell = cell_all_points},
        {"memory", ALWAYS, .cell = cell_memory},
        {"build", ALWAYS, .value = cell_time, .of = COL(build_ns)},
        {"add a node", ALWAYS, .value = cell_time, .of = COL(change_ns)},
    };
    size_t big = 0;
    char spec[512], memory[64];
    for (size_t r = 1; r < table_rows(t); r++)
        big = table_get_count(t, r, COL(memory_bytes)) > table_get_count(t, big, COL(memory_bytes)) ? r : big;
    row_spec(t, big, spec, sizeof spec);
    cell_memory(t, big, memory);
    fprintf(to, "the largest is %s on %" PRIu64 " nodes: %s\n", spec, table_get_count(t, big, COL(nodes)), memory);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "medians of up to %d repetitions.\n", (int)table_get_count(t, 0, COL(reps)));
    return e ? e : suggest_row(a, to, why, "latency", t, big, s->nodes[0], NULL);
}

static int run(struct args *a, const char *name, int (*experiment)(const struct study *, struct table **, char *), words_writer *words,
               char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int e = request_open(&s, a, name, why);
    if (e)
        return e;
    e = experiment(&s, &t, why);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static int run_latency(struct args *a, char why[WHY])
{
    return run(a, "latency", latency_run, latency_words, why);
}

static int run_cost(struct args *a, char why[WHY])
{
    return run(a, "cost", cost_run, cost_words, why);
}

static const int latency_takes[] = {'s', 'n', 'k', 'H', FLAG_CACHE, FLAG_QUICK, '0', FLAG_PERCENT, 0};
static const int cost_takes[] = {'s', 'n', 'H', FLAG_QUICK, FLAG_PERCENT, 0};

const struct command command_latency = {
    .name = "latency",
    .summary = "how long a look-up takes: hash and look-up apart",
    .usage = "-s SPEC... -n NODES... [-k WORKLOAD] [--cache warm|cold|both|neighbour|all] [--quick]",
    .takes = latency_takes,
    .run = run_latency,
    .details = "hash: of the first 4096 keys of -k, over and over;\n"
               "look-up: batches of independent keys whose digest is ready; dependent: each digest made from the answer before;\n"
               "p50 to p99.9: over single batches, the fewest look-ups that take 4 times as long as the clock, 64 at most.\n"
               "Medians of repetitions on one core; nothing is subtracted.\n\n"
               "  keysim latency -s null -s modulo -s ring:vnodes=150 -s slots -n 10..10000x10\n"
               "  keysim latency -s ring:vnodes=10..1000x10 -s jump -n 100 --cache all\n",
};

const struct command command_cost = {
    .name = "cost",
    .summary = "memory, time to build, time of one change",
    .usage = "-s SPEC... -n NODES... [--quick]",
    .takes = cost_takes,
    .run = run_cost,
    .details = "  keysim cost -s ring:vnodes=150 -s slots -n 10..10000x10\n",
};
