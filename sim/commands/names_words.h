/* How the results of keysim names read to people: one file a view. */
#ifndef COMMANDS_NAMES_WORDS_H
#define COMMANDS_NAMES_WORDS_H

#include "commands/request.h"
#include "experiments/names.h"

#include <string.h>

/* Some rings, each at a few numbers of points: the first is the user's. */
int names_ladders(const struct study *s, const struct table *t, FILE *to, char why[WHY]);

/* All hashes over all patterns and labels. */
int names_matrix(const struct study *s, const struct table *t, FILE *to, char why[WHY]);

static inline bool same_text(const struct table *t, size_t a, size_t b, const struct column *c)
{
    return !strcmp(table_get_text(t, a, c), table_get_text(t, b, c));
}

/* Whether a row is less even than chance allows. */
static inline bool is_blamed(const struct table *t, size_t row)
{
    return !strcmp(table_get_text(t, row, COL(verdict)), "hash");
}

static inline bool are_patterns(const struct table *t)
{
    return strcmp(table_get_text(t, 0, COL(pattern)), NAMES_GIVEN) != 0;
}

/* A scatter in percent: "9.3 %", "146 %". */
static inline const char *percent(const struct table *t, size_t row, const struct column *c, char text[32])
{
    double x = 100 * table_get_real(t, row, c);
    snprintf(text, 32, "%.*f %%", x < 9.95 ? 1 : 0, x);
    return text;
}

#endif
