/* The smallest value that holds: doubling, then halving, with the same random numbers throughout (the first value of a noisy sweep that happens to hold
 * is too small). Where a rule fixes the shares they rise and fall with every remainder; there the answer is the value from which on all hold. */
#include "experiments/tune_parts.h"

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
        int e = tuner_holds(t, t->knob.listed[i], &holds, &a->worst_nodes, why);
        if (e || !holds)
            return e;
        a->met = true;
        a->value = t->knob.listed[i];
    }
    return 0;
}

/* The largest value of low .. high that does not hold, going down from high; low when all do. */
static int last_failing(struct tuner *t, uint64_t low, uint64_t high, uint64_t *out, uint32_t *worst, char why[WHY])
{
    for (*out = high; *out > low; --*out) {
        bool holds;
        if (knob_valid(&t->knob, *out) != *out)
            continue;
        int e = tuner_holds(t, *out, &holds, worst, why);
        if (e || !holds)
            return e;
    }
    return 0;
}

/* fails < holds are values that do. Looks as far up as it takes to see twice the answer hold; *lasting: it does. */
static int scan(struct tuner *t, uint64_t fails, uint64_t *holds, bool *lasting, uint32_t *worst, char why[WHY])
{
    double each = 0;
    for (size_t i = 0; i < t->stages; i++)
        each += t->stage[i].pieces;
    for (uint64_t top = 4 * *holds; each * (double)top * (double)top < 2 * SCAN_MOST && top <= t->knob.high; top *= 2) {
        uint64_t last;
        int e = last_failing(t, fails, top, &last, worst, why);
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

static int search(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    uint64_t fails = t->knob.low, at = knob_valid(&t->knob, fails), high = t->knob.high;
    a->first = at;
    if (t->knob.only)
        return search_listed(t, a, why);
    int e = tuner_holds(t, at, &a->met, &a->worst_nodes, why);
    a->tried = a->value = at;
    while (!e && !a->met && fails < high) {
        uint64_t next = fails < high / 2 ? 2 * fails : high;
        at = knob_valid(&t->knob, next);
        if (at > high || too_large(t, at))
            break;
        a->tried = a->value = at;
        e = tuner_holds(t, at, &a->met, &a->worst_nodes, why);
        if (!a->met)
            fails = next;
        else
            high = next;
    }
    if (e || !a->met || a->value == a->first)
        return e;
    while (high - fails > 1 && !e) { /* valid(fails) does not hold, valid(high) does */
        uint64_t mid = fails + (high - fails) / 2;
        bool holds;
        e = tuner_holds(t, knob_valid(&t->knob, mid), &holds, &a->worst_nodes, why);
        if (holds)
            high = mid;
        else
            fails = mid;
    }
    a->value = knob_valid(&t->knob, high);
    bool fixed = true;
    for (size_t i = 0; i < t->stages; i++)
        fixed &= t->stage[i].fixed;
    return e || !fixed ? e : scan(t, t->knob.low, &a->value, &a->lasting, &a->worst_nodes, why);
}

/* -- how certain -- */

/* The smallest value that holds with a margin, near one that holds as counted, to a hundredth; 0: out of sight. */
static int end_of(struct tuner *t, uint64_t value, enum margin margin, uint64_t *out, char why[WHY])
{
    uint64_t near = value, far = value, step = value / 16 + 1, exact = value / 100 + 1;
    bool holds = margin == LENIENT, down = holds;
    uint32_t worst;
    int e = 0;
    t->margin = margin;
    while (!e && holds == down) { /* away, until it no longer is as at the value */
        near = far;
        if (down ? far <= t->knob.low : far >= t->knob.high || too_large(t, far))
            break;
        far = down ? (far > t->knob.low + step ? far - step : t->knob.low) : far + step < t->knob.high ? far + step : t->knob.high;
        step *= 2;
        e = tuner_holds(t, knob_valid(&t->knob, far), &holds, &worst, why);
    }
    uint64_t fails = down ? far : near, passes = down ? near : far;
    if (holds == down) /* to the end of the range */
        fails = passes = down ? t->knob.low : 0;
    while (!e && passes - fails > exact) {
        uint64_t mid = fails + (passes - fails) / 2;
        e = tuner_holds(t, knob_valid(&t->knob, mid), &holds, &worst, why);
        *(holds ? &passes : &fails) = mid;
    }
    t->margin = AS_COUNTED;
    *out = down && fails < passes ? fails + 1 : passes;
    *out = *out ? knob_valid(&t->knob, *out) : 0;
    return e;
}

int tune_search(struct tuner *t, struct tune_answer *a, char why[WHY])
{
    int e = search(t, a, why);
    if (e || !a->met || t->knob.only || a->method == TUNE_EXACT || a->method == TUNE_FIXED)
        return e;
    e = end_of(t, a->value, LENIENT, &a->low, why);
    return e ? e : end_of(t, a->value, STRICT, &a->high, why);
}
