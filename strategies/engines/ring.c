/* The ring's look-ups and what else is asked of it. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

void ring_release(struct ring *r)
{
    leaves_release(&r->points);
    mem_free(r->lines.line);
    mem_free(r->plain.end);
    mem_free(r->plain.owner);
    mem_free(r->zones);
    mem_free(r->down);
    mem_free(r);
}

static void ring_destroy(void *state)
{
    ring_release(state);
}

static uint32_t ring_lookup(const void *state, uint64_t digest)
{
    const struct ring *r = state;
    uint64_t position = ring_place(r, digest);
    return r->rule.search == SEARCH_INDEX ? lines_owner(r, position) : plain_owner(r, position);
}

static void ring_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct ring *r = state;
    if (r->rule.search == SEARCH_INDEX)
        lines_owners(r, digest, n, id);
    else
        for (size_t i = 0; i < n; i++)
            id[i] = plain_owner(r, ring_place(r, digest[i]));
}

/* The next point in the direction in which the rule seeks; among equal ones in the order that decides ties. A map overwritten has
 * but the first of equal ones. */
static uint32_t step(const struct ring *r, uint32_t point)
{
    const struct leaves *l = &r->points;
    uint32_t next = r->rule.last_wins ? run_after(l, point) : leaves_next(l, point);
    bool tie = next != NO_POINT && l->position[next] == l->position[point];
    if (next == NO_POINT)
        next = leaves_first(l);
    if (r->rule.seek != SEEK_LE || tie)
        return next;
    uint32_t before = leaves_before(l, run_start(l, point));
    return run_start(l, before != NO_POINT ? before : leaves_last(l));
}

/* Whether a node may keep a copy beside those taken. */
static bool zone_wants(const struct ring_zones *z, bool new_racks, uint32_t node, const uint32_t *id, size_t found)
{
    uint32_t copies = 0;
    for (size_t i = 0; i < found; i++) {
        if (z->zone[id[i]] != z->zone[node])
            continue;
        copies++;
        if (new_racks && z->rack[id[i]] == z->rack[node])
            return false;
    }
    return copies < z->copies[z->zone[node]];
}

/* Takes different nodes along the ring, after the `found` taken, until there are `most`. */
static size_t walk(const struct ring *r, uint32_t point, bool new_racks, uint32_t *id, size_t found, size_t most)
{
    for (size_t n = 0; n < r->points.count && found < most; n++, point = step(r, point)) {
        uint32_t node = r->points.id[point];
        size_t i = 0;
        while (i < found && id[i] != node)
            i++;
        if (i == found && !(r->down && r->down[node]) && (!r->zones || zone_wants(r->zones, new_racks, node, id, found)))
            id[found++] = node;
    }
    return found;
}

static size_t ring_replicas(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    const struct ring *r = state;
    struct arc arc = arc_find(r, ring_place(r, digest));
    uint32_t point = arc.point;
    if (r->down) { /* the owner may stand elsewhere than at this point */
        id[0] = arc.owner;
        return id[0] == NO_NODE ? 0 : walk(r, point, false, id, 1, k);
    }
    if (!r->zones)
        return walk(r, point, false, id, 0, k);
    size_t found = walk(r, point, true, id, 0, k < r->zones->firsts ? k : r->zones->firsts);
    return walk(r, point, false, id, found, k < r->zones->total ? k : r->zones->total);
}

static uint64_t ring_cells(const void *state)
{
    return ((const struct ring *)state)->rule.size;
}

static size_t ring_ranges(const void *state, size_t from, struct range *out, size_t n)
{
    const struct ring *r = state;
    unsigned shift = r->rule.size ? 0 : r->rule.key_shift;
    uint64_t x;
    if (!arc_start(r, from, &x))
        return 0;
    size_t k = 0;
    for (uint32_t at = arc_seek(r, x); k < n; at = arc_onward(r, at, x)) {
        struct arc arc = arc_here(r, at, x);
        out[k++] = (struct range){x << shift, arc.end << shift | ((1ULL << shift) - 1), arc.owner};
        if (arc.end == r->rule.last)
            break;
        x = arc.end + 1;
    }
    return k;
}

static void ring_spot(const void *state, uint64_t digest, struct spot *spot)
{
    const struct ring *r = state;
    *spot = (struct spot){.kind = SPOT_NONE};
    const struct leaves *l = &r->points;
    if (l->count == 0)
        return;
    uint32_t point = arc_find(r, ring_place(r, digest)).point, after = step(r, point), before = leaves_before(l, point);
    while (after != point && l->id[after] == l->id[point])
        after = step(r, after);
    spot->kind = SPOT_POINT;
    spot->point = leaves_number(l, point);
    spot->before = before != NO_POINT ? leaves_number(l, before) : l->count - 1;
    spot->after = leaves_number(l, after);
}

const struct engine ring_engine = {
    .name = "ring",
    .destroy = ring_destroy,
    .lookup = ring_lookup,
    .lookup_many = ring_lookup_many,
    .replicas = ring_replicas,
    .cells = ring_cells,
    .ranges = ring_ranges,
    .spot = ring_spot,
};

bool is_ring(const struct placement *p)
{
    return p->engine == &ring_engine;
}

size_t ring_points(const struct placement *p, size_t *distinct)
{
    const struct ring *r = p->state;
    *distinct = r->points.distinct;
    return r->points.count;
}

uint64_t ring_position(const struct placement *p, size_t point, uint32_t *id)
{
    const struct ring *r = p->state;
    uint32_t slot = leaves_slot(&r->points, point);
    *id = r->points.id[slot];
    return r->points.position[slot];
}

uint64_t ring_last_position(const struct placement *p)
{
    return ((const struct ring *)p->state)->rule.last;
}

const char *ring_rule_words(const struct placement *p)
{
    static const char *const words[] = {"first point at or after the hash", "first point strictly after the hash",
                                        "last point at or before the hash", "nearest point to the hash"};
    return words[((const struct ring *)p->state)->rule.seek];
}

unsigned ring_position_bits(const struct placement *p)
{
    return bit_length(((const struct ring *)p->state)->rule.last);
}
