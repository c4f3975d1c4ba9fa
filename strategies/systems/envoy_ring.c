/* Envoy's ring_hash: labels HOST_0, HOST_1 .., as many as the host's share of a ring whose size follows from the lightest host.
 *
 * Keys (a header's value, say) are hashed by XXH64 whatever hash= the points have. The lightest host gets a whole number of
 * points, so the ring is a little larger than min: 1026 points for 3 equal hosts, 1030 for 10. Where max cuts it, counts are
 * fractions, and what is left over goes to the next host in order: then the order of hosts changes placement. Since every
 * count follows from all weights, a change may move keys between hosts that did not change. Not covered: localities, retries,
 * hash_balance_factor. Names are the text hashed: the address, or the host name with use_hostname_for_hashing. */
#include "model/hashes.h"
#include "strategies/engines/labels.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

struct envoy_ring_options {
    uint64_t min, max;
    uint32_t hash;
};

#define FIELD(name) .offset = offsetof(struct envoy_ring_options, name)
static const struct option options[] = {
    {.name = "min", .type = OPTION_COUNT, FIELD(min), .fallback = "1024", .min = 1, .max = 8388608, .always = true,
     .help = "minimum_ring_size: points of the whole ring, at least"},
    {.name = "max", .type = OPTION_COUNT, FIELD(max), .fallback = "8388608", .min = 1, .max = 8388608, .help = "maximum_ring_size: at most"},
    {.name = "hash", .type = OPTION_CHOICE, FIELD(hash), .fallback = "xxh64", .choices = "xxh64|murmur2",
     .help = "hash_function of the points (keys: always xxh64)"},
    {0},
};

/* Points a unit of normalised weight. */
static double scale_of(const struct placement *p, double sum)
{
    const struct envoy_ring_options *o = p->options;
    double least = 1;
    for (uint32_t i = 0; i < p->cluster->size; i++)
        least = fmin(least, p->cluster->node[i].weight / sum);
    return fmin(ceil(least * (double)o->min) / least, (double)o->max);
}

static int envoy_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    static const struct keyed_hash hash[] = {{&hash_xxh64, 0}, {&hash_murmur2_64a, 0xC70F6907}};
    static const struct labels labels = {.format = "{node}_{i}"};
    const struct envoy_ring_options *o = p->options;
    double sum = (double)cluster_weight(p->cluster), scale = scale_of(p, sum), current = 0, target = 0;
    for (uint32_t i = 0; i < p->cluster->size; i++) {
        const struct node *n = &p->cluster->node[i];
        target += scale * (n->weight / sum);
        double end = fmax(current, ceil(target)); /* one point more while fewer than the target */
        int e = only && only->id != n->id ? 0 : labels_emit(&labels, n, (uint64_t)(end - current), &hash[o->hash], NULL, NULL, emit, to);
        if (e)
            return e;
        current = end;
    }
    return 0;
}

static int envoy_ring_open(struct placement *p, char why[WHY])
{
    static const struct ring_rule rule = {.last = UINT64_MAX, .seek = SEEK_GE};
    const struct envoy_ring_options *o = p->options;
    if (o->min > o->max)
        return fail(why, EINVAL, "min=%" PRIu64 " is above max=%" PRIu64 ": the ring's least size cannot exceed its largest", o->min, o->max);
    p->key.hash = (struct keyed_hash){&hash_xxh64, 0};
    int e = ring_attach(p, &rule, (uint64_t)ceil(scale_of(p, (double)cluster_weight(p->cluster))) + 1, why);
    if (e)
        return e;
    if (p->cluster->size > o->max)
        fail(p->warning, 0, "%u hosts share a ring of at most %" PRIu64 " points: some get none", p->cluster->size, o->max);
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL;
    p->law = LAW_ARCS;
    return 0;
}

const struct strategy strategy_envoy_ring = {
    .name = "envoy-ring",
    .summary = "Envoy's ring_hash: XXH64 ring of at least 1024 points in all, shared by weight",
    .source = "Envoy, ring_hash load balancer",
    .version = "ring_hash_lb.cc at 0d2acde2",
    .cost = "O(log points) there, O(1) expected here",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct envoy_ring_options),
    .open = envoy_ring_open,
    .points = envoy_points,
};
