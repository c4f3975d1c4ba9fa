/* Which nodes hold the copies of what: a placement's ranges, each with the list of nodes that keep it, in the strategy's order. */
#ifndef EXPERIMENTS_COPIES_H
#define EXPERIMENTS_COPIES_H

#include "placement/placement.h"

struct copies {
    size_t count, width;
    uint32_t *node; /* ids: list i stands at node[i * width], NO_NODE where the strategy names no more */
    double *share;  /* of list i */
};

/* Lists of `width` nodes; neighbours with the same list are one, and ranges that nobody owns are left out. 0, -EINVAL (no map), -ENOMEM; release in any
 * case. Cost: a list a range. */
int copies_list(struct copies *c, const struct placement *p, size_t width, char why[WHY]);
void copies_release(struct copies *c);

#endif
