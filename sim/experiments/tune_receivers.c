/* Who gets the keys of a node that leaves: every node leaves in turn, and the maps before and after are laid side by side. */
#include "experiments/tune_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

static int no_memory(const struct placement *p, char why[WHY])
{
    return fail(why, ENOMEM, "no memory to measure %u nodes", p->cluster->size);
}

/* The heirs of `victim`: nodes that own after what it owned before. */
static uint32_t heirs(const struct map *a, const struct map *b, uint32_t victim, bool *seen)
{
    uint32_t n = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t end_a = a->range[i].last, end_b = b->range[j].last;
        uint32_t to = b->range[j].id;
        if (a->range[i].id == victim && to != NO_NODE && !seen[to]) {
            seen[to] = true;
            n++;
        }
        i += end_a <= end_b;
        j += end_b <= end_a;
    }
    return n;
}

int count_receivers(const struct study *s, const struct spec *spec, const struct cluster *c, double *out, char why[WHY])
{
    const double pieces_most = 2e7;
    struct placement *p = NULL;
    struct map before = {0};
    uint64_t sum = 0;
    *out = NAN;
    int e = placement_open(&p, spec, c, &s->hash, why);
    if (e)
        return e;
    char inner[WHY];
    bool known = placement_map(p, false, &before, inner) == 0 && (double)before.count * c->size < pieces_most && c->size > 1;
    bool *seen = mem_alloc(c->ids, sizeof *seen);
    struct node *node = mem_alloc(c->size, sizeof *node);
    if (!seen || !node)
        e = no_memory(p, why);
    for (uint32_t victim = 0; known && victim < c->size && !e; victim++) {
        uint32_t n = 0;
        struct placement *q = NULL;
        struct map after = {0};
        struct cluster fewer = {node, c->size - 1, c->ids};
        for (uint32_t i = 0; i < c->size; i++)
            if (i != victim)
                node[n++] = c->node[i];
        e = placement_open(&q, spec, c, &s->hash, why);
        if (!e)
            e = placement_change(q, &fewer, inner) == -ENOMEM ? no_memory(p, why) : 0;
        known = !e && q->cluster->size == fewer.size && placement_map(q, false, &after, inner) == 0 && after.cells == before.cells;
        memset(seen, 0, c->ids * sizeof *seen);
        sum += known ? heirs(&before, &after, c->node[victim].id, seen) : 0;
        map_release(&after);
        placement_close(q);
    }
    if (!e && known)
        *out = (double)sum / c->size;
    map_release(&before);
    placement_close(p);
    mem_free(seen);
    mem_free(node);
    return e;
}
