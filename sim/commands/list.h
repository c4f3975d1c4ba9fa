/* What list and help say of a strategy beyond its own words. */
#ifndef COMMANDS_LIST_H
#define COMMANDS_LIST_H

#include "strategies/strategy.h"

struct nature {
    const char *exact; /* what --exact can tell */
    char traits[256];  /* "weights, minimal, any node leaves", or "" */
};

/* Of the strategy as it comes, for keys of the hash. 0 or a negative errno with a sentence. */
int nature_of(const struct strategy *s, const struct keyed_hash *hash, struct nature *out, char why[WHY]);

#endif
