#include "placement/catalog.h"

int catalog_expand(const char *text, struct spec ***out, size_t *n, char why[WHY])
{
    static const struct option none[] = {{0}};
    struct spec *spec;
    int e = spec_parse(text, &spec, why);
    if (e)
        return e;
    const struct strategy *s = catalog_find(spec->name);
    e = s ? spec_expand(spec, s->option ? s->option : none, "strategy", out, n, why) : catalog_unknown(spec->name, why);
    spec_destroy(spec);
    return e;
}
