/* libmemcached: modula, and rings in two dialects (ketama and spy), each unweighted or weighted.
 *
 * modula             servers[hash mod count]; weights are ignored.
 * ketama, spy        100 labels a server, one point each, by the key's own hash (one_at_a_time unless set).
 * ...-weighted       as libketama: about 40 labels for an average weight, four MD5 points each; forces MD5 for keys too.
 * Labels: HOST-j, or HOST:PORT-j when the port is not 11211; spy: /HOST:PORT-j always. First point at or after the key; of equal points the
 * server listed first owns. A server without a port has 11211.
 *
 * Quirks that change results:
 *   floats        the number of labels is floored in single precision: 25, 47, 50, 55, 61 .. equal servers get 39 labels, not 40;
 *   weight > 1    in an unweighted ring silently makes its points weighted ones, while the key's hash stays;
 *   points=       MEMCACHED_BEHAVIOR_HASH set after the servers changes the key's hash but not the points, which stay those of
 *                 points= (the default before was one_at_a_time);
 *   KETAMA_HASH   MEMCACHED_BEHAVIOR_KETAMA_HASH has no effect, so it is no option here. */
#include "model/md5.h"
#include "strategies/engines/ring.h"
#include "strategies/engines/table.h"
#include "strategies/engines/ketama.h"
#include "strategies/engines/ketama_labels.h"
#include "strategies/systems/memcached_hashes.h"

#include <errno.h>
#include <string.h>

enum { LABELS = 100, SERVERS_MAX = 100 };

static inline uint32_t memcached_murmur3(const void *data, size_t len)
{
    return (uint32_t)hash_murmur3_32.one(data, len, memcached_murmur_seed(len));
}

#define ROW(rule, width, largest, fingerprint, text)                                                                       \
    static inline uint32_t libmemcached_##rule(const void *data, size_t len) { return memcached_##rule(data, len); }       \
    MEMCACHED_HASH(libmemcached, rule)                                                                                     \
    MEMCACHED_ROW(libmemcached, rule, width, largest, fingerprint, "libmemcached's " text)

static inline uint64_t libmemcached_md5_of(struct md5 m)
{
    return m.word[0];
}
MD5_HASH(libmemcached_md5)

ROW(one_at_a_time, 32, UINT32_MAX, 0x4f7c207a, "one-at-a-time, signed bytes (its default)")
MEMCACHED_ROW(libmemcached, md5, 32, UINT32_MAX, 0xc10c356b, "libmemcached's MD5: first 4 bytes, little-endian (libmd)")
ROW(crc, 16, 0x7fff, 0x00006e72, "crc: 15 bits of a CRC-32 (zlib)")
ROW(fnv1_64, 32, UINT32_MAX, 0x3a5a3f59, "FNV-1, low half of 64 bits, signed bytes")
ROW(fnv1a_64, 32, UINT32_MAX, 0xc09278a9, "FNV-1a, low half of 64 bits, signed bytes")
ROW(fnv1_32, 32, UINT32_MAX, 0x547f5717, "FNV-1, 32 bits, signed bytes")
ROW(fnv1a_32, 32, UINT32_MAX, 0x1fcf2e37, "FNV-1a, 32 bits, signed bytes")
ROW(murmur, 32, UINT32_MAX, 0x6286692e, "MurmurHash2, seeded by the key's length")
ROW(jenkins, 32, UINT32_MAX, 0x31aeb46c, "lookup3, initial value 13")
ROW(murmur3, 32, UINT32_MAX, 0x26d6b333, "MurmurHash3 x86_32, seeded by the key's length (libmurmurhash)")

#define HASH_NAMES "one_at_a_time|md5|crc|fnv1_64|fnv1a_64|fnv1_32|fnv1a_32|murmur|jenkins|murmur3"
enum { ONE_AT_A_TIME, MD5 };
static const struct hash *const hashes[] = {
    &hash_libmemcached_one_at_a_time, &hash_libmemcached_md5,      &hash_libmemcached_crc,    &hash_libmemcached_fnv1_64,  &hash_libmemcached_fnv1a_64,
    &hash_libmemcached_fnv1_32,       &hash_libmemcached_fnv1a_32, &hash_libmemcached_murmur, &hash_libmemcached_jenkins, &hash_libmemcached_murmur3,
};

enum { MODULA, KETAMA, KETAMA_WEIGHTED, SPY, SPY_WEIGHTED };

struct libmemcached_options {
    uint32_t distribution, hash, points; /* points: 0, or one more than a hash's number */
};

#define FIELD(name) .offset = offsetof(struct libmemcached_options, name)
static const struct option options[] = {
    {.name = "distribution", .type = OPTION_CHOICE, FIELD(distribution), .fallback = "modula", .always = true,
     .choices = "modula|ketama|ketama-weighted|spy|spy-weighted",
     .help = "modula; a ring of 100 points a server (ketama = consistent); or one like libketama's (-weighted)"},
    {.name = "hash", .type = OPTION_CHOICE, FIELD(hash), .fallback = "one_at_a_time", .choices = HASH_NAMES,
     .help = "MEMCACHED_BEHAVIOR_HASH: of keys, and of an unweighted ring's points"},
    {.name = "points", .type = OPTION_CHOICE, FIELD(points), .fallback = "hash", .choices = "hash|" HASH_NAMES,
     .help = "hash of an unweighted ring's points where they were made before hash= was set"},
    {0},
};

static const struct hash *points_hash(const struct libmemcached_options *o)
{
    return hashes[o->points ? o->points - 1 : o->hash];
}

static bool forces_md5(const struct libmemcached_options *o)
{
    return o->distribution == KETAMA_WEIGHTED || o->distribution == SPY_WEIGHTED;
}

static bool is_weighted(const struct libmemcached_options *o, const struct cluster *c)
{
    bool heavy = cluster_weight(c) > c->size;
    return o->distribution != MODULA && (heavy || forces_md5(o));
}

static int points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct libmemcached_options *o = p->options;
    const struct cluster *c = p->cluster;
    bool spy = o->distribution >= SPY, weighted = is_weighted(o, c);
    uint64_t total = cluster_weight(c);
    uint32_t n = only ? 1 : c->size;
    int e = 0;
    for (uint32_t i = 0; i < n && !e; i++) {
        const struct node *node = only ? only : &c->node[i];
        size_t len = spy ? strlen(node->name) : ketama_name_length(node->name);
        const struct labels labels = {.format = !spy ? "{node}-{i}" : strchr(node->name, ':') ? "/{node}-{i}" : "/{node}:11211-{i}", .name_len = len};
        e = weighted ? ketama_emit(&labels, node->name, len, node->id, ketama_labels(node->weight, total, c->size), emit, to)
                     : labels_emit(&labels, node, LABELS, &(struct keyed_hash){points_hash(o), 0}, NULL, NULL, emit, to);
    }
    return e;
}

static int open_modula(struct placement *p, char why[WHY])
{
    const struct cluster *c = p->cluster;
    int e = table_attach(p, c->size, why);
    if (e)
        return e;
    for (uint32_t i = 0; i < c->size; i++)
        ((struct table_state *)p->state)->owner[i] = c->node[i].id;
    bool heavy = cluster_weight(c) > c->size;
    if (heavy)
        fail(p->warning, 0, "libmemcached's modula knows no weights: they are ignored");
    p->caps = CAP_ANY_REMOVAL | (heavy ? 0 : CAP_WEIGHTS);
    p->law = heavy ? LAW_NONE : LAW_FIXED;
    return 0;
}

static int open_ring(struct placement *p, char why[WHY])
{
    const struct libmemcached_options *o = p->options;
    const struct cluster *c = p->cluster;
    const struct ring_rule rule = {.last = UINT32_MAX, .seek = SEEK_GE};
    bool weighted = is_weighted(o, c);
    int e = ring_attach(p, &rule, weighted ? 4 * ketama_labels_of_all(c) : LABELS * (uint64_t)c->size, why);
    if (e)
        return e;
    if (c->size > SERVERS_MAX)
        fail(p->warning, 0, "libmemcached aborts when a ring gets its 101st server; this one of %u is computed all the same", c->size);
    else if (weighted && !forces_md5(o))
        fail(p->warning, 0, "a weight above 1 makes libmemcached's ring a weighted one: its points come from MD5, its keys' hash stays");
    else if (forces_md5(o) && o->hash != ONE_AT_A_TIME && o->hash != MD5)
        fail(p->warning, 0, "libmemcached's weighted rings force MD5: hash= is ignored");
    p->caps = CAP_ANY_REMOVAL | (weighted ? CAP_WEIGHTS : CAP_MINIMAL);
    p->law = p->key.hash.hash->last == UINT32_MAX && (weighted || points_hash(o)->last == UINT32_MAX) ? LAW_ARCS : LAW_NONE;
    return 0;
}

static int libmemcached_open(struct placement *p, char why[WHY])
{
    const struct libmemcached_options *o = p->options;
    p->key.hash = (struct keyed_hash){hashes[forces_md5(o) ? MD5 : o->hash], 0};
    return o->distribution == MODULA ? open_modula(p, why) : open_ring(p, why);
}

const struct strategy strategy_libmemcached = {
    .name = "libmemcached",
    .summary = "libmemcached: modula, ketama (unweighted by default, not libketama's) and spy rings",
    .source = "libmemcached.org, memcached_generate_hash",
    .version = "1.1.4",
    .cost = "O(1) modula, O(log points) rings",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct libmemcached_options),
    .open = libmemcached_open,
    .points = points,
};
