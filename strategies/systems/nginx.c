/* nginx's upstreams: `hash KEY consistent`, `hash KEY`, `ip_hash`.
 *
 * consistent  160 points a unit of weight, each the CRC-32 of host, a zero byte, port and the point before; the first point at or after
 *             the key's CRC-32; of equal points only the server's listed first is kept.
 * hash        15 bits of the key's CRC-32, modulo the sum of weights.
 * ip_hash     a small hash of an IPv4 address's first three bytes, or of all 16 of IPv6, modulo the sum of weights.
 *
 * A server's text is taken as written: `127.0.0.1` and `127.0.0.1:80` have different points.
 * Servers marked down keep their points and buckets. A key that meets one moves on: to the next point, or to a bucket hashed anew;
 * after 20 moves, and for the empty key, nginx takes round robin: no node, unless just one is usable.
 * Quirks: 15 bits of hash and 13 of ip_hash spread badly over large sums of weights, and ip_hash sends a whole /24 to one server. */
#include "model/hashes.h"
#include "strategies/engines/address.h"
#include "strategies/engines/modulo.h"
#include "strategies/engines/ring.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { POINTS = 160, TRIES = 20, IPV4_BYTES = 3 };

static uint32_t fold(uint64_t crc)
{
    return (uint32_t)crc >> 16 & 0x7fff;
}

static uint64_t nginx_hash_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return fold(hash_crc32.one(data, len, 0));
}

HASH_MANY(nginx_hash)

const struct hash hash_nginx_hash = {
    .name = "nginx-hash", .bits = 16, .last = 0x7fff, .verification = 0x00006e72,
    .summary = "nginx's hash without consistent: 15 bits of a CRC-32 (zlib)",
    .one = nginx_hash_one, .many = nginx_hash_many,
};

static uint64_t ip_hash_from(uint64_t h, const unsigned char *byte, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h * 113 + byte[i]) % 6271;
    return h;
}

static uint64_t nginx_ip_hash_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return ip_hash_from(89, data, len);
}

HASH_MANY(nginx_ip_hash)

const struct hash hash_nginx_ip_hash = {
    .name = "nginx-ip_hash", .bits = 16, .last = 6270, .verification = 0x0000047f,
    .summary = "nginx's ip_hash, of an address's bytes: below 6271",
    .one = nginx_ip_hash_one, .many = nginx_ip_hash_many,
};

enum { CONSISTENT, HASH, IP_HASH };

struct nginx_options {
    uint32_t method;
};

static const struct option options[] = {
    {.name = "method", .type = OPTION_CHOICE, .offset = offsetof(struct nginx_options, method), .fallback = "consistent", .always = true,
     .choices = "consistent|hash|ip_hash", .help = "hash KEY consistent; hash KEY; or ip_hash, whose keys are addresses"},
    {0},
};

/* The empty key goes round robin. */
static enum key_verdict not_empty(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    (void)o;
    (void)buf;
    *part = key;
    *part_len = len;
    return len ? KEY_HASHED : KEY_UNPLACED;
}

static enum key_verdict address(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    (void)o;
    size_t bytes = address_parse(key, len, buf);
    *part = buf;
    *part_len = bytes == 4 ? IPV4_BYTES : bytes;
    return bytes ? KEY_HASHED : KEY_INVALID;
}

/* The next time, the count stands before the key, and the values add up. */
static uint64_t hash_again(const void *part, size_t len, uint64_t digest, unsigned time)
{
    char text[16];
    size_t digits = (size_t)snprintf(text, sizeof text, "%u", time);
    return digest + fold(hash_crc32.one(part, len, hash_crc32.one(text, digits, 0)));
}

/* ip_hash goes on over the same bytes. */
static uint64_t ip_hash_again(const void *part, size_t len, uint64_t digest, unsigned time)
{
    (void)time;
    return ip_hash_from(digest, part, len);
}

/* Splits a server's text: what follows a last colon and is digits (or nothing) is the port; a socket's path has none. */
static void split(const char *text, const char **host, size_t *host_len, const char **port)
{
    size_t len = strlen(text), at = len;
    *host = text;
    *host_len = len;
    *port = text + len;
    if (!strncasecmp(text, "unix:", 5)) {
        *host += 5;
        *host_len -= 5;
        return;
    }
    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    if (at > 0 && text[at - 1] == ':') {
        *host_len = at - 1;
        *port = text + at;
    }
}

static int node_points(const struct node *n, point_sink *emit, void *to)
{
    const char *host, *port;
    size_t host_len;
    split(n->name, &host, &host_len, &port);
    uint64_t base = hash_crc32.one(port, strlen(port), hash_crc32.one("", 1, hash_crc32.one(host, host_len, 0))), point = 0;
    int e = 0;
    for (uint64_t i = 0; i < POINTS * (uint64_t)n->weight && !e; i++) {
        const unsigned char before[4] = {(unsigned char)point, (unsigned char)(point >> 8), (unsigned char)(point >> 16), (unsigned char)(point >> 24)};
        point = hash_crc32.one(before, sizeof before, base);
        e = emit(to, &(struct point){.position = point, .id = n->id});
    }
    return e;
}

static int points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    int e = only ? node_points(only, emit, to) : 0;
    for (uint32_t i = 0; !only && i < p->cluster->size && !e; i++)
        e = node_points(&p->cluster->node[i], emit, to);
    return e;
}

static int open_consistent(struct placement *p, char why[WHY])
{
    const struct ring_rule rule = {.last = UINT32_MAX, .seek = SEEK_GE, .down_steps = TRIES};
    p->key.hash = (struct keyed_hash){&hash_crc32, 0};
    return ring_attach(p, &rule, POINTS * cluster_weight(p->cluster), why);
}

static int open_modulo(struct placement *p, bool ip, char why[WHY])
{
    static const struct modulo_retry again = {hash_again, TRIES}, ip_again = {ip_hash_again, TRIES};
    p->key.hash = (struct keyed_hash){ip ? &hash_nginx_ip_hash : &hash_nginx_hash, 0};
    return modulo_attach_retry(p, p->cluster, ip ? &ip_again : &again, why);
}

static int nginx_open(struct placement *p, char why[WHY])
{
    uint32_t method = ((const struct nginx_options *)p->options)->method, usable = 0;
    int e = method == CONSISTENT ? open_consistent(p, why) : open_modulo(p, method == IP_HASH, why);
    if (e)
        return e;
    for (uint32_t i = 0; i < p->cluster->size; i++)
        usable += !p->cluster->node[i].down;
    if (method == IP_HASH) {
        p->key.filter = address;
        p->key.wants = "an IPv4 or IPv6 address";
    } else if (usable > 1) { /* round robin among one is that one */
        p->key.filter = not_empty;
    }
    bool all = usable == p->cluster->size, ring = method == CONSISTENT;
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL | CAP_DOWN | (ring && all ? CAP_MINIMAL : 0);
    p->law = !all ? LAW_NONE : ring ? LAW_ARCS : LAW_FIXED;
    return 0;
}

const struct strategy strategy_nginx = {
    .name = "nginx",
    .summary = "nginx upstreams: hash consistent (CRC-32 ring), hash (15 bits modulo weights), ip_hash",
    .source = "nginx.org, ngx_http_upstream_hash_module and _ip_hash_module",
    .version = "1.22.1",
    .cost = "O(log points) consistent, O(nodes) else in nginx",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct nginx_options),
    .open = nginx_open,
    .points = points,
};
