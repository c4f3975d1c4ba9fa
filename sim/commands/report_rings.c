/* The picture of the ring: arcs coloured by their owner, in tenths of a degree, so that a large ring makes no large file.
 * A colour is a node's place in the configuration. */
#include "commands/report_data.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 3600, COLOURS = 10 };

const struct remap_row remap_rows[REMAP_ROWS] = {
    {"modulo", "", "modulo"},
    {"ring", "1", "ring V=1"},
    {"ring", "10", "ring V=10"},
    {"ring", "150", "ring V=150"},
    {"slots", "minimal", "slots minimal"},
    {"slots", "redis", "slots redis"},
    {"slots", "contiguous", "slots contiguous"},
};

void remap_span(const struct sheet *s, size_t k, double before, bool grows, double *least, double *most, double *optimum)
{
    for (size_t i = 0; i < s->rows; i++) {
        if (!sheet_is(s, i, "strategy", remap_rows[k].strategy) || !sheet_is(s, i, "value", remap_rows[k].value) ||
            sheet_real(s, i, "nodes_before") != before || sheet_is(s, i, "change", "+1") != grows)
            continue;
        double moved = sheet_real(s, i, "moved_share");
        if (!(moved >= *least))
            *least = moved;
        if (!(moved <= *most)) {
            *most = moved;
            *optimum = sheet_real(s, i, "optimum_share");
        }
    }
}

/* The positions of a ring: 2^16, 2^32 or 2^64. */
static double circle(const struct sheet *s)
{
    double most = 0;
    for (size_t i = 0; i < s->rows; i++)
        most = fmax(most, fmax(sheet_real(s, i, "first"), sheet_real(s, i, "last")));
    return most < 65536 ? 65536 : most < 4294967296.0 ? 4294967296.0 : 18446744073709551616.0;
}

static int name_of(const char *const *name, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name[i], text))
            return (int)i;
    return -1;
}

/* owner[bin] = the node whose arc holds the middle of the bin. */
static void fill_bins(const struct sheet *s, const char *const *name, size_t n, int owner[BINS])
{
    double around = circle(s);
    for (size_t i = 0; i < s->rows; i++) {
        double first = sheet_real(s, i, "first") / around * BINS, last = (sheet_real(s, i, "last") + 1) / around * BINS;
        if (last <= first)
            last += BINS;
        double bin = ceil(first - 0.5);
        int id = bin + 0.5 < last ? name_of(name, n, sheet_text(s, i, "node")) : 0; /* most arcs of a large ring fall between */
        for (; bin + 0.5 < last; bin++)
            owner[(int)fmod(bin + BINS, BINS)] = id;
    }
}

/* From one arc's beginning around, so that none is cut at the top. */
static void print_bins(const int owner[BINS], FILE *to)
{
    static const double turn = 6.283185307179586 / BINS, inside = 0.86, rim = 1.1;
    int start = 1;
    for (int colour = 1; colour <= COLOURS; colour++) /* a dot of no size: gnuplot complains of a colour that nobody has */
        fprintf(to, "0 1 %d\n0 1 %d\n0 1 %d\n\n", colour, colour, colour);
    while (start < BINS && owner[start] == owner[start - 1])
        start++;
    for (int from = start, end; from < start + BINS; from = end) {
        for (end = from + 1; end < start + BINS && owner[end % BINS] == owner[from % BINS];)
            end++;
        int steps = (end - from + 19) / 20, colour = owner[from % BINS] % COLOURS + 1;
        for (int k = 0; k <= 2 * steps + 1; k++) { /* out along the rim, back along the inside */
            double at = (from + (double)(end - from) * (k <= steps ? k : 2 * steps + 1 - k) / steps) * turn, radius = k <= steps ? rim : inside;
            fprintf(to, "%.5f %.5f %d\n", radius * sin(at), radius * cos(at), colour);
        }
        putc('\n', to);
    }
    putc('\n', to);
}

/* The largest load over fair share under ring:vnodes=v, as the bars show it. */
static double fullest(const struct report *r, const char *v)
{
    const struct sheet *s = r->sheet[STEP_NODES];
    double most = 0;
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", "ring") && sheet_is(s, i, "value", v) && sheet_is(s, i, "load", sheet_text(s, 0, "load")))
            most = fmax(most, sheet_real(s, i, "share") / sheet_real(s, i, "fair_share"));
    return most;
}

int rings_data(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_NODES];
    const char **name = mem_alloc(r->size, sizeof *name);
    if (!name)
        return -ENOMEM;
    for (size_t i = 0; i < r->size; i++)
        name[i] = sheet_text(s, i, "node");
    fprintf(to, "%.6f\n%.6f\n%.6f\n\n\n", fullest(r, "1"), fullest(r, "10"), fullest(r, "150"));
    for (int k = STEP_RING_1; k <= STEP_RING_150; k++) {
        int owner[BINS] = {0};
        fill_bins(r->sheet[k], name, r->size, owner);
        print_bins(owner, to);
        putc('\n', to);
    }
    mem_free(name);
    return 0;
}
