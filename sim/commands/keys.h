/* Keys as a command gets them: words of the command line, or lines of a file or of standard input; and rows written as they come. */
#ifndef COMMANDS_KEYS_H
#define COMMANDS_KEYS_H

#include "base/csv.h"
#include "base/output.h"
#include "commands/args.h"

struct keys {
    const struct args *args;
    struct reader *reader; /* NULL: the words */
    int at;
    uint64_t count;        /* lines read */
    char *decoded;         /* a percent-decoded key */
    size_t room;
};

/* 0 or a negative errno. No word and no -f: standard input. what: the command, for the progress line. */
int keys_open(struct keys *k, const struct args *a, const char *what, char why[WHY]);
void keys_close(struct keys *k);

/* The next key: 1 and *text (until the next call), or 0 at the end, or a negative errno. */
int keys_next(struct keys *k, const char **text, size_t *len, char why[WHY]);

/* "keys.txt line 7", "standard input line 7" or "word 2", for messages. */
void keys_where(const struct keys *k, char *out, size_t size);

/* Rows of text fields in any format, as they come. */
struct rows {
    struct output out;
    enum format format;
    bool percent;
    const char *const *heading;
    size_t fields;
    uint64_t count;
    FILE *spool; /* not NULL: rows wait here until all is known to be well */
    bool aligned; /* for people a table with headings, which waits for the close */
    char *cells;  /* of that table, a NUL after each */
    size_t used, room;
    bool full;    /* no memory for them */
};

/* Opens -o; whole: nothing is shown before rows_close. */
bool rows_broken(const struct rows *r); /* a write failed: the close will say why */
int rows_open(struct rows *r, const struct args *a, const char *const *heading, size_t fields, bool whole, char why[WHY]);

/* One field. name: a key or a node's name, which --percent encodes and a terminal gets made printable. */
struct field {
    const char *text;
    size_t len;
    bool name;
};
int rows_align(struct rows *r, char why[WHY]); /* before the first row: they make an aligned table, as r->aligned says; 0 or -ENOMEM */
void rows_write(struct rows *r, const struct field *field);
int rows_table(struct rows *r, char why[WHY]); /* writes the aligned table now, for something to follow it; the close does else */
int rows_close(struct rows *r, char why[WHY]);
void rows_abandon(struct rows *r);

#endif
