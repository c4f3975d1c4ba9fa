#include "metrics/flow.h"

#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <stdlib.h>

void flows_release(struct flows *f)
{
    mem_free(f->item);
    mem_free(f->slot);
    *f = (struct flows){0};
}

static uint64_t pair(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

static size_t find(const struct flows *f, uint32_t from, uint32_t to)
{
    size_t at = (size_t)rng_mix(pair(from, to)) & (f->slots - 1);
    while (f->slot[at] && (f->item[f->slot[at] - 1].from != from || f->item[f->slot[at] - 1].to != to))
        at = (at + 1) & (f->slots - 1);
    return at;
}

/* Room for one pair more. 0 or -ENOMEM. */
static int make_room(struct flows *f)
{
    if (mem_grow(&f->item, &f->capacity, f->count + 1, sizeof *f->item))
        return -ENOMEM;
    if (2 * (f->count + 1) <= f->slots)
        return 0;
    size_t slots = f->slots ? 2 * f->slots : 64;
    uint32_t *slot = mem_alloc(slots, sizeof *slot);
    if (!slot)
        return -ENOMEM;
    mem_free(f->slot);
    f->slot = slot;
    f->slots = slots;
    for (size_t i = 0; i < f->count; i++)
        slot[find(f, f->item[i].from, f->item[i].to)] = (uint32_t)i + 1;
    return 0;
}

void flows_add(struct flows *f, uint32_t from, uint32_t to, sum128 amount, sum128 keys)
{
    size_t at = f->slots ? find(f, from, to) : 0;
    if (!f->slots || !f->slot[at]) {
        if (f->broken || f->count == FLOWS_MAX || make_room(f)) {
            f->broken = true;
            return;
        }
        at = find(f, from, to);
        f->item[f->count++] = (struct flow){from, to, 0, 0};
        f->slot[at] = (uint32_t)f->count;
    }
    struct flow *flow = &f->item[f->slot[at] - 1];
    flow->amount += amount;
    flow->keys += keys;
}

void flows_join(struct flows *f, const struct flows *other)
{
    for (size_t i = 0; i < other->count; i++)
        flows_add(f, other->item[i].from, other->item[i].to, other->item[i].amount, other->item[i].keys);
    f->broken |= other->broken;
}

void flows_scale(struct flows *f, sum128 factor)
{
    for (size_t i = 0; i < f->count; i++)
        f->item[i].amount *= factor;
}

static int by_pair(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    uint64_t p = pair(x->from, x->to), q = pair(y->from, y->to);
    return (p > q) - (p < q);
}

int flows_close(struct flows *f, char why[WHY])
{
    if (f->count >= FLOWS_MAX)
        return fail(why, EINVAL, "more than %d pairs of nodes give to one another: too many to list", FLOWS_MAX);
    if (f->broken)
        return fail(why, ENOMEM, "no memory for who gives to whom");
    if (f->count)
        qsort(f->item, f->count, sizeof *f->item, by_pair);
    mem_free(f->slot);
    f->slot = NULL;
    f->slots = 0;
    return 0;
}
