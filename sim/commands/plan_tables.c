/* The tables of a plan for people. */
#include "commands/plan_parts.h"

#include "commands/cells.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10, COLUMNS_MAX = 7, RANGES_SHOWN = 4 };

/* A few rows of texts, the first the headings. */
struct grid {
    char text[SHOWN + 1][COLUMNS_MAX][64];
    size_t rows, columns;
};

static void grid_write(struct grid *g, FILE *to)
{
    const char *cell[(SHOWN + 1) * COLUMNS_MAX];
    for (size_t r = 0; r < g->rows; r++)
        for (size_t c = 0; c < g->columns; c++)
            cell[r * g->columns + c] = g->text[r][c];
    words_write(cell, g->rows, g->columns, to);
}

static void grid_heading(struct grid *g, const char *text)
{
    g->rows = 1;
    snprintf(g->text[0][g->columns++], 64, "%s", text);
}

void plan_name_cell(const struct table *t, size_t row, const struct column *c, char text[64])
{
    const char *name = table_get_text(t, row, c);
    text_printable(name, strlen(name), text, 40);
}

static void bytes_cell(double bytes, char text[64])
{
    char shown[32];
    snprintf(text, 64, "%s", text_bytes(bytes, shown));
}

void plan_hours(double hours, char text[64])
{
    snprintf(text, 64, hours >= 1 ? "%.1f h" : hours * 60 >= 1 ? "%.1f min" : "%.1f s", hours >= 1 ? hours : hours * 60 >= 1 ? hours * 60 : hours * 3600);
}

/* Rows in order of a column, the largest first. */
struct ranked {
    double value;
    size_t row;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value) : (x->row > y->row) - (x->row < y->row);
}

int plan_flows_table(const struct table *t, FILE *to, char why[WHY])
{
    size_t rows = table_rows(t);
    bool keys = !table_is_empty(t, 0, COL(moved_keys)), bytes = !table_is_empty(t, 0, COL(moved_bytes));
    struct ranked *rank = mem_alloc(rows, sizeof *rank);
    if (!rank)
        return fail(why, ENOMEM, "no memory for the plan");
    for (size_t r = 0; r < rows; r++)
        rank[r] = (struct ranked){table_get_real(t, r, COL(share)), r};
    qsort(rank, rows, sizeof *rank, by_value);
    struct grid g = {.rows = 1};
    grid_heading(&g, "from");
    grid_heading(&g, "to");
    grid_heading(&g, "share");
    if (keys)
        grid_heading(&g, "keys");
    if (bytes)
        grid_heading(&g, "data");
    for (size_t i = 0; i < rows && i < SHOWN; i++, g.rows++) {
        char(*cell)[64] = g.text[g.rows];
        size_t r = rank[i].row;
        plan_name_cell(t, r, COL(from), cell[0]);
        plan_name_cell(t, r, COL(to), cell[1]);
        cell_percent(t, r, COL(share), cell[2]);
        if (keys)
            snprintf(cell[3], 64, "%" PRIu64, table_get_count(t, r, COL(moved_keys)));
        if (bytes)
            bytes_cell((double)table_get_count(t, r, COL(moved_bytes)), cell[3 + keys]);
    }
    grid_write(&g, to);
    if (rows > SHOWN)
        fprintf(to, "and %zu more: --format csv\n", rows - SHOWN);
    mem_free(rank);
    return 0;
}

int plan_receivers_table(const struct table *t, const struct plan_wish *wish, const size_t *receiver, size_t n, FILE *to, char why[WHY])
{
    struct ranked *rank = mem_alloc(n, sizeof *rank);
    if (!rank)
        return fail(why, ENOMEM, "no memory for the plan");
    for (size_t i = 0; i < n; i++)
        rank[i] = (struct ranked){table_get_real(t, receiver[i], COL(gets_share)), receiver[i]};
    qsort(rank, n, sizeof *rank, by_value);
    struct grid g = {.rows = 1};
    grid_heading(&g, "receiver");
    grid_heading(&g, "gets");
    grid_heading(&g, "extra/fair");
    grid_heading(&g, "then load/fair");
    if (wish->rate > 0)
        grid_heading(&g, "takes");
    for (size_t i = 0; i < n && i < SHOWN; i++, g.rows++) {
        char(*cell)[64] = g.text[g.rows];
        size_t r = rank[i].row;
        plan_name_cell(t, r, COL(to), cell[0]);
        cell_percent(t, r, COL(gets_share), cell[1]);
        cell_real(t, r, COL(gain_over_fair), cell[2]);
        cell_real(t, r, COL(load_over_fair), cell[3]);
        if (wish->rate > 0)
            plan_hours(table_get_real(t, r, COL(hours)), cell[4]);
    }
    grid_write(&g, to);
    if (n > SHOWN)
        fprintf(to, "and %zu more\n", n - SHOWN);
    fputs("extra/fair: what it gets, over its fair share afterwards; then load/fair: all that it has then\n", to);
    mem_free(rank);
    return 0;
}

static uint64_t count_slots(const struct plan_slots *item, size_t n)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += item[i].last - item[i].first + 1;
    return all;
}

int plan_slots_moving(const struct plan *p, uint64_t *moving, char why[WHY])
{
    struct plan_slots *item;
    size_t n;
    uint64_t cells;
    char none[WHY];
    int e = plan_slots(p, 0, &item, &n, &cells, none);
    *moving = e ? 0 : count_slots(item, n);
    mem_free(item);
    return e == -ENOMEM ? fail(why, ENOMEM, "%s", none) : 0;
}

int plan_slots_line(const struct plan *p, bool *any, FILE *to, char why[WHY])
{
    struct plan_slots *item;
    size_t n;
    uint64_t cells, moving;
    char none[WHY];
    int e = plan_slots(p, 0, &item, &n, &cells, none);
    *any = !e;
    moving = e ? 0 : count_slots(item, n);
    if (moving)
        fprintf(to, "%" PRIu64 " of %" PRIu64 " slots move%s", moving, cells, n > RANGES_SHOWN ? "" : ":");
    for (size_t i = 0; !e && i < n && n <= RANGES_SHOWN; i++) {
        const char *from = item[i].from == NO_NODE ? "-" : registry_name(p->study->registry, item[i].from);
        const char *now = item[i].to == NO_NODE ? "-" : registry_name(p->study->registry, item[i].to);
        char a[40], b[40], last[24] = "";
        if (item[i].last > item[i].first)
            snprintf(last, sizeof last, "-%" PRIu64, item[i].last);
        fprintf(to, "%s slot%s %" PRIu64 "%s from %s to %s", i ? "," : "", *last ? "s" : "", item[i].first, last,
                text_printable(from, strlen(from), a, sizeof a), text_printable(now, strlen(now), b, sizeof b));
    }
    if (!e && n > RANGES_SHOWN)
        fprintf(to, ", in %zu ranges: --emit slots lists them", n);
    if (!e && moving)
        fputc('\n', to);
    mem_free(item);
    return e == -ENOMEM ? fail(why, ENOMEM, "%s", none) : 0;
}

/* The longest that a receiver of the step takes; the step's rows begin at `row`. */
static double step_hours(const struct table *t, size_t row)
{
    double most = 0;
    for (uint64_t step = table_get_count(t, row, COL(step)); row < table_rows(t) && table_get_count(t, row, COL(step)) == step; row++)
        if (!table_is_empty(t, row, COL(hours)) && table_get_real(t, row, COL(hours)) > most)
            most = table_get_real(t, row, COL(hours));
    return most;
}

void plan_steps_table(const struct table *t, const struct plan_wish *wish, const size_t *first, size_t n, FILE *to)
{
    double hours = 0;
    static const char *const heading[] = {"step", "moved", "(ideal)", "in all", "ever moved", "fullest/fair"};
    struct grid g = {.rows = 1};
    for (size_t i = 0; i < sizeof heading / sizeof *heading; i++)
        grid_heading(&g, heading[i]);
    if (wish->rate > 0)
        grid_heading(&g, "takes");
    for (size_t k = 0; k < n; k++) {
        size_t r = first[k];
        char(*cell)[64] = g.text[g.rows++];
        snprintf(cell[0], 64, "%" PRIu64 " -> %" PRIu64 " nodes", table_get_count(t, r, COL(nodes_before)), table_get_count(t, r, COL(nodes_after)));
        cell_percent(t, r, COL(moved_share), cell[1]);
        cell_percent(t, r, COL(optimum_share), cell[2]);
        cell_percent(t, r, COL(sum_share), cell[3]);
        cell_percent(t, r, COL(ever_share), cell[4]);
        cell_real(t, r, COL(max_over_mean), cell[5]);
        hours += step_hours(t, r);
        if (wish->rate > 0)
            plan_hours(step_hours(t, r), cell[6]);
        if (g.rows == SHOWN + 1 || k + 1 == n) {
            grid_write(&g, to);
            g.rows = 1;
        }
    }
    fputs("in all: the steps so far added up, a key counted as often as it moves; ever moved: keys that moved once or more\n", to);
    char text[64];
    plan_hours(hours, text);
    if (wish->rate > 0)
        fprintf(to, "%s in all: the receivers of a step take data in at once, the steps come one after the other\n", text);
}
