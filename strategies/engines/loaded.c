#include "strategies/engines/loaded.h"

#include "base/mem.h"
#include "strategies/engines/names.h"

#include <errno.h>
#include <string.h>

int loaded_over(const char *text, void *field, char why[WHY])
{
    struct wrapped w;
    int e = wrapped_read(&w, text, why);
    if (e)
        return e;
    wrapped_release(&w);
    *(const char **)field = text;
    return 0;
}

uint32_t loaded_lookup(const void *state, uint64_t digest)
{
    const struct placement *p = &((const struct loaded *)state)->inner.p;
    return p->engine->lookup(p->state, digest);
}

void loaded_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct placement *p = &((const struct loaded *)state)->inner.p;
    p->engine->lookup_many(p->state, digest, n, id);
}

size_t loaded_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    const struct placement *p = &((const struct loaded *)state)->inner.p;
    return p->engine->replicas(p->state, digest, id, k);
}

void loaded_destroy(void *state)
{
    struct loaded *l = state;
    wrapped_release(&l->inner);
    mem_free(l->room);
    mem_free(l);
}

/* Leads l to c and shows p what it is then; both stay as they were on failure. */
static int lead(struct placement *p, struct loaded *l, const struct cluster *c, char why[WHY])
{
    struct room *room = mem_alloc(1, sizeof *room + ((size_t)c->ids + c->size) * sizeof *room->weight);
    int e = room ? wrapped_lead(&l->inner, c, why) : fail(why, ENOMEM, "no memory to look at the loads of %u nodes", c->size);
    if (e) {
        mem_free(room);
        return e;
    }
    const struct placement *in = &l->inner.p;
    room->list = room->weight + c->ids;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        room->weight[n->id] = n->down && in->caps & CAP_DOWN ? 0 : in->caps & CAP_WEIGHTS ? n->weight : 1;
        room->total += room->weight[n->id];
    }
    mem_free(l->room);
    l->room = room;
    p->engine = in->engine->replicas ? l->listed : l->salted;
    p->state = l;
    p->key = in->key;
    p->options = in->options; /* what the key's filter reads */
    p->caps = in->caps & ~(unsigned)(CAP_MINIMAL | CAP_FLOOR);
    if (in->warning[0])
        memcpy(p->warning, in->warning, WHY);
    return 0;
}

int loaded_open(struct placement *p, struct loaded *l, char why[WHY])
{
    const struct loaded_options *o = p->options;
    int e = wrapped_read(&l->inner, o->over, why);
    take_hash(p, &o->hash);
    l->inner.hash = p->key.hash;
    if (!e)
        e = lead(p, l, p->cluster, why);
    if (e)
        loaded_destroy(l);
    return e;
}

int loaded_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    return lead(p, p->state, after, why);
}
