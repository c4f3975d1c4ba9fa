/* Which slots to move so that measured load is level, not the number of slots: where the strategy deals slots one by one and remembers the deal.
 *
 * Greedy, the heaviest slots first. 1. The slots of nodes that leave go each to the node that lacks most. 2. A node with too much gives what fits into
 * its surplus and into what the receiver lacks, so no more load moves than must. 3. As long as it brings nodes closer to their due, the emptiest gets the
 * slot that does so most. A thousandth of a fair share off is level. A slot without load stays, or is dealt by number when its node leaves; a slot that
 * was nobody's stays nobody's. Ties: the lower slot, the earlier node.
 * Cost a step: T log T for T slots, N nodes for each slot that might move, and T for each that moves in 3. */
#include "base/mem.h"
#include "experiments/plan_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 1e-3

struct pile {
    uint64_t load, slot;
};

struct deal {
    const struct cluster *c;
    const uint64_t *load;
    uint64_t cells;
    uint32_t *owner;    /* of each slot */
    struct pile *pile;  /* slots with load, the heaviest first */
    size_t piles;
    /* by id */
    double *fair;       /* load that is its due */
    sum128 *has;
    uint64_t *slots;
};

static int by_load(const void *a, const void *b)
{
    const struct pile *x = a, *y = b;
    return x->load != y->load ? (x->load < y->load) - (x->load > y->load) : (x->slot > y->slot) - (x->slot < y->slot);
}

/* By how much a node has more than its due. */
static double surplus(const struct deal *d, uint32_t id)
{
    return (double)d->has[id] - d->fair[id];
}

static bool is_over(const struct deal *d, uint32_t id)
{
    return surplus(d, id) > LEVEL * d->fair[id];
}

static uint32_t emptiest(const struct deal *d)
{
    uint32_t best = d->c->node[0].id;
    for (uint32_t i = 1; i < d->c->size; i++)
        best = surplus(d, d->c->node[i].id) < surplus(d, best) ? d->c->node[i].id : best;
    return best;
}

/* The node with the fewest slots for its weight. */
static uint32_t least_slots(const struct deal *d)
{
    const struct node *best = &d->c->node[0];
    for (const struct node *n = best; n < d->c->node + d->c->size; n++)
        best = d->slots[n->id] * best->weight < d->slots[best->id] * n->weight ? n : best;
    return best->id;
}

static void give(struct deal *d, uint64_t slot, uint32_t to)
{
    uint32_t from = d->owner[slot];
    d->has[from] -= d->load[slot];
    d->has[to] += d->load[slot];
    d->slots[from]--;
    d->slots[to]++;
    d->owner[slot] = to;
}

static void clear_leavers(struct deal *d)
{
    for (size_t i = 0; i < d->piles; i++)
        if (!cluster_by_id(d->c, d->owner[d->pile[i].slot]))
            give(d, d->pile[i].slot, emptiest(d));
    for (uint64_t slot = 0; slot < d->cells; slot++)
        if (!d->load[slot] && d->owner[slot] != NO_NODE && !cluster_by_id(d->c, d->owner[slot]))
            give(d, slot, least_slots(d));
}

static void fit(struct deal *d)
{
    for (size_t i = 0; i < d->piles; i++) {
        double load = (double)d->pile[i].load;
        uint32_t from = d->owner[d->pile[i].slot];
        if (!is_over(d, from) || load > surplus(d, from))
            continue;
        uint32_t to = emptiest(d);
        if (load <= -surplus(d, to))
            give(d, d->pile[i].slot, to);
    }
}

/* Gives the emptiest node the slot that makes the squares of what all are off fall most; false: none does. */
static bool even_out(struct deal *d)
{
    uint32_t to = emptiest(d);
    double lacks = -surplus(d, to), best = 0;
    size_t chosen = d->piles;
    for (size_t i = 0; i < d->piles; i++) {
        uint32_t from = d->owner[d->pile[i].slot];
        double load = (double)d->pile[i].load, gain = load * (surplus(d, from) + lacks - load);
        if (gain > best && (is_over(d, from) || lacks > LEVEL * d->fair[to])) {
            best = gain;
            chosen = i;
        }
    }
    if (chosen < d->piles)
        give(d, d->pile[chosen].slot, to);
    return chosen < d->piles;
}

static void deal_release(struct deal *d)
{
    mem_free(d->owner);
    mem_free(d->pile);
    mem_free(d->fair);
    mem_free(d->has);
    mem_free(d->slots);
}

static int deal_init(struct deal *d, const struct plan *p, const struct map *before)
{
    uint64_t n = p->piles.cells;
    *d = (struct deal){.load = p->piles.load, .cells = n, .owner = mem_alloc(n, sizeof *d->owner), .pile = mem_alloc(n, sizeof *d->pile),
                       .fair = mem_alloc(p->ids, sizeof *d->fair), .has = mem_alloc(p->ids, sizeof *d->has), .slots = mem_alloc(p->ids, sizeof *d->slots)};
    if (!d->owner || !d->pile || !d->fair || !d->has || !d->slots)
        return -ENOMEM;
    for (size_t i = 0; i < before->count; i++)
        for (uint64_t slot = before->range[i].first; slot <= before->range[i].last; slot++) {
            uint32_t id = d->owner[slot] = before->range[i].id;
            if (id == NO_NODE)
                continue;
            d->has[id] += d->load[slot];
            d->slots[id]++;
            if (d->load[slot])
                d->pile[d->piles++] = (struct pile){d->load[slot], slot};
        }
    qsort(d->pile, d->piles, sizeof *d->pile, by_load);
    return 0;
}

/* One step: the slots as they lie, dealt among the nodes of c. */
static void deal_among(struct deal *d, const struct cluster *c)
{
    sum128 all = 0;
    d->c = c;
    for (size_t i = 0; i < d->piles; i++)
        all += d->pile[i].load;
    cluster_fair_shares(c, d->fair);
    for (uint32_t i = 0; i < c->size; i++)
        d->fair[c->node[i].id] *= (double)all;
    clear_leavers(d);
    fit(d);
    for (uint64_t left = 4 * (uint64_t)c->size; left && even_out(d); left--)
        ;
}

static int to_map(const struct deal *d, const struct map *like, struct map *out)
{
    size_t runs = 0;
    for (uint64_t slot = 0; slot < d->cells; slot++)
        runs += slot == 0 || d->owner[slot] != d->owner[slot - 1];
    *out = (struct map){.range = mem_alloc(runs, sizeof *out->range), .cells = like->cells, .last = like->last, .ids = like->ids};
    if (!out->range)
        return -ENOMEM;
    for (uint64_t slot = 0; slot < d->cells; slot++)
        if (slot && d->owner[slot] == d->owner[slot - 1])
            out->range[out->count - 1].last = slot;
        else
            out->range[out->count++] = (struct range){slot, slot, d->owner[slot]};
    return 0;
}

/* Whether slots are dealt one by one: the deal is remembered, and each stage has the same slots. 1, 0 or -ENOMEM. */
static int is_dealt(const struct plan *p, uint64_t *cells, char why[WHY])
{
    *cells = 0;
    for (size_t k = 0; k <= p->steps; k++) {
        struct map m = {0};
        const struct placement *stage = p->stage[k].placement;
        int e = p->study->to_spec || !(stage->caps & CAP_HISTORY) ? -EINVAL : placement_map(stage, false, &m, why);
        bool same = !e && m.cells && (k == 0 || m.cells == *cells);
        *cells = m.cells;
        map_release(&m);
        if (!same)
            return e == -ENOMEM ? e : 0;
    }
    return 1;
}

int plan_level(struct plan *p, const struct plan_wish *wish, char why[WHY])
{
    struct deal d = {0};
    struct map before = {0};
    int e = wish->load.path ? is_dealt(p, &p->piles.cells, why) : 0;
    if (e <= 0)
        return e;
    e = plan_piles_read(p, wish, why);
    if (!e)
        e = plan_map(p, 0, &before, why);
    if (!e && deal_init(&d, p, &before))
        e = fail(why, ENOMEM, "no memory to deal slots by their load");
    if (!e && !d.piles)
        e = fail(why, EINVAL, "%s: all loads are 0: nothing to plan by", wish->load.path);
    for (size_t k = 1; k <= p->steps && !e; k++) {
        deal_among(&d, p->stage[k].cluster);
        if (to_map(&d, &before, &p->stage[k].dealt))
            e = fail(why, ENOMEM, "no memory to deal slots by their load");
    }
    p->levelled = !e;
    deal_release(&d);
    map_release(&before);
    return e;
}
