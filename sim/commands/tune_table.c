/* The table of tune: a row a candidate, and what its columns mean. */
#include "commands/cells.h"
#include "commands/tune_words.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define NOT_FOR_GOOD "holds, but not for good"

static void cell_value(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(value)));
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

static bool beyond(const struct table *t, size_t row, const struct column *c)
{
    const struct tune_answer *a = &tune_told.answer;
    return table_get_real(t, row, c) > a->target[a->binding].bound * (1 + 1e-12);
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
    else if (a->method == TUNE_FIXED && is_max(a) && beyond(t, row, COL(max_over_mean)))
        strcpy(text, "misses the target"); /* by its own figure: shares rise and fall with every remainder */
    else if (a->method == TUNE_FIXED && is_max(a) && v < a->value)
        strcpy(text, NOT_FOR_GOOD);
    else if (v > a->value)
        strcpy(text, is_max(a) && !table_is_empty(t, row, COL(yours_max_over_mean)) && beyond(t, row, COL(yours_max_over_mean)) ? "no need; yours misses" : "no need");
    else
        strcpy(text, "misses the target");
}

static void own_line(FILE *to)
{
    fputs("yours: the names given", to);
    if (tune_told.answer.draws) {
        fprintf(to, ", and what ");
        tune_odds(to);
        fprintf(to, " draws of the keys keep to (%zu drawn)", tune_told.answer.draws);
    }
    fputs(".", to);
}

static void sizes_line(const struct table *t, FILE *to)
{
    const struct tune_answer *a = &tune_told.answer;
    if (a->worst_nodes)
        fprintf(to, "The size that needs most has %" PRIu32 " nodes, and the rows are about so many; yours and memory: the %" PRIu32 " of -n.\n", a->worst_nodes, a->nodes);
    for (size_t r = 0; r < table_rows(t); r++) {
        char note[64];
        cell_note(t, r, note);
        if (strcmp(note, NOT_FOR_GOOD))
            continue;
        fprintf(to, "Not for good: some larger value%s misses, as shares rise and fall with every remainder.\n", a->worst_nodes ? ", or another size," : "");
        break;
    }
}

int tune_table(const struct table *t, FILE *to, char why[WHY])
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
        {"memory", ALWAYS, .cell = cell_memory},
        {"receivers", UNLESS_EMPTY, .cell = cell_receivers},
        {"", ALWAYS, .cell = cell_note},
    };
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "typical to yours: load of the fullest node over its fair share (1.1: 10 %% above it)%s; %s;\n",
            copies ? tune_told.ask.survive ? ", at the worst death, where it is fair among those that live" : ", copies counted" : "",
            tune_told.answer.method == TUNE_FIXED ? "all clusters are alike" : "typical: half of all clusters are worse");
    own_line(to);
    fputs(" cv: how far nodes are off their fair share, root mean square (0.05: 5 %).", to);
    for (size_t r = 0; r < table_rows(t); r++)
        if (!table_is_empty(t, r, COL(receivers))) {
            fputs(" receivers: nodes that share the keys of one that leaves.", to);
            break;
        }
    fputc('\n', to);
    sizes_line(t, to);
    return e;
}
