/* What papers say beside what came out here, and what verify found: a sentence, a table, and the charts' data. All from the rows of
 * verify.csv. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A curve of a paper. options: a piece of the strategy's options, "" for any. */
static const struct curve {
    const char *strategy, *options, *option, *quantity;
    double nodes;
} curves[] = {
    {"ring", "", "vnodes", "cv", 1000},
    {"multi-probe", "", "probes", "max_over_mean", 1000},
    {"dynamo", "strategy=1", "tokens", "efficiency", 30},
    {"dynamo", "strategy=2", "tokens", "efficiency", 30},
    {"dynamo", "strategy=3", "tokens", "efficiency", 30},
    {"maglev", "", "table", "max_over_mean", 1000},
    {"ring", "", "table", "table_max_over_mean", 1000},
    {"slots", "rebalance=rendezvous", "table", "max_over_mean", 1000},
};
enum { CURVES = sizeof curves / sizeof *curves };

static bool is_on(const struct sheet *s, size_t row, const struct curve *c)
{
    return sheet_is(s, row, "check", "published") && sheet_is(s, row, "strategy", c->strategy) && sheet_is(s, row, "option", c->option) &&
           sheet_is(s, row, "quantity", c->quantity) && strstr(sheet_text(s, row, "options"), c->options) &&
           sheet_real(s, row, "nodes") == c->nodes;
}

/* Blocks by curve: what was swept, ours, the paper's, and the least and most that its text or drawing leaves open. Rows of a file that
 * ships go up or down; a line is drawn along them all the same. */
int published_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_VERIFY];
    for (size_t k = 0; k < CURVES; k++) {
        size_t n = 0;
        for (size_t i = 0; i < s->rows; i++) {
            double swept = sheet_real(s, i, "value"), ours = sheet_real(s, i, "statistic"), theirs = sheet_real(s, i, "published");
            if (!is_on(s, i, &curves[k]) || isnan(swept + ours + theirs))
                continue;
            fprintf(to, "%g %g %g %g %g\n", swept, ours, theirs, sheet_real(s, i, "low"), sheet_real(s, i, "high"));
            n++;
        }
        if (n == 0)
            fputs("1 9 9 9 9\n", to); /* other figures ship: a point beyond every axis */
        fputs("\n\n", to);
    }
    return 0;
}

struct tally {
    size_t checks, figures, failed, skipped;
    double p;
};

/* Of one strategy; NULL: of all. */
static struct tally count_checks(const struct sheet *s, const char *strategy)
{
    struct tally t = {.p = NAN};
    for (size_t i = 0; i < s->rows; i++) {
        if (strategy && !sheet_is(s, i, "strategy", strategy))
            continue;
        bool skipped = sheet_is(s, i, "verdict", "skipped"), figure = sheet_is(s, i, "check", "published") || sheet_is(s, i, "check", "answers");
        t.checks += !skipped && !figure;
        t.figures += !skipped && figure;
        t.skipped += skipped;
        t.failed += sheet_is(s, i, "verdict", "failed");
        t.p = fmin(t.p, sheet_real(s, i, "p_value"));
    }
    return t;
}

void say_verify(const struct report *r, FILE *to)
{
    struct tally t = count_checks(r->sheet[STEP_VERIFY], NULL);
    if (t.failed)
        fprintf(to, "<strong class=\"bad\">%zu of %zu checks fail.</strong> What fails stands in red below: do not trust those strategies here.",
                t.failed, t.checks + t.figures);
    else
        fprintf(to, "<strong>All %zu checks pass</strong>, %zu of them figures that papers print.", t.checks + t.figures, t.figures);
}

static bool is_first(const struct sheet *s, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (sheet_is(s, i, "strategy", sheet_text(s, row, "strategy")))
            return false;
    return true;
}

void print_checks(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_VERIFY];
    for (size_t i = 0; i < s->rows; i++) {
        if (!is_first(s, i))
            continue;
        struct tally t = count_checks(s, sheet_text(s, i, "strategy"));
        fprintf(to, "<tr%s><th scope=\"row\">", t.failed ? " class=\"bad\"" : "");
        html_text(sheet_text(s, i, "strategy"), to);
        fprintf(to, "</th><td>%zu</td><td>", t.checks);
        if (t.figures)
            fprintf(to, "%zu", t.figures);
        fprintf(to, "</td><td>%zu</td><td>", t.failed);
        if (!isnan(t.p))
            fprintf(to, t.p < 0.0095 ? "%.1g" : "%.2f", t.p);
        fputs("</td></tr>\n", to);
    }
}

/* Each failure in words. */
void print_failures(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_VERIFY];
    for (size_t i = 0; i < s->rows; i++) {
        if (!sheet_is(s, i, "verdict", "failed"))
            continue;
        static const char *const part[] = {"strategy", "options", "nodes", "check", "statistic", "detail"};
        static const char *const before[] = {"", " ", ", ", " nodes, ", ": ", ", "};
        fputs("<p class=\"bad\"><strong>Failed:</strong> ", to);
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
            fputs(before[k], to);
            html_text(sheet_text(s, i, part[k]), to);
        }
        fputs("</p>\n", to);
    }
}

/* How many figures of papers came out, and the one that lies furthest off. */
void say_published(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_VERIFY];
    size_t all = 0, within = 0;
    for (size_t i = 0; i < s->rows; i++)
        for (size_t k = 0; k < CURVES; k++)
            if (is_on(s, i, &curves[k])) {
                all++;
                within += sheet_is(s, i, "verdict", "passed");
            }
    fprintf(to, "%zu of these %zu figures came out anew, as near as their text or drawing can be read and chance allows.", within, all);
}
