#include "commands/cells.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void row_spec(const struct table *t, size_t row, char *text, size_t size)
{
    const char *options = table_get_text(t, row, COL(options));
    int n = snprintf(text, size, "%s%s", table_get_text(t, row, COL(strategy)), *options ? ":" : "");
    if ((size_t)n < size)
        text_printable(options, strlen(options), text + n, size - (size_t)n);
}

void cell_spec(const struct table *t, size_t row, char text[64])
{
    char whole[512];
    row_spec(t, row, whole, sizeof whole);
    snprintf(text, 64, "%.60s%s", whole, strlen(whole) > 60 ? "..." : "");
}

void cell_nodes(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%" PRIu64, table_get_count(t, row, COL(nodes)));
}

void cell_node(const struct table *t, size_t row, char text[64])
{
    const char *name = table_get_text(t, row, COL(node));
    text_printable(name, strlen(name), text, 64);
}

void cell_memory(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(memory_bytes)))
        strcpy(text, "-");
    else
        text_bytes((double)table_get_count(t, row, COL(memory_bytes)), text);
}

void cell_method(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(method)));
}

void cell_real(const struct table *t, size_t row, const struct column *c, char text[64])
{
    double x = table_get_real(t, row, c);
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.*f", fabs(x) >= 100 ? 0 : fabs(x) >= 10 ? 1 : fabs(x) < 1 ? 4 : 3, x);
}

void cell_percent(const struct table *t, size_t row, const struct column *c, char text[64])
{
    double x = 100 * table_get_real(t, row, c);
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.*f %%", x >= 10 ? 2 : x >= 1 || x == 0 ? 2 : 3, x);
}

void cell_time(const struct table *t, size_t row, const struct column *c, char text[64])
{
    static const struct {
        double unit;
        const char *name;
    } scale[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    double ns = table_get_real(t, row, c);
    size_t k = 0;
    while (k < 3 && ns < scale[k].unit)
        k++;
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.3g %s", ns / scale[k].unit, scale[k].name);
}

const char *text_often(double chance, char text[64])
{
    double of = 100;
    while (chance > 0 && chance * of < 1 && of < 1e9)
        of *= 10;
    if (chance <= 0 || chance * of > of - 1)
        strcpy(text, chance <= 0 ? "in no case" : chance >= 1 ? "in all cases" : "in nearly all cases");
    else
        snprintf(text, 64, "in %.0f of %.0f cases", chance * of, of);
    return text;
}

const char *text_often_of(double chance, uint64_t cases, char text[64])
{
    if (cases > 100 || chance <= 0 || chance >= 1)
        return text_often(chance, text);
    snprintf(text, 64, "in %.0f of %" PRIu64 " cases", chance * (double)cases, cases);
    return text;
}
