/* A strategy around another, and that other by itself. */
#ifndef TESTS_PAIR_H
#define TESTS_PAIR_H

#include "tests/stage.h"

struct pair {
    struct spec *spec[2];
    struct placement *outer, *inner;
};

static inline struct pair pair_open(const char *outer, const char *inner, const struct cluster *c, const char *hash)
{
    struct pair p = {.spec = {spec_of(outer), spec_of(inner)}};
    p.outer = open_on_hash(p.spec[0], c, hash);
    p.inner = open_on_hash(p.spec[1], c, hash);
    return p;
}

static inline void pair_change(struct pair *p, const struct cluster *after)
{
    change_to(p->outer, after);
    change_to(p->inner, after);
}

static inline void pair_close(struct pair *p)
{
    placement_close(p->outer);
    placement_close(p->inner);
    spec_destroy(p->spec[0]);
    spec_destroy(p->spec[1]);
}

#endif
