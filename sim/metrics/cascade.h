/* Failures that bring further failures: the load of the dead falls on the living, all that are strictly above what they bear fail at once, and so on
 * until nobody more does. Nodes are places 0 .. nodes-1; loads, fair shares and capacities are parts of the whole load. */
#ifndef METRICS_CASCADE_H
#define METRICS_CASCADE_H

#include "base/why.h"
#include <stdbool.h>
#include <stdint.h>

/* How the system hands load on: load[place] of the living once those are dead (at least one lives), 0 for the dead, and what nobody has. 0 or a
 * negative errno. */
typedef int cascade_load(void *of, const bool *dead, double *load, double *lost, char why[WHY]);

/* Is shown every state from the first deaths on, the last being stable, or without survivors. */
typedef void cascade_watch(void *to, uint32_t step, const bool *dead, const double *load);

struct cascade {
    uint32_t nodes;
    const double *fair, *capacity;
    cascade_load *load;
    void *of;
    cascade_watch *watch; /* NULL: nobody looks */
    void *to;
};

struct cascade_end {
    uint32_t survivors;
    uint32_t steps; /* times that more nodes failed after the first deaths */
    double peak;    /* the largest load over fair share that a living node saw */
    double lost;    /* the load that nobody has: 1 without survivors */
};

/* Loads that are equal but for rounding are not above. */
bool cascade_over(double load, double capacity);

/* Goes on from the first deaths, given as dead[], the loads after them (0 of the dead) and what was lost; dead[] and load[] end as the cascade does. The error of
 * `load`, or -ENOMEM. Cost: a call of `load` a step. */
int cascade_run(const struct cascade *c, bool *dead, double *load, double lost, struct cascade_end *end, char why[WHY]);

#endif
