/* The next requests and their owners, by many threads, 64 blocks at a time: a key is made or read, hashed once for each key rule and looked up for
 * each strategy. All requests of a batch meet the same nodes, since a batch ends where the caller asks, if need be within a file's block, whose rest
 * waits. A batch of one block is one thread's: others would take longer to wake than it takes.
 *
 * A cache knows a key by 64 bits of XXH3 under a seed of its own, beside the digest that places it. Two of n keys share them with a chance of
 * n^2 / 2^65: 1 in 4 million for 3 million keys. */
#include "experiments/cache_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "experiments/feed.h"
#include "model/hashes.h"

#include <errno.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

int batch_open(struct cache *c, char why[WHY])
{
    c->lane = mem_alloc(c->threads, sizeof *c->lane);
    c->slot = mem_alloc(SLOTS, sizeof *c->slot);
    c->key = mem_alloc(BATCH, sizeof *c->key);
    bool good = c->lane && c->slot && c->key;
    for (unsigned i = 0; good && i < c->threads; i++) {
        struct lane *l = &c->lane[i];
        l->digest = mem_alloc(c->sites, KEY_BLOCK * sizeof *l->digest);
        l->verdict = mem_alloc(KEY_BLOCK, 1);
        l->owner = mem_alloc(KEY_BLOCK, sizeof *l->owner);
        good = l->digest && l->verdict && l->owner;
    }
    for (size_t i = 0; good && i < SLOTS; i++)
        good = key_block_init(&c->slot[i].block) == 0;
    for (size_t i = 0; i < c->sites; i++) {
        c->site[i].same_as = 0;
        while (c->site[i].same_as < i && !placement_digests_serve(c->site[c->site[i].same_as].now, c->site[i].now))
            c->site[i].same_as++;
    }
    return good ? 0 : fail(why, ENOMEM, "no memory for blocks of keys");
}

void batch_close(struct cache *c)
{
    for (unsigned i = 0; c->lane && i < c->threads; i++) {
        mem_free(c->lane[i].digest);
        mem_free(c->lane[i].verdict);
        mem_free(c->lane[i].owner);
    }
    for (size_t i = 0; c->slot && i < SLOTS; i++)
        key_block_release(&c->slot[i].block);
    mem_free(c->lane);
    mem_free(c->slot);
    mem_free(c->key);
}

/* Slots of a file: blocks in order, cut to what is wanted. */
static int read_slots(struct cache *c, size_t want, char why[WHY])
{
    int e = 0;
    if (c->left) {
        struct slot last = c->slot[c->slots - 1];
        c->slot[c->slots - 1] = c->slot[0];
        c->slot[0] = last;
        c->slot[0].from += last.count;
    }
    c->slots = c->count = 0;
    while (!e && c->slots < SLOTS && c->count < want) {
        struct slot *slot = &c->slot[c->slots];
        if (!c->left) {
            slot->from = 0;
            e = workload_next(c->w, &slot->block, why);
        }
        size_t has = e ? 0 : slot->block.count - slot->from;
        slot->count = has < want - c->count ? has : want - c->count;
        slot->at = c->count;
        c->count += slot->count;
        c->left = slot->count < has;
        if (!slot->count)
            break;
        c->slots++;
    }
    return e;
}

static void plan_slots(struct cache *c, size_t want)
{
    size_t ahead = c->total - c->done < want ? (size_t)(c->total - c->done) : want;
    c->count = ahead;
    c->slots = (ahead + KEY_BLOCK - 1) / KEY_BLOCK;
    for (size_t i = 0; i < c->slots; i++) {
        struct slot *slot = &c->slot[i];
        slot->from = 0;
        slot->at = i * KEY_BLOCK;
        slot->count = ahead - slot->at < KEY_BLOCK ? ahead - slot->at : KEY_BLOCK;
    }
}

/* Owners of one site; 0 or -EINVAL and *at, the key that cannot be one. */
static int place_slot(const struct cache *c, size_t i, const struct slot *slot, const struct key_block *b, struct lane *l, size_t *at, char why[WHY])
{
    struct site *site = &c->site[i];
    uint64_t *digest = l->digest + site->same_as * KEY_BLOCK;
    uint32_t *owner = site->owner + slot->at;
    bool plain = true;
    if (site->same_as == i && placement_digests(site->now, b->text, b->len, b->count, digest, l->verdict, &plain))
        return feed_refuse(site->now, c->w, b, l->verdict, at, why);
    placement_owners(site->now, b->text, b->len, b->count, digest, l->verdict, plain, owner);
    if (site->digest)
        memcpy(site->digest + slot->at, digest, b->count * sizeof *digest);
    if (site->was && !site->digest && c->current > 0) {
        uint64_t kept = 0;
        placement_owners(site->was, b->text, b->len, b->count, digest, l->verdict, plain, l->owner);
        for (size_t k = 0; k < b->count; k++)
            kept += owner[k] == l->owner[k] && owner[k] != NO_NODE;
#pragma omp atomic
        site->kept[c->current] += kept;
    }
    return 0;
}

static int fill_slot(struct cache *c, struct slot *slot, struct lane *l, uint64_t *at, char why[WHY])
{
    *at = c->done + slot->at;
    if (c->total && workload_fill(c->w, *at, slot->count, &slot->block))
        return fail(why, ENOMEM, "no memory for a block of keys");
    struct key_block b = slot->block;
    b.first += slot->from;
    b.text += slot->from;
    b.len += slot->from;
    b.line += slot->from;
    b.count = slot->count;
    hash_xxh3.many(b.text, b.len, b.count, RNG_GOLDEN, c->key + slot->at);
    for (size_t i = 0; i < c->sites; i++) {
        size_t k;
        int e = place_slot(c, i, slot, &b, l, &k, why);
        if (e) {
            *at += k;
            return e;
        }
    }
    return 0;
}

int batch_next(struct cache *c, size_t want, char why[WHY])
{
    int error = 0;
    uint64_t error_at = 0;
    if (c->total)
        plan_slots(c, want);
    else if ((error = read_slots(c, want, why)))
        return error;
#pragma omp parallel for schedule(dynamic) num_threads(c->threads) if (c->slots > 1)
    for (size_t i = 0; i < c->slots; i++) {
        char mine[WHY];
        uint64_t at;
        int e = fill_slot(c, &c->slot[i], &c->lane[omp_get_thread_num()], &at, mine);
#pragma omp critical(cache_batch)
        if (e && (!error || at < error_at)) { /* of several the first is told */
            error = e;
            error_at = at;
            memcpy(why, mine, WHY);
        }
    }
#pragma omp parallel for schedule(dynamic) num_threads(c->threads) if (c->slots > 1)
    for (size_t i = 0; i < c->sites; i++)
        if (c->site[i].load)
            placement_owners_loaded(c->site[i].now, c->site[i].digest, c->count, c->site[i].load, &c->site[i].total, c->site[i].owner);
    return error;
}
