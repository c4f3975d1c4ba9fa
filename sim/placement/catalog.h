/* Every strategy by name: the one list behind command line, README, charts and tests. */
#ifndef PLACEMENT_CATALOG_H
#define PLACEMENT_CATALOG_H

#include "strategies/strategy.h"

extern const struct strategy *const catalog[]; /* ends with NULL */
const struct strategy *catalog_find(const char *name); /* NULL: unknown */

/* Parses one text and expands its sweeps, e.g. "ring:vnodes=1/10/100". *out: n specs whose strategy is
 * known and whose options parse; each to be destroyed, the array mem_freed. 0, -EINVAL, -ENOMEM. */
int catalog_expand(const char *text, struct spec ***out, size_t *n, char why[WHY]);

#endif
