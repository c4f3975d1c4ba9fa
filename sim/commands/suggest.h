/* The last line for people: what to ask next. */
#ifndef COMMANDS_SUGGEST_H
#define COMMANDS_SUGGEST_H

#include "commands/args.h"
#include "experiments/columns.h"

#include <stdio.h>

/* "Next: keysim COMMAND -s SPEC -n NODES ..." and the words that follow, the last NULL, as a shell takes them; then those options
 * of this run without which the same words would mean something else, as far as the command has them: -H, --seed, --percent.
 * No line when there is no memory for it. */
void suggest(const struct args *a, FILE *to, const char *command, const char *spec, const char *nodes, ...) __attribute__((sentinel));

/* The same with the strategy of a row. */
void suggest_row(const struct args *a, FILE *to, const char *command, const struct table *t, size_t row, const char *nodes, ...) __attribute__((sentinel));

/* The strategy of a row as a person would type it, whole; mem_freed by the caller. NULL: no memory. */
char *suggest_spec(const struct table *t, size_t row);

#endif
