/* "When a node dies", "when the cache goes cold", "hot keys". */
#ifndef COMMANDS_REPORT_TROUBLE_H
#define COMMANDS_REPORT_TROUBLE_H

#include "base/why.h"
#include <stddef.h>
#include <stdint.h>

#define TROUBLE_CAPACITY "1.5" /* what the nodes of the cascade's picture bear, over their fair share */

struct trouble {
    char trials[24];       /* placements that failures are tried on */
    char *victim;          /* the first node's name, as a command line takes it */
    const char *trace;     /* a recorded workload; NULL: none was given */
    uint64_t requests;     /* of the trace */
    char at[32], window[24], items[24]; /* when a node joins its caches, what a row of the result stands for, what a cache holds */
};

const char *trouble_mark(const struct trouble *t, const char *mark, size_t len); /* what "$TRIALS" stands for; NULL: not one of these */

#endif
