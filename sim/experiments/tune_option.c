/* Which option is tuned: the one that is swept, else the first number that the shares depend on. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "base/text.h"
#include "strategies/engines/maglev.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text, size_t len, uint64_t *value)
{
    return len > 0 && text_count(text, len, value) == 0;
}

/* Whether all words of a choice are numbers, so many at least that more may mean better. */
static bool is_scale(const struct option *o)
{
    uint64_t value;
    size_t n = 0;
    for (const char *word = o->choices; word; n++) {
        size_t len = strcspn(word, "|");
        if (!is_number(word, len, &value))
            return false;
        word = word[len] ? word + len + 1 : NULL;
    }
    return n > 3;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int list_add(struct knob *k, uint64_t value)
{
    uint64_t *longer = mem_resize(k->listed, k->count + 1, sizeof *longer);
    if (!longer)
        return -ENOMEM;
    k->listed = longer;
    longer[k->count++] = value;
    return 0;
}

uint64_t knob_valid(const struct knob *k, uint64_t value)
{
    if (k->only) {
        for (size_t i = 0; i < k->count; i++)
            if (k->listed[i] >= value)
                return k->listed[i];
        return k->high + 1;
    }
    while (k->primes && !maglev_is_size(value))
        value++;
    return value;
}

int knob_spec(const struct knob *k, uint64_t value, struct spec **out, char why[WHY])
{
    size_t room = strlen(k->base->name) + strlen(k->option->name) + 32, n;
    for (size_t i = 0; i < k->base->count; i++)
        room += strlen(k->base->item[i].name) + 2 * strlen(k->base->item[i].value) + 2;
    char *text = mem_alloc(room, 1), *at = text;
    struct spec **all;
    if (!text)
        return fail(why, ENOMEM, "no memory for a candidate");
    at += sprintf(at, "%s:%s=%" PRIu64, k->base->name, k->option->name, value);
    for (size_t i = 0; i < k->base->count; i++) {
        const struct spec_item *item = &k->base->item[i];
        if (!strcmp(item->name, k->option->name))
            continue;
        at += sprintf(at, ",%s=", item->name);
        for (const char *from = item->value; *from; *at++ = *from++)
            if (*from == ',' || *from == '\\')
                *at++ = '\\';
    }
    int e = catalog_expand(text, &all, &n, why);
    mem_free(text);
    if (e)
        return e;
    *out = all[0];
    (*out)->item[0].swept = true; /* for the columns option and value */
    mem_free(all);
    return 0;
}

/* The shares on c with the option at a value. */
static int shares_at(const struct study *s, const struct knob *k, uint64_t value, const struct cluster *c, double *share)
{
    char why[WHY];
    struct spec *spec;
    struct placement *p = NULL;
    double unplaced;
    int e = knob_spec(k, value, &spec, why);
    if (e)
        return e;
    e = placement_open(&p, spec, c, &s->hash, why);
    if (!e)
        e = placement_shares(p, share, &unplaced, why);
    placement_close(p);
    spec_destroy(spec);
    return e;
}

/* Whether shares depend on the option. */
static bool matters(const struct study *s, struct knob *k, const struct option *o, const struct cluster *c)
{
    uint64_t value = 100, other;
    if (o->fallback)
        text_count(o->fallback, strlen(o->fallback), &value);
    other = value > 1 ? value / 2 + 1 : 2;
    double *share = mem_alloc(2 * (size_t)c->ids, sizeof *share);
    k->option = o;
    bool differ = share && shares_at(s, k, value, c, share) == 0 && shares_at(s, k, other, c, share + c->ids) == 0 &&
                  memcmp(share, share + c->ids, c->ids * sizeof *share) != 0;
    mem_free(share);
    return differ;
}

static const struct option *main_option(const struct study *s, struct knob *k, const struct option *table, const struct cluster *c)
{
    static const char *const never[] = {"seed", "first", "bits", "size"};
    for (const struct option *o = table; o && o->name; o++)
        if (o->type == OPTION_COUNT && o->always && !o->refuse)
            return o;
    for (const struct option *o = table; o && o->name; o++) {
        bool skip = o->refuse || o->type != OPTION_COUNT || (o->fallback && !strcmp(o->fallback, "0")); /* 0: switched off, so no scale */
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            skip |= !strcmp(o->name, never[i]);
        if (!skip && matters(s, k, o, c))
            return o;
    }
    for (const struct option *o = table; o && o->name; o++)
        if (o->type == OPTION_CHOICE && !o->refuse && is_scale(o))
            return o;
    return NULL;
}

/* The one swept option of the study's specs, NULL where none is. */
static int swept_option(const struct study *s, const struct option *table, const struct option **out, char why[WHY])
{
    const struct spec *spec = s->spec[0];
    *out = NULL;
    for (size_t i = 0; i < spec->count; i++) {
        if (!spec->item[i].swept)
            continue;
        if (*out)
            return fail(why, EINVAL, "tune: one option is tuned at a time, and both %s and %s are swept", (*out)->name, spec->item[i].name);
        for (*out = table; strcmp((*out)->name, spec->item[i].name);)
            ++*out;
        if ((*out)->type != OPTION_COUNT && !((*out)->type == OPTION_CHOICE && is_scale(*out)))
            return fail(why, EINVAL, "tune: %s is no number, so no value of it is the smallest that holds; sweep a number, like ring:vnodes=1..1024x2",
                        (*out)->name);
    }
    return 0;
}

static int list_values(const struct study *s, struct knob *k, bool swept, char why[WHY])
{
    int e = 0;
    uint64_t value;
    for (size_t i = 0; i < s->specs && swept && !e; i++)
        for (size_t j = 0; j < s->spec[i]->count && !e; j++)
            if (!strcmp(s->spec[i]->item[j].name, k->option->name) && is_number(s->spec[i]->item[j].value, strlen(s->spec[i]->item[j].value), &value))
                e = list_add(k, knob_valid(k, value));
    k->only = k->option->type == OPTION_CHOICE;
    for (const char *word = k->only && !swept ? k->option->choices : NULL; word && !e;) {
        size_t len = strcspn(word, "|");
        if (is_number(word, len, &value))
            e = list_add(k, value);
        word = word[len] ? word + len + 1 : NULL;
    }
    if (e)
        return fail(why, ENOMEM, "no memory for the candidates");
    if (k->count)
        qsort(k->listed, k->count, sizeof *k->listed, by_size);
    return 0;
}

int knob_find(const struct study *s, const struct cluster *c, struct knob *out, char why[WHY])
{
    enum { MOST = 1 << 24 };
    const struct option *table = catalog_find(s->spec[0]->name)->option, *swept;
    *out = (struct knob){.base = s->spec[0]};
    for (size_t i = 1; i < s->specs; i++)
        if (strcmp(s->spec[i]->name, s->spec[0]->name))
            return fail(why, EINVAL, "tune: one strategy at a time: %s or %s?", s->spec[0]->name, s->spec[i]->name);
    int e = swept_option(s, table, &swept, why);
    if (e)
        return e;
    if (s->specs > 1 && !swept)
        return fail(why, EINVAL, "tune: one strategy is wanted, and -s names %zu", s->specs);
    out->option = swept ? swept : main_option(s, out, table, c);
    if (!out->option && catalog_find(s->spec[0]->name)->version)
        return fail(why, EINVAL, "tune: %s has no number to tune, its points or cells are what the real system makes them; keysim balance -s %s -n %s --exact "
                                 "--placements 100 tells what they give", s->spec[0]->name, s->spec[0]->name, strlen(s->nodes[0]) < 40 ? s->nodes[0] : "NODES");
    if (!out->option)
        return fail(why, EINVAL, "tune: %s has no number to tune; ring:vnodes, maglev:table, slots:count, multi-probe:probes and their like have", s->spec[0]->name);
    out->primes = !strcmp(out->option->name, "table") && out->option->type == OPTION_COUNT;
    e = list_values(s, out, swept != NULL, why);
    out->low = out->count ? out->listed[0] : out->option->min > 1 ? (uint64_t)out->option->min : 1;
    out->high = out->count ? out->listed[out->count - 1] : out->option->max > 0 && out->option->max < MOST ? (uint64_t)out->option->max : MOST;
    return e;
}

void knob_release(struct knob *k)
{
    mem_free(k->listed);
}
