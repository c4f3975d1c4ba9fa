/* keysim tune, in words: the answer first, then the table and why these numbers. */
#include "commands/cells.h"
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
    if (what == TARGET_MAX)
        fprintf(to, "%.3g %% above", 100 * (x - 1));
    else
        fprintf(to, "%.3g %%", 100 * x);
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

/* "95 of 100" */
static void odds(FILE *to)
{
    double percent = 100 * tune_told.ask.confidence;
    if (percent == floor(percent))
        fprintf(to, "%.0f of 100", percent);
    else
        fprintf(to, "%.6g %% of", percent);
}

/* "in 95 of 100 clusters of 10 nodes, ": how often, and what they are put to. */
static void clusters(const struct study *s, FILE *to)
{
    const struct tune *ask = &tune_told.ask;
    bool number = strspn(s->nodes[0], "0123456789") == strlen(s->nodes[0]), always = tune_told.answer.method == TUNE_FIXED;
    if (always) {
        fprintf(to, number ? "always, on %s node%s" : "always, on %s", s->nodes[0], strcmp(s->nodes[0], "1") ? "s" : "");
    } else {
        fputs(tune_told.answer.targets > 1 ? "each in " : "in ", to);
        odds(to);
        fprintf(to, number ? " clusters of %s node%s" : " clusters like %s", s->nodes[0], strcmp(s->nodes[0], "1") ? "s" : "");
    }
    if (ask->later)
        fprintf(to, always ? " and on %s later" : " (and of %s nodes later)", ask->later);
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

static void answer_line(const struct study *s, const struct table *t, FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    char memory[32];
    if (a->met) {
        value(to);
        fputs(a->targets > 1 ? ", " : ": ", to);
        clusters(s, to);
        promises(true, to);
        if (!table_is_empty(t, a->row, COL(memory_bytes)))
            fprintf(to, "; %s", text_bytes((double)table_get_count(t, a->row, COL(memory_bytes)), memory));
        look_up(t, to);
    } else {
        fprintf(to, "no value of %s from %" PRIu64 " to %" PRIu64 " is enough for this: ", a->option, a->first, a->tried);
        clusters(s, to);
        promises(false, to);
        fprintf(to, "; the best found, %" PRIu64 ", keeps ", a->value);
        fputs(a->targets > 1 ? "the one that asks for most " : "", to);
        fputs("to ", to);
        quantity(a->target[a->binding].what, a->kept, to);
    }
    fputc('\n', to);
}

/* -- the table -- */

static void cell_value(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(value)));
}

static void cell_bytes(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(memory_bytes)))
        strcpy(text, "-");
    else
        text_bytes((double)table_get_count(t, row, COL(memory_bytes)), text);
}

static void cell_receivers(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(receivers)))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.1f", table_get_real(t, row, COL(receivers)));
}

static bool is_max(const struct tune_answer *a)
{
    return a->target[a->binding].what == TARGET_MAX;
}

static void cell_note(const struct table *t, size_t row, char text[64])
{
    const struct tune_answer *a = &tune_told.answer;
    const char *value = table_get_text(t, row, COL(value));
    uint64_t v = 0;
    text_count(value, strlen(value), &v);
    if (!a->met)
        strcpy(text, v == a->value ? "the best found" : "");
    else if (v == a->value)
        strcpy(text, a->method != TUNE_FIXED ? "<- smallest that holds" : a->lasting ? "<- holds from here on" : "<- holds; larger ones may not");
    else if (a->method == TUNE_FIXED && is_max(a) && table_get_real(t, row, COL(max_over_mean)) > a->target[a->binding].bound * (1 + 1e-12))
        strcpy(text, "misses the target"); /* by its own figure: shares rise and fall with every remainder */
    else if (a->method == TUNE_FIXED && is_max(a) && v < a->value)
        strcpy(text, tune_told.ask.later ? "not for good" : "holds, but not for good");
    else
        strcpy(text, v > a->value ? "no need" : "misses the target");
}

static void own_line(FILE *to)
{
    fputs("yours: the names given", to);
    if (tune_told.answer.draws) {
        fprintf(to, ", and what ");
        odds(to);
        fprintf(to, " draws of the keys keep to (%zu drawn)", tune_told.answer.draws);
    }
    fputs(".", to);
}

static int table_words(const struct table *t, FILE *to, char why[WHY])
{
    const char *worse[] = {"1 in 20 worse than", "1 in 100 worse than"};
    bool rare = tune_told.ask.confidence > 0.985, copies = tune_told.ask.survive || tune_told.ask.replicas > 1;
    const struct words_column all[] = {
        {tune_told.answer.option, ALWAYS, .cell = cell_value},
        {"typical", ALWAYS, .value = cell_real, .of = COL(max_over_mean_q50)},
        {worse[rare], ALWAYS, .value = cell_real, .of = rare ? COL(max_over_mean_q99) : COL(max_over_mean_q95)},
        {"mean", ALWAYS, .value = cell_real, .of = COL(max_over_mean)},
        {"(expected)", UNLESS_EMPTY, .value = cell_real, .of = COL(theory_max_over_mean)},
        {"yours", ALWAYS, .value = cell_real, .of = COL(yours_max_over_mean)},
        {"cv", ALWAYS, .value = cell_real, .of = COL(cv)},
        {"(theory)", UNLESS_EMPTY, .value = cell_real, .of = COL(theory_cv)},
        {"memory", ALWAYS, .cell = cell_bytes},
        {"receivers", UNLESS_EMPTY, .cell = cell_receivers},
        {"", ALWAYS, .cell = cell_note},
    };
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "typical to yours: load of the fullest node over its fair share (1.1: 10 %% above it)%s; %s;\n",
            copies ? tune_told.ask.survive ? ", at the worst death" : ", copies counted" : "",
            tune_told.answer.method == TUNE_FIXED ? "all clusters are alike" : "typical: half of all clusters are worse");
    own_line(to);
    fputs(" cv: how far nodes are off their fair share, root mean square (0.05: 5 %).", to);
    for (size_t r = 0; r < table_rows(t); r++)
        if (!table_is_empty(t, r, COL(receivers))) {
            fputs(" receivers: nodes that share the keys of one that leaves.", to);
            break;
        }
    fputc('\n', to);
    return e;
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
        fprintf(to, "By so many, the smallest %s that holds lies between %" PRIu64 " and %" PRIu64 " with 95 %% certainty; more --placements narrow that.\n", a->option, a->low, a->high);
    else if (a->low || a->high)
        fprintf(to, "By so few, the smallest %s that holds is %" PRIu64 " or more with 97.5 %% certainty; more --placements narrow that.\n", a->option, a->low);
}

static void names_line(FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    if (!a->met || a->method == TUNE_FIXED)
        return;
    if (a->draws) { /* there the confidence is one over draws, so that to fail is nothing rare */
        if (a->names_from || !isnan(a->yours[0])) {
            fputs(a->names_from || a->names_pass ? "On your present names it holds in " : "On your present names it does not hold in ", to);
            odds(to);
            fputs(" draws of the keys", to);
            if (a->names_from && a->names_from < a->value)
                fprintf(to, " from %" PRIu64 " on; a new name may change that", a->names_from);
            fputs(".\n", to);
        }
        return;
    }
    if (a->names_from && a->names_from < a->value)
        fprintf(to, "Your present names happen to pass from %" PRIu64 " on; a new name may not.\n", a->names_from);
    else if (!a->names_from && !isnan(a->yours[0]) && !a->names_pass)
        fprintf(to, "Your present names are among the few that do not pass: keysim names shows whether their hash is to blame.\n");
}

int tune_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    const struct tune_answer *answer = &tune_told.answer;
    answer_line(s, t, to);
    int e = table_words(t, to, why);
    names_line(to);
    if (answer->met && answer->worst_nodes)
        fprintf(to, "The size that needs most has %" PRIu32 " nodes; the rows are about %s.\n", answer->worst_nodes, s->nodes[0]);
    if (answer->unopened)
        fprintf(to, "The names given were not placed in %zu rows: too many points in all.\n", answer->unopened);
    tune_method_line(t, a->seed, to);
    if (tune_told.ask.keys && tune_told.ask.keys <= KEYS_QUICK)
        fprintf(to, "Next: keysim balance -s %s -n %s -k user:count=%" PRIu64 " --placements 100\n", answer->spec, s->nodes[0], tune_told.ask.keys);
    else
        fprintf(to, "Next: keysim balance -s %s -n %s --exact --placements 100\n", answer->spec, s->nodes[0]);
    return e;
}
