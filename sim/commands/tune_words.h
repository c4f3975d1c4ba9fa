/* What tune says to people. */
#ifndef COMMANDS_TUNE_WORDS_H
#define COMMANDS_TUNE_WORDS_H

#include "commands/request.h"
#include "experiments/tune.h"

/* What the words need beside the table. */
extern struct tune_told {
    struct tune ask;
    struct tune_answer answer;
    struct table *timed; /* NULL: no --cost */
} tune_told;

words_writer tune_words;
int tune_table(const struct table *t, FILE *to, char why[WHY]); /* with the legend */
void tune_odds(FILE *to);                                      /* "95 of 100" */
void tune_method_line(const struct table *t, uint64_t seed, FILE *to); /* where the figures come from */

#endif
