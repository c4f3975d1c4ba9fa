/* The section of public reports: its table, its sentence, and what its chart draws. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bar {
    double seen, computed;
    const char *name;
};

static int by_seen(const void *a, const void *b)
{
    double x = ((const struct bar *)a)->seen, y = ((const struct bar *)b)->seen;
    return (x < y) - (x > y);
}

/* Rows of one incident that say what was seen of a node: place, share computed, share seen, name; fullest first. */
static int bars_block(const struct sheet *s, const char *incident, FILE *to)
{
    size_t n = 0;
    double seen = 0, computed = 0;
    struct bar *bar = mem_alloc(s->rows, sizeof *bar);
    if (!bar)
        return -ENOMEM;
    for (size_t i = 0; i < s->rows; i++) {
        const char *node = strstr(sheet_text(s, i, "quantity"), "node=");
        if (!sheet_is(s, i, "incident", incident) || !node || isnan(sheet_real(s, i, "seen")) || isnan(sheet_real(s, i, "computed")))
            continue;
        bar[n] = (struct bar){sheet_real(s, i, "seen"), sheet_real(s, i, "computed"), node + 5};
        seen += bar[n].seen;
        computed += bar[n++].computed;
    }
    qsort(bar, n, sizeof *bar, by_seen);
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(bar[i].name, " "), bar[i].name);
        fprintf(to, "%zu %.6f %.6f ", i + 1, bar[i].computed / computed, bar[i].seen / seen);
        tic_print(name, to);
        putc('\n', to);
    }
    if (n == 0)
        fputs("1 0 0 \"n:\"\n", to); /* other incidents ship: an empty panel */
    fputs("\n\n", to);
    mem_free(bar);
    return 0;
}

int incidents_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_INCIDENTS];
    int e = bars_block(s, "skipper-1796", to);
    return e ? e : bars_block(s, "stathat-10", to);
}

static size_t next_incident(const struct sheet *s, size_t row)
{
    size_t at = row;
    while (at < s->rows && sheet_is(s, at, "incident", sheet_text(s, row, "incident")))
        at++;
    return at;
}

static bool is_reproduced(const struct sheet *s, size_t row, size_t end)
{
    while (row < end && sheet_is(s, row, "verdict", "reproduced"))
        row++;
    return row == end;
}

void say_incidents(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_INCIDENTS];
    size_t all = 0, good = 0;
    for (size_t row = 0, end; row < s->rows; row = end) {
        end = next_incident(s, row);
        all++;
        good += is_reproduced(s, row, end);
    }
    fprintf(to, "<strong>%zu of %zu are reproduced</strong>, in %zu numbers.", good, all, s->rows);
}

/* A text of a file, or its number with four digits. */
static void print_value(const char *text, FILE *to)
{
    double value;
    if (strchr(text, '.') && !text_real(text, strlen(text), &value))
        fprintf(to, "%.4g", value);
    else
        html_text(text, to);
}

static void print_cell(const struct sheet *s, size_t row, const char *column, FILE *to)
{
    fputs("<td>", to);
    html_text(sheet_text(s, row, column), to);
    fputs("</td>", to);
}

/* The first quantity speaks for the incident. */
static void print_incident(const struct sheet *s, size_t row, size_t end, FILE *to)
{
    const char *seen = sheet_text(s, row, "seen");
    fputs("<tr><th scope=\"row\">", to);
    html_text(sheet_text(s, row, "title"), to);
    fputs(" <small>", to);
    html_text(sheet_text(s, row, "report"), to);
    fputs("</small></th><td><span class=\"figure\">", to);
    print_value(sheet_text(s, row, "computed"), to);
    fputs("</span> <small>", to);
    html_text(sheet_text(s, row, "quantity"), to);
    fputs("</small>", to);
    if (*seen) {
        fputs("<small>seen ", to);
        html_text(seen, to);
        fputs("</small>", to);
    }
    if (!is_reproduced(s, row, end))
        fputs("<small><strong>not reproduced</strong></small>", to);
    else if (end > row + 1)
        fprintf(to, "<small>and %zu more figure%s</small>", end - row - 1, end - row == 2 ? "" : "s");
    fputs("</td>", to);
    print_cell(s, row, "cause", to);
    print_cell(s, row, "cure", to);
    fputs("</tr>\n", to);
}

void print_incidents(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_INCIDENTS];
    for (size_t row = 0, end; row < s->rows; row = end) {
        end = next_incident(s, row);
        print_incident(s, row, end, to);
    }
}
