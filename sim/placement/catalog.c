#include "placement/catalog.h"

#include "base/mem.h"

#include <string.h>

#define STRATEGY(name) extern const struct strategy strategy_##name;
#include "strategies/list.h"
#undef STRATEGY

const struct strategy *const catalog[] = {
#define STRATEGY(name) &strategy_##name,
#include "strategies/list.h"
#undef STRATEGY
    NULL,
};
enum { STRATEGIES = sizeof catalog / sizeof *catalog - 1 };

const struct strategy *catalog_find(const char *name)
{
    for (size_t i = 0; i < STRATEGIES; i++)
        if (!strcmp(catalog[i]->name, name))
            return catalog[i];
    return NULL;
}

int catalog_expand(const char *text, struct spec ***out, size_t *n, char why[WHY])
{
    static const struct option none[] = {{0}};
    struct spec *spec;
    int e = spec_parse(text, &spec, why);
    if (e)
        return e;
    const struct strategy *s = catalog_find(spec->name);
    if (s) {
        e = spec_expand(spec, s->option ? s->option : none, "strategy", out, n, why);
    } else {
        const char *known[STRATEGIES];
        for (size_t i = 0; i < STRATEGIES; i++)
            known[i] = catalog[i]->name;
        e = fail_unknown(why, "strategy", spec->name, known, STRATEGIES);
    }
    spec_destroy(spec);
    return e;
}
