/* Specs of strategies as the command line gives them. */
#ifndef PLACEMENT_CATALOG_H
#define PLACEMENT_CATALOG_H

#include "strategies/engines/all.h"

/* Parses one text and expands its sweeps, e.g. "ring:vnodes=1/10/100". *out: n specs whose strategy is
 * known and whose options parse; each to be destroyed, the array mem_freed. 0, -EINVAL, -ENOMEM. */
int catalog_expand(const char *text, struct spec ***out, size_t *n, char why[WHY]);

#endif
