/* Who gives how much to whom: pairs of ids with what moves from the one to the other, added up as they come. Sums are integers, so the order of
 * additions does not matter. Cost: an open-addressing table, some 60 bytes a pair that occurs. */
#ifndef METRICS_FLOW_H
#define METRICS_FLOW_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums of digests reach 2^64, products of cell counts 2^128. */
__extension__ typedef unsigned __int128 sum128;

enum { FLOWS_MAX = 1 << 21 }; /* pairs that are kept */

struct flow {
    uint32_t from, to; /* NO_NODE: nobody */
    sum128 amount, keys; /* keys: how many requests make up the amount, where those are counted */
};

struct flows {
    struct flow *item;
    size_t count, capacity;
    uint32_t *slot; /* 1 + index of an item; 0: free */
    size_t slots;   /* a power of two */
    sum128 total;     /* what all amounts are parts of, set by who adds */
    bool broken;    /* memory or FLOWS_MAX ran out: something is missing */
};

void flows_release(struct flows *f);
void flows_add(struct flows *f, uint32_t from, uint32_t to, sum128 amount, sum128 keys);
void flows_join(struct flows *f, const struct flows *other); /* adds all of other's */
void flows_scale(struct flows *f, sum128 factor);
int flows_close(struct flows *f, char why[WHY]); /* sorts by from, to. 0, -EINVAL (too many), -ENOMEM */

#endif
