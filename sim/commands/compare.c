/* keysim compare: do these clients, versions or settings agree? */
#include "experiments/compare.h"

#include "commands/cells.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The pair (a, b)'s row among n strategies' pairs. */
static size_t pair_of(size_t a, size_t b, size_t n)
{
    return a * n - a * (a + 1) / 2 + b - a - 1;
}

static void side_name(const struct table *t, size_t first, size_t side, char *text, size_t size)
{
    if (side == 0) {
        row_spec(t, first, text, size);
        return;
    }
    size_t row = first + side - 1; /* (0, side) */
    const char *options = table_get_text(t, row, COL(other_options));
    snprintf(text, size, "%s%s%s", table_get_text(t, row, COL(other_strategy)), *options ? ":" : "", options);
}

/* Shares of keys on the same node for every pair of n strategies, whose rows begin at `first`. */
static int matrix(const struct table *t, size_t first, size_t n, FILE *to, char why[WHY])
{
    char(*text)[80] = mem_alloc((n + 1) * (n + 1), sizeof *text);
    const char **cell = mem_alloc((n + 1) * (n + 1), sizeof *cell);
    int e = text && cell ? 0 : fail(why, ENOMEM, "no memory for the matrix");
    for (size_t i = 0; i <= n && !e; i++)
        for (size_t k = 0; k <= n; k++) {
            char *at = text[i * (n + 1) + k], spec[512];
            cell[i * (n + 1) + k] = at;
            if (i > 0 && k == 0) {
                side_name(t, first, i - 1, spec, sizeof spec);
                snprintf(at, 80, "%zu  %.57s", i, spec);
            } else if (i == 0) {
                snprintf(at, 80, k ? "%zu" : "strategy", k);
            } else if (i == k) {
                strcpy(at, "=");
            } else {
                size_t a = i < k ? i : k, b = i < k ? k : i;
                cell_percent(t, first + pair_of(a - 1, b - 1, n), COL(same_share), at);
            }
        }
    if (!e)
        words_write(cell, n + 1, n + 1, to);
    mem_free(text);
    mem_free(cell);
    return e;
}

static void pair_words(const struct table *t, size_t row, size_t a, size_t b, FILE *to)
{
    char same[64], chance[64];
    const char *reason = table_get_text(t, row, COL(reason)), *differing = table_get_text(t, row, COL(differing));
    cell_percent(t, row, COL(same_share), same);
    cell_percent(t, row, COL(chance_share), chance);
    if (!*differing) {
        fprintf(to, "%zu and %zu agree on every key\n", a, b);
        return;
    }
    double keys = (double)table_get_count(t, row, COL(keys));
    fprintf(to, "%zu and %zu: %.0f of %.0f keys on the same node, %s (chance alone: %s)\n", a, b,
            round(table_get_real(t, row, COL(same_share)) * keys), keys, same, chance);
    if (*reason)
        fprintf(to, "  why    %s\n", reason);
    fprintf(to, "  first  %s\n", differing);
    if (table_get_real(t, row, COL(unplaced_share)) > 0) {
        cell_percent(t, row, COL(unplaced_share), same);
        fprintf(to, "  %s of the keys get no node from one of the two\n", same);
    }
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    char shown[256];
    size_t n = s->specs, pairs = n * (n - 1) / 2, agree = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        agree += !*table_get_text(t, r, COL(differing));
    if (table_rows(t) == 1)
        fprintf(to, "%s\n", agree ? "They agree on every key." : "They do not agree.");
    else
        fprintf(to, "%zu of %zu pairs agree on every key\n", agree, table_rows(t));
    int e = 0;
    for (size_t k = 0; k < s->sizes && !e; k++) {
        size_t first = k * pairs;
        if (s->sizes > 1)
            fprintf(to, "on %" PRIu64 " nodes\n", table_get_count(t, first, COL(nodes)));
        e = matrix(t, first, n, to, why);
        for (size_t x = 0; x < n && !e; x++)
            for (size_t y = x + 1; y < n; y++)
                pair_words(t, first + pair_of(x, y, n), x + 1, y + 1, to);
    }
    fprintf(to, "sampled: %" PRIu64 " %s of %s, seed %" PRIu64 ".\n", table_get_count(t, 0, COL(keys)), table_get_text(t, 0, COL(load)),
            text_printable(s->workload, strlen(s->workload), shown, sizeof shown), a->seed);
    return e ? e : suggest_row(a, to, why, "where", t, 0, s->nodes[0], "--explain", "KEY", NULL);
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int e = request_open(&s, a, "compare", why);
    if (e)
        return e;
    e = compare_run(&s, &t, why);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', '0', FLAG_PERCENT, 0};

const struct command command_compare = {
    .name = "compare",
    .summary = "do these clients, versions or settings agree?",
    .usage = "-s SPEC -s SPEC... -n NODES [-k WORKLOAD]",
    .takes = takes,
    .run = run,
    .details = "For every pair: the share of keys on the same node, the same by chance alone, the first keys that differ, and why where it\n"
               "is known (hash, labels, number of points, search, order of the nodes).\n\n"
               "  keysim compare -s tutorial-ts -s tutorial-py-right -n redis-01,redis-02,redis-03\n"
               "  keysim compare -s ring:vnodes=100/150/200 -n 10\n"
               "  keysim compare -s groupcache -s stathat -n @servers.txt -k file:path=keys.txt\n",
};
