#include "strategies/engines/recipe.h"

static uint64_t digest_is_position(const void *rule, uint64_t digest)
{
    (void)rule;
    return digest;
}

int recipe_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct recipe *r = p->strategy->data;
    const struct recipe_options *o = p->options;
    const struct keyed_hash hash = {r->hash, 0};
    uint32_t n = only ? 1 : p->cluster->size;
    int e = 0;
    for (uint32_t i = 0; i < n && !e; i++)
        e = labels_emit(&r->labels, only ? only : &p->cluster->node[i], o->vnodes, &hash, digest_is_position, NULL, emit, to);
    return e;
}

int recipe_open(struct placement *p, char why[WHY])
{
    const struct recipe *r = p->strategy->data;
    const struct recipe_options *o = p->options;
    const struct ring_rule rule = {.last = r->hash->last, .seek = r->seek, .last_wins = r->last_wins};
    p->key.hash = (struct keyed_hash){r->hash, 0};
    int e = ring_attach(p, &rule, o->vnodes * p->cluster->size, why);
    if (e)
        return e;
    if (cluster_weight(p->cluster) != p->cluster->size)
        fail(p->warning, 0, "%s knows no weights: they are ignored", p->strategy->name);
    p->caps = CAP_ANY_REMOVAL | (r->keeps_departed ? CAP_HISTORY : CAP_MINIMAL);
    p->law = LAW_ARCS;
    return 0;
}

int recipe_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct recipe *r = p->strategy->data;
    const struct recipe_options *o = p->options;
    return ring_change(p, after, o->vnodes * after->size, r->keeps_departed, why);
}
