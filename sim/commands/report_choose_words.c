/* "Choose a replica count" in words, from the sheets. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool say_refused(const struct report *r, enum report_step step, FILE *to)
{
    if (r->refused[step]) {
        fputs("No picture for these nodes: ", to);
        html_text(r->refused[step], to);
        putc('.', to);
    }
    return r->refused[step];
}

/* The timed row whose V is nearest. */
static size_t timed_near(const struct sheet *s, double v)
{
    size_t best = 0;
    for (size_t i = 0; i < s->rows; i++)
        if (fabs(log(sheet_real(s, i, "value") / v)) < fabs(log(sheet_real(s, best, "value") / v)))
            best = i;
    return best;
}

static void say_price(const struct report *r, size_t row, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_TUNE], *t = r->sheet[STEP_TUNE_TIME];
    size_t near = timed_near(t, sheet_real(s, row, "value"));
    char a[32];
    fprintf(to, " It costs %s", text_bytes(sheet_real(s, row, "memory_bytes"), a));
    if (t->rows)
        fprintf(to, ", and a look-up takes about %s (timed at %s)", nanoseconds(sheet_real(t, near, "lookup_ns"), a), sheet_text(t, near, "value"));
    putc('.', to);
}

/* Why not the row before, and what the next one would bring. */
static void say_around(const struct sheet *s, size_t row, FILE *to)
{
    char a[32], b[32];
    if (row > 0)
        fprintf(to, " Of clusters with %s points one in twenty is %s over, or worse", sheet_text(s, row - 1, "value"),
                percent(sheet_real(s, row - 1, "max_over_mean_q95") - 1, a));
    if (row > 0 && row + 1 < s->rows)
        fprintf(to, "; %s would give %s", sheet_text(s, row + 1, "value"), percent(sheet_real(s, row + 1, "max_over_mean_q95") - 1, b));
    fputs(row > 0 ? "." : "", to);
}

void say_tune(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_TUNE];
    size_t i = 0;
    char a[32], b[32];
    if (say_refused(r, STEP_TUNE, to))
        return;
    if (r->size == 1) {
        fputs("One node holds every key: <b class=\"chosen\">any number is enough</b> until a second one comes.", to);
        return;
    }
    percent(atof(CHOOSE_TARGET) - 1, a);
    while (i < s->rows && !sheet_is(s, i, "chosen", "1"))
        i++;
    if (i < s->rows) {
        fprintf(to, "<b class=\"chosen\">Use vnodes=%s</b>: the smallest number with which 19 of 20 clusters of %u nodes keep the fullest node within %s "
                    "of its fair share; yours lies %s over.",
                sheet_text(s, i, "value"), r->size, a, percent(sheet_real(s, i, "yours_max_over_mean") - 1, b));
        say_around(s, i, to);
        say_price(r, i, to);
    } else {
        fprintf(to, "<b class=\"chosen\">No number up to %s is enough</b> to keep the fullest of %u nodes within %s of its fair share in 19 of 20 "
                    "clusters: with %s points one in twenty is %s over, or worse.",
                sheet_text(s, s->rows - 1, "value"), r->size, a, sheet_text(s, s->rows - 1, "value"),
                percent(sheet_real(s, s->rows - 1, "max_over_mean_q95") - 1, b));
        if (sheet_real(s, s->rows - 1, "cv") > 1.5 * sheet_real(s, s->rows - 1, "theory_cv"))
            fputs(" An ideal hash would do far better: the fault is the hash&#39;s.", to);
    }
}

void say_availability(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_FAIL];
    char a[32], b[32], c[32];
    if (say_refused(r, STEP_FAIL, to))
        return;
    if (!s->rows) {
        fprintf(to, "Three copies of a key want three nodes or more, and there %s %u: no picture.", r->size == 1 ? "is" : "are", r->size);
        return;
    }
    size_t last = s->rows - 1;
    fprintf(to, "Let each key have three copies on different nodes. When two nodes fail together, some key has lost two of its three with a chance of %s "
                "at %s point a node",
            percent(sheet_real(s, 0, "quorum_chance"), a), sheet_text(s, 0, "value"));
    if (last > 0)
        fprintf(to, ", and of %s at %s: each node then shares keys with %.3g others instead of %.3g", percent(sheet_real(s, last, "quorum_chance"), b),
                sheet_text(s, last, "value"), sheet_real(s, last, "neighbours"), sheet_real(s, 0, "neighbours"));
    fprintf(to, ". More points make a hit likelier, not larger: on average it is %s of the keys either way, and the worst one falls from %s",
            percent(sheet_real(s, last, "quorum_share"), c), percent(sheet_real(s, 0, "worst_quorum_share"), a));
    fprintf(to, " to %s.", percent(sheet_real(s, last, "worst_quorum_share"), b));
}

/* The hashes that are blamed, or those that are not; how many. */
static size_t list_hashes(const struct sheet *s, bool weak, FILE *to)
{
    const char *held = NULL;
    size_t n = 0;
    for (size_t i = 0; i < s->rows; i++) {
        const char *hash = sheet_text(s, i, "hash");
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = sheet_is(s, k, "hash", hash);
        if (seen || (names_over(s, hash, "hash", hash) > 0) != weak)
            continue;
        if (held)
            fprintf(to, "%s%s", n > 1 ? ", " : "", held);
        held = hash;
        n++;
    }
    if (held)
        fprintf(to, "%s%s", n > 1 ? " and " : "", held);
    return n;
}

void say_names(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_NAMES];
    size_t worst = s->rows;
    double most = 0;
    if (say_refused(r, STEP_NAMES, to))
        return;
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "verdict", "hash") && sheet_real(s, i, "cv") / sheet_real(s, i, "theory_cv") > most) {
            worst = i;
            most = sheet_real(s, i, "cv") / sheet_real(s, i, "theory_cv");
        }
    fputs("A weak hash keeps look-alike names together, and then no number of points helps. ", to);
    if (worst == s->rows) {
        fputs("On your names every hash does as well as an ideal one.", to);
        return;
    }
    size_t good = list_hashes(s, false, to);
    fputs(good == 1 ? " does as well as an ideal hash everywhere; " : good ? " do as well as an ideal hash everywhere; " : "", to);
    fputs(list_hashes(s, true, to) == 1 ? " does not." : " do not.", to);
    fprintf(to, " A cell says how many times as far as with an ideal hash the loads spread, at worst; the worst of all is %s, %.0f times as far with the label <code>",
            sheet_text(s, worst, "hash"), most);
    html_text(sheet_text(s, worst, "label"), to);
    fprintf(to, "</code> and %s points a node.", sheet_text(s, worst, "vnodes"));
}

void say_resize(const struct report *r, FILE *to)
{
    const struct sheet *ring = r->sheet[STEP_RESIZE], *modulo = r->sheet[STEP_RESIZE_MODULO];
    char a[32], b[32], c[32];
    if (say_refused(r, STEP_RESIZE, to) || say_refused(r, STEP_RESIZE_MODULO, to))
        return;
    if (!ring->rows || !modulo->rows) {
        fprintf(to, "%u nodes are too many for a picture (at most %d); <code>keysim plan</code> lists them.", r->size, CHOOSE_MATRIX);
        return;
    }
    fprintf(to, "Under the ring of 150 points %s of the keys move, all to the newcomer (%zu gift%s); an ideal balancer would move %s. Under modulo %s "
                "move, and %s: %zu gift%s.",
            percent(sheet_real(ring, 0, "moved_share"), a), ring->rows, ring->rows == 1 ? "" : "s", percent(sheet_real(ring, 0, "optimum_share"), b),
            percent(sheet_real(modulo, 0, "moved_share"), c), modulo->rows > r->size ? "nodes that stay give to each other too" : "all to the newcomer",
            modulo->rows, modulo->rows == 1 ? "" : "s");
}
