/* What failure's results say to people: how often a cluster goes down; and one cascade, step by step. */
#ifndef COMMANDS_FAILURE_WORDS_H
#define COMMANDS_FAILURE_WORDS_H

#include "commands/request.h"

int failure_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY]);       /* a words_writer */
int failure_steps_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY]); /* with --per-node */

void failure_bears(const struct table *t, size_t row, FILE *to); /* "1.25 times its fair share" */

/* "Next: keysim failure ..." with the capacity, copies and keys of a row, and two words more, or three. */
int failure_again(const struct args *a, const struct study *s, const struct table *t, size_t row, FILE *to, char why[WHY], const char *flag, const char *value, const char *last);

#endif
