/* What the IPVS schedulers mh and sh share: addresses, and destinations in the kernel's order. */
#ifndef STRATEGIES_ENGINES_IPVS_H
#define STRATEGIES_ENGINES_IPVS_H

#include "strategies/strategy.h"

/* A place among destinations: `node` is a member, `number` what both schedulers hash of it. */
struct ipvs_dest {
    const struct node *node;
    uint32_t number;
};

/* The members in the kernel's order, which is the reverse of adding; to be mem_freed. Sets p's key filter, whose part is the client's number as
 * 4 little-endian bytes. NULL: why says what is no address, or that memory is out, and *error is the errno. */
struct ipvs_dest *ipvs_open(struct placement *p, int *error, char why[WHY]);

/* The number that the filter made. */
uint32_t ipvs_number(const void *part, size_t len);

bool ipvs_any_down(const struct cluster *c);

#endif
