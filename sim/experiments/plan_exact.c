/* What a plan moves, from the ownership maps of its stages. Where the load of each slot was measured, slots count by it. */
#include "base/mem.h"
#include "experiments/plan_parts.h"
#include "experiments/remap_parts.h"

#include <errno.h>
#include <string.h>

enum { CELLS_MAX = 1 << 24 }; /* of the cells on which maps of different sizes are laid over each other */

/* The maps, and scratch by id. */
struct atlas {
    struct map *map; /* [steps + 1] */
    bool *standing;
    uint32_t *place;
};

static void atlas_release(struct atlas *a, const struct plan *p)
{
    for (size_t k = 0; a->map && k <= p->steps; k++)
        map_release(&a->map[k]);
    mem_free(a->map);
    mem_free(a->standing);
    mem_free(a->place);
}

static int atlas_init(struct atlas *a, const struct plan *p, bool by_count, char why[WHY])
{
    *a = (struct atlas){mem_alloc(p->steps + 1, sizeof *a->map), mem_alloc(p->ids, sizeof *a->standing), mem_alloc(p->ids, sizeof *a->place)};
    int e = a->map && a->standing && a->place ? 0 : fail(why, ENOMEM, "no memory for a plan");
    for (size_t k = 0; k <= p->steps && !e; k++) {
        e = by_count ? placement_map(p->stage[k].placement, false, &a->map[k], why) : plan_map(p, k, &a->map[k], why);
        a->map[k].ids = p->ids;
        if (!e && !placement_hashes_alike(p->stage[0].placement, p->stage[k].placement))
            e = fail(why, EINVAL, "the two strategies hash keys differently: what moves can only be sampled");
    }
    return e;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* The cells on which all maps can be laid over each other: their least common multiple; 0 for intervals. */
static int common_cells(const struct atlas *a, const struct plan *p, uint64_t *cells, char why[WHY])
{
    *cells = a->map[0].cells;
    for (size_t k = 1; k <= p->steps; k++) {
        uint64_t more = a->map[k].cells;
        if (*cells && more)
            *cells = *cells / gcd(*cells, more) * more;
        if (!*cells != !more || *cells > CELLS_MAX)
            return fail(why, EINVAL, "what moves in several steps between tables of such sizes can only be sampled");
    }
    return 0;
}

/* ever[k]: what steps 0..k moved, once or more. */
static int trace(const struct atlas *a, const struct plan *p, struct plan_figures *f, char why[WHY])
{
    uint64_t cells = 0;
    double *share = mem_alloc(p->ids + (size_t)1, sizeof *share), unplaced;
    struct map so_far = {0};
    int e = share ? common_cells(a, p, &cells, why) : fail(why, ENOMEM, "no memory for a plan");
    for (size_t k = 0; k <= p->steps && !e; k++) {
        struct map finer, overlaid;
        e = map_repeat(&a->map[k], cells ? cells / a->map[k].cells : 1, &finer, why);
        if (e)
            break;
        if (k == 0) {
            so_far = finer;
            continue;
        }
        e = map_overlay(&so_far, &finer, p->ids, &overlaid, why); /* p->ids is nobody's id */
        map_release(&finer);
        if (e)
            break;
        map_release(&so_far);
        so_far = overlaid;
        so_far.ids = p->ids + 1;
        e = map_shares(&so_far, share, &unplaced, why);
        f->step[k - 1].ever = share[p->ids];
    }
    map_release(&so_far);
    mem_free(share);
    return e;
}

static int from_maps(struct atlas *a, const struct plan *p, struct plan_figures *f, char why[WHY])
{
    int e = 0;
    for (size_t k = 0; k <= p->steps && !e; k++)
        e = map_shares(&a->map[k], f->share + k * p->ids, &f->unplaced[k], why);
    for (size_t k = 0; k < p->steps && !e; k++) {
        struct moves moves;
        mark_standing(p->stage[k].cluster, p->stage[k + 1].cluster, a->standing, p->ids, a->place);
        e = map_flows(&a->map[k], &a->map[k + 1], a->standing, p->ids, &moves, &f->step[k].flows, why);
        if (!e) {
            f->step[k].moved = moves.moved;
            f->step[k].bystander = moves.bystander;
        }
    }
    if (!e && p->steps == 1)
        f->step[0].ever = f->step[0].moved;
    else if (!e)
        e = trace(a, p, f, why);
    return e;
}

/* Slot by slot, each by its load. */
static void weigh(const struct atlas *a, const struct plan *p, const uint64_t *load, const uint64_t *keys, struct plan_tally *t, size_t *at, uint32_t *owner)
{
    for (uint64_t cell = 0; cell < a->map[0].cells; cell++) {
        for (size_t k = 0; k <= p->steps; k++) {
            at[k] += a->map[k].range[at[k]].last < cell;
            owner[k] = a->map[k].range[at[k]].id;
        }
        plan_tally_add(t, owner, load[cell], keys ? keys[cell] : 0);
    }
}

static int from_slot_loads(const struct atlas *a, const struct plan *p, const struct plan_load *l, struct plan_figures *f, char why[WHY])
{
    uint64_t cells = a->map[0].cells;
    for (size_t k = 0; k <= p->steps; k++)
        if (!cells || a->map[k].cells != cells)
            return fail(why, EINVAL, "%s: loads a slot, but %s has no slots that stay the same: give key,load", l->path, p->stage[0].placement->strategy->name);
    uint64_t *load = p->levelled ? p->piles.load : mem_alloc(cells, sizeof *load);
    size_t *at = mem_alloc(p->steps + 1, sizeof *at);
    uint32_t *owner = mem_alloc(p->steps + 1, sizeof *owner);
    struct plan_tally t = {0};
    bool *standing = NULL;
    int e = load && at && owner ? plan_standing(p, &standing, why) : fail(why, ENOMEM, "no memory for loads a slot");
    if (!e && plan_tally_init(&t, p, standing))
        e = fail(why, ENOMEM, "no memory for loads a slot");
    if (!e && !p->levelled)
        e = plan_load_slots(p->study, l, cells, load, why);
    if (!e) {
        weigh(a, p, load, p->piles.keys, &t, at, owner);
        e = plan_tally_close(&t, p, f, l->path, why);
    }
    plan_tally_release(&t, p);
    mem_free(standing);
    if (!p->levelled)
        mem_free(load);
    mem_free(at);
    mem_free(owner);
    return e;
}

int plan_exact(const struct plan *p, const struct plan_wish *wish, bool by_count, struct plan_figures *f, char why[WHY])
{
    struct atlas a;
    int e = atlas_init(&a, p, by_count, why);
    if (!e)
        e = wish->load.path ? from_slot_loads(&a, p, &wish->load, f, why) : from_maps(&a, p, f, why);
    f->load = wish->load.path ? "load" : "share";
    atlas_release(&a, p);
    return e;
}
