/* Every strategy by name: the one list behind command line, README, charts, tests, and strategies that wrap another. */
#ifndef STRATEGIES_ENGINES_ALL_H
#define STRATEGIES_ENGINES_ALL_H

#include "strategies/strategy.h"

extern const struct strategy *const catalog[]; /* ends with NULL */
extern const struct strategy *catalog_guest;   /* one more that catalog_find knows, before all others: for tests; NULL: none */

const struct strategy *catalog_find(const char *name);  /* NULL: unknown */
int catalog_unknown(const char *name, char why[WHY]);   /* says which there are; -EINVAL */

#endif
