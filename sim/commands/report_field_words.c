/* The field in words: its sentences, and the table of all algorithms. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 100 }; /* nodes that the sentences and the table speak of */

static bool is_placed(const struct report *r, size_t row) { return !(r->field.row[row].is & FIELD_FLOOR); }
static const char *name_of(const struct report *r, size_t row) { return r->field.row[row].strategy->name; }

static size_t row_of(const struct report *r, const char *name)
{
    size_t i = 0;
    while (i + 1 < r->field.rows && strcmp(name_of(r, i), name))
        i++;
    return i;
}

static size_t count_placed(const struct report *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->field.rows; i++)
        n += is_placed(r, i);
    return n;
}

/* Those that the page has not explained. */
void say_field(const struct report *r, FILE *to)
{
    size_t all = 0, said = 0;
    for (size_t i = 0; i < r->field.rows; i++)
        all += is_placed(r, i) && !(r->field.row[i].is & FIELD_BASIC);
    for (size_t i = 0; i < r->field.rows; i++) {
        if (!is_placed(r, i) || r->field.row[i].is & FIELD_BASIC)
            continue;
        fprintf(to, "%s<code>", said == 0 ? "" : said + 1 == all ? " and " : ", ");
        html_text(name_of(r, i), to);
        fputs("</code>", to);
        said++;
    }
}

void say_field_even(const struct report *r, FILE *to)
{
    size_t even = 0, ring = row_of(r, "ring"), probe = row_of(r, "multi-probe");
    char a[32], b[32], c[32], d[32];
    for (size_t i = 0; i < r->field.rows; i++)
        even += is_placed(r, i) && field_even(r, i, SHOWN, "max_over_mean") < 1.01;
    fprintf(to, "%zu of %zu keep the fullest of %d nodes within 1&#160;%% of fair. A ring of 150 points lies %s above, multi-probe %s; yet the "
                "spread of multi-probe is %s against %s, since some nodes get next to nothing: the two columns rank differently.",
            even, count_placed(r), SHOWN, percent(field_even(r, ring, SHOWN, "max_over_mean") - 1, a),
            percent(field_even(r, probe, SHOWN, "max_over_mean") - 1, b), percent(field_even(r, probe, SHOWN, "cv"), c),
            percent(field_even(r, ring, SHOWN, "cv"), d));
    for (size_t i = 0, said = 0; i < r->field.rows; i++)
        if (is_placed(r, i) && field_is_sampled(r, i))
            fprintf(to, "%s %s", said++ ? "," : " From keys, with their noise:", name_of(r, i));
    fputs(".", to);
}

void say_field_moves(const struct report *r, FILE *to)
{
    size_t little = 0, last = 0;
    for (size_t i = 0; i < r->field.rows; i++) {
        little += is_placed(r, i) && field_moves(r, i, SHOWN, "excess") < 1.15;
        last += is_placed(r, i) && isnan(field_victim(r, i, "excess"));
    }
    fprintf(to, "When one node joins %d, %zu of %zu move about what they must; maglev moves %.1f times as much and modulo %.0f times. %zu number "
                "their nodes and let only the last one leave. Those without a map were measured with %s keys: their dots may be off by a few percent.",
            SHOWN, little, count_placed(r), field_moves(r, row_of(r, "maglev"), SHOWN, "excess"),
            field_moves(r, row_of(r, "modulo"), SHOWN, "excess"), last, r->count);
}

void say_field_cost(const struct report *r, FILE *to)
{
    size_t fast = 0, slow = 0, large = 0;
    char a[32], b[32], c[32];
    for (size_t i = 0; i < r->field.rows; i++) {
        if (!is_placed(r, i))
            continue;
        fast = field_time(r, i, SHOWN, "lookup_ns") < field_time(r, fast, SHOWN, "lookup_ns") ? i : fast;
        slow = field_time(r, i, SHOWN, "lookup_ns") > field_time(r, slow, SHOWN, "lookup_ns") ? i : slow;
        large = field_cost(r, i, SHOWN, "memory_bytes") > field_cost(r, large, SHOWN, "memory_bytes") ? i : large;
    }
    fprintf(to, "On %d nodes %s is fastest with %s and %s slowest with %s%s; %s holds the most, %s. null places nothing: its "
                "time is the harness&#39;s own.",
            SHOWN, name_of(r, fast), nanoseconds(field_time(r, fast, SHOWN, "lookup_ns"), a), name_of(r, slow),
            nanoseconds(field_time(r, slow, SHOWN, "lookup_ns"), b),
            r->field.row[slow].is & FIELD_SCANS ? ", for it asks every node" : "", name_of(r, large),
            text_bytes(field_cost(r, large, SHOWN, "memory_bytes"), c));
}

static void above_cell(const struct report *r, size_t row, FILE *to)
{
    char text[32];
    double above = field_even(r, row, SHOWN, "max_over_mean") - 1, due = field_even(r, row, SHOWN, "theory_max_over_mean");
    fprintf(to, "<td><span class=\"figure\">%s</span>", above == 0 ? "0" : percent(above, text));
    if (above == 0)
        fputs(" <small>even by nature</small>", to);
    else if (field_is_sampled(r, row) && !isnan(due))
        fprintf(to, " <small>from keys; theory %s</small>", percent(due - 1, text));
    else if (field_is_sampled(r, row))
        fputs(" <small>from keys</small>", to);
    fputs("</td>", to);
}

static void times_cell(double times, FILE *to)
{
    fprintf(to, "<td><span class=\"figure\">%.*f&#160;×</span></td>", times < 9.95 ? 1 : 0, times);
}

/* A row a strategy; every word of it is measured, but for the summary. */
void print_field(const struct report *r, FILE *to)
{
    char text[32];
    for (size_t i = 0; i < r->field.rows; i++) {
        if (!is_placed(r, i))
            continue;
        bool last = isnan(field_victim(r, i, "excess"));
        fputs("<tr><th scope=\"row\">", to);
        html_text(name_of(r, i), to);
        fputs(" <small>", to);
        html_text(r->field.row[i].strategy->summary, to);
        fputs("</small></th>", to);
        above_cell(r, i, to);
        times_cell(field_moves(r, i, SHOWN, "excess"), to);
        fprintf(to, "<td>%s</td>", last ? "only the last" : "any node");
        fprintf(to, "<td><span class=\"figure\">%s</span></td>", nanoseconds(field_time(r, i, SHOWN, "lookup_ns"), text));
        fprintf(to, "<td><span class=\"figure\">%s</span></td></tr>\n", text_bytes(field_cost(r, i, SHOWN, "memory_bytes"), text));
    }
}
