/* The smallest value that holds: doubling, then halving, with the same random numbers throughout (the first value of a noisy sweep that happens to hold
 * is too small). Where a rule fixes the shares they rise and fall with every remainder; there the answer is the value from which on all hold. */
#include "experiments/tune_parts.h"

#include "base/progress.h"

#include <errno.h>
#include <inttypes.h>

#define PIECES_MOST 2e6 /* of one placement that is still tried */
#define SCAN_MOST 4e8   /* pieces of all placements of a scan */

/* Whether a placement at the value is too large to be tried. */
static bool too_large(const struct tuner *t, uint64_t value)
{
    if (t->exact || t->stage[0].arcs_drawn)
        return false;
    for (size_t i = 0; i < t->stages; i++)
        if (t->stage[i].pieces * (double)value > PIECES_MOST ||
            t->stage[i].pieces * (double)value * t->stage[i].turns * (t->stage[i].fixed ? 1 : 100) > 100 * PIECES_MOST)
            return true;
    return false;
}

/* Of few values the smallest from which on all hold, those above it tried first. */
static int search_listed(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    a->tried = a->value = t->knob.listed[t->knob.count - 1];
    for (size_t i = t->knob.count; i-- > 0;) {
        bool holds;
        int e = tuner_holds(t, t->knob.listed[i], &holds, why);
        if (e || !holds)
            return e;
        a->met = true;
        a->value = t->knob.listed[i];
    }
    return 0;
}

/* The largest value of low .. high that does not hold, going down from high; low when all do. */
static int last_failing(struct tuner *t, uint64_t low, uint64_t high, uint64_t *out, char why[WHY])
{
    for (*out = high; *out > low; --*out) {
        bool holds;
        if (knob_valid(&t->knob, *out) != *out)
            continue;
        int e = tuner_holds(t, *out, &holds, why);
        if (e || !holds)
            return e;
    }
    return 0;
}

/* fails < holds are values that do. Looks as far up as it takes to see twice the answer hold; *lasting: it does. */
static int scan(struct tuner *t, uint64_t fails, uint64_t *holds, bool *lasting, char why[WHY])
{
    double each = 0;
    for (size_t i = 0; i < t->stages; i++)
        each += t->stage[i].pieces;
    for (uint64_t top = 4 * *holds; each * (double)top * (double)top < 2 * SCAN_MOST && top <= t->knob.high; top *= 2) {
        uint64_t last;
        int e = last_failing(t, fails, top, &last, why);
        if (e)
            return e;
        if (last <= top / 2) {
            *holds = knob_valid(&t->knob, last + 1);
            *lasting = true;
            return 0;
        }
    }
    return 0;
}

/* -- when to give up, and how close to come -- */

enum { STEPS_MOST = 64, STEPS_BACK = 4 };

struct step {
    uint64_t value;
    double off;
};

/* Adds a value that failed. Whether the spread has stopped falling: sixteen times the value should leave a quarter of it, and left over four fifths; where a
 * node has but few points, that says nothing. */
static bool stalled(const struct tuner *t, uint64_t value, struct step *trail, size_t *steps, struct tune_stall *stall)
{
    const struct stage *g = &t->stage[t->lead];
    double off = g->fixed || g->arcs_drawn || t->exact ? NAN : stage_off(t, g);
    if (isnan(off) || *steps == STEPS_MOST)
        return false;
    trail[(*steps)++] = (struct step){value, off};
    if (*steps <= STEPS_BACK)
        return false;
    struct step back = trail[*steps - 1 - STEPS_BACK];
    if (off < 0.8 * back.off || g->pieces * (double)back.value < STEPS_MOST * (double)g->cluster->size)
        return false;
    *stall = (struct tune_stall){back.value, value, back.off, off};
    return true;
}

/* A sample knows its answer to some hundredths. */
static uint64_t closeness(const struct tuner *t, uint64_t value)
{
    const struct stage *g = &t->stage[t->lead];
    uint64_t parts = stage_quick(t, g, value, 100) < 100 ? 32 : 256;
    return t->led && !g->arcs_drawn && value > 2 * parts ? value / parts : 1;
}

/* Of a search between these, of its ends and of the rows; 0 where that is quick. */
static uint64_t points_ahead(const struct tuner *t, uint64_t fails, uint64_t high)
{
    enum { ENDS = 10, ROWS = 32 * (2 + 4 + 8) };
    const struct stage *g = &t->stage[t->lead];
    double looks = ENDS, work = stage_work(g, high);
    if (!t->led || g->arcs_drawn)
        return 0;
    for (uint64_t gap = high - fails; gap > closeness(t, high); gap /= 2)
        looks++;
    return (uint64_t)(work * ((looks + (double)t->stages) * (double)stage_quick(t, g, high, 100) + ROWS));
}

static int search(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    uint64_t fails = t->knob.low, at = knob_valid(&t->knob, fails), high = t->knob.high;
    struct step trail[STEPS_MOST];
    size_t steps = 0;
    a->first = at;
    a->stall = (struct tune_stall){0};
    if (t->knob.only)
        return search_listed(t, a, why);
    int e = tuner_holds(t, at, &a->met, why);
    a->tried = a->value = at;
    while (!e && !a->met && fails < high) {
        uint64_t next = fails < high / 2 ? 2 * fails : high;
        at = knob_valid(&t->knob, next);
        if (at > high || too_large(t, at))
            break;
        a->tried = a->value = at;
        e = tuner_holds(t, at, &a->met, why);
        if (!a->met)
            fails = next;
        else
            high = next;
        if (!e && !a->met && stalled(t, at, trail, &steps, &a->stall))
            break;
    }
    if (e || !a->met || a->value == a->first)
        return e;
    progress_start("tune", "points", points_ahead(t, fails, high));
    while (high - fails > closeness(t, high) && !e) { /* valid(fails) does not hold, valid(high) does */
        uint64_t mid = fails + (high - fails) / 2;
        bool holds;
        e = tuner_holds(t, knob_valid(&t->knob, mid), &holds, why);
        if (holds)
            high = mid;
        else
            fails = mid;
    }
    a->value = knob_valid(&t->knob, high);
    bool fixed = true;
    for (size_t i = 0; i < t->stages; i++)
        fixed &= t->stage[i].fixed;
    return e || !fixed ? e : scan(t, t->knob.low, &a->value, &a->lasting, why);
}

/* -- how certain -- */

/* The smallest value that holds with a margin, near one that holds as counted, to a hundredth; 0: out of sight. */
static int end_of(struct tuner *t, uint64_t value, enum margin margin, uint64_t *out, char why[WHY])
{
    uint64_t near = value, far = value, step = value / 16 + 1, exact = value / 100 + 1;
    bool holds = margin == LENIENT, down = holds;
    int e = 0;
    t->margin = margin;
    while (!e && holds == down) { /* away, until it no longer is as at the value */
        near = far;
        if (down ? far <= t->knob.low : far >= t->knob.high || too_large(t, far))
            break;
        far = down ? (far > t->knob.low + step ? far - step : t->knob.low) : far + step < t->knob.high ? far + step : t->knob.high;
        step *= 2;
        e = tuner_holds(t, knob_valid(&t->knob, far), &holds, why);
    }
    uint64_t fails = down ? far : near, passes = down ? near : far;
    if (holds == down) /* to the end of the range */
        fails = passes = down ? t->knob.low : 0;
    while (!e && passes - fails > exact) {
        uint64_t mid = fails + (passes - fails) / 2;
        e = tuner_holds(t, knob_valid(&t->knob, mid), &holds, why);
        *(holds ? &passes : &fails) = mid;
    }
    t->margin = AS_COUNTED;
    *out = down && fails < passes ? fails + 1 : passes;
    *out = *out ? knob_valid(&t->knob, *out) : 0;
    return e;
}

/* -- several sizes -- */

static size_t largest(const struct tuner *t)
{
    size_t best = 0;
    for (size_t i = 1; i < t->stages; i++)
        if (t->stage[i].cluster->size > t->stage[best].cluster->size)
            best = i;
    return best;
}

/* The stage that spreads most at a value; another than the lead only where chance does not explain it. */
static int widest(struct tuner *t, uint64_t value, size_t *out, char why[WHY])
{
    double most, most_error, reach, error, best = 0;
    int e = stage_reach(t, &t->stage[t->lead], value, &most, &most_error, why);
    *out = t->lead;
    for (size_t i = 0; i < t->stages && !e; i++) {
        if (i == t->lead)
            continue;
        e = stage_reach(t, &t->stage[i], value, &reach, &error, why);
        if (!e && reach - most > 2 * hypot(error, most_error) && reach > best) {
            best = reach;
            *out = i;
        }
    }
    return e;
}

/* All draws are spent on one size, first the largest: were each size counted at every value, the unluckiest would seem to need most. */
static int search_led(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    size_t first = t->lead, other = first;
    int e = search(t, a, why);
    if (!e && a->met && t->stages > 1)
        e = widest(t, a->value, &other, why);
    if (e || other == first)
        return e;
    struct tune_answer b = *a;
    t->lead = other;
    e = search(t, &b, why);
    if (!e && b.met && b.value <= a->value)
        t->lead = first;
    else if (!e)
        *a = b;
    return e;
}

int tune_search(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    t->lead = largest(t);
    t->led = !t->knob.only && a->method != TUNE_EXACT && a->method != TUNE_FIXED;
    int e = t->led ? search_led(t, a, why) : search(t, a, why);
    if (e || !a->met || !t->led)
        return e;
    e = end_of(t, a->value, LENIENT, &a->low, why);
    return e ? e : end_of(t, a->value, STRICT, &a->high, why);
}
