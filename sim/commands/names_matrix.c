#include "commands/names_words.h"
#include "commands/suggest.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>

/* Whether the row is the first with its text in a column. */
static bool is_first(const struct table *t, size_t row, const struct column *c)
{
    for (size_t r = 0; r < row; r++)
        if (same_text(t, r, row, c))
            return false;
    return true;
}

static bool hash_blamed(const struct table *t, size_t row)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (same_text(t, r, row, COL(hash)) && is_blamed(t, r))
            return true;
    return false;
}

/* The hashes that are blamed for some row, or those that are for none; how many. */
static size_t list_hashes(const struct table *t, bool weak, FILE *to)
{
    size_t n = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        if (is_first(t, r, COL(hash)) && hash_blamed(t, r) == weak)
            fprintf(to, "%s%s", n++ ? ", " : "", table_get_text(t, r, COL(hash)));
    return n;
}

static double over_ideal(const struct table *t, size_t row)
{
    return table_get_real(t, row, COL(cv)) / table_get_real(t, row, COL(theory_cv));
}

/* The largest scatter over the ideal of a hash with the row's text in a column; 0 where the hash is not blamed there. */
static double worst_of(const struct table *t, size_t hash, size_t row, const struct column *c)
{
    double worst = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        if (is_blamed(t, r) && same_text(t, r, hash, COL(hash)) && same_text(t, r, row, c) && over_ideal(t, r) > worst)
            worst = over_ideal(t, r);
    return worst;
}

/* One line of the matrix, at cell and text. */
static void matrix_line(const struct table *t, size_t hash, const struct column *across, const char **cell, char (*text)[24])
{
    size_t k = 1;
    cell[0] = table_get_text(t, hash, COL(hash));
    for (size_t r = 0; r < table_rows(t); r++) {
        if (!is_first(t, r, across))
            continue;
        double worst = worst_of(t, hash, r, across);
        snprintf(text[k], sizeof *text, "%.1fx", worst);
        cell[k] = worst > 0 ? text[k] : "ideal";
        k++;
    }
}

/* Hashes down, the texts of a column across. */
static int matrix(const struct table *t, const struct column *across, FILE *to, char why[WHY])
{
    size_t rows = table_rows(t), width = 1, n = 1, i = 1, k = 1;
    for (size_t r = 0; r < rows; r++) {
        n += is_first(t, r, COL(hash));
        width += is_first(t, r, across);
    }
    char(*text)[24] = mem_alloc(n * width, sizeof *text);
    const char **cell = mem_alloc(n * width, sizeof *cell);
    if (text && cell) {
        cell[0] = "hash";
        for (size_t r = 0; r < rows; r++)
            if (is_first(t, r, across))
                cell[k++] = table_get_text(t, r, across);
        for (size_t r = 0; r < rows; r++)
            if (is_first(t, r, COL(hash))) {
                matrix_line(t, r, across, cell + i * width, text + i * width);
                i++;
            }
        words_write(cell, n, width, to);
    }
    int e = text && cell ? 0 : fail(why, ENOMEM, "no memory for the table");
    mem_free(text);
    mem_free(cell);
    return e;
}

/* The blamed row that is furthest from the ideal; the first row where none is blamed. */
static size_t worst_row(const struct table *t)
{
    size_t worst = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        if (is_blamed(t, r) && (!is_blamed(t, worst) || over_ideal(t, r) > over_ideal(t, worst)))
            worst = r;
    return worst;
}

/* The first row of a hash that is blamed for none; the first row where there is no such hash. */
static size_t find_cure(const struct table *t)
{
    size_t row = 0;
    while (row < table_rows(t) && hash_blamed(t, row))
        row++;
    return row < table_rows(t) ? row : 0;
}

static void answer(const struct table *t, size_t worst, FILE *to)
{
    char cv[32], ideal[32];
    if (!is_blamed(t, worst)) {
        fputs("all hashes are as good as an ideal one on these names: how even it is, is a matter of the count\n", to);
        return;
    }
    fputs("it can be the hash: ", to);
    list_hashes(t, true, to);
    fputs(" leave look-alike names uneven, however many points a node they get\n", to);
    if (list_hashes(t, false, to))
        fputs(" scatter them as an ideal hash would, with every label\n", to);
    fprintf(to, "The worst: %s over \"%s\" of %s ..: a node is typically %s off its fair share with %" PRIu64 " points\n(an ideal hash: %s)\n",
            table_get_text(t, worst, COL(hash)), table_get_text(t, worst, COL(label)), table_get_text(t, worst, COL(names)), percent(t, worst, COL(cv), cv),
            table_get_count(t, worst, COL(vnodes)), percent(t, worst, COL(theory_cv), ideal));
}

/* "Names: ports 10.0.0.1:11211 .., numbers node-0 .." */
static void legend(const struct table *t, FILE *to)
{
    size_t n = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        const char *names = table_get_text(t, r, COL(names));
        if (is_first(t, r, COL(pattern)))
            fprintf(to, "%s%s %.*s ..", n++ ? ", " : "Names: ", table_get_text(t, r, COL(pattern)), (int)strcspn(names, ","), names);
    }
    fputs("\n", to);
}

int names_matrix(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    char spec[256]; /* of hashes and labels that this command itself brings */
    bool patterns = are_patterns(t);
    size_t worst = worst_row(t);
    int e = 0;
    answer(t, worst, to);
    if (patterns)
        e = matrix(t, COL(pattern), to, why);
    if (!e)
        e = matrix(t, COL(label), to, why);
    if (patterns)
        legend(t, to);
    fprintf(to, "4.0x: four times the scatter (cv) of an ideal hash, and not by chance; the worst over %s and %" PRIu64 " to %" PRIu64
                " points a node.\nExact; %" PRIu64 " nodes",
            patterns ? "labels (or names)" : "names", table_get_count(t, 0, COL(vnodes)), table_get_count(t, table_rows(t) - 1, COL(vnodes)),
            table_get_count(t, 0, COL(nodes)));
    tell_sets(t, ", ", to);
    fputs(".\n", to);
    tell_labels(t, to);
    if (!patterns) /* then what helps: a ring that nothing is wrong with */
        worst = find_cure(t);
    snprintf(spec, sizeof spec, "ring:vnodes=%" PRIu64 ",hash=%s,label=%s", table_get_count(t, worst, COL(vnodes)), table_get_text(t, worst, COL(hash)),
             table_get_text(t, worst, COL(label)));
    return e ? e : suggest(a, to, why, patterns ? "names" : "balance", spec, s->nodes[0], patterns ? NULL : "--exact", NULL);
}
