/* The one grammar of strategies, workloads and hashes:
 *
 *     name[:option=value[,option=value]...]
 *
 * An option that says what its name alone stands for may come without a value (`tree` for tree=8).
 * `\,` is a comma inside a value (and `\\` a backslash); a lone `sep=,` is understood
 * too. A value may be a sweep, which multiplies the specs: 1..1024x2 (geometric),
 * 50..200+50 (steps), 1/10/100 (a list). Only numbers, choices and custom options marked `sweeps` can be swept;
 * a text may hold any of these signs.
 *
 * Each option is a row in its owner's table; the core parses it once into a
 * field of the owner's struct. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
    OPTION_COUNT,  /* uint64_t field; min .. max; k, M, G allowed */
    OPTION_REAL,   /* double field; min .. max */
    OPTION_CHOICE, /* uint32_t field: index of the word in `choices` ("ge|gt|le") */
    OPTION_TEXT,   /* const char * field, NUL-terminated, owned by the spec; value NULL when not given and no fallback */
    OPTION_CUSTOM, /* parse() fills the field */
};

struct option {
    const char *name;
    enum option_type type;
    size_t offset;        /* of the field in the owner's struct */
    const char *fallback; /* default, in the language of the option; NULL: the field stays zero */
    double min, max;      /* COUNT (max 0: 2^64-1) and REAL (min = max = 0: any) */
    const char *choices;
    int (*parse)(const char *text, void *field, char why[WHY]); /* 0 or -EINVAL; the field has at most
                             256 bytes; owns nothing, as values are tried before they are kept */
    bool sweeps;          /* CUSTOM: a value with '/' is a list */
    const char *bare;     /* the value that the name alone stands for; NULL: a value is needed */
    bool always;          /* stands in option texts even when not given (vnodes) */
    const char *help;     /* one line: meaning and unit */
    const char *refuse;   /* a misnomer: not an option, but this cure is printed when it is used */
};                        /* tables end with a row whose name is NULL */

/* A spec split into its words. Opaque but for reading. */
struct spec {
    char *name;
    const char *text; /* as written, for messages; NULL once expanded */
    size_t count;
    struct spec_item {
        char *name, *value; /* value unescaped; NULL: the name stands alone, which expansion ends */
        bool swept;         /* this value came from a sweep */
    } *item;
};

/* Splits text. 0; -EINVAL (an empty name, an option twice); -ENOMEM.
 * On success *out is to be freed with spec_destroy. */
int spec_parse(const char *text, struct spec **out, char why[WHY]);
void spec_destroy(struct spec *spec);

/* The product of all sweeps of spec, the last option varying fastest: *out is an
 * array of *n specs (at most 100000), each to be destroyed, the array mem_freed.
 * Unknown options and values that do not parse are refused here, with the known
 * ones and the nearest match. what: "strategy", "workload" or "hash", for messages. */
int spec_expand(const struct spec *spec, const struct option *table, const char *what,
                struct spec ***out, size_t *n, char why[WHY]);

/* Fills fields (the owner's struct) with the defaults and then the spec's values.
 * OPTION_TEXT fields point into spec. 0 or -EINVAL. */
int spec_fill(const struct spec *spec, const struct option *table, const char *what, void *fields, char why[WHY]);

/* "vnodes=150,hash=md5-32": the options given, and those marked always, in the
 * table's order, numbers in plain digits, commas escaped; NUL-terminated, mem_freed
 * by the caller; NULL when memory is out. */
char *spec_options(const struct spec *spec, const struct option *table);

/* The first swept option of spec, or the first one given whose value is a number, or NULL. */
const struct spec_item *spec_axis(const struct spec *spec);

/* Splits a sweep of whole numbers ("10", "3/10/100", "10..1000x10", "5..25+5") into values.
 * Parts joined by '/' may be ranges too. Used for NODES too. why does not name the text:
 * the caller puts its argument in front. *out is mem_freed by the caller. 0, -EINVAL, -ENOMEM. */
int sweep_counts(const char *text, uint64_t **out, size_t *n, char why[WHY]);

/* "unknown strategy 'rin'; did you mean 'ring'? known: ..." written by fail(); -EINVAL. */
int fail_unknown(char why[WHY], const char *what, const char *given, const char *const *known, size_t n);

#endif
