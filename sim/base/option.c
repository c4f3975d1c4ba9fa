/* Option tables: what each strategy, workload and hash takes, how its values are
 * read, and how a spec is written in canonical form. */
#include "base/option.h"
#include "base/mem.h"
#include "base/spec.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CUSTOM_MAX = 256 }; /* bytes of a custom field */

int fail_unknown(char why[WHY], const char *what, const char *given, const char *const *known, size_t n)
{
    char list[WHY] = "none";
    size_t used = 0, near = text_nearest(given, known, n);
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    if (near < n)
        return fail(why, EINVAL, "unknown %s '%.100s'; did you mean '%s'? known: %s", what, given, known[near], list);
    return fail(why, EINVAL, "unknown %s '%.100s'; known: %s", what, given, list);
}

int option_blame(char why[WHY], int error, const char *what, const char *owner, const char *option, const char *value)
{
    if (error != -EINVAL)
        return error;
    return fail(why, EINVAL, "%s %s: %s=%.200s: %s", what, owner, option, value, why);
}

/* What item says of o. */
static const char *value_of(const struct option *o, const struct spec_item *item)
{
    return item->value ? item->value : o->bare;
}

int option_find(const struct option *table, const struct spec *spec, const struct spec_item *item, const char *what,
                const struct option **out, const char **value, char why[WHY])
{
    const char *known[64], *name = item->name, *owner = spec->name;
    size_t n = 0;
    for (const struct option *o = table; o && o->name; o++) {
        if (strcmp(o->name, name) == 0 && (*value = value_of(o, item))) {
            *out = o;
            return o->refuse ? fail(why, EINVAL, "%s %s: %s= is not an option here: %s", what, owner, name, o->refuse) : 0;
        }
        if (!o->refuse && n < sizeof known / sizeof *known)
            known[n++] = o->name;
    }
    if (!item->value)
        return fail(why, EINVAL, "'%s': '%s' is not of the form option=value", spec->text, name);
    if (n == 0)
        return fail(why, EINVAL, "%s %s: unknown option '%.100s'; it takes none", what, owner, name);
    fail_unknown(why, "option", name, known, n);
    return fail(why, EINVAL, "%s %s: %s", what, owner, why);
}

static int outside(const struct option *o, char why[WHY])
{
    char min[32], max[32];
    bool open = o->max >= 0x1p64 || (o->type == OPTION_COUNT && o->max <= 0);
    if (o->type == OPTION_COUNT) { /* in plain digits, however many */
        snprintf(min, sizeof min, "%.0f", o->min);
        snprintf(max, sizeof max, "%.0f", open ? 0 : o->max);
    } else {
        text_number(o->min, min);
        text_number(o->max, max);
    }
    return open ? fail(why, EINVAL, "must be at least %s", min) : fail(why, EINVAL, "must be %s to %s", min, max);
}

static int read_count(const struct option *o, const char *text, uint64_t *value, char why[WHY])
{
    uint64_t n;
    int error = text_count(text, strlen(text), &n);
    if (error == -ERANGE)
        return fail(why, EINVAL, "too large: whole numbers end at %" PRIu64, UINT64_MAX);
    if (error)
        return fail(why, EINVAL, "must be a whole number, like 150, 10k or 2M");
    if ((double)n < o->min || (o->max > 0 && (double)n > o->max))
        return outside(o, why);
    *value = n;
    return 0;
}

static int read_real(const struct option *o, const char *text, double *value, char why[WHY])
{
    double x;
    if (text_real(text, strlen(text), &x))
        return fail(why, EINVAL, "must be a number, like 1.25");
    if ((o->min < 0 || o->min > 0 || o->max < 0 || o->max > 0) && (x < o->min || x > o->max))
        return outside(o, why);
    *value = x;
    return 0;
}

static int read_choice(const struct option *o, const char *text, uint32_t *value, char why[WHY])
{
    size_t len = strlen(text);
    uint32_t index = 0;
    for (const char *word = o->choices; word; index++) {
        size_t size = strcspn(word, "|");
        if (size == len && memcmp(word, text, len) == 0) {
            *value = index;
            return 0;
        }
        word = word[size] ? word + size + 1 : NULL;
    }
    return fail(why, EINVAL, "must be %s", o->choices);
}

static int read_value(const struct option *o, const char *text, void *field, char why[WHY])
{
    switch (o->type) {
    case OPTION_COUNT: return read_count(o, text, field, why);
    case OPTION_REAL: return read_real(o, text, field, why);
    case OPTION_CHOICE: return read_choice(o, text, field, why);
    case OPTION_TEXT: *(const char **)field = text; return 0;
    case OPTION_CUSTOM: return o->parse(text, field, why);
    }
    return 0;
}

int option_check(const struct option *o, const char *text, const char *what, const char *owner, char why[WHY])
{
    _Alignas(16) unsigned char field[CUSTOM_MAX] = {0};
    return option_blame(why, read_value(o, text, field, why), what, owner, o->name, text);
}

static const struct spec_item *given(const struct spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->count; i++)
        if (strcmp(spec->item[i].name, name) == 0)
            return &spec->item[i];
    return NULL;
}

int spec_fill(const struct spec *spec, const struct option *table, const char *what, void *fields, char why[WHY])
{
    for (size_t i = 0; i < spec->count; i++) { /* all that can fail first */
        const struct option *o;
        const char *text;
        int error = option_find(table, spec, &spec->item[i], what, &o, &text, why);
        if (error || (error = option_check(o, text, what, spec->name, why)))
            return error;
    }
    for (const struct option *o = table; o && o->name; o++) {
        const struct spec_item *item = given(spec, o->name);
        const char *text = item ? value_of(o, item) : o->fallback;
        if (o->refuse || (!text && o->type != OPTION_TEXT))
            continue;
        int error = read_value(o, text, (char *)fields + o->offset, why);
        if (error)
            return option_blame(why, error, what, spec->name, o->name, text);
    }
    return 0;
}

static const char *plain(const struct option *o, const char *text, char number[32])
{
    uint64_t count;
    double real;
    if (o->type == OPTION_COUNT && !text_count(text, strlen(text), &count)) {
        snprintf(number, 32, "%" PRIu64, count);
        return number;
    }
    if (o->type == OPTION_REAL && !text_real(text, strlen(text), &real))
        return text_number(real, number);
    return text;
}

char *spec_options(const struct spec *spec, const struct option *table)
{
    char *out = NULL, number[32];
    size_t room = 1, used = 0;
    for (int pass = 0; pass < 2; pass++) { /* measures, then writes */
        if (pass == 1 && !(out = mem_alloc(room, 1)))
            return NULL;
        for (const struct option *o = table; o && o->name; o++) {
            const struct spec_item *item = given(spec, o->name);
            const char *text = item ? value_of(o, item) : o->always ? o->fallback : NULL;
            if (!text || o->refuse)
                continue;
            text = plain(o, text, number);
            if (pass == 0) {
                room += strlen(o->name) + 2 + 2 * strlen(text);
                continue;
            }
            used += (size_t)snprintf(out + used, room - used, "%s%s=", used > 0 ? "," : "", o->name);
            for (; *text; text++) {
                if (*text == ',' || *text == '\\')
                    out[used++] = '\\';
                out[used++] = *text;
            }
        }
    }
    return out;
}
