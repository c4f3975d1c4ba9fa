#include "experiments/copies.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

void copies_release(struct copies *c)
{
    mem_free(c->node);
    mem_free(c->share);
    *c = (struct copies){0};
}

/* The list of the digest's range, behind the others unless it is the same as the last. */
static void add(struct copies *c, const struct placement *p, uint64_t digest)
{
    bool salted;
    uint32_t *list = c->node + c->count * c->width;
    for (size_t n = placement_replicas(p, digest, list, c->width, &salted); n < c->width; n++)
        list[n] = NO_NODE;
    c->count += !c->count || memcmp(list - c->width, list, c->width * sizeof *list);
}

int copies_list(struct copies *c, const struct placement *p, size_t width, char why[WHY])
{
    struct map map;
    double unplaced;
    *c = (struct copies){.width = width};
    int e = placement_map(p, true, &map, why);
    if (e)
        return e;
    c->node = mem_alloc(map.count, width * sizeof *c->node);
    for (size_t i = 0; c->node && i < map.count; i++)
        if (map.range[i].id != NO_NODE) {
            add(c, p, map.range[i].first);
            map.range[i].id = (uint32_t)c->count - 1;
        }
    map.ids = (uint32_t)c->count;
    c->share = mem_alloc(c->count, sizeof *c->share);
    e = c->node && c->share ? map_shares(&map, c->share, &unplaced, why) : fail(why, ENOMEM, "no memory for the copies");
    map_release(&map);
    return e;
}
