/* "Choose a replica count": how many points a node a target needs, and what a failure, a weak hash and a resize do. */
#ifndef COMMANDS_REPORT_CHOOSE_H
#define COMMANDS_REPORT_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>

#define CHOOSE_TARGET "1.10"     /* the fullest node over its fair share ... */
#define CHOOSE_CONFIDENCE "0.95" /* ... in so many of all clusters */

enum { CHOOSE_MATRIX = 60 }; /* nodes whose givers and receivers a picture can show */

struct choose {
    char tuned[24], timed[24], failed[24]; /* points a node that are tried */
    const char *names;                     /* nodes whose names are hashed: the report's, or as many of common kinds */
    char number[24];
};

const char *choose_mark(const struct choose *c, const char *mark, size_t len); /* what "$TUNED" stands for; NULL: not one of these */

#endif
