/* The whole file in memory. Results hold a few thousand rows at most. */
#include "commands/sheet.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int file_read(char **out, const char *path, char why[WHY])
{
    FILE *f = fopen(path, "rbe");
    if (!f)
        return fail_file(why, errno, path, "cannot be read");
    char *text = NULL;
    size_t room = 0, len = 0, got = 1;
    int e = 0;
    while (!e && got > 0) {
        e = mem_grow(&text, &room, len + 65537, 1) ? fail(why, ENOMEM, "no memory for %s", path) : 0;
        if (!e)
            len += got = fread(text + len, 1, 65536, f);
    }
    if (!e && ferror(f))
        e = fail(why, EIO, "%s: cannot be read", path);
    fclose(f);
    if (e)
        mem_free(text);
    else
        text[len] = 0;
    *out = e ? NULL : text;
    return e;
}

/* Adds a record's cells. */
static int add_record(struct sheet *s, size_t *room, size_t *cells, size_t *text_room, size_t *used, const struct reader_text *field, size_t count)
{
    if (mem_grow(&s->cell, room, *cells + count, sizeof *s->cell))
        return -ENOMEM;
    for (size_t k = 0; k < count; k++) {
        if (mem_grow(&s->text, text_room, *used + field[k].len + 1, 1))
            return -ENOMEM;
        memcpy(s->text + *used, field[k].text, field[k].len);
        s->text[*used + field[k].len] = 0;
        s->cell[(*cells)++] = *used;
        *used += field[k].len + 1;
    }
    return 0;
}

static int read_records(struct sheet *s, struct reader *in, char why[WHY])
{
    struct reader_text field[SHEET_COLUMNS];
    size_t room = 0, cells = 0, text_room = 0, used = 0, count;
    int e;
    while ((e = reader_record(in, ',', field, SHEET_COLUMNS, &count, why)) == 1) {
        if (!s->columns)
            s->columns = count;
        if (count != s->columns || count > SHEET_COLUMNS)
            return fail(why, EIO, "%s line %" PRIu64 ": has %zu cells in a row of %zu columns", reader_path(in), reader_line_number(in), count,
                        s->columns);
        if (add_record(s, &room, &cells, &text_room, &used, field, count))
            return fail(why, ENOMEM, "no memory for results");
    }
    s->rows = s->columns ? cells / s->columns - 1 : 0;
    return e;
}

int sheet_read(struct sheet **out, const char *path, char why[WHY])
{
    struct reader *in = NULL;
    struct sheet *s = mem_alloc(1, sizeof *s);
    int e = s ? reader_open(&in, path, '\n', false, why) : fail(why, ENOMEM, "no memory for results");
    if (!e)
        e = read_records(s, in, why);
    reader_close(in);
    if (e)
        sheet_destroy(s);
    *out = e ? NULL : s;
    return e;
}

void sheet_destroy(struct sheet *s)
{
    if (!s)
        return;
    mem_free(s->text);
    mem_free(s->cell);
    mem_free(s);
}

const char *sheet_name(const struct sheet *s, size_t column)
{
    return s->text + s->cell[column];
}

const char *sheet_text(const struct sheet *s, size_t row, const char *column)
{
    for (size_t k = 0; k < s->columns && row < s->rows; k++)
        if (!strcmp(sheet_name(s, k), column))
            return s->text + s->cell[(row + 1) * s->columns + k];
    return "";
}

double sheet_real(const struct sheet *s, size_t row, const char *column)
{
    const char *text = sheet_text(s, row, column);
    double x;
    return text_real(text, strlen(text), &x) ? NAN : x;
}

bool sheet_is(const struct sheet *s, size_t row, const char *column, const char *text)
{
    return !strcmp(sheet_text(s, row, column), text);
}
