/* Reads records of a CSV file (RFC 4180: quotes, doubled quotes, line ends inside
 * quotes) or plain lines, as a stream in bounded memory. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_MAX (1u << 20) /* bytes a key, 1 MiB */

struct reader;

/* path "-": standard input. end: the byte that ends a record, '\n' or '\0'.
 * keep_cr: a CR before the LF belongs to the record, and a byte order mark at the head of the text to the first one. 0, or a negative errno:
 * -EINVAL when the file cannot be opened (no such file, a folder, no permission). */
int reader_open(struct reader **out, const char *path, char end, bool keep_cr, char why[WHY]);
void reader_close(struct reader *r);

/* The next line: 1 and *text (valid until the next call, len bytes, may hold any
 * byte) or 0 at the end or a negative errno. An empty line is an empty record;
 * a missing last line end is one. Longer than RECORD_MAX: -EINVAL. */
int reader_line(struct reader *r, const char **text, size_t *len, char why[WHY]);

/* The next CSV record's field `column` (from 1), unquoted; separator e.g. ','.
 * As reader_line; a record without that column is -EINVAL, and one of more than 4 MiB.
 * A quote amid an unquoted field is itself. */
int reader_field(struct reader *r, char separator, size_t column, const char **text, size_t *len, char why[WHY]);

/* The next CSV record's first fields, at most `most` (those beyond are passed over), as reader_field gives one. *count: how many there are. */
struct reader_text {
    const char *text;
    size_t len;
};
int reader_record(struct reader *r, char separator, struct reader_text *field, size_t most, size_t *count, char why[WHY]);

uint64_t reader_line_number(const struct reader *r); /* of the record last returned, from 1 */
const char *reader_path(const struct reader *r); /* "standard input" for "-" */

#endif
