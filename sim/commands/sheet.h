/* A result read back from its CSV file, whole: columns by name. */
#ifndef COMMANDS_SHEET_H
#define COMMANDS_SHEET_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>

enum { SHEET_COLUMNS = 64 }; /* at most */

struct sheet {
    size_t rows, columns; /* rows without the header */
    char *text;           /* the cells' texts, each with a NUL */
    size_t *cell;         /* [1 + rows][columns]: where its text begins */
};

/* A whole file as text, NUL-terminated, to be mem_freed. 0, -EINVAL, -ENOMEM, -EIO. */
int file_read(char **out, const char *path, char why[WHY]);

int sheet_read(struct sheet **out, const char *path, char why[WHY]); /* 0, -EINVAL, -ENOMEM, -EIO */
void sheet_destroy(struct sheet *s);

const char *sheet_name(const struct sheet *s, size_t column); /* column below s->columns */
const char *sheet_text(const struct sheet *s, size_t row, const char *column); /* "" when there is none */
double sheet_real(const struct sheet *s, size_t row, const char *column);      /* NaN when empty */
bool sheet_is(const struct sheet *s, size_t row, const char *column, const char *text);

#endif
