/* The ring's search and what is asked of it.
 *
 * Search: the top bits of a position pick a bucket, which knows the first arc that
 * can hold it; a binary search among the bucket's arcs ends it. There are at least
 * as many buckets as arcs, so with well-mixed points a bucket has about one; on
 * clustered points (weak hashes) the binary search keeps it at O(log points). */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

void ring_release(struct ring *r)
{
    points_release(&r->points);
    arcs_release(&r->arcs);
    mem_free(r->first);
    mem_free(r->zones);
    mem_free(r->down);
    mem_free(r);
}

static void ring_destroy(void *state)
{
    ring_release(state);
}

static inline uint32_t find_arc(const struct ring *r, uint64_t position)
{
    size_t bucket = position >> r->shift;
    uint32_t low = r->first[bucket], n = r->first[bucket + 1] - low;
    const uint64_t *end = r->arcs.end;
    while (n > 0) {
        uint32_t half = n / 2;
        if (end[low + half] < position) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static uint64_t position_of(const struct ring *r, uint64_t digest)
{
    return r->rule.size ? digest % r->rule.size : digest >> r->rule.key_shift;
}

static uint32_t ring_lookup(const void *state, uint64_t digest)
{
    const struct ring *r = state;
    return r->arcs.owner[find_arc(r, position_of(r, digest))];
}

static void ring_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct ring *r = state;
    uint64_t size = r->rule.size;
    if (size)
        for (size_t i = 0; i < n; i++)
            id[i] = r->arcs.owner[find_arc(r, digest[i] % size)];
    else
        for (size_t i = 0; i < n; i++)
            id[i] = r->arcs.owner[find_arc(r, digest[i] >> r->rule.key_shift)];
}

/* The first of the points at this one's position. */
static size_t run_start(const struct ring *r, size_t point)
{
    while (point > 0 && r->points.position[point - 1] == r->points.position[point])
        point--;
    return point;
}

/* The next point in the direction in which the rule seeks; among equal ones in the order that decides ties. A map overwritten has
 * but the first of equal ones. */
static size_t step(const struct ring *r, size_t point)
{
    size_t next = point + 1;
    while (r->rule.last_wins && next < r->points.count && r->points.position[next] == r->points.position[point])
        next++;
    next = next < r->points.count ? next : 0;
    if (r->rule.seek != SEEK_LE || (next > 0 && r->points.position[next] == r->points.position[point]))
        return next;
    size_t start = run_start(r, point);
    return run_start(r, start > 0 ? start - 1 : r->points.count - 1);
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
static size_t walk(const struct ring *r, size_t point, bool new_racks, uint32_t *id, size_t found, size_t most)
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
    uint32_t arc = find_arc(r, position_of(r, digest));
    size_t point = r->arcs.point[arc];
    if (r->down) { /* the owner may stand elsewhere than at this point */
        id[0] = r->arcs.owner[arc];
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
    size_t k = 0;
    for (; k < n && from + k < r->arcs.count; k++) {
        size_t i = from + k;
        out[k].first = i ? (r->arcs.end[i - 1] + 1) << shift : 0;
        out[k].last = (r->arcs.end[i] << shift) | ((1ULL << shift) - 1);
        out[k].id = r->arcs.owner[i];
    }
    return k;
}

static void ring_spot(const void *state, uint64_t digest, struct spot *spot)
{
    const struct ring *r = state;
    *spot = (struct spot){.kind = SPOT_NONE};
    size_t count = r->points.count, point = r->arcs.point[find_arc(r, position_of(r, digest))];
    if (count == 0)
        return;
    spot->kind = SPOT_POINT;
    spot->point = point;
    spot->before = point > 0 ? point - 1 : count - 1;
    spot->after = step(r, point);
    while (spot->after != point && r->points.id[spot->after] == r->points.id[point])
        spot->after = step(r, spot->after);
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
    *distinct = r->distinct;
    return r->points.count;
}

uint64_t ring_position(const struct placement *p, size_t point, uint32_t *id)
{
    const struct ring *r = p->state;
    *id = r->points.id[point];
    return r->points.position[point];
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
