/* Typed rows. A cell is eight bytes and a flag; texts lie in blocks that never move,
 * and a text like the one above it is kept once. */
#include "base/table.h"
#include "base/mem.h"
#include "base/terminal.h"
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

void json_field(const char *text, size_t len, FILE *to)
{
    putc('"', to);
    for (size_t i = 0; i < len;) {
        size_t wide = text_utf8(text + i, len - i), shown = text_shown(text + i, len - i);
        const unsigned char *u = (const unsigned char *)text + i;
        if (wide == 0)
            fputs("\\ufffd", to);
        else if (shown == 0) /* one to three bytes */
            fprintf(to, "\\u%04x", wide == 1 ? u[0] : wide == 2 ? (u[0] & 0x1fu) << 6 | (u[1] & 0x3fu) : (u[0] & 0xfu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu));
        else if (*u == '"' || *u == '\\')
            fprintf(to, "\\%c", *u);
        else
            fwrite(u, 1, wide, to);
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
        json_field(cell->text, strlen(cell->text), to);
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

/* Words in columns, and how many characters each is wide. */
struct grid {
    const char *const *cell;
    size_t rows, n;
    size_t *widest; /* NULL: no memory; unaligned, but said */
};

/* The word made printable, and its length in characters. */
static size_t word(const char *text, char out[WORD_MAX])
{
    text_printable(text, strlen(text), out, WORD_MAX);
    return text_width(out, strlen(out));
}

static void measure(struct grid *g)
{
    char shown[WORD_MAX];
    g->widest = mem_alloc(g->n, sizeof *g->widest);
    for (size_t i = 0; g->widest && i < g->rows * g->n; i++) {
        size_t width = word(g->cell[i], shown);
        if (width > g->widest[i % g->n])
            g->widest[i % g->n] = width;
    }
}

/* How wide columns from..to-1 are side by side. */
static size_t wide(const struct grid *g, size_t from, size_t to)
{
    size_t width = 0;
    for (size_t i = from; i < to; i++)
        width += g->widest[i] + (i > from ? 2 : 0);
    return width;
}

static void write_words(const struct grid *g, size_t row, size_t from, size_t to, FILE *out)
{
    char shown[WORD_MAX];
    for (size_t i = from; i < to; i++) {
        size_t width = word(g->cell[row * g->n + i], shown);
        int pad = g->widest ? (int)(g->widest[i] - width) : 0;
        if (i == 0)
            fprintf(out, "%s%*s", shown, g->n > 1 ? pad : 0, "");
        else
            fprintf(out, "  %*s%s", pad, "", shown);
    }
}

/* Whether rows that follow each other differ in their first columns. */
static bool tells_apart(const struct grid *g, size_t columns)
{
    for (size_t row = 1; row < g->rows; row++) {
        bool same = true;
        for (size_t i = 0; i < columns && same; i++)
            same = !strcmp(g->cell[(row - 1) * g->n + i], g->cell[row * g->n + i]);
        if (same)
            return false;
    }
    return true;
}

/* The columns that each block repeats: those that tell the rows apart, where they leave room for others. */
static size_t leading(const struct grid *g, size_t width)
{
    size_t lead = 1;
    while (lead + 1 < g->n && !tells_apart(g, lead) && wide(g, 0, lead + 1) <= width / 2)
        lead++;
    return tells_apart(g, lead) ? lead : 1;
}

/* Too wide: as many columns as fit, and the others in blocks below. */
static void write_blocks(const struct grid *g, size_t width, FILE *to)
{
    size_t lead = leading(g, width), beside = wide(g, 0, lead) <= width / 2 ? wide(g, 0, lead) : 0;
    char name[WORD_MAX];
    for (size_t from = lead, end; from < g->n; from = end) {
        for (end = from + 1; end < g->n && beside + 2 + wide(g, from, end + 1) <= width; end++)
            ;
        if (from > lead)
            putc('\n', to);
        for (size_t row = 0; row < g->rows; row++) {
            if (beside) {
                write_words(g, row, 0, lead, to);
            } else { /* its first word leaves no room beside it */
                word(g->cell[row * g->n], name);
                fprintf(to, "%s\n", name);
            }
            write_words(g, row, from, end, to);
            putc('\n', to);
        }
    }
}

void words_write(const char *const *cells, size_t rows, size_t n, FILE *to)
{
    struct grid g = {.cell = cells, .rows = rows, .n = n};
    size_t width = terminal_width(to);
    measure(&g);
    if (g.widest && n > 1 && wide(&g, 0, n) > width) {
        write_blocks(&g, width, to);
    } else {
        for (size_t row = 0; row < rows; row++) {
            write_words(&g, row, 0, n, to);
            putc('\n', to);
        }
    }
    mem_free(g.widest);
}
