/* Sweeps of numbers: parts joined by '/', each a number, steps FIRST..LAST+STEP or
 * a geometric range FIRST..LASTxFACTOR. The last value belongs to a range when it
 * is hit exactly. */
#include "base/spec.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    const char *text;
    size_t len;
};

struct part {
    struct word first, last, by;
    char sign; /* '+', 'x', or 0: first stands alone */
};

struct counts {
    uint64_t *value;
    size_t n, capacity;
};

struct reals {
    double *value;
    size_t n, capacity;
};

int sweep_too_many(char why[WHY]) { return fail(why, EINVAL, "more than %d values", SWEEP_MAX); }

static int no_memory(char why[WHY]) { return fail(why, ENOMEM, "out of memory"); }

static int runs_backwards(char why[WHY])
{
    return fail(why, EINVAL, "the range runs backwards: the smaller end comes first");
}

static int part_split(struct word w, struct part *p, char why[WHY])
{
    const char *end = w.text + w.len, *dots = memmem(w.text, w.len, "..", 2);
    *p = (struct part){.first = w};
    if (!dots)
        return 0;
    const char *last = dots + 2, *sign = last;
    while (sign < end && *sign != 'x' && (*sign != '+' || sign[-1] == 'e' || sign[-1] == 'E')) /* 1e+5 is a number */
        sign++;
    if (sign == end)
        return fail(why, EINVAL, "a range needs a step or a factor: 50..200+50 or 1..1024x2");
    p->first.len = (size_t)(dots - w.text);
    p->last = (struct word){last, (size_t)(sign - last)};
    p->by = (struct word){sign + 1, (size_t)(end - sign) - 1};
    p->sign = *sign;
    return 0;
}

static int read_count(struct word w, uint64_t *value, char why[WHY])
{
    int error = text_count(w.text, w.len, value);
    if (error == -ERANGE)
        return fail(why, EINVAL, "'%.*s' is too large: whole numbers end at %llu", (int)w.len, w.text, (unsigned long long)UINT64_MAX);
    if (error)
        return fail(why, EINVAL, "'%.*s' is not a whole number, like 150, 10k or 2M", (int)w.len, w.text);
    return 0;
}

static int read_real(struct word w, double *value, char why[WHY])
{
    if (text_real(w.text, w.len, value))
        return fail(why, EINVAL, "'%.*s' is not a number, like 1.25", (int)w.len, w.text);
    return 0;
}

static int read_factor(struct word w, double *factor, char why[WHY])
{
    int error = read_real(w, factor, why);
    if (!error && *factor <= 1)
        error = fail(why, EINVAL, "a factor of %.*s does not advance: it must be above 1", (int)w.len, w.text);
    return error;
}

static int push_count(struct counts *list, uint64_t value, char why[WHY])
{
    if (list->n == SWEEP_MAX)
        return sweep_too_many(why);
    if (mem_grow(&list->value, &list->capacity, list->n + 1, sizeof value))
        return no_memory(why);
    list->value[list->n++] = value;
    return 0;
}

static int push_real(struct reals *list, double value, char why[WHY])
{
    char tidy[32]; /* 0.1 * 3 is meant as 0.3 */
    if (list->n == SWEEP_MAX)
        return sweep_too_many(why);
    if (mem_grow(&list->value, &list->capacity, list->n + 1, sizeof value))
        return no_memory(why);
    snprintf(tidy, sizeof tidy, "%.12g", value);
    list->value[list->n++] = strtod(tidy, NULL);
    return 0;
}

static int count_steps(struct counts *list, uint64_t first, uint64_t last, struct word by, char why[WHY])
{
    uint64_t step;
    int error = read_count(by, &step, why);
    if (error)
        return error;
    if (step == 0)
        return fail(why, EINVAL, "a step of 0 does not advance");
    if ((last - first) / step >= SWEEP_MAX)
        return sweep_too_many(why);
    uint64_t value = first;
    while (!(error = push_count(list, value, why)) && last - value >= step)
        value += step;
    return error;
}

static int count_factors(struct counts *list, uint64_t first, uint64_t last, struct word by, char why[WHY])
{
    double factor;
    int error = read_factor(by, &factor, why);
    if (error)
        return error;
    if (first == 0)
        return fail(why, EINVAL, "0 times a factor does not advance: start at 1");
    uint64_t value = first, before = 0;
    if (factor < 0x1p53 && factor == (double)(uint64_t)factor) { /* exact beyond 2^53 too */
        while (!(error = push_count(list, value, why)) && value <= last / (uint64_t)factor)
            value *= (uint64_t)factor;
        return error;
    }
    double real = (double)first;
    for (int i = 0; !error && value <= last; i++) {
        if (i == SWEEP_MAX) /* a factor so near 1 that rounding hides it */
            return sweep_too_many(why);
        if (value != before)
            error = push_count(list, value, why);
        before = value;
        real *= factor;
        if (real >= 0x1p64)
            break;
        value = (uint64_t)(real + 0.5);
    }
    return error;
}

static int count_part(struct word w, struct counts *list, char why[WHY])
{
    struct part p;
    uint64_t first, last;
    int error = part_split(w, &p, why);
    if (error || (error = read_count(p.first, &first, why)))
        return error;
    if (!p.sign)
        return push_count(list, first, why);
    if ((error = read_count(p.last, &last, why)))
        return error;
    if (last < first)
        return runs_backwards(why);
    return p.sign == '+' ? count_steps(list, first, last, p.by, why) : count_factors(list, first, last, p.by, why);
}

static int real_steps(struct reals *list, double first, double last, struct word by, char why[WHY])
{
    double step;
    int error = read_real(by, &step, why);
    if (error)
        return error;
    if (step <= 0)
        return fail(why, EINVAL, "a step of %.*s does not advance", (int)by.len, by.text);
    double steps = (last - first) / step + 1e-9; /* the last one, however it is rounded */
    if (!(steps < SWEEP_MAX))
        return sweep_too_many(why);
    for (size_t i = 0; !error && i <= (size_t)steps; i++)
        error = push_real(list, first + (double)i * step, why);
    return error;
}

static int real_factors(struct reals *list, double first, double last, struct word by, char why[WHY])
{
    double factor;
    int error = read_factor(by, &factor, why);
    if (!error && first <= 0)
        error = fail(why, EINVAL, "a factor needs a start above 0");
    for (double value = first; !error && value <= last * (1 + 1e-12); value *= factor)
        error = push_real(list, value, why);
    return error;
}

static int real_part(struct word w, struct reals *list, char why[WHY])
{
    struct part p;
    double first, last;
    int error = part_split(w, &p, why);
    if (error || (error = read_real(p.first, &first, why)))
        return error;
    if (!p.sign) {
        if ((error = push_real(list, first, why)) == 0)
            list->value[list->n - 1] = first; /* as it was written */
        return error;
    }
    if ((error = read_real(p.last, &last, why)))
        return error;
    if (last < first)
        return runs_backwards(why);
    return p.sign == '+' ? real_steps(list, first, last, p.by, why) : real_factors(list, first, last, p.by, why);
}

int sweep_counts(const char *text, uint64_t **out, size_t *n, char why[WHY])
{
    struct counts list = {0};
    int error = 0;
    for (const char *at = text; at && !error;) {
        size_t len = strcspn(at, "/");
        error = count_part((struct word){at, len}, &list, why);
        at = at[len] ? at + len + 1 : NULL;
    }
    if (error) {
        mem_free(list.value);
        return error;
    }
    *out = list.value;
    *n = list.n;
    return 0;
}

int sweep_reals(const char *text, double **out, size_t *n, char why[WHY])
{
    struct reals list = {0};
    int error = 0;
    for (const char *at = text; at && !error;) {
        size_t len = strcspn(at, "/");
        error = real_part((struct word){at, len}, &list, why);
        at = at[len] ? at + len + 1 : NULL;
    }
    if (error) {
        mem_free(list.value);
        return error;
    }
    *out = list.value;
    *n = list.n;
    return 0;
}
