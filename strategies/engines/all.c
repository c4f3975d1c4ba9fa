#include "strategies/engines/all.h"

#include "base/text.h"
#include "model/hash.h"

#include <errno.h>
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

const struct strategy *catalog_guest;

const struct strategy *catalog_find(const char *name)
{
    if (catalog_guest && !strcmp(catalog_guest->name, name))
        return catalog_guest;
    for (size_t i = 0; i < STRATEGIES; i++)
        if (!strcmp(catalog[i]->name, name))
            return catalog[i];
    return NULL;
}

int catalog_unknown(const char *name, char why[WHY])
{
    const char *known[STRATEGIES];
    for (size_t i = 0; i < STRATEGIES; i++)
        known[i] = catalog[i]->name;
    if (hash_find(name) && text_nearest(name, known, STRATEGIES) == STRATEGIES)
        return fail(why, EINVAL, "unknown strategy '%s': that is a hash; ring:hash=%s puts points by it, -H %s keys", name, name, name);
    return fail_unknown(why, "strategy", name, known, STRATEGIES);
}
