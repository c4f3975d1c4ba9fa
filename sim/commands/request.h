/* From a command line to a study. */
#ifndef COMMANDS_REQUEST_H
#define COMMANDS_REQUEST_H

#include "base/output.h"
#include "commands/args.h"
#include "experiments/study.h"

/* Reads -s, -n, -k, -H, --change and the rest. 0, -EINVAL, -ENOMEM. */
int request_open(struct study *s, const struct args *a, const char *command, char why[WHY]);
void request_close(struct study *s);

/* The one strategy and cluster of where and ranges. */
int request_single(const struct study *s, const char *command, char why[WHY]);

/* Whether the last spec has exact shares, and an exact comparison; whether any of its nodes can leave: what a suggestion may ask of it. */
struct abilities {
    bool shares, map, any_removal;
};
int request_abilities(const struct study *s, struct abilities *can, char why[WHY]); /* 0 or -ENOMEM */

/* Writes a table as --format says, to -o or standard output. words(): how it looks to people. */
typedef int words_writer(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY]);
int request_write(const struct args *a, const struct study *s, const struct table *t, words_writer *words, char why[WHY]);

/* The same for words about more than a study. */
typedef int words_writer_of(const struct args *a, const void *of, const struct table *t, FILE *to, char why[WHY]);
int request_write_of(const struct args *a, const void *of, const struct table *t, words_writer_of *words, char why[WHY]);

/* The words of a table: a heading, and how a row's cell reads, a whole row's or one value's; text holds the cell. */
struct words_column {
    const char *heading;
    enum { ALWAYS, UNLESS_SAME, UNLESS_EMPTY } shown; /* not when all rows read the same; not when all are "-" */
    void (*cell)(const struct table *t, size_t row, char text[64]);
    void (*value)(const struct table *t, size_t row, const struct column *of, char text[64]);
    const struct column *of;
};
int request_words(const struct words_column *column, size_t n, const struct table *t, FILE *to, char why[WHY]);

#endif
