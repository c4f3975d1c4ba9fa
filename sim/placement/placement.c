#include "placement/placement.h"

#include "base/mem.h"
#include "strategies/engines/choices.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The placement and what it owns. */
struct opened {
    struct placement p; /* first: a placement is its opened */
    struct keyed_hash run_hash;
    struct cluster widened; /* what p.cluster points to after a change to a cluster that knew fewer ids */
    void *options;
    uint64_t memory;
    bool said_down; /* what p.warning says is of nodes that are down */
};

static struct opened *opened_of(const struct placement *p)
{
    return (struct opened *)(uintptr_t)p;
}

/* Opens the strategy on c into *fresh, whose strategy, options and run's hash are set. */
static int open_on(struct placement *fresh, const struct cluster *c, const struct keyed_hash *hash, uint64_t *memory, char why[WHY])
{
    char inner[WHY];
    uint64_t live = mem_live();
    fresh->cluster = c;
    fresh->key = (struct key_rule){.hash = *hash};
    fresh->caps = 0;
    fresh->law = LAW_NONE;
    fresh->law_count = 0;
    fresh->warning[0] = 0;
    int e = fresh->strategy->open(fresh, inner);
    if (e)
        return fail(why, -e, "%s: %s", fresh->strategy->name, inner);
    *memory = mem_live() - live;
    return 0;
}

/* The strategy's own warning, else one of nodes that are down where it takes no notice of them. */
static void warn_of_down(struct opened *o)
{
    struct placement *p = &o->p;
    if (o->said_down)
        p->warning[0] = 0;
    o->said_down = false;
    for (uint32_t i = 0; i < p->cluster->size && !p->warning[0] && !(p->caps & CAP_DOWN); i++)
        if (p->cluster->node[i].down) {
            fail(p->warning, 0, "%s takes no notice of nodes that are down: node %s keeps its keys", p->strategy->name, p->cluster->node[i].name);
            o->said_down = true;
        }
}

int placement_open(struct placement **out, const struct spec *spec, const struct cluster *c, const struct keyed_hash *hash,
                   char why[WHY])
{
    static const struct option none[] = {{0}};
    *out = NULL;
    struct opened *o = mem_alloc(1, sizeof *o);
    const struct strategy *s = catalog_find(spec->name);
    if (!o || !s) {
        mem_free(o);
        return fail(why, o ? EINVAL : ENOMEM, o ? "unknown strategy '%s'" : "no memory to open %s", spec->name);
    }
    o->options = mem_alloc(1, s->options_size);
    int e = o->options ? spec_fill(spec, s->option ? s->option : none, "strategy", o->options, why)
                       : fail(why, ENOMEM, "no memory to open %s", spec->name);
    o->p.strategy = s;
    o->p.options = o->options;
    o->run_hash = *hash;
    if (!e)
        e = open_on(&o->p, c, hash, &o->memory, why);
    if (e) {
        mem_free(o->options);
        mem_free(o);
        return e;
    }
    warn_of_down(o);
    *out = &o->p;
    return 0;
}

void placement_close(struct placement *p)
{
    if (!p)
        return;
    p->engine->destroy(p->state);
    mem_free(opened_of(p)->options);
    mem_free(opened_of(p));
}

static int change_to(struct placement *p, const struct cluster *after, char why[WHY])
{
    struct opened *o = opened_of(p);
    if (p->strategy->change) {
        char inner[WHY];
        uint64_t live = mem_live();
        int e = p->strategy->change(p, after, inner);
        o->memory += mem_live() - live; /* modulo 2^64: may shrink; room that was made stays even when more cannot be had */
        return e ? fail(why, -e, "%s: %s", p->strategy->name, inner) : 0;
    }
    struct placement fresh = *p;
    uint64_t memory;
    int e = open_on(&fresh, after, &o->run_hash, &memory, why);
    if (e)
        return e;
    p->engine->destroy(p->state);
    *p = fresh;
    o->memory = memory;
    o->said_down = false;
    return 0;
}

int placement_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    struct opened *o = opened_of(p);
    struct cluster wide = *after;
    bool knows_fewer = after->ids < p->cluster->ids; /* an earlier cluster comes back: ids met since are still to be held apart */
    if (knows_fewer)
        wide.ids = p->cluster->ids;
    int e = change_to(p, knows_fewer ? &wide : after, why);
    if (e)
        return e;
    o->widened = wide;
    p->cluster = knows_fewer ? &o->widened : after;
    warn_of_down(o);
    return 0;
}

uint64_t placement_memory(const struct placement *p)
{
    return opened_of(p)->memory;
}

const char *placement_wants(const struct placement *p)
{
    const struct hash *h = p->key.hash.hash;
    return h->accepts ? h->wants : p->key.wants ? p->key.wants : "any bytes";
}

enum key_verdict placement_part(const struct placement *p, const char *key, size_t len, unsigned char buf[16], const void **part,
                                size_t *part_len)
{
    *part = key;
    *part_len = len;
    enum key_verdict v = p->key.filter ? p->key.filter(p->options, key, len, buf, part, part_len) : KEY_HASHED;
    const struct hash *h = p->key.hash.hash;
    return v == KEY_HASHED && h->accepts && !h->accepts(*part, *part_len) ? KEY_INVALID : v;
}

enum key_verdict placement_digest(const struct placement *p, const char *key, size_t len, uint64_t *digest)
{
    unsigned char buf[16];
    const void *part;
    size_t part_len;
    enum key_verdict v = placement_part(p, key, len, buf, &part, &part_len);
    *digest = v == KEY_HASHED ? p->key.hash.hash->one(part, part_len, p->key.hash.seed) : 0;
    return v;
}

bool placement_hashes_alike(const struct placement *a, const struct placement *b)
{
    if (a->key.filter != b->key.filter || a->key.hash.hash != b->key.hash.hash || a->key.hash.seed != b->key.hash.seed)
        return false;
    /* a filter may look at the options */
    return !a->key.filter || (a->strategy == b->strategy && !memcmp(a->options, b->options, a->strategy->options_size));
}

bool placement_digests_serve(const struct placement *a, const struct placement *b)
{
    return !a->key.filter && !b->key.filter && !a->key.hash.hash->accepts && placement_hashes_alike(a, b);
}

void placement_owners_loaded(const struct placement *p, const uint64_t *digest, size_t n, uint64_t *load, uint64_t *total, uint32_t *owner)
{
    for (size_t i = 0; i < n; i++) {
        if (owner[i] == NO_NODE)
            continue;
        owner[i] = p->engine->lookup_loaded(p->state, digest[i], load, *total);
        load[owner[i]]++;
        ++*total;
    }
}

enum { PARTS = 64 };

/* Of up to PARTS keys whose parts are hashed; that of a key which is not is empty, and clears *plain. */
static size_t digests_of_parts(const struct placement *p, const void *const *key, const uint32_t *len, size_t n, uint64_t *digest,
                               uint8_t *verdict, bool *plain)
{
    unsigned char buf[PARTS][16];
    const void *part[PARTS];
    uint32_t part_len[PARTS];
    size_t invalid = 0;
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        size_t bytes;
        verdict[i] = (uint8_t)placement_part(p, key[i], len[i], buf[i], &part[i], &bytes);
        part_len[i] = verdict[i] == KEY_HASHED ? (uint32_t)bytes : 0;
        all &= verdict[i] == KEY_HASHED;
        invalid += verdict[i] == KEY_INVALID;
    }
    p->key.hash.hash->many(part, part_len, n, p->key.hash.seed, digest);
    for (size_t i = 0; i < n && !all; i++)
        digest[i] = verdict[i] == KEY_HASHED ? digest[i] : 0;
    *plain &= all;
    return invalid;
}

size_t placement_digests(const struct placement *p, const void *const *key, const uint32_t *len, size_t n, uint64_t *digest,
                         uint8_t *verdict, bool *plain)
{
    const struct keyed_hash *h = &p->key.hash;
    size_t invalid = 0;
    *plain = true;
    if (!p->key.filter && !h->hash->accepts) {
        memset(verdict, KEY_HASHED, n);
        h->hash->many(key, len, n, h->seed, digest);
        return 0;
    }
    for (size_t i = 0; i < n; i += PARTS) {
        size_t count = n - i < PARTS ? n - i : PARTS;
        invalid += digests_of_parts(p, key + i, len + i, count, digest + i, verdict + i, plain);
    }
    return invalid;
}

uint32_t placement_owner(const struct placement *p, const char *key, size_t len, uint64_t digest)
{
    unsigned char buf[16];
    const void *part;
    size_t part_len;
    uint32_t owner = p->engine->lookup(p->state, digest);
    if (owner != NO_NODE || !p->engine->again)
        return owner;
    placement_part(p, key, len, buf, &part, &part_len);
    return p->engine->again(p->state, part, part_len, digest);
}

void placement_owners(const struct placement *p, const void *const *key, const uint32_t *len, size_t n, const uint64_t *digest,
                      const uint8_t *verdict, bool plain, uint32_t *owner)
{
    p->engine->lookup_many(p->state, digest, n, owner);
    if (plain && !p->engine->again)
        return;
    for (size_t i = 0; i < n; i++)
        if (!plain && verdict[i] != KEY_HASHED)
            owner[i] = NO_NODE;
        else if (owner[i] == NO_NODE)
            owner[i] = placement_owner(p, key[i], len[i], digest[i]);
}

size_t placement_replicas(const struct placement *p, uint64_t digest, uint32_t *id, size_t k, bool *salted)
{
    *salted = !p->engine->replicas;
    return *salted ? choices(p, digest, id, k) : p->engine->replicas(p->state, digest, id, k);
}

/* Appends n ranges, to the one before where the owner is the same. */
static int map_append(struct map *m, size_t *capacity, const struct range *r, size_t n, bool pieces, char why[WHY])
{
    if (mem_grow(&m->range, capacity, m->count + n, sizeof *m->range))
        return fail(why, ENOMEM, "no memory for an ownership map");
    for (size_t i = 0; i < n; i++) {
        struct range *before = m->count ? &m->range[m->count - 1] : NULL;
        if (before && !pieces && before->id == r[i].id)
            before->last = r[i].last;
        else
            m->range[m->count++] = r[i];
    }
    return 0;
}

/* What the map is read from, block by block: ranges of the strategy, or the owners of all digests of a narrow hash. */
static size_t map_block(const struct placement *p, size_t from, struct range *r, size_t n)
{
    enum { MOST = 256 };
    if (p->engine->ranges)
        return p->engine->ranges(p->state, from, r, n);
    uint64_t digest[MOST], last = p->key.hash.hash->last;
    uint32_t owner[MOST];
    size_t k = 0;
    for (; k < n && k < MOST && from + k <= last; k++)
        digest[k] = from + k;
    p->engine->lookup_many(p->state, digest, k, owner);
    for (size_t i = 0; i < k; i++)
        r[i] = (struct range){digest[i], digest[i], owner[i]};
    return k;
}

static bool has_map(const struct placement *p)
{
    return p->engine->ranges || (!p->engine->again && !p->engine->lookup_loaded && p->key.hash.hash->last <= MAP_NARROW);
}

int placement_map(const struct placement *p, bool pieces, struct map *out, char why[WHY])
{
    *out = (struct map){.last = p->key.hash.hash->last, .ids = p->cluster->ids};
    if (p->engine->lookup_loaded)
        return fail(why, EINVAL, "%s: where a key goes depends on the keys before it, so nobody owns it: place keys (without --exact) to see", p->strategy->name);
    if (!has_map(p))
        return fail(why, EINVAL, "%s has no ownership map: what it moves, or who owns what, can only be sampled (without --exact)", p->strategy->name);
    out->cells = p->engine->ranges && p->engine->cells ? p->engine->cells(p->state) : 0;
    struct range block[256];
    size_t capacity = 0, n;
    int e = 0;
    for (size_t from = 0; !e && (n = map_block(p, from, block, 256)) > 0; from += n)
        e = map_append(out, &capacity, block, n, pieces, why);
    if (e)
        map_release(out);
    return e;
}

int placement_shares(const struct placement *p, double *share, double *unplaced, char why[WHY])
{
    struct map map;
    if (!has_map(p) && p->engine->shares) {
        *unplaced = 0;
        memset(share, 0, p->cluster->ids * sizeof *share);
        return p->engine->shares(p->state, share) ? fail(why, ENOMEM, "no memory for the shares of %u nodes", p->cluster->size) : 0;
    }
    int e = placement_map(p, false, &map, why);
    if (!e)
        e = map_shares(&map, share, unplaced, why);
    map_release(&map);
    return e;
}

void placement_points(const struct placement *p, size_t *points, size_t *distinct, uint64_t *owned)
{
    *points = *distinct = 0;
    if (owned)
        memset(owned, 0, p->cluster->ids * sizeof *owned);
    if (!is_ring(p))
        return;
    *points = ring_points(p, distinct);
    for (size_t i = 0; owned && i < *points; i++) {
        uint32_t id, other;
        uint64_t position = ring_position(p, i, &id);
        if (i == 0 || ring_position(p, i - 1, &other) != position)
            owned[id]++;
    }
}

double placement_full(const struct placement *p)
{
    size_t points, distinct;
    placement_points(p, &points, &distinct, NULL);
    return is_ring(p) ? (double)distinct / ((double)ring_last_position(p) + 1) : 0;
}

char *placement_options(const struct placement *p, const struct spec *spec)
{
    static const struct option none[] = {{0}};
    return spec_options(spec, p->strategy->option ? p->strategy->option : none);
}

char *placement_hash(const struct placement *p)
{
    char text[128];
    const struct keyed_hash *h = &p->key.hash;
    int n = h->seed ? snprintf(text, sizeof text, "%s:seed=%" PRIu64, h->hash->name, h->seed) : snprintf(text, sizeof text, "%s", h->hash->name);
    return mem_copy(text, (size_t)n);
}
