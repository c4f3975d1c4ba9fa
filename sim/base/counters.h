/* What the processor counts while something runs: instructions, cycles, misses. Through perf_event where Linux has it and the kernel allows;
 * each counter by itself, so that one the machine lacks does not take the others along. */
#ifndef BASE_COUNTERS_H
#define BASE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

enum counter { COUNTER_INSTRUCTIONS, COUNTER_CYCLES, COUNTER_CACHE_MISSES, COUNTER_BRANCH_MISSES, COUNTERS };

struct counter_event { /* in perf_event's numbers */
    uint32_t type;
    uint64_t config;
};
extern const struct counter_event counters_hardware[COUNTERS];

struct counters {
    int file[COUNTERS]; /* -1: not to be had */
    int error;          /* errno of the first that is not; 0: all are */
};

#define COUNTERS_NONE {.file = {-1, -1, -1, -1}}

/* Of the calling thread, in user mode. Never fails: what cannot be counted reads as NaN. */
void counters_open(struct counters *c, const struct counter_event event[COUNTERS]);
void counters_close(struct counters *c);
bool counters_any(const struct counters *c);

/* Counts add up over every start .. stop since opened. */
void counters_start(const struct counters *c);
void counters_stop(const struct counters *c);
double counters_read(const struct counters *c, enum counter which);

/* A count that ran for a part of the time only, since others had their turn, brought to the whole of it; NaN: it never ran. */
double counters_scale(uint64_t count, uint64_t enabled_ns, uint64_t running_ns);

/* Why they are not to be had, and what would help. */
const char *counters_why(int error);
bool counters_forbidden(int error); /* by the kernel's rules, which can be changed */

#endif
