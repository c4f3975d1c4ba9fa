/* "When a node dies", "when the cache goes cold" and "hot keys" in words, from the sheets. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell of the row of a strategy and a capacity. NaN: there is none. */
static double failure_at(const struct sheet *s, const char *strategy, const char *value, double capacity, const char *column)
{
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "value", value) && sheet_real(s, i, "capacity") == capacity)
            return sheet_real(s, i, column);
    return NAN;
}

static bool say_too_many(const struct report *r, const struct sheet *s, FILE *to)
{
    if (!s->rows)
        fprintf(to, r->size < 2 ? "One node has nobody to hand its load to: no picture." : "%u nodes are too many for this picture; <code>keysim failure</code> tells them.", r->size);
    return !s->rows;
}

void say_survivors(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_DIE];
    const double bears = atof(TROUBLE_CAPACITY);
    char a[32], b[32], c[32];
    if (say_refused(r, STEP_DIE, to) || say_too_many(r, s, to))
        return;
    fprintf(to, "Let nodes bear %g times their fair share. When one of %u dies, a ring of one point a node keeps %.3g of them up on average and loses all in %s of the "
                "cases; with 150 points %.3g stay, and all are lost in %s.",
            bears, r->size, failure_at(s, "ring", "1", bears, "survivors"), percent(failure_at(s, "ring", "1", bears, "collapse_chance"), a),
            failure_at(s, "ring", "150", bears, "survivors"), percent(failure_at(s, "ring", "150", bears, "collapse_chance"), b));
    if (failure_at(s, "ring", "1", bears, "over_before_chance") > 0)
        fprintf(to, " (With one point, %s of such clusters have a node above that before anything dies.)",
                percent(failure_at(s, "ring", "1", bears, "over_before_chance"), a));
    fprintf(to, " Slots hand nothing on: what the dead node held is lost until someone deals it anew (%s). With two copies one node has the copy of all of it and "
                "takes it all, so it must bear twice its fair share.",
            percent(failure_at(s, "slots", "", bears, "lost_share"), c));
}

/* How many are dead in the last step. */
static size_t dead_at_last(const struct sheet *s, uint32_t nodes)
{
    size_t dead = 0;
    for (size_t i = s->rows - nodes; i < s->rows; i++)
        dead += sheet_is(s, i, "state", "dead");
    return dead;
}

static void say_death(const struct report *r, const struct sheet *s, FILE *to)
{
    size_t dead = dead_at_last(s, r->size);
    double steps = sheet_real(s, s->rows - 1, "step") - 1; /* the first is the death itself */
    if (dead == 1)
        fputs("nobody else fails", to);
    else
        fprintf(to, dead == r->size ? "all %zu nodes are dead, %.0f step%s after the first" : "%zu nodes are dead, %.0f step%s after the first", dead, steps,
                steps == 1 ? "" : "s");
}

void say_cascade(const struct report *r, FILE *to)
{
    const struct sheet *one = r->sheet[STEP_CASCADE_1], *many = r->sheet[STEP_CASCADE_150];
    if (say_refused(r, STEP_CASCADE_1, to) || say_refused(r, STEP_CASCADE_150, to) || say_too_many(r, one, to))
        return;
    html_text(sheet_text(one, 0, "node"), to);
    fputs(" dies. With one point a node the next one on the ring gets all of its load: ", to);
    say_death(r, one, to);
    fputs(". With 150 points its load falls on many: ", to);
    say_death(r, many, to);
    fputs(". Whoever stands above what it bears fails in the next step, and hands on in turn.", to);
}

void say_receivers(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_RECEIVERS];
    char a[32], b[32], c[32];
    if (say_refused(r, STEP_RECEIVERS, to) || say_too_many(r, s, to))
        return;
    fprintf(to, "When a node dies, the one that gets most of its load takes %s of an average node&#39;s load more with one point a node, and %s with 150; shared by all it "
                "would be %s. ",
            percent(ring_value(r, STEP_RECEIVERS, "1", "worst_gain"), a), percent(ring_value(r, STEP_RECEIVERS, "150", "worst_gain"), b),
            percent(1 / (double)(r->size - 1), c));
    fprintf(to, "%.2f nodes get some of it with one point, %.2f with 150", ring_value(r, STEP_RECEIVERS, "1", "receivers"),
            ring_value(r, STEP_RECEIVERS, "150", "receivers"));
    if (!isnan(ring_value(r, STEP_RECEIVERS, "150", "theory_receivers")))
        fprintf(to, " (random points: %.2f and %.2f)", ring_value(r, STEP_RECEIVERS, "1", "theory_receivers"),
                ring_value(r, STEP_RECEIVERS, "150", "theory_receivers"));
    putc('.', to);
}

/* "modulo falls from 49.9 % to 24.4 %, and is back after 43k requests". */
static void say_dip(const struct sheet *s, const char *strategy, const char *value, const char *name, FILE *to)
{
    size_t event = trouble_event(s, strategy, value);
    char a[32], b[32], c[32];
    if (event == s->rows)
        return;
    fprintf(to, "%s falls from %s to %s (the database gets %.2f times as many queries)", name, percent(trouble_before(s, strategy, value), a),
            percent(sheet_real(s, event, "hit_ratio"), b), sheet_real(s, event, "database_over_before"));
    if (!isnan(sheet_real(s, event, "recovery_requests")))
        fprintf(to, " and is back to 95&nbsp;%% of what it was after about %s requests", text_about(sheet_real(s, event, "recovery_requests"), c));
}

void say_cold(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_COLD];
    char a[32], b[32];
    size_t modulo = trouble_event(s, "modulo", ""), ring = trouble_event(s, "ring", "150");
    fprintf(to, "Three caches of %s items, %s keys of unequal popularity (Zipf 0.9), and a fourth cache joins. The hit ratio of ", r->a->quick ? "1000" : "10,000",
            r->a->quick ? "a hundred thousand" : "a million");
    say_dip(s, "modulo", "", "modulo", to);
    fputs("; that of ", to);
    say_dip(s, "ring", "150", "a ring of 150 points", to);
    if (modulo < s->rows && ring < s->rows)
        fprintf(to, ". Of the requests, %s go to the same node as before under modulo, %s under the ring", percent(sheet_real(s, modulo, "kept_share"), a),
                percent(sheet_real(s, ring, "kept_share"), b));
    fputs(". The dotted lines are theory: Che&#39;s formula, which says how long a cache keeps an item that nobody asks for, and the share of requests that stays.", to);
}

/* The hit ratio of all requests after the change. */
static double hits_after(const struct sheet *s, const char *strategy, const char *value)
{
    double hits = 0, requests = 0;
    for (size_t i = trouble_event(s, strategy, value); i < s->rows && sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "value", value); i++) {
        hits += sheet_real(s, i, "hit_ratio") * sheet_real(s, i, "requests");
        requests += sheet_real(s, i, "requests");
    }
    return hits / requests;
}

void say_trace(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_TRACE];
    char a[32], b[32], c[32], d[32];
    if (!r->trouble.trace) {
        fputs("No picture: no trace was given. <code>keysim report --trace file:path=F,column=5,header=1</code> draws one from recorded requests.", to);
        return;
    }
    fprintf(to, "%s recorded requests (<code>", text_short((double)r->trouble.requests, a));
    html_text(r->trouble.trace, to);
    double modulo = hits_after(s, "modulo", ""), ring = hits_after(s, "ring", "150");
    fprintf(to, "</code>) through three caches of %s items; halfway a fourth joins. From then on the caches answer %s of the requests under modulo, %s under a ring of one "
                "point a node, %s under a ring of 150 and %s under slots: modulo sends the database %.2f times the ring&#39;s queries.",
            r->trouble.items, percent(modulo, a), percent(hits_after(s, "ring", "1"), b), percent(ring, c), percent(hits_after(s, "slots", ""), d),
            (1 - modulo) / (1 - ring));
    fputs(" Real requests come in waves: read the distance between the lines, not their level.", to);
}

/* The row of requests of a strategy on so many nodes. */
static double hot_at(const struct sheet *s, const char *strategy, double nodes, const char *column)
{
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "load", "requests") && sheet_real(s, i, "nodes") == nodes)
            return sheet_real(s, i, column);
    return NAN;
}

void say_hot_keys(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_HOT], *split = r->sheet[STEP_HOT_SPLIT];
    const double n = 100;
    char a[32], b[32];
    fprintf(to, "A million keys, the hottest of which gets %s of all requests (Zipf 1): on %.0f nodes the one that has it holds %.2f times its fair share "
                "whatever the placement. ",
            percent(hot_at(s, "ring", n, "floor_max_over_mean") / n, a), n, hot_at(s, "ring", n, "floor_max_over_mean"));
    fprintf(to, "The fullest node of a ring holds %.2f, of slots %.2f. With two copies of every key, each request to the less full one, it is %.2f; with bounded "
                "loads (a request that finds its node full goes on: %s of them) %.2f; with the ten hottest keys in sixteen copies each %.2f.",
            hot_at(s, "ring", n, "max_over_mean"), hot_at(s, "slots", n, "max_over_mean"), hot_at(s, "choices", n, "max_over_mean"),
            percent(hot_at(s, "bounded", n, "spilled_share"), b), hot_at(s, "bounded", n, "max_over_mean"), hot_at(split, "ring", n, "max_over_mean"));
}
