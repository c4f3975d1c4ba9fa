#include "commands/names_words.h"

#include "commands/cells.h"
#include "commands/suggest.h"

/* Other names give the same. */
static bool all_same(const struct table *t, size_t row)
{
    return table_get_real(t, row, COL(cv_q95)) - table_get_real(t, row, COL(cv_q05)) < 1e-9;
}

static bool verdict_is(const struct table *t, size_t row, const char *verdict)
{
    return !strcmp(table_get_text(t, row, COL(verdict)), verdict);
}

static void answer(const struct table *t, size_t row, FILE *to)
{
    char spec[512], cv[32], low[32], high[32], ideal[32];
    bool names = verdict_is(t, row, "names"), same = all_same(t, row);
    row_spec(t, row, spec, sizeof spec);
    fprintf(to, "with %s, %s: a node is typically %s off its fair share", spec,
            names                         ? "it is the names"
            : same                        ? "names make no difference"
            : verdict_is(t, row, "hash") ? "it is neither the names nor the count, but how it places them"
                                          : "it is the count, not the names",
            percent(t, row, COL(cv), cv));
    if (same)
        fputs(", as with other names", to);
    else
        fprintf(to, ", with other names %s to %s", percent(t, row, COL(cv_q05), low), percent(t, row, COL(cv_q95), high));
    if (!table_is_empty(t, row, COL(theory_cv)))
        fprintf(to, " (expected of an ideal hash: %s)", percent(t, row, COL(theory_cv), ideal));
    fputs(".\n", to);
}

static void cell_others(const struct table *t, size_t row, char text[64])
{
    char low[32], high[32];
    snprintf(text, 64, "%.28s .. %.28s", percent(t, row, COL(cv_q05), low), percent(t, row, COL(cv_q95), high));
}

static void cell_cv(const struct table *t, size_t row, const struct column *c, char text[64])
{
    char cv[32];
    strcpy(text, table_is_empty(t, row, c) ? "-" : percent(t, row, c, cv));
}

static void cell_what(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%.40s", all_same(t, row) ? "not the names" : verdict_is(t, row, "names") ? "the names" : verdict_is(t, row, "hash") ? "the system" : "the count");
}

int names_systems(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"fullest", ALWAYS, .value = cell_real, .of = COL(max_over_mean)},
        {"cv", ALWAYS, .value = cell_cv, .of = COL(cv)},
        {"other names, 5..95 %", ALWAYS, .cell = cell_others},
        {"(ideal)", UNLESS_EMPTY, .value = cell_cv, .of = COL(theory_cv)},
        {"others less even", ALWAYS, .value = cell_percent, .of = COL(p_value)},
        {"what it is", ALWAYS, .cell = cell_what},
    };
    size_t next = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        answer(t, r, to);
        next = verdict_is(t, r, "names") && !verdict_is(t, next, "names") ? r : next;
    }
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "fullest: over its fair share. cv: how far nodes are typically off theirs; exact. others less even: how many of %" PRIu64 " clusters with\n"
                "other names, drawn from seed %" PRIu64 ", are as uneven or more; the names are to blame where that is less than one in a hundred.\n",
                table_get_count(t, 0, COL(placements)), s->seed);
    return e ? e : suggest_row(a, to, why, "balance", t, next, s->nodes[0], "--exact", "--placements", "50", NULL);
}
