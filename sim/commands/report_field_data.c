/* The field's charts: two heat maps, of cells with their texts and shades, and what moves over what must. The numbers are cells of the
 * results; a strategy with no shares or map of its own has them from keys. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(const struct report *r, size_t row) { return r->field.row[row].strategy->name; }
static const char *timed_value(const struct report *r, size_t row) { return strcmp(name_of(r, row), "ring") ? "" : "150"; }
static bool is_floor(const struct report *r, size_t row) { return r->field.row[row].is & FIELD_FLOOR; }

/* In the one sheet or the other. */
static double either(const struct report *r, enum report_step one, enum report_step other, size_t row, double nodes, const char *column)
{
    double x = sheet_at(r->sheet[one], name_of(r, row), "", nodes, column);
    return isnan(x) ? sheet_at(r->sheet[other], name_of(r, row), "", nodes, column) : x;
}

double field_even(const struct report *r, size_t row, double nodes, const char *column)
{
    return either(r, STEP_EVEN, STEP_EVEN_KEYS, row, nodes, column);
}

double field_moves(const struct report *r, size_t row, double nodes, const char *column)
{
    return either(r, STEP_MOVES, STEP_MOVES_KEYS, row, nodes, column);
}

double field_time(const struct report *r, size_t row, double nodes, const char *column)
{
    return sheet_at(r->sheet[STEP_LATENCY], name_of(r, row), timed_value(r, row), nodes, column);
}

double field_cost(const struct report *r, size_t row, double nodes, const char *column)
{
    return sheet_at(r->sheet[STEP_COST], name_of(r, row), timed_value(r, row), nodes, column);
}

double field_victim(const struct report *r, size_t row, const char *column)
{
    for (int k = STEP_VICTIMS; k <= STEP_VICTIMS_KEYS; k++)
        for (size_t i = 0; i < r->sheet[k]->rows; i++)
            if (sheet_is(r->sheet[k], i, "strategy", name_of(r, row)) && sheet_is(r->sheet[k], i, "worst_victim", "1"))
                return sheet_real(r->sheet[k], i, column);
    return NAN;
}

bool field_is_sampled(const struct report *r, size_t row) { return !(r->field.row[row].is & FIELD_SHARES); }

/* One cell of a heat map: column, line, shade from 0 to 1, text, and a small text under it. */
static void cell(double column, size_t line, double shade, const char *text, const char *small, FILE *to)
{
    fprintf(to, "%g %zu %.3f \"n:%s\" \"n:%s\"\n", column, line, isnan(shade) || shade < 0 ? 0 : shade > 1 ? 1 : shade, text, small);
}

/* The names of the lines, as a block. */
static void names_block(const struct report *r, bool with_floor, FILE *to)
{
    size_t line = 0;
    for (size_t i = 0; i < r->field.rows; i++) {
        if (is_floor(r, i) && !with_floor)
            continue;
        fprintf(to, "%zu ", ++line);
        label_print(name_of(r, i), to);
        putc('\n', to);
    }
    fputs("\n\n", to);
}

/* 1 is said of what is exact alone. */
static char *over_fair(double x, char out[32])
{
    *out = 0;
    if (!isnan(x))
        snprintf(out, 32, x == 1 ? "1" : x < 10 ? "%.3f" : "%.0f", x);
    return out;
}

static char *spread(double x, char out[32])
{
    double p = 100 * x;
    *out = 0;
    if (!isnan(x))
        snprintf(out, 32, x == 0 ? "0" : p >= 9.95 ? "%.0f %%" : p >= 0.095 ? "%.1f %%" : "%.2f %%", p);
    return out;
}

/* From a tenth of a percent to 30 %. */
static double uneven(double excess) { return excess > 0 ? (log10(excess) + 3) / 2.5 : 0; }

int even_data(const struct report *r, FILE *to)
{
    static const double sizes[] = {10, 100, 1000};
    size_t line = 0;
    char text[32], small[32];
    names_block(r, false, to);
    for (size_t i = 0; i < r->field.rows; i++) {
        if (is_floor(r, i))
            continue;
        line++;
        for (size_t k = 0; k < 3; k++) {
            if (isnan(field_even(r, i, sizes[k], "cv"))) {
                cell((double)k, line, 0, "", "", to);
                cell((double)k + 3, line, 0, "", "", to);
                continue;
            }
            double max = field_even(r, i, sizes[k], "max_over_mean"), due = field_even(r, i, sizes[k], "theory_max_over_mean");
            double cv = field_even(r, i, sizes[k], "cv"), due_cv = field_even(r, i, sizes[k], "theory_cv");
            cell((double)k, line, uneven(max - 1), over_fair(max, text), max == 1 && due == 1 ? "" : over_fair(due, small), to);
            cell((double)k + 3, line, uneven(cv), spread(cv, text), cv == 0 && due_cv == 0 ? "" : spread(due_cv, small), to);
        }
    }
    return 0;
}

static char *short_time(double ns, char out[32])
{
    bool micro = ns >= 999.5;
    double x = micro ? ns / 1000 : ns;
    *out = 0;
    if (!isnan(x))
        snprintf(out, 32, x < 0.995 ? "%.2f%s" : x < 9.95 ? "%.1f%s" : "%.0f%s", x, micro ? " us" : "");
    return out;
}

int price_data(const struct report *r, FILE *to)
{
    static const double sizes[] = {10, 100, 1000, 10000};
    size_t line = 0;
    char text[32];
    names_block(r, true, to);
    for (size_t i = 0; i < r->field.rows; i++) {
        line++;
        for (size_t k = 0; k < 4; k++) {
            double ns = field_time(r, i, sizes[k], "lookup_ns"), bytes = field_cost(r, i, sizes[k], "memory_bytes");
            cell((double)k, line, log10(ns / 0.5) / 3.8, short_time(ns, text), "", to);
            if (isnan(bytes))
                *text = 0;
            else
                text_bytes(bytes, text);
            cell((double)k + 4, line, log10(bytes / 30) / 6.3, text, "", to);
        }
    }
    return 0;
}

/* A line of a panel: place, moved over optimum, its standard error, what is written beside, name. */
static void moves_line(size_t line, double excess, double error, const char *name, FILE *to)
{
    char text[32];
    snprintf(text, sizeof text, isnan(excess) ? "only the last" : excess < 1.95 ? "%.1fx" : "%.0fx", excess);
    fprintf(to, "%zu %g %g \"n:%s\" ", line, excess, isnan(error) ? 0 : error, text);
    label_print(name, to);
    putc('\n', to);
}

/* Chance alone, where keys were counted: of the share that moved, over the optimum. */
static double chance(double moved, double optimum, double keys) { return sqrt(moved * (1 - moved) / keys) / optimum; }

/* Panels: 10 to 11 nodes, 100 to 101, 10 to 9 with the worst of ten leaving. */
int moves_data(const struct report *r, FILE *to)
{
    for (int panel = 0; panel < 3; panel++) {
        size_t line = 0;
        for (size_t i = 0; i < r->field.rows; i++) {
            if (is_floor(r, i))
                continue;
            double nodes = panel == 1 ? 100 : 10, is[4];
            static const char *const column[] = {"excess", "moved_share", "optimum_share", "keys"};
            for (int k = 0; k < 4; k++)
                is[k] = panel == 2 ? field_victim(r, i, column[k]) : field_moves(r, i, nodes, column[k]);
            moves_line(++line, is[0], chance(is[1], is[2], is[3]), name_of(r, i), to);
        }
        fputs("\n\n", to);
    }
    return 0;
}
