/* Maps made of maps: two laid over each other, and one repeated on finer cells. */
#include "metrics/map.h"

#include "base/mem.h"

#include <errno.h>

/* Appends first .. last, to the range before where the owner is the same; there is room. */
static void append(struct map *m, uint64_t first, uint64_t last, uint32_t id)
{
    if (m->count && m->range[m->count - 1].id == id)
        m->range[m->count - 1].last = last;
    else
        m->range[m->count++] = (struct range){first, last, id};
}

int map_overlay(const struct map *a, const struct map *b, uint32_t mark, struct map *out, char why[WHY])
{
    *out = (struct map){mem_alloc(a->count + b->count, sizeof *out->range), 0, a->cells, a->last, a->ids};
    if (!out->range)
        return fail(why, ENOMEM, "no memory to lay maps over each other");
    uint64_t at = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t end_a = a->range[i].last, end_b = b->range[j].last, end = end_a < end_b ? end_a : end_b;
        append(out, at, end, a->range[i].id == b->range[j].id ? a->range[i].id : mark);
        if (end == UINT64_MAX)
            break;
        at = end + 1;
        i += end_a == end;
        j += end_b == end;
    }
    return 0;
}

int map_repeat(const struct map *m, uint64_t k, struct map *out, char why[WHY])
{
    *out = (struct map){mem_alloc(m->count * k, sizeof *out->range), 0, m->cells * k, m->last, m->ids};
    if (!out->range)
        return fail(why, ENOMEM, "no memory for a map of %llu cells", (unsigned long long)out->cells);
    for (uint64_t r = 0; r < k; r++)
        for (size_t i = 0; i < m->count; i++)
            append(out, r * m->cells + m->range[i].first, r * m->cells + m->range[i].last, m->range[i].id);
    return 0;
}
