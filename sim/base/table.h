/* Rows of typed columns, written as CSV (RFC 4180), JSON or an aligned table.
 * CSV: '.' as decimal point whatever the locale, a fixed number of digits a column. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum column_type { COLUMN_TEXT, COLUMN_COUNT, COLUMN_REAL };

struct column {
    const char *name; /* snake_case with the unit in it */
    enum column_type type;
    int digits;          /* REAL: digits after the point */
    const char *unit;    /* "1" for ratios */
    const char *meaning; /* one line */
};

struct table; /* grows by rows; cells start empty */

/* n columns by pointer (they must outlive the table). NULL when memory is out. */
struct table *table_create(const struct column *const *columns, size_t n);
void table_destroy(struct table *t);
size_t table_rows(const struct table *t);
size_t table_columns(const struct table *t);
const struct column *table_column(const struct table *t, size_t column);

/* A new row, its cells empty. 0 or -ENOMEM. The setters fill the last row, by the
 * column's pointer; a column the table does not have is ignored. Text is copied;
 * table_text returns -ENOMEM when it cannot. NaN and infinity leave a cell empty. */
int table_row(struct table *t);
int table_text(struct table *t, const struct column *c, const char *text);
void table_count(struct table *t, const struct column *c, uint64_t value);
void table_real(struct table *t, const struct column *c, double value);
void table_count_at(struct table *t, size_t row, const struct column *c, uint64_t value); /* in a row already there */

/* Reading back: "" / 0 / NaN where the cell is empty. */
const char *table_get_text(const struct table *t, size_t row, const struct column *c);
uint64_t table_get_count(const struct table *t, size_t row, const struct column *c);
double table_get_real(const struct table *t, size_t row, const struct column *c);
bool table_is_empty(const struct table *t, size_t row, const struct column *c);

void table_write_csv(const struct table *t, FILE *to);
void table_write_json(const struct table *t, FILE *to); /* an array of objects; empty cells are null */

/* Words in columns, for people: cells are strings made by the caller, the first
 * column left-aligned, the others right. Widths count characters, not bytes;
 * texts are made printable. rows * n cells, the first n are the headings. What is wider
 * than the terminal behind `to` goes into blocks, one below the other, each with the first columns. */
void words_write(const char *const *cells, size_t rows, size_t n, FILE *to);

/* A JSON string. It is UTF-8: bytes that are none become U+FFFD each, control characters and marks that turn the writing \uNNNN. */
void json_field(const char *text, size_t len, FILE *to);

/* One CSV field: quoted when it holds a quote, comma, CR or LF. */
void csv_field(const char *text, size_t len, FILE *to);

#endif
