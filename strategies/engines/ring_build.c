/* The ring's build: points collected and sorted, poured into leaves and indexed, then attached. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>

struct ring *ring_create(const struct ring_rule *rule, struct points *points, uint32_t ids)
{
    struct ring *r = mem_alloc(1, sizeof *r);
    if (r) {
        r->rule = *rule;
        r->size = divisor_of(rule->size ? rule->size : 1);
        if (leaves_pour(&r->points, points, rule->both_sides)) {
            ring_release(r);
            r = NULL;
        }
    }
    points_release(points);
    if (r && (rule->search == SEARCH_INDEX ? lines_build(r, ids) : plain_build(r))) {
        ring_release(r);
        return NULL;
    }
    return r;
}

/* Notes who is down, as rule.down_steps wants, and indexes anew. 0 or -ENOMEM. */
static int yield_down(struct ring *r, const struct cluster *c)
{
    uint32_t usable = 0, lone = NO_NODE;
    for (uint32_t i = 0; i < c->size; i++)
        if (!c->node[i].down)
            lone = usable++ ? NO_NODE : c->node[i].id;
    if (usable == c->size || !r->rule.down_steps)
        return 0;
    r->down = mem_alloc(c->ids, sizeof *r->down);
    if (!r->down)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->size; i++)
        r->down[c->node[i].id] = c->node[i].down;
    r->lone = lone;
    if (r->rule.search != SEARCH_INDEX)
        return plain_build(r);
    lines_refresh(r, 0, r->rule.last, NO_POINT);
    return 0;
}

int ring_refuse_size(uint64_t points, char why[WHY])
{
    double bytes = (double)points * 80, have = (double)mem_machine();
    char need[32], has[32];
    if (points < UINT32_MAX - 1 && bytes < 0.8 * have)
        return 0;
    return fail(why, EINVAL, "%" PRIu64 " points on the ring would need %s of memory to build; this machine has %s%s: ask for fewer points a node", points,
                text_bytes(bytes, need), text_bytes(have, has), points >= UINT32_MAX - 1 ? ", and a ring holds at most 2^32 - 2 points" : "");
}

int ring_attach(struct placement *p, const struct ring_rule *rule, uint64_t points, char why[WHY])
{
    int e = ring_refuse_size(points, why);
    if (e)
        return e;
    struct points all = {0};
    e = points_reserve(&all, points);
    if (!e)
        e = p->strategy->points(p, NULL, points_add, &all);
    if (!e)
        e = points_sort(&all);
    if (e) {
        points_release(&all);
        return fail(why, -e, "no memory for a ring of %" PRIu64 " points", points);
    }
    if (rule->last_wins)
        points_reverse_ties(&all);
    struct ring *r = ring_create(rule, &all, p->cluster->ids);
    if (r && yield_down(r, p->cluster)) {
        ring_release(r);
        r = NULL;
    }
    if (!r)
        return fail(why, ENOMEM, "no memory for a ring of %" PRIu64 " points", points);
    p->state = r;
    p->engine = &ring_engine;
    return 0;
}

struct ring_zones *ring_spread(struct placement *p, uint32_t zones)
{
    struct ring *r = p->state;
    struct ring_zones *z = mem_alloc(1, sizeof *z + (zones + 2 * (size_t)p->cluster->ids) * sizeof(uint32_t));
    if (!z)
        return NULL;
    z->copies = (uint32_t *)(z + 1);
    z->zone = z->copies + zones;
    z->rack = z->zone + p->cluster->ids;
    mem_free(r->zones);
    return r->zones = z;
}
