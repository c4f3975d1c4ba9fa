/* The grammar of strategies, workloads and hashes: what is read and written again is the same, whatever the text; sweeps multiply as told. */
#include "model/workload.h"
#include "placement/catalog.h"
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>

enum { MANY = 500, SHOWN = 20, FIELDS = 1024 };

/* The option table of a name, and what it is the name of. */
static const struct option *table_of(const char *name, const char **what)
{
    static const struct option none[] = {{0}};
    const struct strategy *s = catalog_find(name);
    *what = s ? "strategy" : "workload";
    if (s)
        return s->option ? s->option : none;
    for (const struct workload_kind *k = workload_kinds; k->name; k++)
        if (!strcmp(k->name, name))
            return k->option;
    return NULL;
}

/* All but the addresses of texts. */
static void same_fields(const struct option *o, const unsigned char *a, const unsigned char *b)
{
    for (; o->name; o++) {
        const unsigned char *x = a + o->offset, *y = b + o->offset;
        const char *s, *t;
        if (o->refuse)
            continue;
        if (o->type == OPTION_COUNT || o->type == OPTION_REAL) {
            HOLD(!memcmp(x, y, 8));
        } else if (o->type == OPTION_CHOICE) {
            HOLD(!memcmp(x, y, 4));
        } else if (o->type == OPTION_TEXT) {
            memcpy(&s, x, sizeof s);
            memcpy(&t, y, sizeof t);
            HOLD(s ? t && !strcmp(s, t) : !t);
        } else if (o->parse == hash_parse) {
            HOLD(!memcmp(x, y, sizeof(struct keyed_hash)));
        }
    }
}

/* NAME:OPTIONS, as an experiment writes them, is the spec that it was. */
static void again(const struct spec *spec, const struct option *table, const char *what)
{
    _Alignas(16) unsigned char field[FIELDS] = {0}, twin[FIELDS] = {0};
    char why[WHY] = "", *options, *text, *options2;
    struct spec *parsed, **all;
    size_t n;
    HOLD(!spec_fill(spec, table, what, field, why));
    HOLD((options = spec_options(spec, table)));
    HOLD((text = mem_alloc(strlen(spec->name) + strlen(options) + 2, 1)));
    sprintf(text, *options ? "%s:%s" : "%s", spec->name, options);
    HOLD(!spec_parse(text, &parsed, why));
    HOLD(!spec_expand(parsed, table, what, &all, &n, why));
    HOLD(n == 1);
    HOLD((options2 = spec_options(all[0], table)));
    HOLD(!strcmp(options, options2));
    HOLD(!spec_fill(all[0], table, what, twin, why));
    same_fields(table, field, twin);
    spec_axis(spec);
    spec_destroy(all[0]);
    spec_destroy(parsed);
    mem_free(all);
    mem_free(options);
    mem_free(options2);
    mem_free(text);
}

/* How many specs the sweeps would make, at most MANY + 1. */
static size_t product(const struct spec *spec)
{
    size_t all = 1, n;
    uint64_t *value;
    char why[WHY];
    for (size_t i = 0; i < spec->count && all <= MANY; i++) {
        const char *text = spec->item[i].value;
        n = 1;
        for (const char *c = text; c && *c; c++)
            n += *c == '/';
        if (text && strstr(text, ".."))
            n = MANY + 1;
        if (text && !sweep_counts(text, &value, &n, why))
            mem_free(value);
        all *= n;
    }
    return all;
}

/* An item of a spec of one value keeps it, as written. */
static void expanded(const struct spec *spec, const struct option *table, const char *what)
{
    char why[WHY] = "";
    struct spec **all;
    size_t n;
    if (refused(spec_expand(spec, table, what, &all, &n, why), why))
        return;
    HOLD(n >= 1);
    for (size_t i = 0; i < n; i++) {
        HOLD(!strcmp(all[i]->name, spec->name) && all[i]->count == spec->count);
        if (i < SHOWN || i == n - 1)
            again(all[i], table, what);
    }
    for (size_t i = 0; i < n; i++)
        spec_destroy(all[i]);
    mem_free(all);
}

static void hash(const char *text)
{
    struct keyed_hash h = {0}, again = {0};
    char why[WHY] = "", written[128];
    if (refused(hash_parse(text, &h, why), why))
        return;
    snprintf(written, sizeof written, h.seed ? "%s:seed=%" PRIu64 : "%s", h.hash->name, h.seed);
    HOLD(!hash_parse(written, &again, why) && again.hash == h.hash && again.seed == h.seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t live = mem_live();
    char why[WHY] = "", *text = text_of(data, size);
    struct spec *spec = NULL, **all;
    size_t n;
    int verdict = 0;
    if (!refused(spec_parse(text, &spec, why), why)) {
        const char *what;
        const struct option *table = table_of(spec->name, &what);
        if (!table) {
            HOLD(refused(catalog_expand(text, &all, &n, why), why));
            hash(text);
        }
        if (table && product(spec) > MANY)
            verdict = -1;
        else if (table)
            expanded(spec, table, what);
        spec_destroy(spec);
    }
    mem_free(text);
    HOLD(mem_live() == live);
    return verdict;
}
