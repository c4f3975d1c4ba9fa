/* Monotonic time in nanoseconds, and what it costs to ask for it. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

uint64_t clock_ns(void);

struct clock_facts {
    double cost_ns; /* of one reading: a time between two readings holds one */
    double step_ns; /* the least by which it moves; 1: less than can be told */
};

/* From readings taken one right after the other; n >= 2. */
struct clock_facts clock_facts(const uint64_t *reading, size_t n);
struct clock_facts clock_measure(void);

#endif
