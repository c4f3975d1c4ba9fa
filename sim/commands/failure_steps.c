#include "commands/failure_words.h"

#include "commands/cells.h"
#include "commands/suggest.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { CELLS = 6, CELL = 96 };

/* Rows from .. from + nodes * steps - 1 of one cascade. */
struct run {
    size_t from, nodes, steps;
};

static bool is(const struct table *t, size_t row, const char *state)
{
    return !strcmp(table_get_text(t, row, COL(state)), state);
}

static struct run run_at(const struct table *t, size_t from)
{
    struct run r = {from, table_get_count(t, from, COL(nodes)), 1};
    while (from + r.nodes * r.steps < table_rows(t) && table_get_count(t, from + r.nodes * r.steps, COL(step)) == r.steps)
        r.steps++;
    return r;
}

static size_t count(const struct table *t, const struct run *r, size_t step, const char *state)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nodes; i++)
        n += is(t, r->from + step * r->nodes + i, state);
    return n;
}

static void outcome(const struct table *t, const struct run *r, FILE *to)
{
    char spec[512];
    size_t left = count(t, r, r->steps - 1, "up"), fell = r->nodes - left - 1;
    row_spec(t, r->from, spec, sizeof spec);
    fprintf(to, "with %s on %zu nodes, each bearing ", spec, r->nodes);
    failure_bears(t, r->from, to);
    fputs(", ", to);
    if (!fell)
        fputs("nobody else fails", to);
    else
        fprintf(to, "%s%zu other%s fail%s too, in %zu step%s", left ? "" : "all ", fell, fell == 1 ? "" : "s", fell == 1 ? "s" : "", r->steps - 2,
                r->steps == 3 ? "" : "s");
    if (fell && left)
        fprintf(to, ", and %zu %s left", left, left == 1 ? "is" : "are");
}

/* The names of those that fail next, as many as fit. */
static void name_over(const struct table *t, const struct run *r, size_t step, char *text)
{
    size_t n = 0, hidden = 0;
    strcpy(text, "");
    for (size_t i = 0; i < r->nodes; i++) {
        size_t row = r->from + step * r->nodes + i;
        char name[CELL];
        const char *given = table_get_text(t, row, COL(node));
        if (!is(t, row, "over"))
            continue;
        text_printable(given, strlen(given), name, sizeof name);
        if (hidden || n + strlen(name) + 2 > 56) {
            hidden++;
            continue;
        }
        n += (size_t)snprintf(text + n, CELL - n, "%s%s", n ? ", " : "", name);
    }
    if (hidden)
        snprintf(text + n, CELL - n, "%s%zu%s", n ? " and " : "", hidden, n ? " more" : "");
    else if (!n)
        strcpy(text, "-");
}

static void fill_step(const struct table *t, const struct run *r, size_t step, char (*text)[CELL])
{
    size_t fullest = r->from + step * r->nodes;
    for (size_t i = 0; i < r->nodes; i++) {
        size_t row = r->from + step * r->nodes + i;
        if (table_get_real(t, row, COL(load_over_fair)) > table_get_real(t, fullest, COL(load_over_fair)))
            fullest = row;
    }
    size_t dead = count(t, r, step, "dead");
    const char *name = table_get_text(t, fullest, COL(node));
    snprintf(text[0], CELL, "%zu%s", step, step ? "" : ", before");
    snprintf(text[1], CELL, "%zu", r->nodes - dead);
    snprintf(text[2], CELL, "%zu", dead);
    if (dead < r->nodes) {
        text_printable(name, strlen(name), text[3], CELL);
        snprintf(text[4], CELL, "%.3f", table_get_real(t, fullest, COL(load_over_fair)));
    } else {
        strcpy(text[3], "-");
        strcpy(text[4], "-");
    }
    name_over(t, r, step, text[5]);
}

static int write_run(const struct table *t, const struct run *r, FILE *to, char why[WHY])
{
    static const char *const heading[CELLS] = {"step", "up", "dead", "fullest", "its load", "too much for"};
    char(*text)[CELL] = mem_alloc(r->steps * CELLS, sizeof *text);
    const char **cell = mem_alloc((r->steps + 1) * CELLS, sizeof *cell);
    int e = text && cell ? 0 : fail(why, ENOMEM, "no memory for the table");
    for (size_t k = 0; k < r->steps && !e; k++)
        fill_step(t, r, k, text + k * CELLS);
    for (size_t k = 0; k < (r->steps + 1) * CELLS && !e; k++)
        cell[k] = k < CELLS ? heading[k] : text[k - CELLS];
    if (!e)
        words_write(cell, r->steps + 1, CELLS, to);
    mem_free(text);
    mem_free(cell);
    return e;
}

int failure_steps_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    char victim[256];
    int e = 0;
    for (size_t from = 0; from < table_rows(t) && !e;) {
        struct run r = run_at(t, from);
        fprintf(to, "%sIf %s dies: ", from ? "\n" : "", text_printable(a->kill, strlen(a->kill), victim, sizeof victim));
        outcome(t, &r, to);
        fputs(".\n", to);
        e = write_run(t, &r, to, why);
        from += r.nodes * r.steps;
    }
    if (e)
        return e;
    fprintf(to, "its load: over its fair share. %s.\n", table_get_text(t, 0, COL(method)));
    return failure_again(a, s, t, 0, to, why, "--trials", table_is_empty(t, 0, COL(keys)) ? "100" : "5", NULL);
}
