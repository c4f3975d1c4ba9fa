#include "placement/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool has_option(const struct strategy *s, const char *name)
{
    const struct option *o = s->option;
    while (o && o->name && strcmp(o->name, name))
        o++;
    return o && o->name;
}

/* over=ring,vnodes=9: where an option is unknown, but the strategy under this one has it, that is the mistake. */
static void blame_inner(const struct strategy *s, const struct spec *spec, char why[WHY])
{
    const char *over = "ring";
    char name[64];
    for (size_t i = 0; i < spec->count; i++)
        if (!strcmp(spec->item[i].name, "over") && spec->item[i].value)
            over = spec->item[i].value;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(over, ":"), over);
    const struct strategy *inner = has_option(s, "over") ? catalog_find(name) : NULL;
    for (size_t i = 0; inner && i < spec->count; i++) {
        const struct spec_item *item = &spec->item[i];
        if (has_option(s, item->name) || !item->value || !has_option(inner, item->name))
            continue;
        fail(why, EINVAL, "strategy %s: unknown option '%s'; it is %s's: over=%.200s%s%s=%.200s", s->name, item->name, inner->name, over,
             strchr(over, ':') ? "\\," : ":", item->name, item->value);
        return;
    }
}

int catalog_expand(const char *text, struct spec ***out, size_t *n, char why[WHY])
{
    static const struct option none[] = {{0}};
    struct spec *spec;
    int e = spec_parse(text, &spec, why);
    if (e)
        return e;
    const struct strategy *s = catalog_find(spec->name);
    e = s ? spec_expand(spec, s->option ? s->option : none, "strategy", out, n, why) : catalog_unknown(spec->name, why);
    if (s && e == -EINVAL)
        blame_inner(s, spec, why);
    spec_destroy(spec);
    return e;
}
