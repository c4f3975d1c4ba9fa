/* The textbook's searches: a binary search over the arcs, with a branch a step or without one.
 *
 * Kept to compare with: both answer as the index does. Branches miss half the time, which costs more than memory does until
 * the ring outgrows the caches. Cost: O(log points); 12 bytes a point more, made anew by each change. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

#include <errno.h>

int plain_build(struct ring *r)
{
    struct plain new = {.capacity = 2 * r->points.count + 2};
    new.end = mem_alloc(new.capacity, sizeof *new.end);
    new.owner = mem_alloc(new.capacity, sizeof *new.owner);
    if (!new.end || !new.owner) {
        mem_free(new.end);
        mem_free(new.owner);
        return -ENOMEM;
    }
    struct arc a;
    uint64_t x = 0;
    for (uint32_t at = arc_seek(r, 0);; at = arc_onward(r, at, x)) {
        a = arc_here(r, at, x);
        new.end[new.count] = a.end;
        new.owner[new.count++] = a.owner;
        if (a.end == r->rule.last)
            break;
        x = a.end + 1;
    }
    mem_free(r->plain.end);
    mem_free(r->plain.owner);
    r->plain = new;
    return 0;
}

/* The empty statement in assembly keeps the compiler from making the branch a conditional move. */
static size_t search_binary(const uint64_t *end, size_t n, uint64_t position)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (end[middle] < position) {
            __asm__ volatile("");
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t plain_owner(const struct ring *r, uint64_t position)
{
    const struct plain *p = &r->plain;
    return p->owner[r->rule.search == SEARCH_BINARY ? search_binary(p->end, p->count, position) : count_below(p->end, p->count, position)];
}
