/* Sorted points in leaves: arrays of 64 slots, filled from the front, with room at their ends.
 *
 * The leaves of a B+ tree whose inner nodes are one sorted array, low[]. A full leaf splits, so
 * clustered points (weak hashes) cost no more than spread ones. Cost: search O(log points);
 * insertion and removal move half a leaf, and renumber the leaves when one splits or empties.
 * 13.5 bytes a point. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

enum { POURED = 60 }; /* points a leaf at first */

void leaves_release(struct leaves *l)
{
    mem_free(l->position);
    mem_free(l->id);
    mem_free(l->leaf);
    mem_free(l->order);
    mem_free(l->low);
    mem_free(l->before);
    *l = (struct leaves){.spare = NO_POINT};
}

static bool resize(void *array, size_t count, size_t size)
{
    void *block;
    memcpy(&block, array, sizeof block); /* array is the address of some T * */
    block = mem_resize(block, count, size);
    if (block)
        memcpy(array, &block, sizeof block);
    return block != NULL;
}

static int resize_all(struct leaves *l, size_t leaves)
{
    if (leaves * LEAF >= NO_POINT)
        return -ENOMEM;
    if (!resize(&l->position, leaves * LEAF, sizeof *l->position) || !resize(&l->id, leaves * LEAF, sizeof *l->id) ||
        !resize(&l->leaf, leaves, sizeof *l->leaf) || !resize(&l->order, leaves, sizeof *l->order) ||
        !resize(&l->low, leaves, sizeof *l->low) || !resize(&l->before, leaves, sizeof *l->before))
        return -ENOMEM;
    l->capacity = (uint32_t)leaves;
    return 0;
}

int leaves_pour(struct leaves *l, const struct points *sorted, bool both_sides)
{
    *l = (struct leaves){.spare = NO_POINT};
    size_t leaves = (sorted->count + POURED - 1) / POURED;
    if (resize_all(l, leaves)) {
        leaves_release(l);
        return -ENOMEM;
    }
    for (size_t k = 0, from = 0; k < leaves; k++) {
        size_t n = sorted->count - from < POURED ? sorted->count - from : POURED;
        uint64_t *position = l->position + k * LEAF;
        memcpy(position, sorted->position + from, n * sizeof *position);
        memcpy(l->id + k * LEAF, sorted->id + from, n * sizeof *l->id);
        uint32_t arcs = 0;
        for (size_t i = from; i < from + n; i++) {
            bool starts = i == 0 || sorted->position[i] != sorted->position[i - 1];
            bool second = both_sides && !starts && (i == 1 || sorted->position[i] != sorted->position[i - 2]);
            l->distinct += starts;
            arcs += starts + second;
        }
        l->leaf[k] = (struct leaf){(uint32_t)n, arcs, (uint32_t)k};
        l->order[k] = (uint32_t)k;
        l->low[k] = position[0];
        from += n;
    }
    l->used = l->made = (uint32_t)leaves;
    l->count = sorted->count;
    leaves_recount(l);
    return 0;
}

void leaves_flatten(const struct leaves *l, const bool *keep, struct points *to)
{
    for (uint32_t rank = 0; rank < l->used; rank++) {
        size_t from = (size_t)l->order[rank] * LEAF, end = from + l->leaf[l->order[rank]].count;
        for (size_t slot = from; slot < end; slot++) {
            to->position[to->count] = l->position[slot];
            to->id[to->count] = l->id[slot];
            to->count += keep[l->id[slot]];
        }
    }
}

void leaves_recount(struct leaves *l)
{
    struct before sum = {0};
    for (uint32_t rank = 0; rank < l->used; rank++) {
        const struct leaf *leaf = &l->leaf[l->order[rank]];
        l->before[rank] = sum;
        sum.points += leaf->count;
        sum.arcs += leaf->arcs;
    }
}

/* -- search -- */

static uint32_t bound_in(const struct leaves *l, size_t rank, uint64_t position) /* rank: how many leaves begin below */
{
    if (rank == 0)
        return leaves_first(l);
    uint32_t leaf = l->order[rank - 1];
    uint32_t at = (uint32_t)count_below(l->position + (size_t)leaf * LEAF, l->leaf[leaf].count, position);
    return at < l->leaf[leaf].count ? leaf * LEAF + at : rank < l->used ? l->order[rank] * LEAF : NO_POINT;
}

uint32_t leaves_bound(const struct leaves *l, uint64_t position)
{
    return bound_in(l, count_below(l->low, l->used, position), position);
}

uint32_t leaves_bound_onward(const struct leaves *l, uint64_t position, size_t *rank)
{
    if (*rank > l->used || (*rank > 0 && l->low[*rank - 1] >= position))
        *rank = 0;
    while (*rank < l->used && l->low[*rank] < position)
        ++*rank;
    return bound_in(l, *rank, position);
}

size_t leaves_number(const struct leaves *l, uint32_t slot)
{
    return l->before[l->leaf[slot / LEAF].rank].points + slot % LEAF;
}

uint32_t leaves_slot(const struct leaves *l, size_t number)
{
    size_t low = 0, n = l->used;
    for (; n > 1; n -= n / 2)
        low += l->before[low + n / 2].points <= number ? n / 2 : 0;
    return l->order[low] * LEAF + (uint32_t)(number - l->before[low].points);
}

uint32_t run_start(const struct leaves *l, uint32_t slot)
{
    for (uint32_t at; (at = leaves_before(l, slot)) != NO_POINT && l->position[at] == l->position[slot];)
        slot = at;
    return slot;
}

uint32_t run_after(const struct leaves *l, uint32_t slot)
{
    uint32_t at = leaves_next(l, slot);
    while (at != NO_POINT && l->position[at] == l->position[slot])
        at = leaves_next(l, at);
    return at;
}

/* -- change -- */

int leaves_reserve(struct leaves *l, const struct points *sorted)
{
    size_t want = l->made + (l->count == 0);
    for (size_t i = 0, end; i < sorted->count; i = end) {
        size_t rank = count_below(l->low, l->used, sorted->position[i]), room = 0; /* goes to the leaf before */
        for (end = i; end < sorted->count && (rank == l->used || sorted->position[end] <= l->low[rank]); end++)
            continue;
        if (rank > 0)
            room = LEAF - l->leaf[l->order[rank - 1]].count;
        if (rank < l->used && (rank == 0 || sorted->position[end - 1] == l->low[rank])) { /* or to this one */
            room = 0;
            want++;
        }
        want += end - i > room ? (end - i - room) / (LEAF / 2) + 1 : 0;
    }
    if (want <= l->capacity)
        return 0;
    return resize_all(l, want + l->capacity / 16);
}

/* Makes place at a rank, or closes it. */
static void shift_ranks(struct leaves *l, uint32_t rank, int by)
{
    uint32_t from = by < 0 ? rank + 1 : rank, n = l->used - from;
    memmove(l->order + rank + (by > 0), l->order + from, n * sizeof *l->order);
    memmove(l->low + rank + (by > 0), l->low + from, n * sizeof *l->low);
    l->used += (uint32_t)by;
    for (uint32_t k = rank + (by > 0); k < l->used; k++)
        l->leaf[l->order[k]].rank = k;
}

/* A leaf, empty, at a rank. */
static uint32_t leaf_at(struct leaves *l, uint32_t rank)
{
    uint32_t fresh = l->spare;
    if (fresh == NO_POINT)
        fresh = l->made++;
    else
        l->spare = l->leaf[fresh].rank;
    shift_ranks(l, rank, 1);
    l->order[rank] = fresh;
    l->leaf[fresh] = (struct leaf){0, 0, rank};
    return fresh;
}

static bool starts_run(const struct leaves *l, uint32_t slot)
{
    uint32_t before = leaves_before(l, slot);
    return before == NO_POINT || l->position[before] != l->position[slot];
}

/* The upper half of a full leaf to a new one. */
static void split(struct leaves *l, uint32_t leaf)
{
    uint32_t rank = l->leaf[leaf].rank, fresh = leaf_at(l, rank + 1), half = LEAF / 2, arcs = 0;
    for (uint32_t i = half; i < LEAF; i++)
        arcs += l->position[leaf * LEAF + i] != l->position[leaf * LEAF + i - 1];
    memcpy(l->position + (size_t)fresh * LEAF, l->position + (size_t)leaf * LEAF + half, half * sizeof *l->position);
    memcpy(l->id + (size_t)fresh * LEAF, l->id + (size_t)leaf * LEAF + half, half * sizeof *l->id);
    l->low[rank + 1] = l->position[fresh * LEAF];
    l->leaf[fresh].count = l->leaf[leaf].count = half;
    l->leaf[fresh].arcs = arcs;
    l->leaf[leaf].arcs -= arcs;
}

/* Points behind `slot` in its leaf moved by one. */
static void shift_slots(struct leaves *l, uint32_t slot, int by)
{
    struct leaf *leaf = &l->leaf[slot / LEAF];
    uint32_t from = by < 0 ? slot + 1 : slot, n = slot / LEAF * LEAF + leaf->count - from;
    memmove(l->position + slot + (by > 0), l->position + from, n * sizeof *l->position);
    memmove(l->id + slot + (by > 0), l->id + from, n * sizeof *l->id);
    leaf->count += (uint32_t)by;
}

uint32_t leaves_insert(struct leaves *l, uint32_t before, uint64_t position, uint32_t id)
{
    uint32_t end = before == NO_POINT ? leaves_last(l) : leaves_before(l, before); /* in the leaf of the one before, if there is one */
    uint32_t leaf = end != NO_POINT ? end / LEAF : before != NO_POINT ? before / LEAF : leaf_at(l, 0);
    uint32_t at = end != NO_POINT ? end % LEAF + 1 : 0;
    if (l->leaf[leaf].count == LEAF)
        split(l, leaf);
    if (at > l->leaf[leaf].count) { /* it was split */
        at -= l->leaf[leaf].count;
        leaf = l->order[l->leaf[leaf].rank + 1];
    }
    uint32_t slot = leaf * LEAF + at;
    shift_slots(l, slot, 1);
    l->position[slot] = position;
    l->id[slot] = id;
    if (at == 0)
        l->low[l->leaf[leaf].rank] = position;
    uint32_t next = leaves_next(l, slot);
    bool starts = starts_run(l, slot), twin = next != NO_POINT && l->position[next] == position;
    l->leaf[leaf].arcs += starts;
    if (twin && starts)
        l->leaf[next / LEAF].arcs--;
    l->distinct += starts && !twin;
    l->count++;
    return slot;
}

void leaves_remove(struct leaves *l, uint32_t slot)
{
    uint32_t leaf = slot / LEAF, next = leaves_next(l, slot);
    bool starts = starts_run(l, slot), twin = next != NO_POINT && l->position[next] == l->position[slot];
    l->leaf[leaf].arcs -= starts;
    if (twin && starts)
        l->leaf[next / LEAF].arcs++;
    l->distinct -= starts && !twin;
    l->count--;
    shift_slots(l, slot, -1);
    if (l->leaf[leaf].count == 0) {
        shift_ranks(l, l->leaf[leaf].rank, -1);
        l->leaf[leaf].rank = l->spare;
        l->spare = leaf;
    } else if (slot % LEAF == 0) {
        l->low[l->leaf[leaf].rank] = l->position[slot];
    }
}
