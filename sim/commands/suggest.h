/* The last line for people: what to ask next. */
#ifndef COMMANDS_SUGGEST_H
#define COMMANDS_SUGGEST_H

#include "commands/args.h"
#include "experiments/columns.h"

#include <stdio.h>

/* "Next: keysim COMMAND -s SPEC -n NODES ..." and the words that follow, the last NULL, as a shell takes them; then those options
 * of this run without which the same words would mean something else, as far as the command has them: -H, --seed, --percent.
 * 0, or -ENOMEM with its sentence. */
int suggest(const struct args *a, FILE *to, char why[WHY], const char *command, const char *spec, const char *nodes, ...) __attribute__((sentinel));

/* The same with the strategy of a row. */
int suggest_row(const struct args *a, FILE *to, char why[WHY], const char *command, const struct table *t, size_t row, const char *nodes, ...) __attribute__((sentinel));

/* Words that were gathered (e: with what outcome), as the same line; they are released. 0 or -ENOMEM. */
int suggest_words(struct texts *words, int e, FILE *to, char why[WHY]);

/* The strategy of a row as a person would type it, whole; mem_freed by the caller. NULL: no memory. */
char *suggest_spec(const struct table *t, size_t row);

#endif
