/* A spec held to its promises on one cluster after another: what the contract's test programs share.
 *
 * What is asked follows from what the opened placement says of itself (caps, law, engine hooks) and not from its name. Where an engine has no map,
 * owners of real keys stand for it. */
#ifndef TESTS_CONTRACT_TRIAL_H
#define TESTS_CONTRACT_TRIAL_H

#include "base/rng.h"
#include "metrics/balance.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FEW_KEYS = 20000 };

/* One spec under test, and what it broke. */
struct trial {
    const struct spec *spec;
    const char *text, *hash;
    const char *const *promise; /* NULL ends; check() counts by index */
    struct registry *registry;
    const struct cluster *cluster;
    bool addresses;
    uint64_t broken[20], kept[20];
};

static inline void check(struct trial *t, int what, bool good, const char *where)
{
    t->kept[what] += good;
    if (!good && t->broken[what]++ == 0)
        note("%s, hash %s, %u nodes of weight %" PRIu64 ": %s: %s", t->text, t->hash, t->cluster->size, cluster_weight(t->cluster), t->promise[what], where);
}

static inline void report(const struct trial *t)
{
    for (int i = 0; t->promise[i]; i++)
        if (t->broken[i] || t->kept[i])
            ok(!t->broken[i], "%s, hash %s: %s", t->text, t->hash, t->promise[i]);
}

/* -- clusters -- */

static inline const struct cluster *cluster_with(const struct trial *t, const char *change)
{
    char why[WHY] = "";
    const struct cluster *c = NULL;
    must(cluster_change(t->registry, t->cluster, change, t->addresses, &c, why), why);
    return c;
}

/* n nodes of default names, weights 1 3 5 2 4 1 .. if so wanted. */
static inline const struct cluster *cluster_sized(const struct trial *t, uint32_t n, bool unequal)
{
    char *text = mem_alloc(n, 32), why[WHY] = "";
    const struct cluster *c = NULL;
    snprintf(text, 32, "%u", n);
    must(cluster_read(t->registry, text, t->addresses, &c, why), why);
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, 32, "%s%s=%u", i ? "," : "", c->node[i].name, 1 + i * 2 % 5);
    if (unequal)
        must(cluster_read(t->registry, text, t->addresses, &c, why), why);
    mem_free(text);
    return c;
}

static inline bool any_down(const struct cluster *c)
{
    for (uint32_t i = 0; i < c->size; i++)
        if (c->node[i].down)
            return true;
    return false;
}

/* -- keys -- */

/* Key i of a kind: words, then addresses (now and then of IPv6), then numbers. */
enum { KEY_KINDS = 3 };
static inline uint32_t key_text(int kind, uint64_t i, char out[64])
{
    uint64_t word = rng_at(5, i);
    unsigned a = word & 255, b = word >> 8 & 255, c = word >> 16 & 255, d = word >> 24 & 255;
    int n = kind == 0     ? snprintf(out, 64, "user:%" PRIu64, i)
            : kind == 2   ? snprintf(out, 64, "%" PRIu64, i)
            : i % 16 == 9 ? snprintf(out, 64, "2001:db8::%x:%x", a << 8 | b, c << 8 | d)
                          : snprintf(out, 64, "%u.%u.%u.%u", a, b, c, d);
    return (uint32_t)n;
}

/* The first kind that the placement accepts. */
static inline int key_kind(const struct placement *p)
{
    char key[64];
    uint64_t digest;
    for (int kind = 0; kind < KEY_KINDS; kind++)
        if (placement_digest(p, key, key_text(kind, 1, key), &digest) != KEY_INVALID)
            return kind;
    must(-EINVAL, "no kind of key is accepted");
    return 0;
}

/* Owners of keys 0 .. n-1; to be mem_freed. */
static inline uint32_t *key_owners(const struct placement *p, size_t n)
{
    enum { BLOCK = 500 };
    static char text[BLOCK][64];
    const void *key[BLOCK];
    uint32_t len[BLOCK], *owner = mem_alloc(n, sizeof *owner);
    uint64_t digest[BLOCK];
    uint8_t verdict[BLOCK];
    int kind = key_kind(p);
    for (size_t from = 0, k; from < n; from += k) {
        bool plain;
        for (k = 0; k < BLOCK && from + k < n; k++) {
            key[k] = text[k];
            len[k] = key_text(kind, from + k, text[k]);
        }
        placement_digests(p, key, len, k, digest, verdict, &plain);
        placement_owners(p, key, len, k, digest, verdict, plain, owner + from);
    }
    return owner;
}

/* Shares of n keys by owner: c->ids values, and *unplaced. */
static inline void key_shares(const uint32_t *owner, size_t n, uint32_t ids, double *share, double *unplaced)
{
    *unplaced = 0;
    memset(share, 0, ids * sizeof *share);
    for (size_t i = 0; i < n; i++)
        *(owner[i] < ids ? &share[owner[i]] : unplaced) += 1 / (double)n;
}

/* -- two placements -- */

static inline bool has_map(const struct placement *p)
{
    return p->engine->ranges != NULL;
}

static inline bool same_map(const struct placement *a, const struct placement *b)
{
    struct map m = map_of(a), n = map_of(b);
    bool same = m.count == n.count && m.cells == n.cells;
    for (size_t i = 0; same && i < m.count; i++)
        same = m.range[i].first == n.range[i].first && m.range[i].last == n.range[i].last && m.range[i].id == n.range[i].id;
    map_release(&m);
    map_release(&n);
    return same;
}

/* By the map where there is one and some real keys, else by many. */
static inline bool same_places(const struct placement *a, const struct placement *b)
{
    size_t n = has_map(a) ? 200 : FEW_KEYS;
    uint32_t *x = key_owners(a, n), *y = key_owners(b, n);
    bool same = a->engine == b->engine && a->key.hash.hash == b->key.hash.hash && !memcmp(x, y, n * sizeof *x);
    mem_free(x);
    mem_free(y);
    return same && (!has_map(a) || same_map(a, b));
}

#endif
