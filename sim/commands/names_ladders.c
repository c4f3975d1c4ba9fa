#include "commands/names_words.h"

#include "base/mem.h"
#include "commands/cells.h"
#include "commands/suggest.h"

#include <errno.h>
#include <inttypes.h>

/* Rows of one ring, its points rising. */
struct ladder {
    size_t first, last;
    bool blamed; /* the hash, at some number of points */
    bool lucky;  /* more even than chance allows, at some */
};

static bool is_lucky(const struct table *t, size_t row)
{
    return !strcmp(table_get_text(t, row, COL(verdict)), "even");
}

static struct ladder ladder_at(const struct table *t, size_t row)
{
    struct ladder l = {row, row, is_blamed(t, row), is_lucky(t, row)};
    for (size_t r = row + 1; r < table_rows(t); l.last = r++) {
        if (!same_text(t, row, r, COL(pattern)) || !same_text(t, row, r, COL(hash)) || !same_text(t, row, r, COL(label)) ||
            table_get_count(t, r, COL(vnodes)) <= table_get_count(t, r - 1, COL(vnodes)))
            break;
        l.blamed |= is_blamed(t, r);
        l.lucky |= is_lucky(t, r);
    }
    return l;
}

/* ", and 11 % with 1600 points (ideal 2.4 %)" */
static void at_most_points(const struct table *t, struct ladder l, FILE *to)
{
    char cv[32], ideal[32];
    if (l.last > l.first)
        fprintf(to, ", and %s with %" PRIu64 " points (ideal %s)", percent(t, l.last, COL(cv), cv), table_get_count(t, l.last, COL(vnodes)),
                percent(t, l.last, COL(theory_cv), ideal));
}

/* The user's own ring on given names. */
static void answer_given(const struct table *t, struct ladder own, FILE *to)
{
    size_t a = own.first;
    char cv[32], ideal[32];
    const char *what = is_blamed(t, a) ? "it is the hash, not the count" : own.blamed ? "the count alone will not do" : "it is the count, not the hash";
    fprintf(to, "%s: %s over \"%s\" leaves a node typically %s off its fair share with %" PRIu64 " points a node (%s %s)", what,
            table_get_text(t, a, COL(hash)), table_get_text(t, a, COL(label)), percent(t, a, COL(cv), cv), table_get_count(t, a, COL(vnodes)),
            own.blamed ? "an ideal hash" : "about as an ideal hash would:", percent(t, a, COL(theory_cv), ideal));
    if (own.blamed)
        at_most_points(t, own, to);
    fputc('\n', to);
}

static void answer_patterns(const struct table *t, FILE *to)
{
    size_t kinds = 0, bad = 0;
    for (size_t r = 0; r < table_rows(t); r = ladder_at(t, r).last + 1) {
        kinds++;
        if (ladder_at(t, r).blamed)
            fprintf(to, "%s%s", bad++ ? ", " : "the hash, not the count, makes it uneven on ", table_get_text(t, r, COL(pattern)));
    }
    if (bad)
        fprintf(to, ": %zu of %zu kinds of names\n", bad, kinds);
    else
        fprintf(to, "the hash is as good as an ideal one on all %zu kinds of names: how even it is, is a matter of the count\n", kinds);
}

/* A ring among those tried that is not blamed, the label left as it is if possible; its row, or that of the user's own. */
static size_t find_cure(const struct table *t, struct ladder own)
{
    for (int any_label = 0; any_label < 2 && own.blamed; any_label++)
        for (size_t r = own.last + 1; r < table_rows(t); r = ladder_at(t, r).last + 1)
            if (!ladder_at(t, r).blamed && (any_label || same_text(t, r, own.first, COL(label))))
                return r;
    return own.first;
}

static void advice(const struct table *t, struct ladder own, size_t cure, FILE *to)
{
    char cv[32];
    if (!own.blamed) {
        fputs("More points a node make it more even: 4 times as many halve it.\n", to);
    } else if (cure == own.first) {
        fputs("Change the hash: xxh3, murmur3-32 and md5-32 mix.\n", to);
    } else {
        fprintf(to, "Change the %s: %s over \"%s\" gives %s", same_text(t, cure, own.first, COL(hash)) ? "label" : "hash", table_get_text(t, cure, COL(hash)),
                table_get_text(t, cure, COL(label)), percent(t, cure, COL(cv), cv));
        at_most_points(t, ladder_at(t, cure), to);
        fputs(".\n", to);
    }
}

/* -- the table: a row a ladder, a column a number of points -- */

enum { CELL = 80 };

static void ladder_cells(const struct table *t, struct ladder l, size_t rungs, char (*text)[CELL])
{
    char cv[32], ideal[32];
    const char *names = table_get_text(t, l.first, COL(names));
    size_t one = strcspn(names, ",");
    snprintf(*text++, CELL, "%s", table_get_text(t, l.first, COL(hash)));
    snprintf(*text++, CELL, "%.60s", table_get_text(t, l.first, COL(label)));
    if (are_patterns(t))
        snprintf(*text++, CELL, "%.20s %.*s ..", table_get_text(t, l.first, COL(pattern)), (int)(one < 50 ? one : 50), names);
    for (size_t k = 0; k < rungs; k++)
        if (l.first + k <= l.last)
            snprintf(*text++, CELL, "%s (%s)", percent(t, l.first + k, COL(cv), cv), percent(t, l.first + k, COL(theory_cv), ideal));
        else
            strcpy(*text++, "-");
    strcpy(*text, l.blamed ? "the hash" : l.lucky ? "luck" : "the count");
}

static int ladder_table(const struct table *t, FILE *to, char why[WHY])
{
    struct ladder first = ladder_at(t, 0);
    size_t left = are_patterns(t) ? 3 : 2, rungs = first.last - first.first + 1, width = left + rungs + 1, n = 1;
    char(*text)[CELL] = mem_alloc((table_rows(t) + 1) * width, sizeof *text);
    const char **cell = mem_alloc((table_rows(t) + 1) * width, sizeof *cell);
    if (text && cell) {
        static const char *const head[] = {"hash", "label", "names"};
        for (size_t k = 0; k < left; k++)
            strcpy(text[k], head[k]);
        for (size_t k = 0; k < rungs; k++)
            snprintf(text[left + k], CELL, "V=%" PRIu64 " (ideal)", table_get_count(t, k, COL(vnodes)));
        strcpy(text[width - 1], "what it is");
        for (size_t r = 0; r < table_rows(t); r = ladder_at(t, r).last + 1)
            ladder_cells(t, ladder_at(t, r), rungs, text + n++ * width);
        for (size_t i = 0; i < n * width; i++)
            cell[i] = text[i];
        words_write(cell, n, width, to);
    }
    int e = text && cell ? 0 : fail(why, ENOMEM, "no memory for the table");
    mem_free(text);
    mem_free(cell);
    return e;
}

int names_ladders(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    struct ladder own = ladder_at(t, 0);
    size_t next = 0;
    if (are_patterns(t)) {
        answer_patterns(t, to);
    } else {
        answer_given(t, own, to);
        next = find_cure(t, own);
        advice(t, own, next, to);
    }
    int e = ladder_table(t, to, why);
    fprintf(to, "How far nodes are typically (cv) from their fair share, exact, with V points a node; in brackets what an ideal hash gives");
    tell_sets(t, "; ", to);
    fputs(".\n", to);
    tell_labels(t, to);
    return e ? e : suggest_row(a, to, why, "balance", t, next, s->nodes[0], "--exact", NULL);
}
