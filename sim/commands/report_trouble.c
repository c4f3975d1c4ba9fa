/* What the sections of trouble try, as the report's time allows: failures on fewer placements the more nodes there are, and the trace that was
 * given, with a node that joins at half of it. */
#include "commands/report.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FAILURES 20000 /* first victims, times nodes that may follow, in all placements */
enum { TRIALS_MAX = 50, TRIALS_QUICK = 5, FAIL_MAX = 1000, LOADED_MAX = 20 };

/* How many requests a trace has: it is read once. */
static int count_trace(struct trouble *t, uint64_t seed, char why[WHY])
{
    struct workload *w;
    struct key_block b;
    int e = workload_open_text(&w, t->trace, seed, why);
    if (e)
        return e;
    if (workload_is_random_access(w)) {
        t->requests = workload_requests(w);
    } else if (key_block_init(&b)) {
        e = fail(why, ENOMEM, "no memory for the trace");
    } else {
        while (!(e = workload_next(w, &b, why)) && b.count)
            t->requests += b.count;
        key_block_release(&b);
    }
    workload_close(w);
    return e;
}

static int open_trace(struct trouble *t, uint64_t seed, char why[WHY])
{
    enum { WINDOWS = 50, TRACE_MIN = 2 * WINDOWS, ITEMS_PART = 10 };
    if (!strcmp(t->trace, "-") || strstr(t->trace, "path=-"))
        return fail(why, EINVAL, "--trace %s: the trace is read several times, so it must be a file, not standard input", t->trace);
    int e = count_trace(t, seed, why);
    if (!e && t->requests < TRACE_MIN)
        e = fail(why, EINVAL, "--trace %s: has %" PRIu64 " requests; a picture wants %d or more", t->trace, t->requests, TRACE_MIN);
    uint64_t window = t->requests / WINDOWS, items = t->requests / ITEMS_PART;
    snprintf(t->window, sizeof t->window, "%" PRIu64, window);
    snprintf(t->at, sizeof t->at, "%" PRIu64 ":+1", window * (WINDOWS / 2));
    snprintf(t->items, sizeof t->items, "%" PRIu64, items < 10 ? 10 : items);
    return e;
}

int trouble_open(struct report *r, const char *victim, char why[WHY])
{
    struct trouble *t = &r->trouble;
    uint64_t size = r->size ? r->size : 1, trials = FAILURES / (size * size);
    uint64_t most = r->a->quick ? TRIALS_QUICK : TRIALS_MAX;
    size_t len = strlen(victim);
    snprintf(t->trials, sizeof t->trials, "%" PRIu64, trials < 1 ? 1 : trials > most ? most : trials);
    t->victim = mem_alloc(3 * len + 1, 1);
    if (!t->victim)
        return fail(why, ENOMEM, "no memory for the report");
    if (r->a->percent)
        text_percent_encode(victim, len, t->victim);
    else
        memcpy(t->victim, victim, len);
    t->trace = r->a->trace;
    return t->trace ? open_trace(t, r->a->seed, why) : 0;
}

void trouble_close(struct report *r)
{
    mem_free(r->trouble.victim);
}

const char *trouble_mark(const struct trouble *t, const char *mark, size_t len)
{
    const struct mark all[] = {{"$TRIALS", t->trials}, {"$VICTIM", t->victim}, {"$TRACE", t->trace}, {"$AT", t->at}, {"$WINDOW", t->window}, {"$ITEMS", t->items}};
    return mark_text(all, sizeof all / sizeof *all, mark, len);
}

bool trouble_skips(const struct report *r, enum report_step step)
{
    switch ((int)step) {
    case STEP_DIE:
    case STEP_DIE_COPIES:
    case STEP_RECEIVERS: return r->size < 2 || r->size > FAIL_MAX;
    case STEP_DIE_LOADED: return r->size < 2 || r->size > LOADED_MAX;
    case STEP_CASCADE_1:
    case STEP_CASCADE_150: return r->size < 2 || r->size > CHOOSE_MATRIX;
    case STEP_TRACE: return !r->trouble.trace;
    default: return false;
    }
}

bool trouble_may_refuse(enum report_step step)
{
    return step >= STEP_DIE && step <= STEP_RECEIVERS;
}
