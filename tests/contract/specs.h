/* The specs under test: the catalog's rows with their defaults, each choice of their options in turn, and some that take other paths. */
#ifndef TESTS_CONTRACT_SPECS_H
#define TESTS_CONTRACT_SPECS_H

#include "tests/contract/trial.h"

static const char *const more_specs[] = {
    "ring:vnodes=40,seek=gt", "ring:vnodes=40,seek=le", "ring:vnodes=40,seek=nearest", "ring:vnodes=20,seek=nearest,wrap=clamp",
    "ring:vnodes=20,bits=8", "ring:vnodes=20,size=97", "ring:vnodes=20,hash=crc32,points=md5-64", "ring:vnodes=20,points=crc16",
    "slots:count=16381", "slots:count=40", "maglev:table=251", "envoy-ring:max=1024", "cassandra:strategy=network,rf=datacenter1:30",
    "libmemcached:distribution=ketama,hash=murmur", "libmemcached:distribution=spy,hash=crc", "twemproxy:distribution=ketama,hash=crc32",
    "haproxy:balance=source,type=consistent", "haproxy:type=consistent,hash=wt6", "ipvs-mh:table=251,fallback=1",
    "bounded:over=jump", "bounded:over=slots:count=40,eps=0.01", "bounded:over=maglev:table=251", "bounded:over=null",
    "bounded:over=modulo,hash=crc32", "bounded:over=redis-cluster", "bounded:over=rendezvous,eps=1",
    "choices:over=jump", "choices:over=slots:count=40,of=3", "choices:over=null", "choices:over=redis-cluster", "choices:over=rendezvous,of=16",
    "rendezvous:tree", "rendezvous:tree=2", "anchor:capacity=2000", "dx:capacity=1024", "multi-probe:probes=2", "binomial:iterations=0",
};

enum origin { CATALOG, CHOICE, BY_HAND };
typedef void spec_test(const char *text, const char *hash, enum origin from);
typedef void spec_text(const char *text, enum origin from, void *to);

/* Which hash the keys have when the run's is this one; NULL: cannot be opened so, why says why. */
static inline const struct hash *hash_in_run(const char *text, const char *hash, char why[WHY])
{
    struct trial t = {.registry = registry_create()};
    struct spec *spec = spec_of(text);
    struct placement *p = NULL;
    t.addresses = catalog_find(spec->name)->addresses;
    t.cluster = cluster_sized(&t, 3, false);
    int e = placement_open(&p, spec, t.cluster, &(struct keyed_hash){hash_find(hash), 0}, why);
    const struct hash *h = e ? NULL : p->key.hash.hash;
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(t.registry);
    return h;
}

/* With a wide hash, and where the keys' hash is the run's with a narrow one too (not under sanitizers). */
static inline void walk_hashes(const char *text, enum origin from, void *to)
{
    spec_test *test = *(spec_test **)to;
    char why[WHY] = "";
    const struct hash *wide = hash_in_run(text, "xxh3", why);
    if (!wide) {
        ok(from == CHOICE && strchr(why, '='), "%s: asks for more: %s", text, why);
        return;
    }
    test(text, "xxh3", from);
    if (!SANITIZED && hash_in_run(text, "crc16", why) != wide)
        test(text, "crc16", from);
}

static inline void walk_choices(const struct strategy *s, spec_text *each, void *to)
{
    char text[128];
    for (const struct option *o = s->option; o && o->name; o++)
        for (const char *word = o->choices; !o->refuse && o->type == OPTION_CHOICE && word; word = strchr(word, '|')) {
            word += *word == '|';
            size_t n = strcspn(word, "|");
            if (n == strlen(o->fallback) && !strncmp(word, o->fallback, n))
                continue;
            snprintf(text, sizeof text, "%s:%s=%.*s", s->name, o->name, (int)n, word);
            each(text, CHOICE, to);
        }
}

/* words: of the command line, strategies' names; none: all. */
static inline void walk_texts(spec_text *each, void *to, char *const *words)
{
    for (size_t i = 0; catalog[i]; i++) {
        if (!asked_for(catalog[i]->name, words))
            continue;
        each(catalog[i]->name, CATALOG, to);
        walk_choices(catalog[i], each, to);
    }
    for (size_t i = 0; i < sizeof more_specs / sizeof *more_specs; i++)
        if (asked_for(more_specs[i], words))
            each(more_specs[i], BY_HAND, to);
}

static inline void walk_specs(spec_test *test, char *const *words)
{
    walk_texts(walk_hashes, &test, words);
}

#endif
