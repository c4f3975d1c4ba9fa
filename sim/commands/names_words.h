/* How the results of keysim names read to people: one file a view. */
#ifndef COMMANDS_NAMES_WORDS_H
#define COMMANDS_NAMES_WORDS_H

#include "commands/request.h"
#include "experiments/names.h"

#include <inttypes.h>
#include <string.h>

/* Some rings, each at a few numbers of points: the first is the user's. */
int names_ladders(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY]);

/* All hashes over all patterns and labels. */
int names_matrix(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY]);

/* Strategies that come with their own hash and labels. */
int names_systems(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY]);

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

/* "8 sets of names of each kind, seed 1", after a separator; nothing of given names. */
static inline void tell_sets(const struct table *t, const char *separator, FILE *to)
{
    uint64_t sets = table_get_count(t, 0, COL(placements));
    if (are_patterns(t))
        fprintf(to, "%s%" PRIu64 " set%s of names of each kind, seed %" PRIu64, separator, sets, sets == 1 ? "" : "s", table_get_count(t, 0, COL(seed)));
}

/* What no hash can mend. */
static inline void tell_labels(const struct table *t, FILE *to)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (!strcmp(table_get_text(t, r, COL(verdict)), "label")) {
            fprintf(to, "No hash helps where two labels are one text: \"%s\" over %s. Put a sign between name and counter, like {node}#{i}.\n",
                    table_get_text(t, r, COL(label)), table_get_text(t, r, COL(names)));
            return;
        }
}

/* A scatter in percent: "9.3 %", "146 %". */
static inline const char *percent(const struct table *t, size_t row, const struct column *c, char text[32])
{
    double x = 100 * table_get_real(t, row, c);
    snprintf(text, 32, "%.*f %%", x < 9.95 ? 1 : 0, x);
    return text;
}

#endif
