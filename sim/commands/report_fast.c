/* "How fast is fast": keysim beside plain code and beside what the machine allows, from the quick bench; and beside other programs, from a file of
 * make bench-peers. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

int fast_open(struct report *r, char why[WHY])
{
    if (!r->a->peers)
        return 0;
    int e = sheet_read(&r->peers, r->a->peers, why);
    if (e) /* of a file that a person names, whatever is wrong with it is theirs to mend */
        return e == -ENOMEM ? e : -EINVAL;
    bool known = false;
    for (size_t k = 0; k < r->peers->columns; k++)
        known |= !strcmp(sheet_name(r->peers, k), "figure");
    return known ? 0 : fail(why, EINVAL, "--peers %s: has no column 'figure'; make bench-peers writes such a file", r->a->peers);
}

int fast_write(const struct report *r, char why[WHY])
{
    char *text = NULL, *path = files_path(r, "bench-peers", ".csv");
    struct output o;
    int e = !r->peers ? 0 : path ? file_read(&text, r->a->peers, why) : fail(why, ENOMEM, "no memory for the report");
    if (!e && r->peers && !(e = output_open(&o, path, why))) {
        fputs(text, o.file);
        e = output_close(&o, why);
    }
    mem_free(text);
    mem_free(path);
    return e;
}

/* The row of a figure with that much memory or so many points; s->rows: none. */
static size_t row_with(const struct sheet *s, const char *figure, const char *column, double least)
{
    size_t i = 0;
    while (i < s->rows && !(sheet_is(s, i, "figure", figure) && sheet_real(s, i, column) >= least))
        i++;
    return i;
}

/* Where no rings were timed beside a binary search: those that were timed alone. */
static void rings_by_points(const struct report *r, FILE *to)
{
    const struct sheet *bench = r->sheet[STEP_BENCH], *cost = r->sheet[STEP_COST];
    for (double nodes = 10; nodes <= pace_largest(r); nodes *= 10) {
        size_t machine = row_with(bench, "machine", "memory_bytes", sheet_at(cost, "ring", "150", nodes, "memory_bytes"));
        fprintf(to, "%g %g 0 %g\n", sheet_at(cost, "ring", "150", nodes, "points"), sheet_at(r->sheet[STEP_LATENCY], "ring", "150", nodes, "lookup_ns"),
                sheet_real(bench, machine, "limit"));
    }
}

/* By points: look-up, binary search, one load of as much memory. Then the machine, by bytes: a load that waits, one that does not. */
int fast_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_BENCH];
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "figure", "points"))
            fprintf(to, "%s %s %s %s\n", sheet_text(s, i, "points"), sheet_text(s, i, "ours"), sheet_text(s, i, "theirs"), sheet_text(s, i, "limit"));
    if (row_with(s, "points", "points", 0) == s->rows)
        rings_by_points(r, to);
    fputs("\n\n", to);
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "figure", "machine") && sheet_real(s, i, "memory_bytes") > 0)
            fprintf(to, "%s %s %s\n", sheet_text(s, i, "memory_bytes"), sheet_text(s, i, "ours"), sheet_text(s, i, "limit"));
    return 0;
}

static const char *amount(const struct sheet *s, size_t row, const char *column, char out[32])
{
    if (isnan(sheet_real(s, row, column)))
        return strcpy(out, "–");
    return sheet_is(s, row, "unit", "bytes") ? text_bytes(sheet_real(s, row, column), out) : nanoseconds(sheet_real(s, row, column), out);
}

static bool is_best(const struct sheet *s, size_t row)
{
    size_t next = row + 1;
    return next == s->rows || !sheet_is(s, next, "figure", sheet_text(s, row, "figure")) || !sheet_is(s, next, "quantity", sheet_text(s, row, "quantity")) ||
           !sheet_is(s, next, "against", sheet_text(s, row, "against")) || !sheet_is(s, next, "nodes", sheet_text(s, row, "nodes"));
}

static void print_rows(const struct sheet *s, FILE *to)
{
    char ours[32], theirs[32], ratio[32];
    for (size_t i = 0; i < s->rows; i++) {
        if (sheet_is(s, i, "figure", "points") || sheet_is(s, i, "figure", "machine") || !is_best(s, i))
            continue;
        fputs("<tr><th scope=\"row\">", to);
        html_text(sheet_text(s, i, "quantity"), to);
        if (*sheet_text(s, i, "nodes")) {
            fputs(" <small>", to);
            html_text(sheet_text(s, i, "nodes"), to);
            fputs(" nodes</small>", to);
        }
        fputs("</th><td>", to);
        html_text(sheet_text(s, i, "against"), to);
        fprintf(to, "</td><td>%s</td><td>%s</td><td>", amount(s, i, "ours", ours), amount(s, i, "theirs", theirs));
        if (!isnan(sheet_real(s, i, "ratio")))
            fprintf(to, "<span class=\"figure\">%s\u00d7</span>", text_short(sheet_real(s, i, "ratio"), ratio));
        fputs("</td></tr>\n", to);
    }
}

static void print_table(const struct sheet *s, const char *label, FILE *to)
{
    fprintf(to,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table class=\"checks\">\n<thead><tr><th scope=\"col\">What</th>"
            "<th scope=\"col\">Beside</th><th scope=\"col\">keysim</th><th scope=\"col\">The other</th><th scope=\"col\">Ratio</th></tr></thead>\n<tbody>\n",
            label);
    print_rows(s, to);
    fputs("</tbody>\n</table>\n</div>\n", to);
}

void print_fast(const struct report *r, FILE *to) { print_table(r->sheet[STEP_BENCH], "Beside plain code", to); }

void print_peers(const struct report *r, FILE *to)
{
    if (r->peers)
        print_table(r->peers, "Beside other programs", to);
}

void say_peers(const struct report *r, FILE *to)
{
    if (!r->peers)
        fputs("No figures of other programs were given: <code>make bench-peers</code> measures those that are installed, and "
              "<code>make report</code> then takes <code>bench-peers.csv</code> in.", to);
    else
        fputs("The tutorials&#39; programs as published and "
              "libraries as Debian packages them, measured by <code>make bench-peers</code> (<a href=\"bench-peers.csv\">bench-peers.csv</a>).", to);
}

static double machine_value(const struct sheet *s, const char *quantity)
{
    for (size_t i = 0; i < s->rows; i++)
        if (strstr(sheet_text(s, i, "quantity"), quantity))
            return sheet_real(s, i, "ours");
    return NAN;
}

void say_fast(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_BENCH];
    char a[32], b[32], c[32], d[32], e[32], size[32];
    size_t few = row_with(s, "points", "points", 1000), many = row_with(s, "points", "points", 1e6), small = row_with(s, "machine", "memory_bytes", 1),
           large = row_with(s, "machine", "memory_bytes", 64 << 20);
    if (many < s->rows) {
        fprintf(to, "On a ring of 1000 points a look-up takes %s, on one of a million %s; a binary search over them takes %s and %s. ",
                nanoseconds(sheet_real(s, few, "ours"), a), nanoseconds(sheet_real(s, many, "ours"), b), nanoseconds(sheet_real(s, few, "theirs"), c),
                nanoseconds(sheet_real(s, many, "theirs"), d));
        fprintf(to, "The least that a look-up in a table that large can take is about its one load, %s there: the dashed line. ", nanoseconds(sheet_real(s, many, "limit"), e));
    } else {
        fputs("Only rings that were timed anyway stand here; <code>keysim bench points</code> times larger ones, beside a binary search. ", to);
    }
    fprintf(to, "On this machine a load that must wait for another takes %s from the nearest cache and %s from %s; independent ones overlap, %s each. ",
            nanoseconds(sheet_real(s, small, "ours"), a), nanoseconds(sheet_real(s, large, "ours"), b),
            text_bytes(sheet_real(s, large, "memory_bytes"), size), nanoseconds(sheet_real(s, large, "limit"), c));
    fprintf(to, "Asking the clock takes %s, a cycle %s.", nanoseconds(machine_value(s, "clock"), a), nanoseconds(machine_value(s, "cycle"), b));
}
