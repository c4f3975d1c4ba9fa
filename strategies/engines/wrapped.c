#include "strategies/engines/wrapped.h"

#include "base/mem.h"
#include "strategies/engines/all.h"

#include <errno.h>
#include <string.h>

void wrapped_release(struct wrapped *w)
{
    if (w->p.engine)
        w->p.engine->destroy(w->p.state);
    mem_free((void *)(uintptr_t)w->p.options);
    spec_destroy(w->spec);
    *w = (struct wrapped){0};
}

static bool goes_over(const struct strategy *s)
{
    const struct option *o = s->option;
    while (o && o->name && strcmp(o->name, "over") != 0)
        o++;
    return o && o->name;
}

int wrapped_read(struct wrapped *w, const char *text, char why[WHY])
{
    *w = (struct wrapped){0};
    int e = spec_parse(text, &w->spec, why);
    if (e)
        return e;
    const struct strategy *s = w->p.strategy = catalog_find(w->spec->name);
    void *options = s ? mem_alloc(1, s->options_size) : NULL;
    w->p.options = options;
    if (!s)
        e = catalog_unknown(w->spec->name, why);
    else if (goes_over(s))
        e = fail(why, EINVAL, "%s goes over another strategy itself; any other can stand here, such as ring or jump", s->name);
    else if (!options)
        e = fail(why, ENOMEM, "no memory to open %s", text);
    else
        e = spec_fill(w->spec, s->option, "strategy", options, why);
    if (e)
        wrapped_release(w);
    return e;
}

static int open_on(const struct wrapped *w, const struct cluster *c, struct placement *fresh, char why[WHY])
{
    *fresh = (struct placement){.strategy = w->p.strategy, .options = w->p.options, .cluster = c, .key.hash = w->hash};
    return fresh->strategy->open(fresh, why);
}

int wrapped_lead(struct wrapped *w, const struct cluster *c, char why[WHY])
{
    const struct strategy *s = w->p.strategy;
    struct placement fresh;
    bool anew = !w->p.engine || !s->change;
    int e = anew ? open_on(w, c, &fresh, why) : s->change(&w->p, c, why);
    if (!e && anew && fresh.engine->again) { /* no strategy with a change of its own looks again */
        fresh.engine->destroy(fresh.state);
        e = fail(why, EINVAL, "with a node down it hashes a key anew and looks again, which cannot be done inside another strategy; take the node out");
    }
    if (e)
        return fail(why, -e, "%s: %s", s->name, why);
    if (anew && w->p.engine)
        w->p.engine->destroy(w->p.state);
    if (anew)
        w->p = fresh;
    w->cluster = *c;
    w->p.cluster = &w->cluster;
    return 0;
}
