/* twemproxy (nutcracker): ketama rings or modula over servers sorted by name.
 *
 * A server's name is its alias (`host:port:weight NAME`; here alias=NAME), or HOST when the port is 11211, or HOST:PORT. Servers are
 * sorted by name first, shorter names before longer and then by bytes, so the configuration's order does not matter.
 * ketama: labels NAME-j, four MD5 points each whatever the pool's hash is; first point at or after the key, of equal points the server
 * sorted first. modula: each server as many times as it weighs. hash_tag: the bytes between the first of its two characters and the
 * second after it, when there are any, stand for the key.
 *
 * Quirks: the empty key hashes to 0 with every hash. The number of labels is floored in single precision: 25, 47, 50 .. equal servers
 * get 39, not 40. crc32 keeps 15 bits, so with ketama its keys land on one tiny arc; crc16 overflows into 32 bits and spreads. The third
 * distribution, random, cannot be reproduced. */
#include "strategies/engines/modulo.h"
#include "strategies/engines/ring.h"
#include "strategies/engines/ketama.h"
#include "strategies/engines/ketama_labels.h"
#include "strategies/systems/memcached_hashes.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t memcached_crc32(const void *data, size_t len)
{
    return memcached_crc(data, len);
}

static inline uint32_t memcached_crc32a(const void *data, size_t len)
{
    return (uint32_t)hash_crc32.one(data, len, 0);
}

/* CRC-16's table, but the register has 32 bits and is never cut. */
static inline uint32_t memcached_crc16(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t c = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char entry = (unsigned char)(c >> 8 ^ p[i]);
        c = c << 8 ^ (uint32_t)hash_crc16.one(&entry, 1, 0);
    }
    return c;
}

/* Paul Hsieh's SuperFastHash, initial value 0; the third byte of a tail is signed. */
static inline uint32_t memcached_hsieh(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 0;
    for (; len >= 4; p += 4, len -= 4) {
        h += memcached_word(p, 2);
        h = h << 16 ^ memcached_word(p + 2, 2) << 11 ^ h;
        h += h >> 11;
    }
    if (len == 3) {
        h += memcached_word(p, 2);
        h ^= h << 16;
        h ^= memcached_signed(p[2]) << 18;
        h += h >> 11;
    } else if (len == 2) {
        h += memcached_word(p, 2);
        h ^= h << 11;
        h += h >> 17;
    } else if (len == 1) {
        h += p[0];
        h ^= h << 10;
        h += h >> 1;
    }
    h ^= h << 3;
    h += h >> 5;
    h ^= h << 4;
    h += h >> 17;
    h ^= h << 25;
    return h + (h >> 6);
}

#define ROW(rule, width, largest, fingerprint, text)                                                                       \
    static inline uint32_t twemproxy_##rule(const void *data, size_t len) { return len ? memcached_##rule(data, len) : 0; } \
    MEMCACHED_HASH(twemproxy, rule)                                                                                        \
    MEMCACHED_ROW(twemproxy, rule, width, largest, fingerprint, "twemproxy's " text "; the empty key: 0")

static uint64_t twemproxy_md5_one(const void *data, size_t len, uint64_t seed)
{
    return len ? hash_ketama.one(data, len, seed) : 0;
}

static void twemproxy_md5_many(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, uint64_t *digest)
{
    hash_ketama.many(data, len, n, seed, digest);
    for (size_t i = 0; i < n; i++)
        digest[i] = len[i] ? digest[i] : 0;
}

ROW(one_at_a_time, 32, UINT32_MAX, 0x4f7c207a, "one-at-a-time, signed bytes")
MEMCACHED_ROW(twemproxy, md5, 32, UINT32_MAX, 0xb7dd1f5e, "twemproxy's MD5: first 4 bytes, little-endian (libmd); the empty key: 0")
ROW(crc16, 32, UINT32_MAX, 0x6c16bb46, "crc16: CRC-16/XMODEM in a register of 32 bits")
ROW(crc32, 16, 0x7fff, 0x00006e72, "crc32: 15 bits of a CRC-32 (zlib)")
ROW(crc32a, 32, UINT32_MAX, 0x5c7ddd1f, "crc32a: CRC-32 (zlib)")
ROW(fnv1_64, 32, UINT32_MAX, 0xfaf273d3, "FNV-1, low half of 64 bits, signed bytes")
ROW(fnv1a_64, 32, UINT32_MAX, 0xcf820927, "FNV-1a, low half of 64 bits, signed bytes (its default)")
ROW(fnv1_32, 32, UINT32_MAX, 0x01dc0024, "FNV-1, 32 bits, signed bytes")
ROW(fnv1a_32, 32, UINT32_MAX, 0xf029daa6, "FNV-1a, 32 bits, signed bytes")
ROW(hsieh, 32, UINT32_MAX, 0x42edbc77, "hsieh: SuperFastHash from 0")
ROW(murmur, 32, UINT32_MAX, 0x6286692e, "MurmurHash2, seeded by the key's length")
ROW(jenkins, 32, UINT32_MAX, 0xb76b3e17, "lookup3, initial value 13")

static const struct hash *const hashes[] = {
    &hash_twemproxy_one_at_a_time, &hash_twemproxy_md5,      &hash_twemproxy_crc16,    &hash_twemproxy_crc32,
    &hash_twemproxy_crc32a,        &hash_twemproxy_fnv1_64,  &hash_twemproxy_fnv1a_64, &hash_twemproxy_fnv1_32,
    &hash_twemproxy_fnv1a_32,      &hash_twemproxy_hsieh,    &hash_twemproxy_murmur,   &hash_twemproxy_jenkins,
};

enum { KETAMA, MODULA };

struct twemproxy_options {
    uint32_t distribution, hash;
    const char *tag;
};

#define FIELD(name) .offset = offsetof(struct twemproxy_options, name)
static const struct option options[] = {
    {.name = "distribution", .type = OPTION_CHOICE, FIELD(distribution), .fallback = "ketama", .always = true, .choices = "ketama|modula",
     .help = "ring of MD5 points, or table of servers (random draws from the clock: not reproducible)"},
    {.name = "hash", .type = OPTION_CHOICE, FIELD(hash), .fallback = "fnv1a_64", .always = true,
     .choices = "one_at_a_time|md5|crc16|crc32|crc32a|fnv1_64|fnv1a_64|fnv1_32|fnv1a_32|hsieh|murmur|jenkins", .help = "the pool's hash: of keys only"},
    {.name = "tag", .type = OPTION_TEXT, FIELD(tag), .help = "hash_tag: two characters, like {}, between which lies what is hashed"},
    {0},
};

static enum key_verdict between_tags(const void *options_, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    const struct twemproxy_options *o = options_;
    const char *first = memchr(key, o->tag[0], len), *end = key + len;
    const char *second = first ? memchr(first + 1, o->tag[1], (size_t)(end - first - 1)) : NULL;
    bool tagged = second && second > first + 1;
    (void)buf;
    *part = tagged ? first + 1 : key;
    *part_len = tagged ? (size_t)(second - first - 1) : len;
    return KEY_HASHED;
}

static const char *server_name(const struct node *n, size_t *len)
{
    const char *alias = node_attribute(n, "alias", len);
    if (alias && *len)
        return alias;
    *len = ketama_name_length(n->name);
    return n->name;
}

static int by_name(const void *a, const void *b)
{
    size_t a_len, b_len;
    const char *x = server_name(a, &a_len), *y = server_name(b, &b_len);
    return a_len != b_len ? (a_len > b_len) - (a_len < b_len) : memcmp(x, y, a_len);
}

/* The nodes of c in the pool's order, to be mem_freed; NULL: no memory. */
static struct node *sorted(const struct cluster *c)
{
    struct node *node = mem_alloc(c->size, sizeof *node);
    if (node) {
        memcpy(node, c->node, c->size * sizeof *node);
        qsort(node, c->size, sizeof *node, by_name);
    }
    return node;
}

static int check_names(const struct node *sorted_node, uint32_t n, char why[WHY])
{
    for (uint32_t i = 1; i < n; i++)
        if (!by_name(&sorted_node[i - 1], &sorted_node[i])) {
            size_t len;
            const char *name = server_name(&sorted_node[i], &len);
            return fail(why, EINVAL, "nodes %s and %s are both named '%.*s': twemproxy wants each name once in a pool", sorted_node[i - 1].name,
                        sorted_node[i].name, (int)len, name);
        }
    return 0;
}

static int points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    static const struct labels labels = {.format = "{node}-{i}"};
    const struct cluster *c = p->cluster;
    struct node *order = only ? NULL : sorted(c);
    uint64_t total = cluster_weight(c);
    uint32_t n = only ? 1 : c->size;
    int e = only || order ? 0 : -ENOMEM;
    for (uint32_t i = 0; i < n && !e; i++) {
        const struct node *node = only ? only : &order[i];
        size_t len;
        const char *name = server_name(node, &len);
        e = ketama_emit(&labels, name, len, node->id, ketama_labels(node->weight, total, c->size), emit, to);
    }
    mem_free(order);
    return e;
}

/* Attaches the engine for nodes in the pool's order. */
static int attach(struct placement *p, const struct node *order, char why[WHY])
{
    const struct twemproxy_options *o = p->options;
    const struct cluster c = {order, p->cluster->size, p->cluster->ids};
    const struct ring_rule rule = {.last = UINT32_MAX, .seek = SEEK_GE};
    int e = check_names(order, c.size, why);
    if (e)
        return e;
    return o->distribution == MODULA ? modulo_attach(p, &c, why) : ring_attach(p, &rule, 4 * ketama_labels_of_all(&c), why);
}

static int twemproxy_open(struct placement *p, char why[WHY])
{
    const struct twemproxy_options *o = p->options;
    if (o->tag && strlen(o->tag) != 2)
        return fail(why, EINVAL, "tag=%s: a hash_tag is two characters, like {}", o->tag);
    p->key.hash = (struct keyed_hash){hashes[o->hash], 0};
    p->key.filter = o->tag ? between_tags : NULL;
    struct node *order = sorted(p->cluster);
    if (!order)
        return fail(why, ENOMEM, "no memory to sort %u servers", p->cluster->size);
    int e = attach(p, order, why);
    mem_free(order);
    if (e)
        return e;
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL;
    p->law = o->distribution == MODULA ? LAW_FIXED : p->key.hash.hash->last == UINT32_MAX ? LAW_ARCS : LAW_NONE;
    return 0;
}

const struct strategy strategy_twemproxy = {
    .name = "twemproxy",
    .summary = "twemproxy (nutcracker): ketama ring or modula over servers sorted by name, hash tags",
    .source = "github.com/twitter/twemproxy",
    .version = "0.5.0",
    .cost = "O(log points) ketama, O(1) modula",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct twemproxy_options),
    .open = twemproxy_open,
    .points = points,
};
