/* keysim tune, in words: the answer first, then the table and why these numbers. */
#include "commands/suggest.h"
#include "commands/tune_words.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define KEYS_QUICK 1000000 /* that can be placed a hundred times */

struct tune_told tune_told;

/* -- the answer -- */

static void promise(const struct target *t, FILE *to)
{
    switch (t->what) {
    case TARGET_MAX: fprintf(to, "no node gets more than %.4g %% above its fair share", 100 * (t->bound - 1)); break;
    case TARGET_MIN: fprintf(to, "no node gets less than %.4g %% of its fair share", 100 * t->bound); break;
    case TARGET_CV: fprintf(to, "nodes are off their fair share by at most %.4g %%, root mean square", 100 * t->bound); break;
    case TARGET_SHARE: fprintf(to, "no node gets more than %.4g %% of all keys", 100 * t->bound); break;
    case TARGET_MOVED: fprintf(to, "one node more moves at most %.4g %% of the keys", 100 * t->bound); break;
    }
}

/* A target's quantity, as the promises put it. */
static void quantity(enum target_what what, double x, FILE *to)
{
    double percent = 100 * (what == TARGET_MAX ? x - 1 : x);
    fprintf(to, fabs(percent) < 100 ? "%.3g %%%s" : "%.0f %%%s", percent, what == TARGET_MAX ? " above" : "");
}

/* All of them, with what the names given do: "; yours: 6.7 % above", or in brackets where there are several. */
static void promises(bool own, FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    for (size_t i = 0; i < a->targets; i++) {
        fputs(i ? "; " : "", to);
        promise(&a->target[i], to);
        if (!own || isnan(a->yours[i]))
            continue;
        fputs(a->targets > 1 ? " (yours: " : "; yours: ", to);
        quantity(a->target[i].what, a->yours[i], to);
        fputs(a->targets > 1 ? ")" : "", to);
    }
}

void tune_odds(FILE *to)
{
    double percent = 100 * tune_told.ask.confidence;
    if (percent == floor(percent))
        fprintf(to, "%.0f of 100", percent);
    else
        fprintf(to, "%.6g %% of", percent);
}

/* "12..40 nodes later" */
static void later(const char *nodes, FILE *to)
{
    if (!nodes[strspn(nodes, "0123456789.+x/")])
        fprintf(to, "%s nodes later", nodes);
    else if (*nodes == '@')
        fprintf(to, "the nodes of %s later", nodes);
    else
        fputs("the nodes of --nodes-later", to);
}

/* "in 95 of 100 clusters of 10 nodes, ": how often, and what they are put to. */
static void clusters(FILE *to)
{
    const struct tune *ask = &tune_told.ask;
    const struct tune_answer *a = &tune_told.answer;
    bool always = a->method == TUNE_FIXED;
    fputs(always ? "always, on " : a->targets > 1 ? "each in " : "in ", to);
    if (!always) {
        tune_odds(to);
        fputs(" clusters of ", to);
    }
    fprintf(to, "%" PRIu32 " node%s%s", a->nodes, a->nodes == 1 ? "" : "s", a->weighted ? " of these weights" : "");
    if (ask->later) {
        fputs(" (and with ", to);
        later(ask->later, to);
        fputs(")", to);
    }
    if (ask->survive)
        fprintf(to, " with any %" PRIu64 " of them dead%s", ask->survive, ask->survive > 1 ? " or fewer" : " or none");
    if (ask->replicas > 1)
        fprintf(to, ", %" PRIu64 " copies of each key counted", ask->replicas);
    if (ask->keys)
        fprintf(to, ", %" PRIu64 " keys on them", ask->keys);
    fputs(tune_told.answer.targets > 1 ? ": " : ", ", to);
}

static void look_up(const struct table *t, FILE *to)
{
    const char *value = table_get_text(t, tune_told.answer.row, COL(value));
    for (size_t r = 0; tune_told.timed && r < table_rows(tune_told.timed); r++)
        if (!strcmp(table_get_text(tune_told.timed, r, COL(value)), value) && !strcmp(table_get_text(tune_told.timed, r, COL(cache)), "warm"))
            fprintf(to, ", %.3g ns a look-up", table_get_real(tune_told.timed, r, COL(lookup_ns)));
}

/* "about vnodes=672 (655 to 690)": an answer from a sample is none to the last digit. */
static void value(FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    bool sampled = a->low || a->high;
    fprintf(to, "use %s%s=%" PRIu64, sampled ? "about " : "", a->option, a->value);
    if (a->low && a->high)
        fprintf(to, " (%" PRIu64 " to %" PRIu64 ")", a->low, a->high);
    else if (sampled)
        fprintf(to, " (%" PRIu64 " or more)", a->low);
}

static void answer_line(const struct table *t, FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    char memory[32];
    if (a->met) {
        value(to);
        fputs(a->targets > 1 ? ", " : ": ", to);
        clusters(to);
        promises(true, to);
        if (!table_is_empty(t, a->row, COL(memory_bytes)))
            fprintf(to, "; %s", text_bytes((double)table_get_count(t, a->row, COL(memory_bytes)), memory));
        look_up(t, to);
    } else {
        fprintf(to, "no value of %s from %" PRIu64 " to %" PRIu64 " is enough for this: ", a->option, a->first, a->tried);
        clusters(to);
        promises(false, to);
        fprintf(to, "; the best found, %" PRIu64 ", keeps ", a->value);
        fputs(a->targets > 1 ? "the one that asks for most " : "", to);
        fputs("to ", to);
        quantity(a->target[a->binding].what, a->kept, to);
    }
    fputc('\n', to);
}

/* -- why these numbers -- */

void tune_method_line(const struct table *t, uint64_t seed, FILE *to)
{
    uint64_t n = 0, least = UINT64_MAX; /* placements: fewer where they are large */
    for (size_t r = 0; r < table_rows(t); r++) {
        uint64_t here = table_get_count(t, r, COL(placements));
        n = here > n ? here : n;
        least = here < least ? here : least;
    }
    const struct tune_answer *a = &tune_told.answer;
    switch (a->method) {
    case TUNE_EXACT: fprintf(to, "exact: the law of random points; typical and mean from %" PRIu64 " drawn rings, seed %" PRIu64 ".\n", n, seed); break;
    case TUNE_DRAWN: fprintf(to, "drawn: %" PRIu64 " rings of random points, seed %" PRIu64 "; the same ones for every row.\n", n, seed); break;
    case TUNE_FIXED: fputs("exact: the rule fixes the shares, whatever the names.\n", to); break;
    case TUNE_PLACED:
        fprintf(to, "sampled: %s%" PRIu64 " clusters with names drawn anew, seed %" PRIu64 "; the same ones for every row.\n", least < n ? "up to " : "", n, seed);
        break;
    }
    if (a->low && a->high)
        fprintf(to, "By so many, the smallest value of %s that holds lies between %" PRIu64 " and %" PRIu64 " with 95 %% certainty; more --placements narrow that.\n", a->option, a->low, a->high);
    else if (a->low || a->high)
        fprintf(to, "By so few, the smallest value of %s that holds is %" PRIu64 " or more with 97.5 %% certainty; more --placements narrow that.\n", a->option, a->low);
}

static void names_line(FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    if (!a->met || a->method == TUNE_FIXED)
        return;
    if (a->draws) { /* there the confidence is one over draws, so that to fail is nothing rare */
        if (a->names_from || !isnan(a->yours[0])) {
            fputs(a->names_from || a->names_pass ? "On your present names it holds in " : "On your present names it does not hold in ", to);
            tune_odds(to);
            fputs(" draws of the keys", to);
            if (a->names_from && a->names_from < a->value)
                fprintf(to, ", at every value from %" PRIu64 " to %" PRIu64 "; a new name may change that", a->names_from, a->value);
            fputs(".\n", to);
        }
        return;
    }
    if (a->names_from && a->names_from < a->value)
        fprintf(to, "Your present names happen to pass at every value from %" PRIu64 " to %" PRIu64 "; a new name may not.\n", a->names_from, a->value);
    else if (!a->names_from && !isnan(a->yours[0]) && !a->names_pass)
        fprintf(to, "Your present names are among the few that do not pass: keysim names shows whether their hash is to blame.\n");
}

/* Why no larger value was tried. */
static void stall_line(FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    const struct tune_stall *s = &a->stall;
    static const char *const of[] = {[TARGET_MAX] = "the fullest node above", [TARGET_MIN] = "the emptiest node below", [TARGET_CV] = "nodes off",
                                     [TARGET_SHARE] = "the fullest node above", [TARGET_MOVED] = "nodes off"};
    if (a->met || !s->to)
        return;
    fprintf(to, "No larger value was tried, as the spread has all but stopped falling: on average %s its fair share by %.0f %% at %" PRIu64 ", by %.0f %% at %" PRIu64 ".\n",
            of[a->target[a->binding].what], 100 * s->before, s->from, 100 * s->after, s->to);
    fprintf(to, "So it is not the number that is to blame, but the hash, the names or what else the strategy is made of.\n");
}

int tune_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    const struct tune_answer *answer = &tune_told.answer;
    char keys[48];
    snprintf(keys, sizeof keys, "user:count=%" PRIu64, tune_told.ask.keys);
    answer_line(t, to);
    int e = tune_table(t, to, why);
    names_line(to);
    stall_line(to);
    if (answer->unopened)
        fprintf(to, "The names given were not placed in %zu rows: too many points in all.\n", answer->unopened);
    tune_method_line(t, a->seed, to);
    if (e)
        return e;
    if (tune_told.ask.keys && tune_told.ask.keys <= KEYS_QUICK)
        return suggest(a, to, why, "balance", answer->spec, s->nodes[0], "-k", keys, "--placements", "100", NULL);
    return suggest(a, to, why, "balance", answer->spec, s->nodes[0], "--exact", "--placements", "100", NULL);
}
