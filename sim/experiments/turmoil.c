#include "experiments/turmoil.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

int crowd_init(struct crowd *c, const struct cluster *from)
{
    c->node = mem_alloc(from->size + (size_t)1, sizeof *c->node);
    if (!c->node)
        return -ENOMEM;
    crowd_copy(c, from);
    return 0;
}

void crowd_release(struct crowd *c)
{
    mem_free(c->node);
}

void crowd_copy(struct crowd *c, const struct cluster *from)
{
    memcpy(c->node, from->node, from->size * sizeof *c->node);
    c->cluster = (struct cluster){c->node, from->size, from->ids};
}

void crowd_drop(struct crowd *c, uint32_t at)
{
    memmove(c->node + at, c->node + at + 1, (c->cluster.size - at - 1) * sizeof *c->node);
    c->cluster.size--;
}

void crowd_append(struct crowd *c, const struct node *n)
{
    c->node[c->cluster.size++] = *n;
    c->cluster.ids = n->id < c->cluster.ids ? c->cluster.ids : n->id + 1;
}

int turmoil_init(struct turmoil *t, const struct cluster *pool, uint32_t in, const struct turmoil_rules *rules, uint64_t stream)
{
    *t = (struct turmoil){.rules = *rules, .rng = rng_start(stream), .pool = pool, .met = in, .unit = WEIGHT_MAX / 5};
    t->away = mem_alloc(pool->size, sizeof *t->away);
    t->touched = mem_alloc(pool->ids, sizeof *t->touched);
    if (!t->away || !t->touched || crowd_init(&t->crowd[0], pool) || crowd_init(&t->crowd[1], pool))
        return -ENOMEM;
    t->crowd[0].cluster = (struct cluster){t->crowd[0].node, 0, 0};
    for (uint32_t i = 0; i < in; i++) {
        crowd_append(&t->crowd[0], &pool->node[i]);
        t->unit = pool->node[i].weight < t->unit ? pool->node[i].weight : t->unit;
    }
    return 0;
}

void turmoil_release(struct turmoil *t)
{
    crowd_release(&t->crowd[0]);
    crowd_release(&t->crowd[1]);
    mem_free(t->away);
    mem_free(t->touched);
}

const struct cluster *turmoil_now(const struct turmoil *t)
{
    return &t->crowd[t->turn].cluster;
}

static void leave(struct turmoil *t, struct crowd *c)
{
    uint32_t at = (uint32_t)rng_below(&t->rng, c->cluster.size);
    t->away[t->gone++] = t->node = c->node[at];
    t->kind = TURMOIL_LEFT;
    crowd_drop(c, at);
}

static void come(struct turmoil *t, struct crowd *c)
{
    if (t->gone && (t->met == t->pool->size || rng_below(&t->rng, 2))) {
        uint32_t at = (uint32_t)rng_below(&t->rng, t->gone);
        t->node = t->away[at];
        t->away[at] = t->away[--t->gone];
    } else {
        t->node = t->pool->node[t->met++];
        t->node.weight = t->unit;
    }
    t->kind = TURMOIL_CAME;
    crowd_append(c, &t->node);
}

/* Another weight, whatever it was. */
static void reweigh(struct turmoil *t, struct crowd *c)
{
    struct node *n = &c->node[rng_below(&t->rng, c->cluster.size)];
    uint32_t old = n->weight, more = 1 + (uint32_t)rng_below(&t->rng, 4);
    n->weight = t->unit * ((old / t->unit - 1 + more) % 5 + 1);
    t->leaving = n->weight < old;
    t->kind = TURMOIL_REWEIGHED;
    t->node = *n;
}

static bool may_leave(const struct turmoil *t, uint32_t many)
{
    return turmoil_now(t)->size >= t->rules.least + many;
}

static bool may_come(const struct turmoil *t, uint32_t many)
{
    return turmoil_now(t)->size + many <= t->rules.most && many <= t->gone + (t->pool->size - t->met);
}

const struct cluster *turmoil_next(struct turmoil *t)
{
    struct crowd *next = &t->crowd[!t->turn];
    uint64_t dice = rng_below(&t->rng, 8);
    uint32_t many = dice == 0 && (may_leave(t, t->rules.together) || may_come(t, t->rules.together)) ? t->rules.together : 1;
    crowd_copy(next, turmoil_now(t));
    memset(t->touched, 0, t->pool->ids * sizeof *t->touched);
    if (t->rules.weights && dice == 1) {
        reweigh(t, next);
        t->touched[t->node.id] = true;
    } else {
        t->leaving = may_leave(t, many) && (!may_come(t, many) || rng_below(&t->rng, 6) < t->rules.leaving);
        for (uint32_t i = 0; i < many; i++) {
            (t->leaving ? leave : come)(t, next);
            t->touched[t->node.id] = true;
        }
    }
    t->turn = !t->turn;
    return &next->cluster;
}
