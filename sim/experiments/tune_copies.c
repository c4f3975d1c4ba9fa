/* Copies of a key, and dead nodes. The map is cut into pieces that have one list of nodes each, and on a ring the next living nodes of the list take
 * over: the node at place p (from 0) holds one of R copies if at least m = p + 1 - R of the p before it are dead. By inclusion and exclusion that is a sum
 * over the sets D of d >= m dead ones among those p, each counted (-1)^(d-m) C(d-1, m-1) times; so one pass over the pieces serves every set of dead nodes.
 * What is no ring is opened anew and changed to the nodes that live. Cost: a list a piece, and for K dead of n nodes a sum of 2^K n terms a set. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "experiments/copies.h"
#include "metrics/subsets.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <string.h>

static int no_memory(const struct placement *p, char why[WHY])
{
    return fail(why, ENOMEM, "no memory to measure %u nodes", p->cluster->size);
}

int load_shares(const struct placement *p, uint64_t copies, double *share, char why[WHY])
{
    double unplaced;
    struct copies l;
    if (copies <= 1)
        return placement_shares(p, share, &unplaced, why);
    int e = copies_list(&l, p, copies, why);
    memset(share, 0, p->cluster->ids * sizeof *share);
    for (size_t i = 0; i < l.count * copies && !e; i++)
        if (l.node[i] != NO_NODE)
            share[l.node[i]] += l.share[i / copies] / (double)copies;
    copies_release(&l);
    return e;
}

/* -- sets of dead nodes -- */

enum { DEAD_MOST = 64 }; /* at once: of so many nodes, far more sets than are tried */

static double choose(double n, uint64_t k)
{
    double sets = 1;
    for (uint64_t i = 0; i < k; i++)
        sets *= (n - (double)i) / (double)(i + 1);
    return sets;
}

double deaths_ways(uint32_t n, uint64_t most)
{
    double ways = 0;
    for (uint64_t k = 1; k <= most && k <= n && ways < 1e9; k++)
        ways += choose(n, k);
    return ways;
}

double deaths_work(uint64_t copies, uint64_t most)
{
    double terms = 0;
    for (uint64_t least = 1; least <= most; least++)
        for (uint64_t d = least; d <= most; d++)
            terms += choose((double)(copies + least - 1), d);
    return copies > 1 || most ? 2 + terms / 4 : 1;
}

/* Fair shares of those that live. */
static void fair_alive(const struct cluster *c, const uint32_t *set, uint64_t k, double *fair)
{
    double alive = 0;
    cluster_fair_shares(c, fair);
    for (uint64_t i = 0; i < k; i++)
        fair[c->node[set[i]].id] = 0;
    for (uint32_t id = 0; id < c->ids; id++)
        alive += fair[id];
    for (uint32_t id = 0; id < c->ids; id++)
        fair[id] /= alive;
}

/* -- rings -- */

/* What every set of dead nodes does: a node's load is base, and gain[number of D * n + node] of each D within the set. Nodes by the cluster's order. */
struct heirs {
    uint32_t n;
    uint64_t most;
    double *base, *gain;
    double choose[DEAD_MOST + 1]; /* C(n, k) */
};

/* A set's number, given ascending: sets of one node first, then of two, ... */
static size_t number_of(const struct heirs *h, const uint32_t *set, uint64_t k)
{
    double number = 0;
    for (uint64_t i = 1; i < k; i++)
        number += h->choose[i];
    for (uint64_t i = 0; i < k; i++)
        number += k == 1 ? set[i] : choose(set[i], i + 1);
    return (size_t)number;
}

/* `share` goes to `to` when at least `least` of the `before` first nodes of a list are dead. */
static void inherit(struct heirs *h, const uint32_t *list, uint32_t before, uint64_t least, uint32_t to, double share)
{
    for (uint64_t d = least; d <= h->most && d <= before; d++) {
        uint32_t set[DEAD_MOST], dead[DEAD_MOST];
        double times = ((d - least) % 2 ? -1 : 1) * choose((double)d - 1, least - 1);
        subset_first((uint32_t)d, set);
        do {
            for (uint64_t i = 0; i < d; i++) { /* ascending */
                uint64_t at = i;
                for (; at > 0 && dead[at - 1] > list[set[i]]; at--)
                    dead[at] = dead[at - 1];
                dead[at] = list[set[i]];
            }
            h->gain[number_of(h, dead, d) * h->n + to] += times * share;
        } while (subset_next(before, (uint32_t)d, set));
    }
}

static void heirs_release(struct heirs *h)
{
    mem_free(h->base);
    mem_free(h->gain);
}

static int heirs_init(struct heirs *h, const struct placement *p, uint64_t copies, uint64_t most, char why[WHY])
{
    const struct cluster *c = p->cluster;
    struct copies l;
    *h = (struct heirs){.n = c->size, .most = most, .base = mem_alloc(c->size, sizeof *h->base),
                        .gain = mem_alloc((size_t)deaths_ways(c->size, most) * c->size, sizeof *h->gain)};
    for (uint64_t k = 0; k <= most; k++)
        h->choose[k] = choose(c->size, k);
    int e = copies_list(&l, p, copies + most, why);
    uint32_t *place = mem_alloc(c->ids, sizeof *place);
    if (!e && !(h->base && h->gain && place))
        e = no_memory(p, why);
    for (uint32_t i = 0; i < c->size && !e; i++)
        place[c->node[i].id] = i;
    for (size_t i = 0; i < l.count && !e; i++) {
        uint32_t *list = l.node + i * l.width;
        double share = l.share[i] / (double)copies;
        for (uint32_t at = 0; at < l.width && list[at] != NO_NODE; at++) {
            list[at] = place[list[at]];
            if (at < copies)
                h->base[list[at]] += share;
            else
                inherit(h, list, at, at + 1 - copies, list[at], share);
        }
    }
    copies_release(&l);
    mem_free(place);
    return e;
}

/* One copy, one death: all keys lie on pairs of an owner and an heir, so their counts are drawn at once. */
static void heirs_draw(const struct heirs *from, uint64_t keys, struct rng *rng, struct heirs *to)
{
    uint32_t pairs = from->n * from->n;
    draw_multinomial(rng, keys, from->gain, pairs, to->gain);
    memset(to->base, 0, to->n * sizeof *to->base);
    for (uint32_t i = 0; i < pairs; i++) {
        to->gain[i] /= (double)keys;
        to->base[i / to->n] += to->gain[i];
    }
}

static void heirs_shares(const struct heirs *h, const struct cluster *c, const uint32_t *set, uint64_t k, double *share)
{
    uint32_t part[DEAD_MOST];
    for (uint32_t x = 0; x < h->n; x++)
        share[c->node[x].id] = h->base[x];
    for (uint64_t mask = 1; mask < 1ULL << k; mask++) {
        uint64_t size = 0;
        for (uint64_t i = 0; i < k; i++)
            if (mask >> i & 1)
                part[size++] = set[i];
        const double *gain = h->gain + number_of(h, part, size) * h->n;
        for (uint32_t x = 0; x < h->n; x++)
            share[c->node[x].id] += gain[x];
    }
    for (uint64_t i = 0; i < k; i++)
        share[c->node[set[i]].id] = 0;
}

/* -- other strategies -- */

/* The strategy opened anew and changed to the nodes that live: share of ids values. */
static int shares_without(const struct study *s, const struct spec *spec, const struct placement *p, uint64_t copies, const uint32_t *set, uint64_t k,
                          double *share, char why[WHY])
{
    struct placement *q = NULL;
    struct node *node = mem_alloc(p->cluster->size, sizeof *node);
    uint32_t n = 0;
    for (uint32_t i = 0, at = 0; node && i < p->cluster->size; i++)
        if (at < k && set[at] == i)
            at++;
        else
            node[n++] = p->cluster->node[i];
    const struct cluster alive = {node, n, p->cluster->ids};
    int e = node ? placement_open(&q, spec, p->cluster, &s->hash, why) : no_memory(p, why);
    if (!e)
        e = placement_change(q, &alive, why);
    if (!e)
        e = load_shares(q, copies, share, why);
    placement_close(q);
    mem_free(node);
    return e;
}

/* -- the worst -- */

/* h NULL: not a ring's. */
static int worst_of(const struct study *s, const struct tune *ask, const struct spec *spec, const struct placement *p, const struct heirs *h,
                    struct sample *out, char why[WHY])
{
    const struct cluster *c = p->cluster;
    uint64_t copies = ask->replicas ? ask->replicas : 1;
    uint32_t set[DEAD_MOST];
    double *share = mem_alloc(2 * (size_t)c->ids, sizeof *share), *fair = share + c->ids;
    int e = share ? 0 : no_memory(p, why);
    for (uint64_t k = 0; k <= ask->survive && !e; k++) {
        subset_first((uint32_t)k, set);
        do {
            if (h)
                heirs_shares(h, c, set, k, share);
            else
                e = k ? shares_without(s, spec, p, copies, set, k, share, why) : load_shares(p, copies, share, why);
            fair_alive(c, set, k, fair);
            if (!e)
                sample_worsen(out, share, fair, c->ids);
        } while (!e && subset_next(c->size, (uint32_t)k, set));
    }
    mem_free(share);
    return e;
}

int measure_deaths(const struct tune *ask, const struct study *s, const struct spec *spec, const struct placement *p, struct rng *keys, size_t draws,
                   struct sample *out, char why[WHY])
{
    struct heirs all = {0}, drawn = {0};
    if (!is_ring(p))
        return worst_of(s, ask, spec, p, NULL, out, why);
    int e = heirs_init(&all, p, ask->replicas ? ask->replicas : 1, ask->survive, why);
    if (!e && keys) {
        drawn = (struct heirs){.n = all.n, .most = 1, .base = mem_alloc(all.n, sizeof *drawn.base), .gain = mem_alloc((size_t)all.n * all.n, sizeof *drawn.gain)};
        e = drawn.base && drawn.gain ? 0 : no_memory(p, why);
    }
    for (size_t i = 0; i < draws && !e; i++) {
        if (keys)
            heirs_draw(&all, ask->keys, &keys[i], &drawn);
        e = worst_of(s, ask, spec, p, keys ? &drawn : &all, &out[i], why);
    }
    heirs_release(&all);
    heirs_release(&drawn);
    return e;
}
