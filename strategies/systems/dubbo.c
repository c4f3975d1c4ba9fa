/* Apache Dubbo's ConsistentHashLoadBalance: a TreeMap of hash.nodes points a provider.
 *
 * Labels: HOST:PORT with the counter right behind it (only HOST when the port is 0), four points of MD5 each. First point at or after the
 * key, which is the text of the arguments that hash.arguments picks (the first), joined. Weights are ignored.
 * Quirks: nodes= not divisible by four lose the rest. No sign separates counter from port: `h:2088` + `10` is `h:20881` + `0`, so two
 * providers can share points, and the later in the list owns them. */
#include "model/hashes.h"
#include "strategies/engines/ketama.h"
#include "strategies/engines/ring.h"

#include <string.h>

struct dubbo_options {
    uint64_t nodes;
};

static const struct option options[] = {
    {.name = "nodes", .type = OPTION_COUNT, .offset = offsetof(struct dubbo_options, nodes), .fallback = "160", .min = 4, .max = 1000000,
     .always = true, .help = "hash.nodes: points a provider, in fours"},
    {.name = "vnodes", .refuse = "Dubbo calls points a provider nodes= (hash.nodes)"},
    {0},
};

static uint64_t labels_of(const struct placement *p)
{
    return ((const struct dubbo_options *)p->options)->nodes / 4;
}

/* Without ":0". */
static size_t address_length(const char *name)
{
    size_t len = strlen(name);
    return len > 2 && !strcmp(name + len - 2, ":0") ? len - 2 : len;
}

static int points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    static const struct labels labels = {.format = "{node}{i}"};
    uint32_t n = only ? 1 : p->cluster->size;
    int e = 0;
    for (uint32_t i = 0; i < n && !e; i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        e = ketama_emit(&labels, node->name, address_length(node->name), node->id, labels_of(p), emit, to);
    }
    return e;
}

static int dubbo_open(struct placement *p, char why[WHY])
{
    const struct ring_rule rule = {.last = UINT32_MAX, .seek = SEEK_GE, .last_wins = true};
    p->key.hash = (struct keyed_hash){&hash_ketama, 0};
    int e = ring_attach(p, &rule, 4 * labels_of(p) * p->cluster->size, why);
    if (e)
        return e;
    if (cluster_weight(p->cluster) != p->cluster->size)
        fail(p->warning, 0, "Dubbo's consistent hash knows no weights: they are ignored");
    p->caps = CAP_ANY_REMOVAL | CAP_MINIMAL;
    p->law = LAW_ARCS;
    return 0;
}

static int dubbo_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    return ring_change(p, after, 4 * labels_of(p) * after->size, false, why);
}

const struct strategy strategy_dubbo = {
    .name = "dubbo",
    .summary = "Apache Dubbo's consistent hash: MD5, four points a label without separator",
    .source = "github.com/apache/dubbo, ConsistentHashLoadBalance",
    .version = "3.3.2-SNAPSHOT (324c6255)",
    .cost = "O(log points) in Dubbo",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct dubbo_options),
    .open = dubbo_open,
    .change = dubbo_change,
    .points = points,
};
