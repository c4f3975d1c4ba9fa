/* A strategy inside another: read from a SPEC among the outer's options, opened and changed as the core does with those of the command line. */
#ifndef STRATEGIES_ENGINES_WRAPPED_H
#define STRATEGIES_ENGINES_WRAPPED_H

#include "strategies/strategy.h"

struct wrapped {
    struct placement p;     /* engine NULL: not open yet */
    struct cluster cluster; /* p's */
    struct spec *spec;      /* holds the texts of p's options */
    struct keyed_hash hash; /* what strategies without their own take */
};

/* Reads the SPEC, not to be a strategy over another itself. 0, -EINVAL, -ENOMEM. */
int wrapped_read(struct wrapped *w, const char *text, char why[WHY]);
void wrapped_release(struct wrapped *w);

/* Opens it on c, or goes to c by its own change where it has one, else by opening anew. On failure it is as before. */
int wrapped_lead(struct wrapped *w, const struct cluster *c, char why[WHY]);

#endif
