/* What balance says of hot keys. */
#ifndef COMMANDS_BALANCE_WORDS_H
#define COMMANDS_BALANCE_WORDS_H

#include "commands/request.h"

/* Whether the row counts what the first row does: a strategy's first load, of those that share a table. */
bool is_main(const struct table *t, size_t row);

/* Whether one key alone is more than a node's fair share, or has a good part in how uneven chance leaves the requests. */
bool is_hot(const struct table *t);
void say_hot(const struct table *t, FILE *to); /* the first line then */

/* Whether the first row counts requests, which keys share unequally: what chance does then is not sampling. */
bool is_popularity(const struct table *t);

/* "the fullest node has 1.90 under ring, ..." of all rows, those that look at loads last. */
void say_fullest(const struct table *t, const char *lead, FILE *to);

/* Whether requests lie uneven where their keys do not, so that what helps against hot keys helps. */
bool is_lopsided(const struct table *t);

/* The last line then: a command that shows what helps. False: all that is shown already. */
bool suggest_cure(const struct args *a, const struct study *s, const struct table *t, FILE *to);

#endif
