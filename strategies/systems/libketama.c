/* libketama, the original: a ring of MD5 points, about 40 labels of four for an average weight ("memory").
 *
 * Labels: HOST:PORT-k, the port always in them. First point at or after the key, of equal points the server listed first; the key is a C
 * string, so it ends at a zero byte.
 * Quirks: the number of labels is a product in double rounded to float and floored: 61 and 122 equal servers get 39 labels, not 40. Weights
 * are shares of all, so a change of one server changes the points of others. The points live in 512 KB of shared memory, 28
 * bytes each: more than about 117 servers run over its end. A server's text has 22 bytes with its zero. */
#include "model/hashes.h"
#include "strategies/engines/ketama.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SEGMENT = 512 * 1024, POINT = 28, TEXT = 22 };

static uint32_t labels_of(uint32_t weight, uint64_t total, uint32_t servers)
{
    float share = (float)weight / (float)total;
    return (uint32_t)floorf((float)((double)share * 40.0 * (double)servers));
}

static enum key_verdict up_to_zero(const void *options, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    const char *zero = memchr(key, 0, len);
    (void)options;
    (void)buf;
    *part = key;
    *part_len = zero ? (size_t)(zero - key) : len;
    return KEY_HASHED;
}

static int points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    static const struct labels labels = {.format = "{node}-{i}"};
    const struct cluster *c = p->cluster;
    uint64_t total = cluster_weight(c);
    uint32_t n = only ? 1 : c->size;
    int e = 0;
    for (uint32_t i = 0; i < n && !e; i++) {
        const struct node *node = only ? only : &c->node[i];
        e = ketama_emit(&labels, node->name, strlen(node->name), node->id, labels_of(node->weight, total, c->size), emit, to);
    }
    return e;
}

static int libketama_open(struct placement *p, char why[WHY])
{
    const struct cluster *c = p->cluster;
    const struct ring_rule rule = {.last = UINT32_MAX, .seek = SEEK_GE};
    uint64_t count = 0, total = cluster_weight(c);
    for (uint32_t i = 0; i < c->size; i++) {
        if (strlen(c->node[i].name) >= TEXT)
            return fail(why, EINVAL, "node %s: libketama holds names of at most %d bytes", c->node[i].name, TEXT - 1);
        count += 4 * (uint64_t)labels_of(c->node[i].weight, total, c->size);
    }
    p->key.hash = (struct keyed_hash){&hash_ketama, 0};
    p->key.filter = up_to_zero;
    int e = ring_attach(p, &rule, count, why);
    if (e)
        return e;
    if (count * POINT > SEGMENT)
        fail(p->warning, 0, "libketama's shared memory holds %d points; this ring of %" PRIu64 " would overrun it and is computed all the same", SEGMENT / POINT,
             count);
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL;
    p->law = LAW_ARCS;
    return 0;
}

const struct strategy strategy_libketama = {
    .name = "libketama",
    .summary = "libketama, the original: MD5, four points a label, weights as shares of all",
    .source = "github.com/RJ/ketama",
    .version = "18cf9a77",
    .cost = "O(log points) in libketama",
    .addresses = true,
    .open = libketama_open,
    .points = points,
};
