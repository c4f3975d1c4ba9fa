/* The charts of trouble: blocks of numbers from the sheets. A first line of zero rows: no picture, but the words why. */
#include "commands/report_data.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSEEN "-1 -1 -1" /* below every axis: a block without rows would be an error */

/* A strategy's rows: what a node bears; nodes still up, load lost. */
static void survivors_block(const struct sheet *s, const char *strategy, const char *value, FILE *to)
{
    size_t rows = 0;
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "value", value)) {
            fprintf(to, "%s %g %g\n", sheet_text(s, i, "capacity"), sheet_real(s, i, "survivors") / sheet_real(s, i, "nodes"),
                    sheet_real(s, i, "lost_share"));
            rows++;
        }
    fputs(rows ? "\n\n" : "1 " UNSEEN "\n\n\n", to);
}

/* Rows; a block each: rings of 1, 10 and 150 points, slots without and with copies, bounded loads. */
int survivors_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_DIE];
    fprintf(to, "%zu\n\n\n", s->rows);
    survivors_block(s, "ring", "1", to);
    survivors_block(s, "ring", "10", to);
    survivors_block(s, "ring", "150", to);
    survivors_block(s, "slots", "", to);
    survivors_block(r->sheet[STEP_DIE_COPIES], "slots", "", to);
    survivors_block(r->sheet[STEP_DIE_LOADED], "bounded", "", to);
    return 0;
}

/* A cell: step, line, shade, state (0 up, 1 above what it bears, 2 dead), load over fair. */
static void cascade_block(const struct sheet *s, uint32_t nodes, FILE *to)
{
    const double bears = atof(TROUBLE_CAPACITY);
    for (size_t i = 0; i < s->rows; i++) {
        double load = sheet_real(s, i, "load_over_fair");
        int state = sheet_is(s, i, "state", "dead") ? 2 : sheet_is(s, i, "state", "over") ? 1 : 0;
        fprintf(to, "%s %zu %.3f %d %.3f\n", sheet_text(s, i, "step"), i % nodes + 1, isnan(load) ? 0 : fmin(1, load / bears), state, isnan(load) ? 0 : load);
    }
    fputs("\n\n", to);
}

/* Nodes, length of the longest name, the last step, what a node bears; a block for each ring; the names. */
int cascade_data(const struct report *r, FILE *to)
{
    const struct sheet *one = r->sheet[STEP_CASCADE_1], *many = r->sheet[STEP_CASCADE_150];
    bool drawn = one->rows && many->rows;
    double last = 0;
    if (drawn)
        last = fmax(sheet_real(one, one->rows - 1, "step"), sheet_real(many, many->rows - 1, "step"));
    fprintf(to, "%u %zu %g %s\n\n\n", drawn ? r->size : 0, longest_label(one), last, TROUBLE_CAPACITY);
    cascade_block(one, r->size, to);
    cascade_block(many, r->size, to);
    for (size_t i = 0; drawn && i < r->size; i++) {
        fprintf(to, "%zu ", i + 1);
        label_print(sheet_text(one, i, "node"), to);
        putc('\n', to);
    }
    return 0;
}

/* Rows, nodes, whether theory is known; V, what the worst receiver gets over the average load, receivers, theory. */
int receivers_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_RECEIVERS];
    bool known = true;
    for (size_t i = 0; i < s->rows; i++)
        known &= !isnan(sheet_real(s, i, "theory_receivers"));
    fprintf(to, "%zu %u %d\n\n\n", r->size > 2 ? s->rows : 0, r->size, known);
    for (size_t i = 0; i < s->rows; i++)
        fprintf(to, "%s %g %g %g\n", sheet_text(s, i, "value"), sheet_real(s, i, "worst_gain"), sheet_real(s, i, "receivers"),
                sheet_real(s, i, "theory_receivers"));
    return 0;
}

size_t trouble_event(const struct sheet *s, const char *strategy, const char *value)
{
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "value", value) && !sheet_is(s, i, "change", ""))
            return i;
    return s->rows;
}

double trouble_before(const struct sheet *s, const char *strategy, const char *value)
{
    size_t event = trouble_event(s, strategy, value);
    return event > 0 && event < s->rows ? sheet_real(s, event - 1, "hit_ratio") : NAN;
}

/* Rows of one strategy: the window's end (from the change on, where `since`), hit ratio, its theory, queries over before. */
static void hits_block(const struct sheet *s, const char *strategy, const char *value, bool since, FILE *to)
{
    size_t event = trouble_event(s, strategy, value), rows = 0;
    for (size_t i = 0; i < s->rows; i++) {
        double from = since ? sheet_real(s, event, "request") : 0, theory = sheet_real(s, i, "theory_hit_ratio"), over = sheet_real(s, i, "database_over_before");
        bool rest = !since && 2 * sheet_real(s, i, "requests") < sheet_real(s, 0, "requests"); /* too few to say anything */
        if (!sheet_is(s, i, "strategy", strategy) || !sheet_is(s, i, "value", value) || (since && i < event) || rest)
            continue;
        fprintf(to, "%g %g %g %g\n", sheet_real(s, i, "request") + sheet_real(s, i, "requests") - from, sheet_real(s, i, "hit_ratio"),
                isnan(theory) ? -1 : theory, isnan(over) ? -1 : over);
        rows++;
    }
    fputs(rows ? "\n\n" : "1 " UNSEEN "\n\n\n", to);
}

/* Rows, the request before which a node joins, the hit ratio just before; a block each: modulo, rings of 1 and 150 points, slots. */
static void hits_data(const struct sheet *s, bool since, FILE *to)
{
    size_t event = trouble_event(s, "ring", "150");
    fprintf(to, "%zu %g %g\n\n\n", event < s->rows ? s->rows : 0, event < s->rows ? sheet_real(s, event, "request") : 0, s->rows ? trouble_before(s, "ring", "150") : 0);
    hits_block(s, "modulo", "", since, to);
    hits_block(s, "ring", "1", since, to);
    hits_block(s, "ring", "150", since, to);
    hits_block(s, "slots", "", since, to);
}

int cold_data(const struct report *r, FILE *to)
{
    hits_data(r->sheet[STEP_COLD], true, to);
    return 0;
}

int trace_data(const struct report *r, FILE *to)
{
    hits_data(r->sheet[STEP_TRACE], false, to);
    return 0;
}

/* Rows of one strategy: nodes, requests of the fullest node over its fair share, and the floor that the hottest key sets. */
static void hot_block(const struct sheet *s, const char *strategy, FILE *to)
{
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "load", "requests"))
            fprintf(to, "%s %g %g\n", sheet_text(s, i, "nodes"), sheet_real(s, i, "max_over_mean"), sheet_real(s, i, "floor_max_over_mean"));
    fputs("\n\n", to);
}

int hot_data(const struct report *r, FILE *to)
{
    static const char *const strategy[] = {"ring", "slots", "bounded", "choices"};
    for (size_t i = 0; i < sizeof strategy / sizeof *strategy; i++)
        hot_block(r->sheet[STEP_HOT], strategy[i], to);
    hot_block(r->sheet[STEP_HOT_SPLIT], "ring", to);
    return 0;
}
