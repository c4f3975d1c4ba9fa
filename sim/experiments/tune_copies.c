/* Copies of a key, and dead nodes: the map is cut into pieces that have one list of nodes each, and on a ring the next living node of the list takes
 * over. What is no ring is opened anew and changed to the nodes that live. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <string.h>

static int no_memory(const struct placement *p, char why[WHY])
{
    return fail(why, ENOMEM, "no memory to measure %u nodes", p->cluster->size);
}

/* The map cut into pieces of one list of nodes each: the first `width` nodes of piece i stand at node[i * width]. */
struct pieces {
    struct map map;
    uint32_t *node;
    size_t width;
};

static void pieces_release(struct pieces *l)
{
    map_release(&l->map);
    mem_free(l->node);
}

static int pieces_list(struct pieces *l, const struct placement *p, size_t width, char why[WHY])
{
    bool salted;
    *l = (struct pieces){.width = width};
    int e = placement_map(p, true, &l->map, why);
    l->node = e ? NULL : mem_alloc(l->map.count * width, sizeof *l->node);
    if (!e && !l->node)
        e = no_memory(p, why);
    for (size_t i = 0; i < l->map.count && !e; i++) {
        size_t found = placement_replicas(p, l->map.range[i].first, l->node + i * width, width, &salted);
        for (; found < width; found++)
            l->node[i * width + found] = NO_NODE;
    }
    return e;
}

/* Shares of all copies together, when nodes with dead[id] are gone (NULL: none); scratch: ids values. */
static int copy_shares(struct pieces *l, uint64_t copies, const bool *dead, double *share, double *scratch, char why[WHY])
{
    double unplaced;
    int e = 0;
    memset(share, 0, l->map.ids * sizeof *share);
    for (uint64_t c = 0; c < copies && !e; c++) {
        for (size_t i = 0; i < l->map.count; i++) {
            uint64_t alive = 0;
            size_t k = 0;
            const uint32_t *node = l->node + i * l->width;
            for (; k < l->width; k++)
                if (node[k] != NO_NODE && !(dead && dead[node[k]]) && alive++ == c)
                    break;
            l->map.range[i].id = k < l->width ? node[k] : NO_NODE;
        }
        e = map_shares(&l->map, scratch, &unplaced, why);
        for (uint32_t id = 0; id < l->map.ids && !e; id++)
            share[id] += scratch[id] / (double)copies;
    }
    return e;
}

int load_shares(const struct placement *p, uint64_t copies, double *share, double *scratch, char why[WHY])
{
    double unplaced;
    struct pieces l;
    if (copies <= 1)
        return placement_shares(p, share, &unplaced, why);
    int e = pieces_list(&l, p, copies, why);
    if (!e)
        e = copy_shares(&l, copies, NULL, share, scratch, why);
    pieces_release(&l);
    return e;
}

/* -- deaths -- */

/* The next set of k of n in order; false: that was the last. */
static bool next_set(uint32_t *set, uint64_t k, uint32_t n)
{
    uint64_t i = k;
    while (i > 0 && set[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return false;
    set[i - 1]++;
    for (; i < k; i++)
        set[i] = set[i - 1] + 1;
    return true;
}

/* Fair shares of those that live. */
static void fair_alive(const struct cluster *c, const bool *dead, double *fair)
{
    double alive = 0;
    cluster_fair_shares(c, fair);
    for (uint32_t i = 0; i < c->size; i++)
        alive += dead[c->node[i].id] ? 0 : fair[c->node[i].id];
    for (uint32_t i = 0; i < c->size; i++)
        fair[c->node[i].id] *= dead[c->node[i].id] ? 0 : 1 / alive;
}

/* A ring, one copy, one death: the share of each pair of owner and heir says all. */
static int ring_pairs(const struct placement *p, uint64_t keys, struct rng *rng, struct sample *out, char why[WHY])
{
    struct pieces l;
    uint32_t n = p->cluster->ids;
    double *pair = mem_alloc((size_t)n * n, sizeof *pair), unplaced;
    double *share = mem_alloc(n, sizeof *share), *now = mem_alloc(n, sizeof *now), *fair = mem_alloc(n, sizeof *fair);
    bool *dead = mem_alloc(n, sizeof *dead);
    int e = pieces_list(&l, p, 2, why);
    if (!e && !(pair && share && now && fair && dead))
        e = no_memory(p, why);
    for (size_t i = 0; i < l.map.count && !e; i++)
        l.map.range[i].id = l.node[2 * i] * n + l.node[2 * i + 1];
    l.map.ids = n * n;
    if (!e)
        e = map_shares(&l.map, pair, &unplaced, why);
    if (!e && rng && keys) {
        draw_multinomial(rng, keys, pair, n * n, pair);
        for (uint32_t i = 0; i < n * n; i++)
            pair[i] /= (double)keys;
    }
    for (uint32_t i = 0; i < n * n && !e; i++)
        share[i / n] += pair[i];
    for (uint32_t k = 0; k < p->cluster->size && !e; k++) {
        uint32_t victim = p->cluster->node[k].id;
        for (uint32_t id = 0; id < n; id++)
            now[id] = id == victim ? 0 : share[id] + pair[victim * n + id];
        dead[victim] = true;
        fair_alive(p->cluster, dead, fair);
        dead[victim] = false;
        sample_worsen(out, now, fair, n);
    }
    pieces_release(&l);
    mem_free(pair);
    mem_free(share);
    mem_free(now);
    mem_free(fair);
    mem_free(dead);
    return e;
}

/* The strategy opened anew and changed to the nodes that live: share of ids values. */
static int shares_without(const struct study *s, const struct spec *spec, const struct placement *p, uint64_t copies, const bool *dead, double *share,
                          double *scratch, char why[WHY])
{
    struct placement *q = NULL;
    struct node *node = mem_alloc(p->cluster->size, sizeof *node);
    uint32_t n = 0;
    for (uint32_t i = 0; node && i < p->cluster->size; i++)
        if (!dead[p->cluster->node[i].id])
            node[n++] = p->cluster->node[i];
    const struct cluster alive = {node, n, p->cluster->ids};
    int e = node ? placement_open(&q, spec, p->cluster, &s->hash, why) : no_memory(p, why);
    if (!e)
        e = placement_change(q, &alive, why);
    if (!e)
        e = load_shares(q, copies, share, scratch, why);
    placement_close(q);
    mem_free(node);
    return e;
}

/* Every set of so many dead nodes. On a ring the next living node of a piece's list takes over. */
static int all_deaths(const struct study *s, const struct tune *ask, const struct spec *spec, const struct placement *p, struct sample *out, char why[WHY])
{
    const struct cluster *c = p->cluster;
    uint64_t copies = ask->replicas ? ask->replicas : 1;
    struct pieces l = {0};
    double *share = mem_alloc(3 * (size_t)c->ids, sizeof *share), *scratch = share + c->ids, *fair = scratch + c->ids;
    bool *dead = mem_alloc(c->ids, sizeof *dead);
    uint32_t *set = mem_alloc(ask->survive, sizeof *set);
    int e = share && dead && set ? 0 : no_memory(p, why);
    if (!e && is_ring(p))
        e = pieces_list(&l, p, copies + ask->survive, why);
    for (uint32_t i = 0; !e && i < ask->survive; i++)
        set[i] = i;
    bool more = !e;
    while (more && !e) {
        for (uint64_t i = 0; i < ask->survive; i++)
            dead[c->node[set[i]].id] = true;
        e = is_ring(p) ? copy_shares(&l, copies, dead, share, scratch, why) : shares_without(s, spec, p, copies, dead, share, scratch, why);
        fair_alive(c, dead, fair);
        if (!e)
            sample_worsen(out, share, fair, c->ids);
        memset(dead, 0, c->ids * sizeof *dead);
        more = next_set(set, ask->survive, c->size);
    }
    pieces_release(&l);
    mem_free(share);
    mem_free(dead);
    mem_free(set);
    return e;
}

int measure_deaths(const struct tune *ask, const struct study *s, const struct spec *spec, const struct placement *p, struct rng *keys, struct sample *out,
                   char why[WHY])
{
    bool pairs = ask->survive == 1 && ask->replicas <= 1 && is_ring(p) && p->cluster->ids <= DEATHS_PAIRS;
    return pairs ? ring_pairs(p, ask->keys, keys, out, why) : all_deaths(s, ask, spec, p, out, why);
}
