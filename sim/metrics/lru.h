/* A cache of a fixed number of items that drops the one asked for longest ago. */
#ifndef METRICS_LRU_H
#define METRICS_LRU_H

#include <stdbool.h>
#include <stdint.h>

#define LRU_MOST 1000000000u /* items */

struct lru_entry {
    uint64_t key;
    uint32_t newer, older; /* places; 0 is the list's end */
};

struct lru_slot {
    uint32_t place; /* 0: free */
    uint32_t tag;   /* low half of the key: where the slot would rather be */
};

struct lru {
    struct lru_entry *entry; /* places 1 .. items; newer of 0 is the oldest item, older of 0 the newest */
    struct lru_slot *slot;
    uint32_t items, used, mask;
};

int lru_init(struct lru *l, uint64_t items); /* empty; 1 to LRU_MOST items. 0 or -ENOMEM */
void lru_release(struct lru *l);

/* Asks for a key, which is the newest item afterwards; whether it was there. *place: where it lies now (1 to items), until it is dropped: the
 * caller may keep more about it. Keys are evenly spread 64-bit words. */
bool lru_ask(struct lru *l, uint64_t key, uint32_t *place);

/* What lru_ask(key) will read, fetched in three steps, each some requests after the one before. */
static inline void lru_soon(const struct lru *l, uint64_t key)
{
    __builtin_prefetch(&l->slot[(uint32_t)key & l->mask], 1);
}

static inline void lru_sooner(const struct lru *l, uint64_t key)
{
    __builtin_prefetch(&l->entry[l->slot[(uint32_t)key & l->mask].place], 1);
}

static inline void lru_soonest(const struct lru *l, uint64_t key)
{
    const struct lru_entry *e = &l->entry[l->slot[(uint32_t)key & l->mask].place];
    __builtin_prefetch(&l->entry[e->newer], 1);
    __builtin_prefetch(&l->entry[e->older], 1);
}

#endif
