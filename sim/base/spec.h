/* What spec.c, sweep.c and option.c share; all others include option.h. */
#ifndef BASE_SPEC_H
#define BASE_SPEC_H

#include "base/option.h"
#include "base/why.h"
#include <stddef.h>

#define SWEEP_MAX 100000 /* values of one sweep, and specs of one product */

int sweep_reals(const char *text, double **out, size_t *n, char why[WHY]); /* as sweep_counts */
int sweep_too_many(char why[WHY]); /* the sentence; -EINVAL */

/* The row of an item of spec, and the value it gives; -EINVAL for an unknown or refused one, or one that needs a value. */
int option_find(const struct option *table, const struct spec *spec, const struct spec_item *item, const char *what,
                const struct option **out, const char **value, char why[WHY]);

/* Whether the option takes this one value: 0 or -EINVAL. */
int option_check(const struct option *o, const char *text, const char *what, const char *owner, char why[WHY]);

/* Puts in front of why what the value belongs to; returns error. */
int option_blame(char why[WHY], int error, const char *what, const char *owner, const char *option, const char *value);

#endif
