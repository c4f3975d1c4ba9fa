/* A strategy opened on a cluster: what the experiments work with. */
#ifndef PLACEMENT_PLACEMENT_H
#define PLACEMENT_PLACEMENT_H

#include "metrics/map.h"
#include "placement/catalog.h"

/* Opens the spec (kept by pointer; it must outlive the placement) on a cluster; `hash` is the run's, for
 * strategies that have none of their own. 0, -EINVAL, -ENOMEM; on failure *out is NULL. */
int placement_open(struct placement **out, const struct spec *spec, const struct cluster *c, const struct keyed_hash *hash,
                   char why[WHY]);
void placement_close(struct placement *p); /* NULL is allowed */

/* Goes to another cluster, by the strategy's own change where it has one (all differences in one call),
 * else by opening anew and swapping. On failure the placement is as before. An earlier cluster may come back: p->cluster then
 * has its nodes, but all ids met since. */
int placement_change(struct placement *p, const struct cluster *after, char why[WHY]);

/* The part of a key that is hashed: *part points into key or into buf. KEY_INVALID also where the hash wants other keys. */
enum key_verdict placement_part(const struct placement *p, const char *key, size_t len, unsigned char buf[16], const void **part,
                                size_t *part_len);

/* The digest of one key. */
enum key_verdict placement_digest(const struct placement *p, const char *key, size_t len, uint64_t *digest);

/* Digests of n keys; verdict[i] says which were hashed (digest of the others: 0). Returns how many are KEY_INVALID.
 * *plain is set when all are KEY_HASHED. */
size_t placement_digests(const struct placement *p, const void *const *key, const uint32_t *len, size_t n, uint64_t *digest,
                         uint8_t *verdict, bool *plain);

/* The owner of a key whose digest is known and was KEY_HASHED; NO_NODE where the system names none. */
uint32_t placement_owner(const struct placement *p, const char *key, size_t len, uint64_t digest);

/* Owners of n keys from their digests and verdicts (NO_NODE for those not hashed); plain: all were hashed. */
void placement_owners(const struct placement *p, const void *const *key, const uint32_t *len, size_t n, const uint64_t *digest,
                      const uint8_t *verdict, bool plain, uint32_t *owner);

/* Whether any key has the same digest in both: what two ownership maps must share to be compared. */
bool placement_hashes_alike(const struct placement *a, const struct placement *b);

/* Whether the digests of one, all its keys being KEY_HASHED, are those of the other: they need not be made twice. */
bool placement_digests_serve(const struct placement *a, const struct placement *b);

/* Where loads are looked at (engine->lookup_loaded): the owners of n keys one after the other, owner[] holding their first choices. load[id] and *total go
 * along. */
void placement_owners_loaded(const struct placement *p, const uint64_t *digest, size_t n, uint64_t *load, uint64_t *total, uint32_t *owner);

/* What the strategy asks of a key, for messages. */
const char *placement_wants(const struct placement *p);

/* k distinct nodes, the owner first (fewer where the strategy cannot name so many, none where the digest alone has no owner). *salted: by look-ups
 * of the salted digest, since the strategy has no way of its own. */
size_t placement_replicas(const struct placement *p, uint64_t digest, uint32_t *id, size_t k, bool *salted);

/* Who owns what, neighbours with one owner joined unless `pieces`. Where the strategy has no map, but the key's hash is narrow (MAP_NARROW), all its
 * digests are looked up. 0, -ENOMEM, or -EINVAL: there is no map. */
int placement_map(const struct placement *p, bool pieces, struct map *out, char why[WHY]);

/* Exact shares: from the map, else by the strategy's own law. share[id] for ids values, and *unplaced: what no node has. 0, -ENOMEM, or -EINVAL:
 * shares can only be sampled. */
int placement_shares(const struct placement *p, double *share, double *unplaced, char why[WHY]);

/* Points of a ring: how many, how many at positions of their own, and owned[id] (ids values; NULL: not asked) the points that
 * own something, for each node. 0, 0 for others. */
void placement_points(const struct placement *p, size_t *points, size_t *distinct, uint64_t *owned);
double placement_full(const struct placement *p); /* part of a ring's positions that hold a point; 0 for others */

/* Canonical texts for the CSV: "ring", "vnodes=150", "xxh3". mem_freed by the caller; NULL: no memory. */
char *placement_options(const struct placement *p, const struct spec *spec);
char *placement_hash(const struct placement *p);

/* Bytes that the strategy holds. */
uint64_t placement_memory(const struct placement *p);

#endif
