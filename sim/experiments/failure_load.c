#include "experiments/failure_parts.h"

#include "base/mem.h"
#include "experiments/counts.h"
#include "experiments/feed.h"

#include <errno.h>
#include <string.h>

enum { KEY_COST = 16 }; /* a key's steps */
static const uint32_t NONE = UINT32_MAX; /* ends a list of ranges */

static int no_memory(char why[WHY])
{
    return fail(why, ENOMEM, "no memory to let nodes fail");
}

int handing_restart(struct handing *h, char why[WHY])
{
    if (h->p && !(h->p->caps & CAP_HISTORY))
        return 0;
    placement_close(h->p);
    h->p = NULL;
    return placement_open(&h->p, h->spec, h->all, &h->s->hash, why);
}

static int lists_open(struct handing *h, char why[WHY])
{
    h->gone = mem_alloc(h->all->size, sizeof *h->gone);
    h->held = mem_alloc(h->all->size, sizeof *h->held);
    h->head = mem_alloc(h->all->size, sizeof *h->head);
    h->next = mem_alloc(h->copies.count, sizeof *h->next);
    h->at = mem_alloc(h->copies.count, sizeof *h->at);
    return h->gone && h->held && h->head && h->next && h->at ? 0 : no_memory(why);
}

/* Gives a range to the first of its copies that lives, from copy `at` on. */
static void give(struct handing *h, uint32_t range, uint32_t at, const bool *dead)
{
    const uint32_t *copy = h->copies.node + range * h->copies.width;
    while (at < h->copies.width && dead[copy[at]])
        at++;
    if (at == h->copies.width) {
        h->lost += h->copies.share[range];
        return;
    }
    h->held[copy[at]] += h->copies.share[range];
    h->at[range] = at;
    h->next[range] = h->head[copy[at]];
    h->head[copy[at]] = range;
}

/* All ranges with their first copies. */
static void nobody_dead(struct handing *h)
{
    uint32_t n = h->all->size;
    double placed = 0;
    memset(h->gone, 0, n * sizeof *h->gone);
    memset(h->held, 0, n * sizeof *h->held);
    for (uint32_t i = 0; i < n; i++)
        h->head[i] = NONE;
    for (uint32_t r = 0; r < h->copies.count; r++) {
        give(h, r, 0, h->gone);
        placed += h->copies.share[r];
    }
    h->lost = placed < 1 - 1e-12 ? 1 - placed : 0;
}

/* Ids become places. Ranges without an owner have no copies, and are lost before anything fails. */
static int find_copies(struct handing *h, const struct placement *p, uint32_t replicas, char why[WHY])
{
    uint32_t *place = mem_alloc(p->cluster->ids, sizeof *place);
    int e = place ? copies_list(&h->copies, p, replicas ? replicas : 1, why) : no_memory(why);
    for (uint32_t i = 0; i < p->cluster->size && !e; i++)
        place[p->cluster->node[i].id] = i;
    for (size_t i = 0; i < h->copies.count * h->copies.width && !e; i++) {
        size_t named = i % h->copies.width;
        if (h->copies.node[i] == NO_NODE)
            e = fail(why, EINVAL, "%s names %zu nodes for the copies of some range, and --replicas asks for %u; give --replicas %zu", p->strategy->name, named,
                     replicas, named ? named : 1);
        else
            h->copies.node[i] = place[h->copies.node[i]];
    }
    if (!e)
        e = lists_open(h, why);
    if (!e)
        nobody_dead(h);
    mem_free(place);
    return e;
}

int handing_open(struct handing *h, const struct study *s, const struct spec *spec, const struct placement *p, enum handing_way way, uint32_t replicas,
                 char why[WHY])
{
    *h = (struct handing){.s = s, .spec = spec, .all = p->cluster, .way = way};
    if (way == HAND_COPIES)
        return find_copies(h, p, replicas, why);
    for (int k = 0; k < 2; k++)
        h->node[k] = mem_alloc(p->cluster->size, sizeof *h->node[k]);
    h->share = mem_alloc(p->cluster->ids, sizeof *h->share);
    int e = h->node[0] && h->node[1] && h->share ? 0 : no_memory(why);
    if (!e && way == HAND_KEYS)
        e = study_workload(s, &h->w, why);
    return e ? e : handing_restart(h, why);
}

void handing_close(struct handing *h)
{
    placement_close(h->p);
    if (h->w)
        workload_close(h->w);
    mem_free(h->node[0]);
    mem_free(h->node[1]);
    mem_free(h->share);
    copies_release(&h->copies);
    mem_free(h->gone);
    mem_free(h->held);
    mem_free(h->head);
    mem_free(h->next);
    mem_free(h->at);
    *h = (struct handing){0};
}

/* The placement as the system sees it once those are dead. */
static int bury(struct handing *h, const bool *dead, char why[WHY])
{
    bool knows_down = h->p->caps & CAP_DOWN;
    struct node *node = h->node[h->turn];
    uint32_t n = 0;
    for (uint32_t i = 0; i < h->all->size; i++) {
        node[n] = h->all->node[i];
        node[n].down = dead[i];
        n += knows_down || !dead[i];
    }
    h->left[h->turn] = (struct cluster){node, n, h->all->ids};
    int e = placement_change(h->p, &h->left[h->turn], why);
    h->turn ^= !e;
    return e;
}

static int count_keys(struct handing *h, double *lost, char why[WHY])
{
    struct counts c = {0};
    const struct placement *p = h->p;
    int e = h->keys && !workload_is_random_access(h->w) ? workload_rewind(h->w, why) : 0;
    if (!e && counts_init(&c, 1, study_threads(h->s), p->cluster->ids))
        e = no_memory(why);
    if (!e)
        e = feed(h->s, h->w, &p, 1, counts_block, &c, NULL, &c.keys, why);
    if (!e && !c.keys)
        e = fail(why, EINVAL, "-k %s has no keys", workload_text(h->w));
    if (!e)
        e = counts_join(&c, why);
    if (!e) {
        counts_shares(&c, 0, h->all->ids, h->share, lost);
        h->keys = c.keys;
    }
    counts_release(&c);
    return e;
}

/* The first place from `i` on where two lists differ; n: none. */
static uint32_t differs(const bool *a, const bool *b, uint32_t i, uint32_t n)
{
    while (i + 64 <= n && !memcmp(a + i, b + i, 64))
        i += 64;
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* Only the ranges of those that died since go on. */
static void first_alive(struct handing *h, const bool *dead, double *load, double *lost)
{
    uint32_t n = h->all->size, i;
    for (i = differs(h->gone, dead, 0, n); i < n && !h->gone[i];)
        i = differs(h->gone, dead, i + 1, n);
    if (i < n) /* one lives again */
        nobody_dead(h);
    for (i = differs(h->gone, dead, 0, n); i < n; i = differs(h->gone, dead, i + 1, n)) {
        h->gone[i] = true;
        h->held[i] = 0;
        for (uint32_t range = h->head[i], next; range != NONE; range = next) {
            next = h->next[range];
            give(h, range, h->at[range] + 1, dead);
        }
    }
    memcpy(load, h->held, n * sizeof *load);
    *lost = h->lost;
}

int handing_load(void *handing, const bool *dead, double *load, double *lost, char why[WHY])
{
    struct handing *h = handing;
    if (h->way == HAND_COPIES) {
        first_alive(h, dead, load, lost);
        return 0;
    }
    int e = bury(h, dead, why);
    if (!e)
        e = h->way == HAND_SHARES ? placement_shares(h->p, h->share, lost, why) : count_keys(h, lost, why);
    for (uint32_t i = 0; i < h->all->size && !e; i++)
        load[i] = dead[i] ? 0 : h->share[h->all->node[i].id];
    return e;
}

/* Whether shares are exact, also with a node dead: a system that tries elsewhere when its peer is down has no map then. */
static int try_shares(struct handing *h, uint32_t victim, bool *dead, bool *exact, char why[WHY])
{
    char inner[WHY];
    double lost;
    int e = 0;
    *exact = true;
    for (uint32_t k = 0; k < 2 && *exact && !e; k++) {
        dead[victim] = k;
        e = bury(h, dead, why);
        int none = e ? 0 : placement_shares(h->p, h->share, &lost, inner);
        *exact = none != -EINVAL;
        e = *exact && none ? fail(why, -none, "%s", inner) : e;
    }
    return e;
}

static int choose_whole(const struct study *s, const struct spec *spec, const struct placement *p, uint32_t victim, enum handing_way *way, double *cost,
                        char why[WHY])
{
    struct handing h;
    struct map map;
    char none[WHY];
    bool exact = false, *dead = mem_alloc(p->cluster->size, sizeof *dead);
    double lost;
    int e = handing_open(&h, s, spec, p, HAND_SHARES, 0, why);
    if (!e)
        e = dead ? try_shares(&h, victim, dead, &exact, why) : no_memory(why);
    handing_close(&h);
    *way = exact ? HAND_SHARES : HAND_KEYS;
    *cost = p->cluster->size;
    if (!e && exact && !placement_map(p, false, &map, none)) {
        *cost = map.count > p->cluster->size ? (double)map.count : p->cluster->size;
        map_release(&map);
    }
    if (!e && !exact) {
        e = handing_open(&h, s, spec, p, HAND_KEYS, 0, why);
        uint64_t keys = e ? 0 : workload_requests(h.w); /* 0: not known before a file's end */
        if (!e && !keys)
            e = count_keys(&h, &lost, why);
        *cost = KEY_COST * (double)(keys ? keys : h.keys);
        handing_close(&h);
    }
    mem_free(dead);
    return e;
}

static int choose_copies(const struct placement *p, uint32_t replicas, double *cost, char why[WHY])
{
    struct map map;
    char none[WHY];
    int e = replicas > 1 && !p->engine->replicas ? -EINVAL : placement_map(p, true, &map, none);
    if (e == -ENOMEM)
        return no_memory(why);
    if (e)
        return fail(why, EINVAL, "%s has no ranges that share their copies (each key has its own), so what they take over is not known; leave out --replicas, or try -s ring, slots or maglev",
                    p->strategy->name);
    *cost = (double)map.count;
    map_release(&map);
    return 0;
}

int handing_choose(const struct study *s, const struct spec *spec, const struct placement *p, uint32_t replicas, uint32_t victim, enum handing_way *way,
                   double *cost, char why[WHY])
{
    *way = HAND_COPIES;
    return replicas || (p->caps & CAP_ASSIGNED && !p->engine->lookup_loaded) ? choose_copies(p, replicas, cost, why) : choose_whole(s, spec, p, victim, way, cost, why);
}
