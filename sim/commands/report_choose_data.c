/* The charts of "choose a replica count": blocks of numbers from the sheets. A first line of zero rows: no picture, but the words why. */
#include "commands/report_data.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR 1e-5 /* the axis is logarithmic */

static double above(const struct sheet *s, size_t row, const char *column)
{
    double x = sheet_real(s, row, column) - 1;
    return x > FLOOR || isnan(x) ? x : FLOOR;
}

/* Whether theory knows every row. */
static bool is_known(const struct sheet *s, const char *column)
{
    size_t i = 0;
    while (i < s->rows && !isnan(sheet_real(s, i, column)))
        i++;
    return i == s->rows;
}

/* Rows, target, chosen, rows that were timed, whether theory is known; V, excess (5 %, median, 95 %, 99 %, theory, yours), memory; V, look-up ns. */
int tune_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_TUNE], *t = r->sheet[STEP_TUNE_TIME];
    const char *chosen = "-1"; /* none */
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "chosen", "1"))
            chosen = sheet_text(s, i, "value");
    fprintf(to, "%zu %g %s %zu %d\n\n\n", r->size > 1 ? s->rows : 0, atof(CHOOSE_TARGET) - 1, chosen, t->rows, is_known(s, "theory_max_over_mean"));
    for (size_t i = 0; i < s->rows; i++)
        fprintf(to, "%s %g %g %g %g %g %g %g\n", sheet_text(s, i, "value"), above(s, i, "max_over_mean_q05"), above(s, i, "max_over_mean_q50"),
                above(s, i, "max_over_mean_q95"), above(s, i, "max_over_mean_q99"), above(s, i, "theory_max_over_mean"),
                above(s, i, "yours_max_over_mean"), sheet_real(s, i, "memory_bytes"));
    fputs("\n\n", to);
    for (size_t i = 0; i < t->rows; i++)
        fprintf(to, "%s %g\n", sheet_text(t, i, "value"), sheet_real(t, i, "lookup_ns"));
    return 0;
}

/* Rows, nodes, whether theory is known; V, chance of losing some quorum and its theory, neighbours and theirs. */
int failures_data(const struct report *r, FILE *to)
{
    static const char *const column[] = {"quorum_chance", "theory_quorum_chance", "neighbours", "theory_neighbours"};
    const struct sheet *s = r->sheet[STEP_FAIL];
    fprintf(to, "%zu %u %d\n\n\n", s->rows, r->size, is_known(s, column[1]) && is_known(s, column[3]));
    for (size_t i = 0; i < s->rows; i++) {
        fputs(sheet_text(s, i, "value"), to);
        for (size_t k = 0; k < sizeof column / sizeof *column; k++)
            fprintf(to, " %g", sheet_real(s, i, column[k]));
        putc('\n', to);
    }
    return 0;
}

static bool is_first(const struct sheet *s, size_t row, const char *column)
{
    size_t i = 0;
    while (i < row && !sheet_is(s, i, column, sheet_text(s, row, column)))
        i++;
    return i == row;
}

static size_t kinds(const struct sheet *s, const char *column)
{
    size_t n = 0;
    for (size_t i = 0; i < s->rows; i++)
        n += is_first(s, i, column);
    return n;
}

double names_over(const struct sheet *s, const char *hash, const char *column, const char *text)
{
    double worst = 0;
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "verdict", "hash") && sheet_is(s, i, "hash", hash) && sheet_is(s, i, column, text))
            worst = fmax(worst, sheet_real(s, i, "cv") / sheet_real(s, i, "theory_cv"));
    return worst;
}

/* The texts of a column, and the cells under each: column, line, shade, text. */
static void names_panel(const struct sheet *s, const char *column, FILE *to)
{
    size_t across = 0;
    for (size_t i = 0; i < s->rows; i++)
        if (is_first(s, i, column))
            fprintf(to, "%zu \"n:%s\"\n", ++across, sheet_text(s, i, column));
    fputs("\n\n", to);
    across = 0;
    for (size_t i = 0; i < s->rows; i++) {
        if (!is_first(s, i, column))
            continue;
        across++;
        for (size_t k = 0, line = 0; k < s->rows; k++) {
            if (!is_first(s, k, "hash"))
                continue;
            double over = names_over(s, sheet_text(s, k, "hash"), column, sheet_text(s, i, column));
            fprintf(to, "%zu %zu %.3f ", across, ++line, over > 1 ? fmin(1, 0.1 + log10(over) / 2) : 0);
            fprintf(to, over > 0 ? over < 9.95 ? "\"n:%.1fx\"\n" : "\"n:%.0fx\"\n" : "\"n:ideal\"\n", over);
        }
    }
    fputs("\n\n", to);
}

/* Hashes, kinds of names (0: the names are the given ones), labels; the hashes; a panel each. */
int names_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_NAMES];
    size_t patterns = kinds(s, "pattern"), line = 0;
    fprintf(to, "%zu %zu %zu\n\n\n", kinds(s, "hash"), patterns > 1 ? patterns : 0, kinds(s, "label"));
    for (size_t i = 0; i < s->rows; i++)
        if (is_first(s, i, "hash"))
            fprintf(to, "%zu \"n:%s\"\n", ++line, sheet_text(s, i, "hash"));
    fputs("\n\n", to);
    names_panel(s, "label", to);
    if (patterns > 1)
        names_panel(s, "pattern", to);
    return 0;
}

/* The place of a node among the first of the loads; of one that joins, behind them. */
static size_t place_of(const struct report *r, const char *name)
{
    size_t i = 0;
    while (i < r->size && !sheet_is(r->sheet[STEP_NODES], i, "node", name))
        i++;
    return i + 1;
}

static double largest(const struct sheet *s, const char *column)
{
    double most = 0;
    for (size_t i = 0; i < s->rows; i++)
        most = fmax(most, sheet_real(s, i, column));
    return most;
}

/* Nodes (0: no picture), length of the longest name, share moved by the ring and by modulo; a panel each: from, to, shade; the names. */
int resize_data(const struct report *r, FILE *to)
{
    const struct sheet *side[] = {r->sheet[STEP_RESIZE], r->sheet[STEP_RESIZE_MODULO]};
    double most = fmax(largest(side[0], "share"), largest(side[1], "share"));
    bool drawn = side[0]->rows && side[1]->rows;
    fprintf(to, "%u %zu %g %g\n\n\n", drawn ? r->size : 0, longest_label(r->sheet[STEP_NODES]), sheet_real(side[0], 0, "moved_share"),
            sheet_real(side[1], 0, "moved_share"));
    for (size_t p = 0; p < 2; p++) {
        for (size_t i = 0; drawn && i < side[p]->rows; i++)
            fprintf(to, "%zu %zu %.4f\n", place_of(r, sheet_text(side[p], i, "from")), place_of(r, sheet_text(side[p], i, "to")),
                    sheet_real(side[p], i, "share") / most);
        fputs("\n\n", to);
    }
    for (size_t i = 0; drawn && i < r->size; i++) {
        fprintf(to, "%zu ", i + 1);
        label_print(sheet_text(r->sheet[STEP_NODES], i, "node"), to);
        putc('\n', to);
    }
    return 0;
}
