/* Typed rows. A cell is eight bytes and a flag; texts lie in blocks that never move,
 * and a text like the one above it is kept once. */
#include "base/table.h"
#include "base/mem.h"
#include "base/text.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 16 * 1024 };

union cell {
    const char *text;
    uint64_t count;
    double real;
};

struct block {
    struct block *next;
    size_t used, size;
    char text[];
};

struct table {
    const struct column *const *column;
    size_t columns, rows;
    union cell *cell;
    bool *filled;
    size_t cells, flags; /* room for so many */
    struct block *block; /* the newest first */
};

struct table *table_create(const struct column *const *columns, size_t n)
{
    struct table *t = mem_alloc(1, sizeof *t);
    if (t) {
        t->column = columns;
        t->columns = n;
    }
    return t;
}

void table_destroy(struct table *t)
{
    if (!t)
        return;
    for (struct block *next, *b = t->block; b; b = next) {
        next = b->next;
        mem_free(b);
    }
    mem_free(t->cell);
    mem_free(t->filled);
    mem_free(t);
}

size_t table_rows(const struct table *t) { return t->rows; }
size_t table_columns(const struct table *t) { return t->columns; }
const struct column *table_column(const struct table *t, size_t column) { return t->column[column]; }

int table_row(struct table *t)
{
    size_t used = t->rows * t->columns, want = used + t->columns;
    if (mem_grow(&t->cell, &t->cells, want, sizeof *t->cell) || mem_grow(&t->filled, &t->flags, want, sizeof *t->filled))
        return -ENOMEM;
    if (t->columns > 0)
        memset(t->filled + used, 0, t->columns * sizeof *t->filled);
    t->rows++;
    return 0;
}

/* The cell's place, or SIZE_MAX when there is none. */
static size_t place(const struct table *t, size_t row, const struct column *c, enum column_type type)
{
    if (row >= t->rows)
        return SIZE_MAX;
    for (size_t i = 0; i < t->columns; i++)
        if (t->column[i] == c) {
            assert(c->type == type);
            (void)type;
            return row * t->columns + i;
        }
    return SIZE_MAX;
}

static const char *keep_text(struct table *t, const char *text)
{
    size_t size = strlen(text) + 1;
    if (!t->block || t->block->size - t->block->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        struct block *b = mem_alloc(1, sizeof *b + room);
        if (!b)
            return NULL;
        b->next = t->block;
        b->size = room;
        t->block = b;
    }
    char *kept = memcpy(t->block->text + t->block->used, text, size);
    t->block->used += size;
    return kept;
}

int table_text(struct table *t, const struct column *c, const char *text)
{
    size_t at = place(t, t->rows - 1, c, COLUMN_TEXT);
    if (at == SIZE_MAX)
        return 0;
    const char *above = t->rows > 1 && t->filled[at - t->columns] ? t->cell[at - t->columns].text : NULL;
    const char *kept = above && strcmp(above, text) == 0 ? above : keep_text(t, text);
    if (!kept)
        return -ENOMEM;
    t->cell[at].text = kept;
    t->filled[at] = true;
    return 0;
}

void table_count_at(struct table *t, size_t row, const struct column *c, uint64_t value)
{
    size_t at = place(t, row, c, COLUMN_COUNT);
    if (at == SIZE_MAX)
        return;
    t->cell[at].count = value;
    t->filled[at] = true;
}

void table_count(struct table *t, const struct column *c, uint64_t value)
{
    table_count_at(t, t->rows - 1, c, value);
}

void table_real(struct table *t, const struct column *c, double value)
{
    size_t at = place(t, t->rows - 1, c, COLUMN_REAL);
    if (at == SIZE_MAX)
        return;
    t->cell[at].real = value;
    t->filled[at] = isfinite(value);
}

static const union cell *filled(const struct table *t, size_t row, const struct column *c, enum column_type type)
{
    size_t at = place(t, row, c, type);
    return at != SIZE_MAX && t->filled[at] ? &t->cell[at] : NULL;
}

const char *table_get_text(const struct table *t, size_t row, const struct column *c)
{
    const union cell *cell = filled(t, row, c, COLUMN_TEXT);
    return cell ? cell->text : "";
}

uint64_t table_get_count(const struct table *t, size_t row, const struct column *c)
{
    const union cell *cell = filled(t, row, c, COLUMN_COUNT);
    return cell ? cell->count : 0;
}

double table_get_real(const struct table *t, size_t row, const struct column *c)
{
    const union cell *cell = filled(t, row, c, COLUMN_REAL);
    return cell ? cell->real : NAN;
}

bool table_is_empty(const struct table *t, size_t row, const struct column *c) { return !filled(t, row, c, c->type); }

void csv_field(const char *text, size_t len, FILE *to)
{
    bool quote = false;
    for (size_t i = 0; i < len && !quote; i++)
        quote = text[i] == '"' || text[i] == ',' || text[i] == '\n' || text[i] == '\r';
    if (!quote) {
        fwrite(text, 1, len, to);
        return;
    }
    putc('"', to);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            putc('"', to);
        putc(text[i], to);
    }
    putc('"', to);
}

static void json_text(const char *text, FILE *to)
{
    size_t len = strlen(text);
    putc('"', to);
    for (size_t i = 0; i < len;) {
        size_t wide = text_utf8(text + i, len - i);
        unsigned char c = (unsigned char)text[i];
        if (wide == 0)
            fputs("\\ufffd", to); /* JSON is UTF-8 */
        else if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 0x20)
            fprintf(to, "\\u%04x", c);
        else
            fwrite(text + i, 1, wide, to);
        i += wide > 0 ? wide : 1;
    }
    putc('"', to);
}

/* A cell in the notation of `text`; `empty` where there is nothing to say. */
static void write_cell(const struct table *t, size_t row, size_t column, const char *empty, bool json, FILE *to)
{
    const struct column *c = t->column[column];
    const union cell *cell = filled(t, row, c, c->type);
    char number[48];
    if (!cell)
        fputs(empty, to);
    else if (c->type == COLUMN_COUNT)
        fprintf(to, "%" PRIu64, cell->count);
    else if (c->type == COLUMN_REAL)
        fputs(*text_fixed(cell->real, c->digits, number) ? number : empty, to);
    else if (json)
        json_text(cell->text, to);
    else
        csv_field(cell->text, strlen(cell->text), to);
}

void table_write_csv(const struct table *t, FILE *to)
{
    for (size_t i = 0; i < t->columns; i++)
        fprintf(to, "%s%s", i > 0 ? "," : "", t->column[i]->name);
    putc('\n', to);
    for (size_t row = 0; row < t->rows; row++) {
        for (size_t i = 0; i < t->columns; i++) {
            if (i > 0)
                putc(',', to);
            write_cell(t, row, i, "", false, to);
        }
        putc('\n', to);
    }
}

void table_write_json(const struct table *t, FILE *to)
{
    putc('[', to);
    for (size_t row = 0; row < t->rows; row++) {
        fputs(row > 0 ? ",\n {" : "\n {", to);
        for (size_t i = 0; i < t->columns; i++) {
            fprintf(to, "%s\"%s\": ", i > 0 ? ", " : "", t->column[i]->name);
            write_cell(t, row, i, "null", true, to);
        }
        putc('}', to);
    }
    fputs(t->rows > 0 ? "\n]\n" : "]\n", to);
}

enum { WORD_MAX = 1024 }; /* bytes of a word for people, NUL included; longer ones are cut */

/* The word made printable, and its length in characters. */
static size_t word(const char *text, char out[WORD_MAX])
{
    size_t width = 0;
    text_printable(text, strlen(text), out, WORD_MAX);
    for (const char *c = out; *c; c++)
        width += ((unsigned char)*c & 0xc0) != 0x80;
    return width;
}

void words_write(const char *const *cells, size_t rows, size_t n, FILE *to)
{
    char shown[WORD_MAX];
    size_t *widest = mem_alloc(n, sizeof *widest); /* NULL: unaligned, but said */
    for (size_t i = 0; widest && i < rows * n; i++) {
        size_t width = word(cells[i], shown);
        if (width > widest[i % n])
            widest[i % n] = width;
    }
    for (size_t i = 0; i < rows * n; i++) {
        size_t column = i % n, width = word(cells[i], shown);
        int pad = widest ? (int)(widest[column] - width) : 0;
        if (column == 0)
            fprintf(to, "%s%*s", shown, n > 1 ? pad : 0, "");
        else
            fprintf(to, "  %*s%s", pad, "", shown);
        if (column == n - 1)
            putc('\n', to);
    }
    mem_free(widest);
}
