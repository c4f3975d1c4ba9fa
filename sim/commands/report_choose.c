/* What "choose a replica count" tries: within a ring of a sensible size, and on names that the report's time allows. */
#include "commands/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TUNED_POINTS 4100000  /* points of the largest ring that is tuned: 1000 nodes of 4096 */
#define FAILED_POINTS 2600000 /* and of which each range's copies are followed */
enum { NAMED_MAX = 200, PATTERNS_MAX = 10 }; /* nodes of the given names; of common kinds, many sets of each */

/* "1..4096x2": as far as the ring stays of a sensible size. */
static void sweep(char out[24], uint64_t weight, uint64_t factor, uint64_t top, uint64_t points)
{
    uint64_t last = 1;
    while (last * factor <= top && last * factor <= points / weight)
        last *= factor;
    snprintf(out, 24, last == 1 ? "%" PRIu64 : "1..%" PRIu64 "x%" PRIu64, last, factor);
}

/* Names that a person wrote. A number stands for names that are made up, and a real configuration would bring its own hash. */
static bool is_named(const char *nodes)
{
    return strspn(nodes, "0123456789") < strlen(nodes) && !(*nodes == '@' && strchr(nodes, ':'));
}

void choose_open(struct report *r)
{
    struct choose *c = &r->choose;
    uint64_t weight = r->weight ? r->weight : 1;
    uint32_t size = r->size < 2 ? 2 : r->size > PATTERNS_MAX ? PATTERNS_MAX : r->size;
    sweep(c->tuned, weight, 2, 4096, TUNED_POINTS);
    sweep(c->timed, weight, 4, 4096, TUNED_POINTS);
    sweep(c->failed, weight, 2, 256, FAILED_POINTS);
    snprintf(c->number, sizeof c->number, "%" PRIu32, size);
    c->names = is_named(r->nodes) && r->size > 1 && weight <= NAMED_MAX ? r->nodes : c->number;
}

const char *choose_mark(const struct choose *c, const char *mark, size_t len)
{
    const struct mark all[] = {{"$TUNED", c->tuned}, {"$TIMED", c->timed}, {"$FAILED", c->failed}, {"$NAMES", c->names}};
    return mark_text(all, sizeof all / sizeof *all, mark, len);
}

bool choose_skips(const struct report *r, enum report_step step)
{
    return (step == STEP_FAIL && r->size < 3) || ((step == STEP_RESIZE || step == STEP_RESIZE_MODULO) && r->size > CHOOSE_MATRIX);
}

bool choose_may_refuse(enum report_step step)
{
    return step == STEP_TUNE || step == STEP_TUNE_TIME || step == STEP_FAIL || step == STEP_NAMES || step == STEP_RESIZE || step == STEP_RESIZE_MODULO;
}
