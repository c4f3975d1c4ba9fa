/* Points of a ring: collected, sorted, ties settled.
 *
 * The sort is a least-significant-digit radix sort: linear, stable, and so the same
 * on every machine; equal positions keep the order in which they came. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 6, RADIX = 1 << DIGIT };

void points_release(struct points *p)
{
    mem_free(p->position);
    mem_free(p->id);
    *p = (struct points){0};
}

int points_reserve(struct points *p, size_t n)
{
    if (n <= p->capacity)
        return 0;
    uint64_t *position = mem_resize(p->position, n, sizeof *position);
    if (position)
        p->position = position;
    uint32_t *id = mem_resize(p->id, n, sizeof *id);
    if (id)
        p->id = id;
    if (!position || !id)
        return -ENOMEM;
    p->capacity = n;
    return 0;
}

int points_add(void *points, const struct point *point)
{
    struct points *p = points;
    if (p->count >= UINT32_MAX - 1)
        return -EOVERFLOW;
    if (p->count == p->capacity && points_reserve(p, 2 * p->capacity + 16))
        return -ENOMEM;
    p->position[p->count] = point->position;
    p->id[p->count++] = point->id;
    return 0;
}

/* Moves all points to `to`, stably ordered by one digit whose counts are given. */
static void scatter(const struct points *from, struct points *to, unsigned shift, const uint32_t *count)
{
    uint32_t at[RADIX], sum = 0;
    for (size_t d = 0; d < RADIX; d++) {
        at[d] = sum;
        sum += count[d];
    }
    for (size_t i = 0; i < from->count; i++) {
        uint32_t k = at[from->position[i] >> shift & (RADIX - 1)]++;
        to->position[k] = from->position[i];
        to->id[k] = from->id[i];
    }
    to->count = from->count;
}

int points_sort(struct points *p)
{
    uint32_t(*count)[RADIX] = mem_alloc(DIGITS, sizeof *count);
    struct points other = {0};
    if (!count || points_reserve(&other, p->count)) {
        mem_free(count);
        points_release(&other);
        return -ENOMEM;
    }
    for (size_t i = 0; i < p->count; i++)
        for (unsigned d = 0; d < DIGITS; d++)
            count[d][p->position[i] >> (d * DIGIT) & (RADIX - 1)]++;
    for (unsigned d = 0; d < DIGITS && p->count; d++) {
        if (count[d][p->position[0] >> (d * DIGIT) & (RADIX - 1)] == p->count)
            continue; /* all alike in this digit */
        scatter(p, &other, d * DIGIT, count[d]);
        struct points swap = *p;
        *p = other;
        other = swap;
    }
    points_release(&other);
    mem_free(count);
    return 0;
}

static size_t run_end(const struct points *p, size_t from)
{
    size_t end = from + 1;
    while (end < p->count && p->position[end] == p->position[from])
        end++;
    return end;
}

void points_reverse_ties(struct points *p)
{
    for (size_t i = 0, end; i < p->count; i = end) {
        end = run_end(p, i);
        for (size_t a = i, b = end - 1; a < b; a++, b--) {
            uint32_t id = p->id[a];
            p->id[a] = p->id[b];
            p->id[b] = id;
        }
    }
}

void points_rank_ties(struct points *p, const uint32_t *rank)
{
    for (size_t i = 0, end; i < p->count; i = end) {
        end = run_end(p, i);
        for (size_t a = i + 1; a < end; a++) {
            uint32_t id = p->id[a];
            size_t b = a;
            for (; b > i && rank[p->id[b - 1]] > rank[id]; b--)
                p->id[b] = p->id[b - 1];
            p->id[b] = id;
        }
    }
}

size_t points_distinct(const struct points *p)
{
    size_t n = p->count > 0;
    for (size_t i = 1; i < p->count; i++)
        n += p->position[i] != p->position[i - 1];
    return n;
}
