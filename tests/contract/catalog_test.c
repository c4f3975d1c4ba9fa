/* The catalog's rows can be shown, and what is no spec is refused. */
#include "tests/contract/trial.h"

#include <ctype.h>

static bool is_word(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-' && *c != '_')
            return false;
    return *name != 0;
}

static bool is_line(const char *text)
{
    return text && *text && !strpbrk(text, "\n\r\t");
}

/* A row can be shown: it says what it is. */
static void rows(void)
{
    for (size_t i = 0; catalog[i]; i++) {
        const struct strategy *s = catalog[i];
        size_t same = 0;
        for (size_t k = 0; catalog[k]; k++)
            same += catalog[k] == s || !strcmp(catalog[k]->name, s->name);
        bool options = true;
        for (const struct option *o = s->option; o && o->name; o++)
            options &= is_word(o->name) && (is_line(o->refuse) || (is_line(o->help) && o->offset < s->options_size));
        ok(same == 1 && catalog_find(s->name) == s && is_word(s->name) && is_line(s->summary) && is_line(s->source) && is_line(s->cost) && s->open && options &&
               (!s->version || is_line(s->version)),
           "%s: in the list once, with summary, source, cost, and help for each option", s->name);
    }
    ok(!catalog_find("") && !catalog_find("rin"), "unknown names are not found");
    static const char *const bad[] = {"rin", "ring:vnode=3", "ring:vnodes=0", "ring:vnodes=1000000001", "ring:replicas=3", "ring:hash=md6", "null:x=1", "modulo:vnodes=2",
                                      "slots:count=0", "slots:rebalance=maximal", "ring:bits=7", "ring:bits=65", "ring:seek=up", "ring:vnodes=3,vnodes=4", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spec **all = NULL;
        size_t n;
        char why[WHY] = "";
        ok(catalog_expand(bad[i], &all, &n, why) == -EINVAL && *why, "refused: -s '%s'", bad[i]);
    }
}

static void refusals(void)
{
    struct registry *r = registry_create();
    const struct cluster *many = cluster_of(r, "41"), *few = cluster_of(r, "40");
    struct spec *spec = spec_of("slots:count=40");
    const struct keyed_hash hash = {hash_find("xxh3"), 0};
    struct placement *p = NULL;
    char why[WHY] = "";
    ok(placement_open(&p, spec, many, &hash, why) == -EINVAL && strstr(why, "41"), "more nodes than slots: %s", why);
    must(placement_open(&p, spec, few, &hash, why), why);
    struct placement *before = open_on_hash(spec, few, "xxh3");
    ok(placement_change(p, many, why) == -EINVAL && same_map(p, before) && p->cluster == few, "nor by a change");
    placement_close(p);
    placement_close(before);
    spec_destroy(spec);
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    rows();
    refusals();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
