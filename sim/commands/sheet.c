/* The whole file in memory, quotes undone in place. Results hold a few thousand rows at most. */
#include "commands/sheet.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
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

/* Cuts the field at *at; returns the sign behind it. */
static char cut(char **at)
{
    char *from = *at, *to = from;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || !strchr(",\r\n", *from))) {
        if (quoted && *from == '"') {
            from++;
            quoted = *from == '"'; /* a doubled one is itself */
            if (!quoted)
                continue;
        }
        *to++ = *from++;
    }
    char sign = *from;
    if (sign == '\r' && from[1] == '\n')
        sign = *++from;
    *at = from + (sign != 0);
    *to = 0;
    return sign;
}

static int split(struct sheet *s, char why[WHY])
{
    size_t room = 0, cells = 0, line = 0;
    for (char *at = s->text; *at;) {
        if (mem_grow(&s->cell, &room, cells + 1, sizeof *s->cell))
            return fail(why, ENOMEM, "no memory for results");
        s->cell[cells++] = at;
        line++;
        if (cut(&at) == ',')
            continue;
        if (!s->columns)
            s->columns = line;
        if (line != s->columns)
            return fail(why, EIO, "a result has %zu cells in a row of %zu columns", line, s->columns);
        line = 0;
    }
    s->rows = s->columns ? cells / s->columns - 1 : 0;
    return 0;
}

int sheet_read(struct sheet **out, const char *path, char why[WHY])
{
    struct sheet *s = mem_alloc(1, sizeof *s);
    int e = s ? file_read(&s->text, path, why) : fail(why, ENOMEM, "no memory for results");
    if (!e)
        e = split(s, why);
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

const char *sheet_text(const struct sheet *s, size_t row, const char *column)
{
    for (size_t k = 0; k < s->columns && row < s->rows; k++)
        if (!strcmp(s->cell[k], column))
            return s->cell[(row + 1) * s->columns + k];
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
