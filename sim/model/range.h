/* A stretch of digests or cells and its owner. */
#ifndef MODEL_RANGE_H
#define MODEL_RANGE_H

#include <stdint.h>

struct range {
    uint64_t first, last; /* inclusive; first <= last */
    uint32_t id;          /* NO_NODE is allowed */
};

#endif
