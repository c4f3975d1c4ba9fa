/* The requests of a batch at the nodes' caches. Nodes know nothing of one another, so they are dealt to threads in groups; each group reads the whole
 * batch in the stream's order and serves its own. What a request will touch is fetched while those before it are served.
 *
 * An item that the database still has to answer for (--fetch) takes its place in the cache when it is asked for; until it is there, whoever asks for
 * it misses too, and asks the database again or waits. */
#include "experiments/cache_parts.h"

#include "base/mem.h"

#include <errno.h>

enum { CHUNK = 4096, SOON = 24, SOONER = 16, SOONEST = 8 };

static void node_leave(struct cache_node *n)
{
    lru_release(&n->lru);
    mem_free(n->ready);
    n->ready = NULL;
    n->alive = false;
}

void nodes_release(struct site *site)
{
    for (uint32_t id = 0; site->node && id < site->ids; id++)
        node_leave(&site->node[id]);
    mem_free(site->node);
}

static bool stands(const struct cluster *c, uint32_t id)
{
    const struct node *n = cluster_by_id(c, id);
    return n && !n->down;
}

int nodes_enter(const struct cache *c, struct site *site, size_t stretch, char why[WHY])
{
    double keys = c->popular.keys; /* more than all keys there is no use for */
    uint64_t items = keys > 0 && keys < (double)c->wish->items ? (uint64_t)keys : c->wish->items;
    bool good = true;
    for (uint32_t id = 0; id < site->ids && good; id++) {
        struct cache_node *n = &site->node[id];
        bool alive = stands(site->cluster[stretch], id);
        if (n->alive && !alive)
            node_leave(n);
        if (!n->alive && alive) {
            good = lru_init(&n->lru, items) == 0;
            if (good && c->wish->fetch)
                good = (n->ready = mem_alloc(items + 1, sizeof *n->ready)) != NULL;
            n->alive = good;
            if (!good)
                lru_release(&n->lru);
        }
    }
    return good ? 0 : fail(why, ENOMEM, "no memory for the caches");
}

static void serve(const struct cache *c, struct cache_node *n, uint64_t key, uint64_t now)
{
    uint32_t place;
    n->asked++;
    if (!n->alive)
        return;
    bool hit = lru_ask(&n->lru, key, &place);
    if (n->ready && !hit) {
        n->ready[place] = now + c->wish->fetch;
    } else if (n->ready && n->ready[place] > now) {
        hit = false;
        n->waited += c->wish->coalesce;
    }
    n->hits += hit;
}

/* One group's requests among `count` of the batch from `first` on. */
static void serve_chunk(const struct cache *c, const struct site *site, size_t first, size_t count, unsigned group, unsigned groups)
{
    struct {
        struct cache_node *node;
        uint64_t key;
        size_t at;
    } own[CHUNK + SOON];
    size_t n = 0;
    for (size_t i = first; i < first + count; i++) {
        uint32_t id = site->owner[i] < site->ids ? site->owner[i] : site->ids;
        own[n].node = &site->node[id];
        own[n].key = c->key[i];
        own[n].at = i;
        n += id % groups == group;
    }
    for (size_t i = 0; i < n + SOON; i++) {
        if (i < n && own[i].node->alive)
            lru_soon(&own[i].node->lru, own[i].key);
        if (i >= SOON - SOONER && i - (SOON - SOONER) < n && own[i - (SOON - SOONER)].node->alive)
            lru_sooner(&own[i - (SOON - SOONER)].node->lru, own[i - (SOON - SOONER)].key);
        if (i >= SOON - SOONEST && i - (SOON - SOONEST) < n && own[i - (SOON - SOONEST)].node->alive)
            lru_soonest(&own[i - (SOON - SOONEST)].node->lru, own[i - (SOON - SOONEST)].key);
        if (i >= SOON)
            serve(c, own[i - SOON].node, own[i - SOON].key, c->done + own[i - SOON].at);
    }
}

void batch_serve(struct cache *c)
{
    unsigned groups = c->sites < 4 * (size_t)c->threads ? c->threads : 1;
#pragma omp parallel for schedule(dynamic) num_threads(c->threads) if (c->slots > 1)
    for (size_t u = 0; u < c->sites * groups; u++)
        for (size_t first = 0; first < c->count; first += CHUNK)
            serve_chunk(c, &c->site[u / groups], first, c->count - first < CHUNK ? c->count - first : CHUNK, (unsigned)(u % groups), groups);
}
