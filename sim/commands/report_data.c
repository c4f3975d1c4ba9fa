/* What gnuplot draws: numbers made ready from the sheets, blank-line blocks a curve. Names go in as labels that gnuplot cannot
 * take for anything but text. Values on logarithmic axes are kept above FLOOR. */
#include "commands/report.h"

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "commands/report_data.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR 1e-5
enum { NAMED_MAX = 40, LABEL_MAX = 24 };

static double above_floor(double x) { return x > FLOOR ? x : isnan(x) ? NAN : FLOOR; }

/* What a chart shows of a name: printable, LABEL_MAX characters and "..". How many characters. */
static size_t label_text(const char *name, char text[4 * LABEL_MAX + 3])
{
    char whole[4 * LABEL_MAX + 5]; /* a character more, so that a cut shows */
    size_t at = 0, n = 0;
    text_printable(name, strnlen(name, sizeof whole), whole, sizeof whole);
    for (size_t len = strlen(whole); at < len && n < LABEL_MAX; n++)
        at += text_utf8(whole + at, len - at);
    snprintf(text, 4 * LABEL_MAX + 3, "%.*s%s", (int)at, whole, whole[at] ? ".." : "");
    return n + (whole[at] ? 2 : 0);
}

/* gnuplot reads \NNN in a quoted text as it comes from the file, and once more in what it writes beside points. */
static void print_label(const char *name, const char *quote, const char *backslash, FILE *to)
{
    char text[4 * LABEL_MAX + 3];
    label_text(name, text);
    fputs("\"n:", to); /* never empty, never a number */
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            fputs(*c == '"' ? quote : backslash, to);
        else
            putc(*c, to);
    putc('"', to);
}

void label_print(const char *name, FILE *to) { print_label(name, "\\134042", "\\134134", to); }
void tic_print(const char *name, FILE *to) { print_label(name, "\\042", "\\134", to); }

size_t longest_label(const struct sheet *s)
{
    char text[4 * LABEL_MAX + 3];
    size_t longest = 1;
    for (size_t i = 0; i < s->rows; i++) {
        size_t len = label_text(sheet_text(s, i, "node"), text);
        longest = len > longest ? len : longest;
    }
    return longest;
}

struct bar {
    double ratio;
    const char *name;
};

static int by_ratio(const void *a, const void *b)
{
    double x = ((const struct bar *)a)->ratio, y = ((const struct bar *)b)->ratio;
    return (x < y) - (x > y);
}

/* Rows of one strategy: place, load over fair share, name. Many nodes are sorted, and their names left out. */
static int load_block(const struct sheet *s, size_t from, size_t n, FILE *to)
{
    struct bar *bar = mem_alloc(n, sizeof *bar);
    if (!bar)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        bar[i] = (struct bar){sheet_real(s, from + i, "share") / sheet_real(s, from + i, "fair_share"), sheet_text(s, from + i, "node")};
    if (n > NAMED_MAX)
        qsort(bar, n, sizeof *bar, by_ratio);
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "%zu %.6f ", i + 1, bar[i].ratio);
        tic_print(n > NAMED_MAX ? "" : bar[i].name, to);
        putc('\n', to);
    }
    mem_free(bar);
    fputs("\n\n", to);
    return 0;
}

static int load_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_NODES];
    double most = 1;
    const char *load = sheet_text(s, 0, "load"); /* requests, where keys are counted too */
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "load", load))
            most = fmax(most, sheet_real(s, i, "share") / sheet_real(s, i, "fair_share"));
    fprintf(to, "%u %d %.6f %zu\n\n\n", r->size, r->size <= NAMED_MAX, most, longest_label(s));
    int e = 0;
    for (size_t i = 0; i + r->size <= s->rows && !e; i += r->size)
        e = sheet_is(s, i, "load", load) ? load_block(s, i, r->size, to) : 0;
    return e;
}

/* V; excess of the maximum: 5 %, median, 95 %, theory, sampled; the same of the CV. Then the levels, from end to end. */
static int vnodes_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_BAND];
    for (size_t i = 0; i < s->rows; i++) {
        const char *v = sheet_text(s, i, "value");
        fprintf(to, "%s %g %g %g %g %g", v, above_floor(sheet_real(s, i, "max_over_mean_q05") - 1), above_floor(sheet_real(s, i, "max_over_mean_q50") - 1),
                above_floor(sheet_real(s, i, "max_over_mean_q95") - 1), above_floor(sheet_real(s, i, "theory_max_over_mean") - 1),
                above_floor(ring_value(r, STEP_KEYS, v, "max_over_mean") - 1));
        fprintf(to, " %g %g %g %g %g\n", above_floor(sheet_real(s, i, "cv_q05")), above_floor(sheet_real(s, i, "cv_q50")),
                above_floor(sheet_real(s, i, "cv_q95")), above_floor(sheet_real(s, i, "theory_cv")),
                above_floor(ring_value(r, STEP_KEYS, v, "cv")));
    }
    fputs("\n\n", to);
    for (int end = 0; end < 2; end++)
        fprintf(to, "%s %g %g %g %g %g %g\n", end ? sheet_text(s, s->rows - 1, "value") : "1",
                above_floor(strategy_value(r, STEP_KEYS, "modulo", "max_over_mean") - 1),
                above_floor(strategy_value(r, STEP_KEYS, "slots", "max_over_mean") - 1),
                above_floor(strategy_value(r, STEP_KEYS, "modulo", "theory_max_over_mean") - 1),
                above_floor(strategy_value(r, STEP_KEYS, "modulo", "cv")), above_floor(strategy_value(r, STEP_KEYS, "slots", "cv")),
                above_floor(strategy_value(r, STEP_KEYS, "modulo", "noise_cv")));
    return 0;
}

/* One panel: a row a strategy (place, least, most, optimum), of the rows whose change is or is not `+`. */
static void remap_panel(const struct sheet *s, double before, bool grows, FILE *to)
{
    for (size_t k = 0; k < REMAP_ROWS; k++) {
        double least = NAN, most = NAN, optimum = NAN;
        remap_span(s, k, before, grows, &least, &most, &optimum);
        fprintf(to, "%zu %g %g %g\n", k + 1, least, most, optimum);
    }
    fputs("\n\n", to);
}

/* First the panels' titles as numbers (nodes before, after, kind: 0 grows, 1 each leaves in turn, +2 yours), then the panels. */
static int remap_data(const struct report *r, FILE *to)
{
    bool own = r->size != 10 || strcmp(r->nodes, "10");
    fputs("3 4 0\n10 11 0\n10 9 1\n100 101 0\n", to);
    if (own)
        fprintf(to, "%u %u 2\n", r->size, r->size + 1);
    if (own && r->size > 1)
        fprintf(to, "%u %u 3\n", r->size, r->size - 1);
    fputs("\n\n", to);
    remap_panel(r->sheet[STEP_GROW], 3, true, to);
    remap_panel(r->sheet[STEP_GROW], 10, true, to);
    remap_panel(r->sheet[STEP_LEAVE], 10, false, to);
    remap_panel(r->sheet[STEP_GROW], 100, true, to);
    if (own)
        remap_panel(r->sheet[STEP_YOURS], r->size, true, to);
    if (own && r->size > 1)
        remap_panel(r->sheet[STEP_YOURS], r->size, false, to);
    return 0;
}

/* Blocks by strategy: nodes, look-up ns, its 95 %, memory, build, change; the last block is hashing. */
static int cost_data(const struct report *r, FILE *to)
{
    static const char *const curve[][2] = {{"null", ""}, {"modulo", ""}, {"ring", "1"}, {"ring", "150"}, {"slots", ""}};
    const struct sheet *t = r->sheet[STEP_LATENCY], *c = r->sheet[STEP_COST];
    for (size_t k = 0; k < sizeof curve / sizeof *curve; k++) {
        const char *name = curve[k][0], *value = curve[k][1];
        for (size_t i = 0; i < t->rows; i++) {
            double n = sheet_real(t, i, "nodes");
            if (sheet_is(t, i, "strategy", name) && sheet_is(t, i, "value", value))
                fprintf(to, "%g %g %g %g %g %g\n", n, sheet_real(t, i, "lookup_ns"), sheet_real(t, i, "lookup_p95_ns"),
                        sheet_at(c, name, value, n, "memory_bytes"), sheet_at(c, name, value, n, "build_ns"),
                        sheet_at(c, name, value, n, "change_ns"));
        }
        fputs("\n\n", to);
    }
    for (size_t i = 0; i < t->rows; i++)
        if (sheet_is(t, i, "strategy", "modulo"))
            fprintf(to, "%s %g\n", sheet_text(t, i, "nodes"), sheet_real(t, i, "hash_ns"));
    return 0;
}

/* One row a hash: place, ns, name. */
static int hashes_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_HASHES];
    for (size_t i = 0; i < s->rows; i++) {
        fprintf(to, "%zu %g ", i + 1, sheet_real(s, i, "hash_ns"));
        tic_print(sheet_text(s, i, "hash"), to);
        putc('\n', to);
    }
    return 0;
}

static const struct {
    const char *file;
    int (*write)(const struct report *r, FILE *to);
} all[] = {
    {"rings.dat", rings_data}, {"load.dat", load_data}, {"vnodes.dat", vnodes_data}, {"remap.dat", remap_data},
    {"cost.dat", cost_data}, {"hashes.dat", hashes_data}, {"incidents.dat", incidents_data}, {"even.dat", even_data},
    {"moves.dat", moves_data}, {"price.dat", price_data}, {"pareto.dat", pareto_data}, {"published.dat", published_data},
    {"tune.dat", tune_data}, {"availability.dat", failures_data}, {"names.dat", names_data}, {"resize.dat", resize_data},
    {"survivors.dat", survivors_data}, {"cascade.dat", cascade_data}, {"receivers.dat", receivers_data},
    {"cold.dat", cold_data}, {"trace.dat", trace_data}, {"hot.dat", hot_data}, {"fast.dat", fast_data},
};
enum { DATA = sizeof all / sizeof *all };

const char *charts_data_file(size_t k) { return k < DATA ? all[k].file : NULL; }

int charts_data(const struct report *r, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; i < DATA && !e; i++) {
        struct output o;
        char *path = files_path(r, all[i].file, "");
        e = path ? output_open(&o, path, why) : fail(why, ENOMEM, "no memory for the charts");
        if (!e && (e = all[i].write(r, o.file))) {
            output_abandon(&o);
            fail(why, -e, "no memory for the charts");
        } else if (!e) {
            e = output_close(&o, why);
        }
        mem_free(path);
    }
    return e;
}
