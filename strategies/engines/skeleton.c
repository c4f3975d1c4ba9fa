/* The virtual hierarchy of rendezvous hashing (Wang and Ravishankar, 2009; "skeleton" elsewhere): O(F log N) a look-up instead of O(N).
 *
 * Nodes sit on seats 0, 1, 2 ..; a seat's digits in base F, the lowest first, are its way from the root, and a subtree with one node in it is a leaf.
 * So the counts of nodes in siblings differ by one at most, and the tree deepens seat by seat. At each level the key goes to the best of the children that
 * are not empty, by a mix of its digest and the child's place. A new node takes the lowest free seat.
 *
 * Minimal, for whatever comes or leaves: an occupied seat only adds a candidate where its subtree was empty, or splits a leaf in two; a key goes to the
 * new candidate or stays, and all behind that candidate is new. Leaving undoes that.
 * Not even, and that is the price: siblings get like parts though one may hold a node more. With N = q F^k + r on the first seats (1 <= q < F, r < F^k) a node
 * has 1 / (q F^k) or, in the r groups with one more, 1 / ((q + 1) F^k): even for r = 0, else the largest share is up to (q + 1) / q times the least. Drawing
 * children by their nodes would be even, but then keys come into a subtree for a new node and stay with an old one: not minimal. Weights are not known for the
 * same reason. Holes that nodes leave add to it until others fill them.
 * Left open in the paper: clusters as leaves (here a leaf is a node), how members get their places, and what happens when they leave.
 *
 * Cost: 4 bytes a seat, and above the seats 4 bytes for each remainder modulo F^j < N: less than F/(F-1) as many in all. */
#include "strategies/engines/skeleton.h"

#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>

#define MANY (NO_NODE - 1) /* more than one node sits in this subtree */
enum { LEVELS = 33 };      /* 2^32 seats under two children each */

struct skeleton {
    uint32_t fan, seats, levels;
    uint64_t level[LEVELS + 1]; /* where the entries of each level start: the root is level 0, the seats are the last */
    uint32_t entry[];           /* the one node in the subtree, NO_NODE or MANY */
};

/* The words of a key's candidates are words of one stream, each from its own place: independent for an ideal hash. */
static inline uint32_t descend(const struct skeleton *s, uint64_t digest)
{
    uint64_t at = 0, step = 1;
    uint32_t entry = s->entry[0];
    for (uint32_t i = 1; entry == MANY; i++) { /* no seat is MANY */
        const uint32_t *level = s->entry + s->level[i];
        uint64_t width = step * s->fan, top = 0, best = at;
        for (uint64_t next = at; next < width && next < s->seats; next += step) {
            if (level[next] == NO_NODE)
                continue;
            uint64_t word = rng_at(digest, width + next);
            if (word >= top) {
                top = word;
                best = next;
            }
        }
        entry = level[best];
        at = best;
        step = width;
    }
    return entry;
}

static uint32_t skeleton_lookup(const void *state, uint64_t digest)
{
    return descend(state, digest);
}

static void skeleton_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    for (size_t i = 0; i < n; i++)
        id[i] = descend(state, digest[i]);
}

/* The best of m like candidates is each with probability 1/m; levels are independent. */
static int skeleton_shares(const void *state, double *share)
{
    const struct skeleton *s = state;
    for (uint32_t seat = 0; seat < s->seats; seat++) {
        uint32_t id = s->entry[s->level[s->levels] + seat];
        if (id == NO_NODE)
            continue;
        double part = 1;
        uint64_t step = 1;
        for (uint32_t i = 0; s->entry[s->level[i] + seat % step] == MANY; i++) {
            uint32_t candidates = 0;
            for (uint64_t next = seat % step; next < step * s->fan && next < s->seats; next += step)
                candidates += s->entry[s->level[i + 1] + next] != NO_NODE;
            part /= candidates;
            step *= s->fan;
        }
        share[id] = part;
    }
    return 0;
}

static const struct engine skeleton_engine = {
    .name = "skeleton",
    .destroy = mem_free,
    .lookup = skeleton_lookup,
    .lookup_many = skeleton_lookup_many,
    .shares = skeleton_shares,
};

/* The tree above these seats, the last of which is taken; NULL when memory is out. */
static struct skeleton *build(uint32_t fan, const uint32_t *seat, uint32_t seats)
{
    struct skeleton head = {.fan = fan, .seats = seats};
    uint64_t width = 1, entries = seats;
    for (; width < seats; width *= fan) {
        head.level[head.levels + 1] = head.level[head.levels] + width;
        head.levels++;
        entries += width;
    }
    struct skeleton *s = mem_alloc(1, sizeof *s + entries * sizeof s->entry[0]);
    if (!s)
        return NULL;
    *s = head;
    for (uint64_t i = 0; i + seats < entries; i++)
        s->entry[i] = NO_NODE;
    for (uint32_t i = 0; i < seats; i++)
        s->entry[s->level[s->levels] + i] = seat[i];
    for (uint32_t i = s->levels; i-- > 0;) {
        uint64_t above = s->level[i + 1] - s->level[i], below = (i + 1 < s->levels ? s->level[i + 2] : entries) - s->level[i + 1];
        for (uint64_t k = 0; k < below; k++) {
            uint32_t child = s->entry[s->level[i + 1] + k], *parent = &s->entry[s->level[i] + k % above];
            if (child != NO_NODE)
                *parent = *parent == NO_NODE ? child : MANY;
        }
    }
    return s;
}

/* Those of before that are still in after keep their seats, the others take the lowest free ones in configuration order. */
static uint32_t take_seats(const struct skeleton *before, const struct cluster *after, uint32_t *seat, bool *waits)
{
    uint32_t old = before ? before->seats : 0, used = 0, at = 0;
    for (uint32_t i = 0; i < old + after->size; i++)
        seat[i] = NO_NODE;
    for (uint32_t i = 0; i < after->size; i++)
        waits[after->node[i].id] = true;
    for (uint32_t i = 0; before && i < old; i++) {
        uint32_t id = before->entry[before->level[before->levels] + i];
        if (id == NO_NODE || !waits[id])
            continue;
        seat[i] = id;
        waits[id] = false;
        used = i + 1;
    }
    for (uint32_t i = 0; i < after->size; i++) {
        if (!waits[after->node[i].id])
            continue;
        while (seat[at] != NO_NODE)
            at++;
        seat[at] = after->node[i].id;
        used = at + 1 > used ? at + 1 : used;
    }
    return used;
}

static struct skeleton *create(uint32_t fan, const struct skeleton *before, const struct cluster *after, char why[WHY])
{
    uint32_t *seat = mem_alloc((before ? before->seats : 0) + (size_t)after->size, sizeof *seat);
    bool *waits = mem_alloc(after->ids, sizeof *waits);
    struct skeleton *s = seat && waits ? build(fan, seat, take_seats(before, after, seat, waits)) : NULL;
    if (!s)
        fail(why, ENOMEM, "no memory for a tree of %u nodes", after->size);
    mem_free(seat);
    mem_free(waits);
    return s;
}

static void promise(struct placement *p, const struct cluster *c)
{
    bool equal = true;
    for (uint32_t i = 1; i < c->size; i++)
        equal &= c->node[i].weight == c->node[0].weight;
    p->caps = CAP_MINIMAL | CAP_ANY_REMOVAL | CAP_HISTORY;
    p->law = equal ? LAW_FIXED : LAW_NONE;
    if (!equal)
        fail(p->warning, 0, "%s with tree= knows no weights: they are ignored; without it they are exact", p->strategy->name);
}

int skeleton_attach(struct placement *p, uint32_t fan, char why[WHY])
{
    struct skeleton *s = create(fan, NULL, p->cluster, why);
    if (!s)
        return -ENOMEM;
    p->engine = &skeleton_engine;
    p->state = s;
    promise(p, p->cluster);
    return 0;
}

int skeleton_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct skeleton *old = p->state;
    struct skeleton *s = create(old->fan, old, after, why);
    if (!s)
        return -ENOMEM;
    mem_free(p->state);
    p->state = s;
    promise(p, after);
    return 0;
}
