/* The monotonic clock. Where it is the processor's counter, reading that itself would be quicker but no finer: what was measured of it moves in
 * the same steps. */
#include "base/clock.h"
#include <math.h>
#include <stdbool.h>
#include <time.h>

uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether neighbours all lie whole steps apart, but for their rounding to nanoseconds. */
static bool in_steps(const uint64_t *reading, size_t n, uint64_t step)
{
    for (size_t i = 1; i < n; i++)
        if ((reading[i] - reading[i - 1] + 1) % step > 2)
            return false;
    return true;
}

struct clock_facts clock_facts(const uint64_t *reading, size_t n)
{
    enum { COARSEST = 1000, FINEST = 4 }; /* within one of a multiple of 2 or 3 lies any number */
    uint64_t step = COARSEST;
    while (step >= FINEST && !in_steps(reading, n, step))
        step--;
    uint64_t least = step; /* where few steps were seen, a little less explains them too: the middle is meant */
    while (least > FINEST && in_steps(reading, n, least - 1))
        least--;
    return (struct clock_facts){(double)(reading[n - 1] - reading[0]) / (double)(n - 1), step < FINEST ? 1 : (double)((step + least) / 2)}; // NOLINT(bugprone-integer-division): whole ticks
}

struct clock_facts clock_measure(void)
{
    enum { TRIES = 50, READINGS = 201 };
    struct clock_facts best = {INFINITY, 1};
    for (int k = 0; k < TRIES; k++) { /* the quickest: what holds the machine up is not the clock's */
        uint64_t reading[READINGS];
        for (size_t i = 0; i < READINGS; i++)
            reading[i] = clock_ns();
        struct clock_facts f = clock_facts(reading, READINGS);
        best = f.cost_ns < best.cost_ns ? f : best;
    }
    return best;
}
