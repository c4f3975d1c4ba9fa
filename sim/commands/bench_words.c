#include "commands/bench_words.h"

#include "commands/cells.h"
#include "commands/request.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_figure(const struct table *t, size_t row, const char *name) { return !strcmp(table_get_text(t, row, COL(figure)), name); }

/* A time or a size, as the row's unit says. */
static void cell_amount(const struct table *t, size_t row, const struct column *c, char text[64])
{
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else if (!strcmp(table_get_text(t, row, COL(unit)), "bytes"))
        text_bytes(table_get_real(t, row, c), text);
    else
        cell_time(t, row, c, text);
}

static void cell_quantity(const struct table *t, size_t row, char text[64])
{
    char nodes[24] = "";
    if (!table_is_empty(t, row, COL(nodes)))
        snprintf(nodes, sizeof nodes, ", %" PRIu64 " nodes", table_get_count(t, row, COL(nodes)));
    snprintf(text, 64, "%.*s%s", (int)(63 - strlen(nodes)), table_get_text(t, row, COL(quantity)), nodes);
}

static void cell_against(const struct table *t, size_t row, char text[64]) { snprintf(text, 64, "%.63s", table_get_text(t, row, COL(against))); }
static void cell_cpu(const struct table *t, size_t row, char text[64]) { snprintf(text, 64, "%.63s", table_get_text(t, row, COL(cpu))); }

static void cell_ratio(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(ratio)))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.*fx", table_get_real(t, row, COL(ratio)) < 10 ? 2 : 1, table_get_real(t, row, COL(ratio)));
}

static void cell_verdict(const struct table *t, size_t row, char text[64])
{
    const char *wanted = table_get_text(t, row, COL(wanted));
    char target[32];
    double value = table_get_real(t, row, COL(target));
    if (table_is_empty(t, row, COL(ratio)) && !strcmp(table_get_text(t, row, COL(unit)), "bytes"))
        text_bytes(value, target);
    else
        snprintf(target, sizeof target, "%gx", value);
    if (!strcmp(table_get_text(t, row, COL(answers)), "differ"))
        strcpy(text, "ANSWERS DIFFER");
    else if (*wanted)
        snprintf(text, 64, "%s (%s %s)", table_get_text(t, row, COL(verdict)), wanted, target);
    else
        strcpy(text, "-");
}

static void cell_points(const struct table *t, size_t row, char text[64])
{
    text_short((double)table_get_count(t, row, COL(points)), text);
}

/* The rows of one kind, copied to a table of their own. NULL: no memory; no rows: none is there. */
static struct table *rows_of(const struct table *t, const char *name, bool others)
{
    struct table *of = columns_table(columns_bench);
    for (size_t r = 0; of && r < table_rows(t); r++) {
        bool own = name ? is_figure(t, r, name) : is_figure(t, r, "points") || is_figure(t, r, "machine");
        if (own == others)
            continue;
        bool bad = table_row(of);
        for (size_t k = 0; !bad && k < table_columns(t); k++) {
            const struct column *c = table_column(t, k);
            if (table_is_empty(t, r, c))
                continue;
            if (c->type == COLUMN_TEXT)
                bad |= table_text(of, c, table_get_text(t, r, c)) != 0;
            else if (c->type == COLUMN_COUNT)
                table_count(of, c, table_get_count(t, r, c));
            else
                table_real(of, c, table_get_real(t, r, c));
        }
        if (bad) {
            table_destroy(of);
            of = NULL;
        }
    }
    return of;
}

static int block(const struct table *all, const char *name, bool others, const struct words_column *column, size_t n, const char *title, FILE *to, char why[WHY])
{
    struct table *t = rows_of(all, name, others);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for the table");
    if (!e && table_rows(t) > 0) {
        fputs(title, to);
        e = request_words(column, n, t, to, why);
    }
    table_destroy(t);
    return e;
}

/* What most ask for first: a ring of 100 nodes, with the best instructions. */
static void say_ring(const struct table *t, FILE *to)
{
    size_t rows = table_rows(t), row = rows;
    for (size_t r = 0; r < rows; r++)
        if (is_figure(t, r, "ring") && table_get_count(t, r, COL(nodes)) == 100)
            row = r;
    char ours[64], theirs[64];
    if (row == rows)
        return;
    cell_amount(t, row, COL(ours), ours);
    cell_amount(t, row, COL(theirs), theirs);
    fprintf(to, "a look-up on a ring of 100 nodes takes %s in batches, the key's digest ready; a binary search %s\n", ours, theirs);
}

static void answer(const struct table *t, FILE *to)
{
    size_t met = 0, wanted = 0, compared = 0, differ = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        wanted += *table_get_text(t, r, COL(wanted)) != 0;
        met += !strcmp(table_get_text(t, r, COL(verdict)), "met");
        compared += *table_get_text(t, r, COL(answers)) != 0;
        differ += !strcmp(table_get_text(t, r, COL(answers)), "differ");
    }
    if (differ)
        fprintf(to, "In %zu of %zu figures the two sides DIFFER in their answers: something is wrong.\n", differ, compared);
    if (wanted)
        fprintf(to, "%zu of %zu targets are met%s\n", met, wanted, compared > differ ? ", and both sides of each figure give the same answers" : "");
}

int bench_words(const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column figures[] = {
        {"figure", ALWAYS, .cell = cell_quantity},
        {"beside", ALWAYS, .cell = cell_against},
        {"cpu", ALWAYS, .cell = cell_cpu},
        {"keysim", ALWAYS, .value = cell_amount, .of = COL(ours)},
        {"other", ALWAYS, .value = cell_amount, .of = COL(theirs)},
        {"ratio", ALWAYS, .cell = cell_ratio},
        {"target", ALWAYS, .cell = cell_verdict},
        {"machine's limit", UNLESS_EMPTY, .value = cell_amount, .of = COL(limit)},
    };
    static const struct words_column points[] = {
        {"points", ALWAYS, .cell = cell_points},
        {"memory", ALWAYS, .cell = cell_memory},
        {"look-up", ALWAYS, .value = cell_amount, .of = COL(ours)},
        {"binary search", ALWAYS, .value = cell_amount, .of = COL(theirs)},
        {"ratio", ALWAYS, .cell = cell_ratio},
        {"machine's limit", ALWAYS, .value = cell_amount, .of = COL(limit)},
    };
    static const struct words_column machine[] = {
        {"the machine", ALWAYS, .cell = cell_quantity},
        {"memory", ALWAYS, .cell = cell_memory},
        {"takes", ALWAYS, .value = cell_amount, .of = COL(ours)},
        {"independent", ALWAYS, .value = cell_amount, .of = COL(limit)},
    };
    say_ring(t, to);
    answer(t, to);
    int e = block(t, NULL, true, figures, sizeof figures / sizeof *figures, "", to, why);
    if (!e)
        e = block(t, "points", false, points, sizeof points / sizeof *points, "\nA ring's look-up by its points, in batches:\n", to, why);
    if (!e)
        e = block(t, "machine", false, machine, sizeof machine / sizeof *machine, "\n", to, why);
    bool limited = false, bounded = false, wanted = false;
    for (size_t r = 0; r < table_rows(t); r++) {
        limited |= !table_is_empty(t, r, COL(limit));
        wanted |= *table_get_text(t, r, COL(wanted)) != 0;
        bounded |= !strcmp(table_get_text(t, r, COL(wanted)), "at most") && !table_is_empty(t, r, COL(ratio));
    }
    fprintf(to, "The fastest of many turns, both sides in turns in one run.%s\n",
            limited ? " Machine's limit: one load, independent of others, at a random place of as much memory." : "");
    if (wanted)
        fprintf(to, "Ratio: how many times quicker than the other%s. Targets: what was aimed at on an idle machine.\n",
                bounded ? "; where the target is 'at most', how many times what the other takes" : "");
    return e;
}
