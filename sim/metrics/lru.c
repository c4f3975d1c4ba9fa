/* LRU in two flat arrays: entries of 16 bytes, linked by place from the newest to the oldest, and an open-addressing table of places, probed
 * linearly, at most half full. A slot holds half of the key beside the place, so that most strangers are told apart, and a slot can be moved
 * back when one before it is freed, without a look at the entries: no slot is ever merely marked as freed, and nothing is rebuilt.
 * Entry 0 is no item but both ends of the list, which leaves no special cases.
 * Cost: 32 to 48 bytes an item; 40 ns a request where the processor holds it all, 55 ns where ten nodes of 100,000 items lie in memory, with lru_soon
 * and its like. */
#include "metrics/lru.h"

#include "base/mem.h"

#include <errno.h>

int lru_init(struct lru *l, uint64_t items)
{
    uint64_t slots = 4;
    while (slots < 2 * items)
        slots *= 2;
    *l = (struct lru){.entry = mem_alloc(items + 1, sizeof *l->entry), .slot = mem_alloc(slots, sizeof *l->slot), .items = (uint32_t)items,
                      .mask = (uint32_t)(slots - 1)};
    if (l->entry && l->slot)
        return 0;
    lru_release(l);
    return -ENOMEM;
}

void lru_release(struct lru *l)
{
    mem_free(l->entry);
    mem_free(l->slot);
    *l = (struct lru){0};
}

static void list_take(struct lru *l, uint32_t place)
{
    const struct lru_entry *e = &l->entry[place];
    l->entry[e->newer].older = e->older;
    l->entry[e->older].newer = e->newer;
}

static void list_put(struct lru *l, uint32_t place)
{
    struct lru_entry *end = &l->entry[0], *e = &l->entry[place];
    e->newer = 0;
    e->older = end->older;
    l->entry[end->older].newer = place;
    end->older = place;
}

static void slot_free(struct lru *l, uint32_t at)
{
    for (uint32_t next = (at + 1) & l->mask; l->slot[next].place; next = (next + 1) & l->mask) {
        uint32_t away = (next - l->slot[next].tag) & l->mask;
        if (away < ((next - at) & l->mask))
            continue; /* would come to lie before its home */
        l->slot[at] = l->slot[next];
        at = next;
    }
    l->slot[at].place = 0;
}

/* The place of the oldest item, which is gone. */
static uint32_t drop_oldest(struct lru *l)
{
    uint32_t place = l->entry[0].newer, at = (uint32_t)l->entry[place].key & l->mask;
    while (l->slot[at].place != place)
        at = (at + 1) & l->mask;
    slot_free(l, at);
    list_take(l, place);
    __builtin_prefetch(&l->entry[l->entry[0].newer]);
    return place;
}

bool lru_ask(struct lru *l, uint64_t key, uint32_t *place)
{
    uint32_t tag = (uint32_t)key, at = tag & l->mask;
    for (; l->slot[at].place; at = (at + 1) & l->mask) {
        if (l->slot[at].tag != tag || l->entry[l->slot[at].place].key != key)
            continue;
        *place = l->slot[at].place;
        list_take(l, *place);
        list_put(l, *place);
        return true;
    }
    if (l->used < l->items) {
        *place = ++l->used;
    } else {
        *place = drop_oldest(l);
        for (at = tag & l->mask; l->slot[at].place; at = (at + 1) & l->mask) /* slots have moved */
            ;
    }
    l->slot[at] = (struct lru_slot){*place, tag};
    l->entry[*place].key = key;
    list_put(l, *place);
    return false;
}
