/* keysim latency and keysim cost: what a strategy takes in time and memory. */
#include "experiments/latency.h"

#include "commands/cells.h"
#include "commands/request.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static void cell_cache(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(cache)));
}

static void cell_spread(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%.2f .. %.2f", table_get_real(t, row, COL(lookup_min_ns)), table_get_real(t, row, COL(lookup_p95_ns)));
}

static int latency_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    (void)a;
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"nodes", UNLESS_SAME, .cell = cell_nodes},
        {"cache", UNLESS_SAME, .cell = cell_cache},
        {"hash ns", ALWAYS, .value = cell_real, .of = COL(hash_ns)},
        {"look-up ns", ALWAYS, .value = cell_real, .of = COL(lookup_ns)},
        {"min .. p95", ALWAYS, .cell = cell_spread},
        {"dependent ns", ALWAYS, .value = cell_real, .of = COL(dependent_ns)},
        {"p99 of batches", ALWAYS, .value = cell_real, .of = COL(p99_ns)},
    };
    size_t slow = 0;
    char spec[512];
    for (size_t r = 1; r < table_rows(t); r++)
        slow = table_get_real(t, r, COL(lookup_ns)) > table_get_real(t, slow, COL(lookup_ns)) ? r : slow;
    row_spec(t, slow, spec, sizeof spec);
    fprintf(to, "the slowest look-up is %s on %" PRIu64 " nodes: %.2f ns in batches, after %.2f ns to hash the key\n", spec,
            table_get_count(t, slow, COL(nodes)), table_get_real(t, slow, COL(lookup_ns)), table_get_real(t, slow, COL(hash_ns)));
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "medians of %d repetitions on one core, nothing subtracted (-s null shows the floor).\nNext: keysim cost -s %s -n %s\n",
            (int)table_get_count(t, 0, COL(reps)), spec, s->nodes[0]);
    return e;
}

static void cell_memory(const struct table *t, size_t row, char text[64])
{
    text_bytes((double)table_get_count(t, row, COL(memory_bytes)), text);
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
    fprintf(to, "medians of up to %d repetitions.\nNext: keysim latency -s %s -n %s\n", (int)table_get_count(t, 0, COL(reps)), spec, s->nodes[0]);
    return e;
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

static const int latency_takes[] = {'s', 'n', 'k', 'H', FLAG_CACHE, '0', FLAG_PERCENT, 0};
static const int cost_takes[] = {'s', 'n', 'H', FLAG_PERCENT, 0};

const struct command command_latency = {
    .name = "latency",
    .summary = "how long a look-up takes: hash and look-up apart",
    .usage = "-s SPEC... -n NODES... [-k WORKLOAD] [--cache warm|cold|both]",
    .takes = latency_takes,
    .run = run_latency,
    .details = "look-up: batches of independent keys whose digest is ready; dependent: each digest made from the answer before;\n"
               "p99: over single batches of 64. Medians of repetitions on one core; nothing is subtracted.\n\n"
               "  keysim latency -s null -s modulo -s ring:vnodes=150 -s slots -n 10..10000x10\n"
               "  keysim latency -s ring:vnodes=10..1000x10 -n 100 --cache both\n",
};

const struct command command_cost = {
    .name = "cost",
    .summary = "memory, time to build, time of one change",
    .usage = "-s SPEC... -n NODES...",
    .takes = cost_takes,
    .run = run_cost,
    .details = "  keysim cost -s ring:vnodes=150 -s slots -n 10..10000x10\n",
};
