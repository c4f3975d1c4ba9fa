/* Specs: the one grammar of strategies, workloads and hashes, and the product of its
 * sweeps.
 *
 * A spec is one block of memory: the struct, its items, then all their texts, so
 * that it is freed at once. The product is an odometer over the values of each item. */
#include "base/spec.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int no_memory(char why[WHY]) { return fail(why, ENOMEM, "out of memory"); }

static struct spec *spec_room(size_t count, size_t text, char **texts)
{
    struct spec *spec = mem_alloc(1, sizeof *spec + count * sizeof *spec->item + text);
    if (spec) {
        spec->item = (struct spec_item *)(spec + 1);
        *texts = (char *)(spec->item + count);
    }
    return spec;
}

/* Copies one value from *from up to its comma, unescaped, to *to. An empty value
 * before a comma that no option follows is that comma: sep=, needs no escape. */
static void take_value(const char **from, char **to)
{
    const char *in = *from;
    char *out = *to;
    if (in[0] == ',' && (in[1] == ',' || in[1] == 0))
        *out++ = *in++;
    for (; *in && *in != ','; in++) {
        if (in[0] == '\\' && (in[1] == ',' || in[1] == '\\'))
            in++;
        *out++ = *in;
    }
    *out++ = 0;
    *from = in;
    *to = out;
}

int spec_parse(const char *text, struct spec **out, char why[WHY])
{
    size_t len = strlen(text), most = 1, name = strcspn(text, ":");
    char *to;
    if (name == 0)
        return fail(why, EINVAL, "'%s': a name must stand first: name:option=value,...", text);
    for (size_t i = 0; i < len; i++)
        most += text[i] == ',';
    struct spec *spec = spec_room(most, 2 * len + 3, &to);
    if (!spec)
        return no_memory(why);
    spec->text = strcpy(to, text);
    to += len + 1;
    spec->name = memcpy(to, text, name);
    to += name + 1;
    for (const char *in = text + name; *in;) {
        struct spec_item *item = &spec->item[spec->count];
        size_t word = strcspn(++in, "=,");
        if (word == 0) {
            fail(why, EINVAL, "'%s': '' is not of the form option=value", text);
            spec_destroy(spec);
            return -EINVAL;
        }
        item->name = memcpy(to, in, word);
        to += word;
        *to++ = 0;
        in += word;
        if (*in == '=') {
            in++;
            item->value = to;
            take_value(&in, &to);
        }
        for (size_t i = 0; i < spec->count; i++)
            if (strcmp(spec->item[i].name, item->name) == 0) {
                fail(why, EINVAL, "'%s': %s= stands twice; once is right", text, item->name);
                spec_destroy(spec);
                return -EINVAL;
            }
        spec->count++;
    }
    *out = spec;
    return 0;
}

void spec_destroy(struct spec *spec) { mem_free(spec); }

/* The values of one item, NUL after each, and where the odometer stands. */
struct values {
    char *text;
    size_t used, capacity, n;
    const char *at;
};

static int push(struct values *list, const char *text, size_t len, char why[WHY])
{
    if (list->n == SWEEP_MAX)
        return sweep_too_many(why);
    if (mem_grow(&list->text, &list->capacity, list->used + len + 1, 1))
        return no_memory(why);
    memcpy(list->text + list->used, text, len);
    list->text[list->used + len] = 0;
    list->used += len + 1;
    list->n++;
    return 0;
}

static int push_counts(struct values *list, const char *text, char why[WHY])
{
    uint64_t *value;
    size_t n;
    char digits[32];
    int error = sweep_counts(text, &value, &n, why);
    if (error)
        return error;
    for (size_t i = 0; i < n && !error; i++)
        error = push(list, digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value[i]), why);
    mem_free(value);
    return error;
}

static int push_reals(struct values *list, const char *text, char why[WHY])
{
    double *value;
    size_t n;
    char digits[32];
    int error = sweep_reals(text, &value, &n, why);
    if (error)
        return error;
    for (size_t i = 0; i < n && !error; i++)
        error = push(list, digits, strlen(text_number(value[i], digits)), why);
    mem_free(value);
    return error;
}

static int push_words(struct values *list, const char *text, char why[WHY])
{
    int error;
    size_t len;
    do {
        len = strcspn(text, "/");
        error = push(list, text, len, why);
        text += len;
    } while (!error && *text++);
    return error;
}

/* Fills list with the values of item, each of them one its option takes. */
static int read_values(const struct spec *spec, const struct spec_item *item, const struct option *table, const char *what,
                       struct values *list, char why[WHY])
{
    const struct option *o;
    const char *value, *owner = spec->name;
    int error = option_find(table, spec, item, what, &o, &value, why);
    if (error)
        return error;
    if (o->type == OPTION_COUNT)
        error = push_counts(list, value, why);
    else if (o->type == OPTION_REAL)
        error = push_reals(list, value, why);
    else if (o->type == OPTION_CHOICE || (o->type == OPTION_CUSTOM && o->sweeps))
        error = push_words(list, value, why);
    else
        error = push(list, value, strlen(value), why);
    if (error)
        return option_blame(why, error, what, owner, item->name, value);
    list->at = list->text;
    for (const char *at = list->text; !error && at < list->text + list->used; at += strlen(at) + 1)
        error = option_check(o, at, what, owner, why);
    return error;
}

/* A spec of the values the odometer shows. */
static struct spec *spec_shown(const struct spec *from, const struct values *list)
{
    size_t room = strlen(from->name) + 1;
    char *to;
    for (size_t i = 0; i < from->count; i++)
        room += strlen(from->item[i].name) + strlen(list[i].at) + 2;
    struct spec *spec = spec_room(from->count, room, &to);
    if (!spec)
        return NULL;
    spec->count = from->count;
    spec->name = to;
    to = stpcpy(to, from->name) + 1;
    for (size_t i = 0; i < from->count; i++) {
        spec->item[i] = (struct spec_item){.name = to, .swept = list[i].n > 1};
        to = stpcpy(to, from->item[i].name) + 1;
        spec->item[i].value = to;
        to = stpcpy(to, list[i].at) + 1;
    }
    return spec;
}

/* One step: the last item fastest. */
static void turn(struct values *list, size_t count)
{
    while (count-- > 0) {
        list[count].at += strlen(list[count].at) + 1;
        if (list[count].at < list[count].text + list[count].used)
            return;
        list[count].at = list[count].text;
    }
}

static int multiply(const struct spec *spec, struct values *list, struct spec ***out, size_t *n, char why[WHY])
{
    size_t total = 1;
    for (size_t i = 0; i < spec->count; i++)
        if ((total *= list[i].n) > SWEEP_MAX) /* both at most SWEEP_MAX: no overflow */
            return fail(why, EINVAL, "%s: its sweeps multiply to more than %d specs", spec->name, SWEEP_MAX);
    struct spec **made = mem_alloc(total, sizeof *made);
    size_t done = 0;
    for (; made && done < total && (made[done] = spec_shown(spec, list)); done++)
        turn(list, spec->count);
    if (done == total) {
        *out = made;
        *n = total;
        return 0;
    }
    while (done > 0)
        spec_destroy(made[--done]);
    mem_free(made);
    return no_memory(why);
}

int spec_expand(const struct spec *spec, const struct option *table, const char *what,
                struct spec ***out, size_t *n, char why[WHY])
{
    struct values *list = mem_alloc(spec->count, sizeof *list);
    int error = list ? 0 : no_memory(why);
    for (size_t i = 0; i < spec->count && !error; i++)
        error = read_values(spec, &spec->item[i], table, what, &list[i], why);
    if (!error)
        error = multiply(spec, list, out, n, why);
    for (size_t i = 0; list && i < spec->count; i++)
        mem_free(list[i].text);
    mem_free(list);
    return error;
}

const struct spec_item *spec_axis(const struct spec *spec)
{
    uint64_t count;
    double real;
    for (size_t i = 0; i < spec->count; i++)
        if (spec->item[i].swept)
            return &spec->item[i];
    for (size_t i = 0; i < spec->count; i++) {
        const char *value = spec->item[i].value;
        if (value && (!text_count(value, strlen(value), &count) || !text_real(value, strlen(value), &real)))
            return &spec->item[i];
    }
    return NULL;
}
