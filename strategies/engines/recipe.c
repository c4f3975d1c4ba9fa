#include "strategies/engines/recipe.h"

#include "strategies/engines/ketama.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide; /* vnodes * nodes * weight reaches 2^75 */

static const struct recipe *recipe_of(const struct placement *p)
{
    const struct recipe_options *o = p->options;
    return (const struct recipe *)p->strategy->data + o->kind;
}

/* Labels a unit of weight. */
static uint64_t vnodes_of(const struct placement *p)
{
    const struct recipe_options *o = p->options;
    return o->vnodes ? o->vnodes : recipe_of(p)->vnodes;
}

static uint64_t points_of(const struct placement *p, const struct cluster *c)
{
    const struct recipe *r = recipe_of(p);
    uint64_t points;
    bool over = __builtin_mul_overflow((uint64_t)vnodes_of(p) * (r->ketama ? 4 : 1), r->weights == WEIGHTS_TIMES ? cluster_weight(c) : c->size, &points);
    return over ? UINT64_MAX : points; /* far beyond what any memory holds */
}

int recipe_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct recipe *r = recipe_of(p);
    const struct keyed_hash hash = {r->hash, 0};
    uint64_t vnodes = vnodes_of(p), sum = cluster_weight(p->cluster);
    uint32_t n = only ? 1 : p->cluster->size;
    int e = 0;
    for (uint32_t i = 0; i < n && !e; i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        uint64_t count = r->weights == WEIGHTS_SHARE   ? (uint64_t)((wide)vnodes * p->cluster->size * node->weight / sum)
                         : r->weights == WEIGHTS_TIMES ? vnodes * node->weight
                                                       : vnodes;
        e = r->ketama ? ketama_emit(&r->labels, node->name, strlen(node->name), node->id, count, emit, to)
                      : labels_emit(&r->labels, node, count, &hash, NULL, NULL, emit, to);
    }
    return e;
}

int recipe_open(struct placement *p, char why[WHY])
{
    const struct recipe *r = recipe_of(p);
    const struct ring_rule rule = {.last = r->hash->last, .seek = r->seek, .last_wins = r->last_wins};
    p->key.hash = (struct keyed_hash){r->hash, 0};
    int e = ring_attach(p, &rule, points_of(p, p->cluster), why);
    if (e)
        return e;
    if (r->weights != WEIGHTS_UNKNOWN)
        p->caps = CAP_WEIGHTS;
    else if (cluster_weight(p->cluster) != p->cluster->size)
        fail(p->warning, 0, "%s knows no weights: they are ignored", p->strategy->name);
    p->caps |= CAP_ANY_REMOVAL | (r->keeps_departed ? CAP_HISTORY | CAP_DEPARTED : r->weights == WEIGHTS_SHARE ? 0 : CAP_MINIMAL);
    p->law = LAW_ARCS;
    return 0;
}

int recipe_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    return ring_change(p, after, points_of(p, after), recipe_of(p)->keeps_departed, why);
}
