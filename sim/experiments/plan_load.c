/* Measured load: a CSV file whose first line names a column key or slot, and a column load (or bytes, where the load is in bytes). */
#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiments/plan_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_READ = 64 };

/* Which of the columns has this name, from 1; 0: none. */
static size_t column_named(const struct reader_text *field, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (field[k].len == strlen(name) && !memcmp(field[k].text, name, field[k].len))
            return k + 1;
    return 0;
}

int plan_load_look(struct plan_load *l, const char *path, char why[WHY])
{
    struct reader *r = NULL;
    struct reader_text field[COLUMNS_READ];
    size_t n = 0;
    *l = (struct plan_load){.path = path};
    if (!strcmp(path, "-"))
        return fail(why, EINVAL, "--load -: is read twice, so standard input will not do: give a file");
    int e = reader_open(&r, path, '\n', false, why);
    if (!e)
        e = reader_record(r, ',', field, COLUMNS_READ, &n, why);
    if (e >= 0) {
        n = n < COLUMNS_READ ? n : COLUMNS_READ;
        size_t key = column_named(field, n, "key"), slot = column_named(field, n, "slot"), bytes = column_named(field, n, "bytes");
        l->by_slot = !key;
        l->what = key ? key : slot;
        l->bytes = bytes > 0;
        l->load = bytes ? bytes : column_named(field, n, "load");
        e = l->what && l->load ? 0 : fail(why, EINVAL, "%s line 1: must name the columns: key,load or slot,load (bytes instead of load, where it is in bytes)", path);
    }
    reader_close(r);
    return e;
}

char *plan_load_workload(const struct plan_load *l)
{
    size_t size = 2 * strlen(l->path) + 120;
    char *text = mem_alloc(size, 1), *to = text;
    if (!text)
        return NULL;
    to += sprintf(to, "file:path=");
    for (const char *c = l->path; *c; c++) {
        if (*c == ',' || *c == '\\')
            *to++ = '\\';
        *to++ = *c;
    }
    sprintf(to, ",column=%zu,size-column=%zu,header=1", l->what, l->load);
    return text;
}

static int load_row(const struct plan_load *l, uint64_t line, const struct reader_text *field, size_t count, uint64_t cells, uint64_t *load, char why[WHY])
{
    size_t most = l->what > l->load ? l->what : l->load;
    char shown[80];
    uint64_t slot, amount;
    if (count < most)
        return fail(why, EINVAL, "%s line %" PRIu64 ": has %zu column%s, column %zu was asked for", l->path, line, count, count == 1 ? "" : "s", most);
    const struct reader_text *what = &field[l->what - 1], *given = &field[l->load - 1];
    if (text_count(what->text, what->len, &slot) || slot >= cells)
        return fail(why, EINVAL, "%s line %" PRIu64 ": slot '%s': must be 0 to %" PRIu64, l->path, line,
                    text_printable(what->text, what->len, shown, sizeof shown), cells - 1);
    if (text_amount(given->text, given->len, &amount))
        return fail(why, EINVAL, "%s line %" PRIu64 ": load '%s': must be a number, 0 to 10^12, without a unit", l->path, line,
                    text_printable(given->text, given->len, shown, sizeof shown));
    if (load[slot] + amount < amount)
        return fail(why, EINVAL, "%s line %" PRIu64 ": slot %" PRIu64 " has more load than can be added up", l->path, line, slot);
    load[slot] += amount;
    return 0;
}

int plan_load_slots(const struct plan_load *l, uint64_t cells, uint64_t *load, char why[WHY])
{
    struct reader *r = NULL;
    struct reader_text field[COLUMNS_READ];
    size_t count;
    int e = reader_open(&r, l->path, '\n', false, why), more = 1;
    if (!e)
        e = reader_record(r, ',', field, COLUMNS_READ, &count, why); /* the names */
    while (e >= 0 && more > 0) {
        more = reader_record(r, ',', field, COLUMNS_READ, &count, why);
        e = more > 0 ? load_row(l, reader_line_number(r), field, count, cells, load, why) : more;
        if (!more)
            break;
    }
    reader_close(r);
    return e < 0 ? e : 0;
}
