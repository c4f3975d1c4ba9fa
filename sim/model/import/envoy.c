/* Envoy's static clusters (YAML or JSON): lb_policy RING_HASH or MAGLEV, or load_balancing_policy with one of their extensions.
 * A node's name is what Envoy hashes: metadata envoy.lb.hash_key, else the host name where use_hostname_for_hashing says so, else
 * the address, ip:port, [v6]:port or a socket's path.
 *
 * Names that a resolver turns into addresses, subsets and locality weights change placement and are refused. Endpoints of lower
 * priority and those that are not healthy are left out with a warning; health checks, circuit breakers, TLS and the rest are passed over. */
#include "model/import/yaml.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

struct reading {
    struct import *in;
    yaml_document_t *doc;
    bool by_hostname, resolves; /* resolves: a DNS cluster */
    size_t ill; /* endpoints left out since they are not healthy */
};

/* The text of a socket address as Envoy prints it. */
static int address_text(struct reading *r, yaml_node_t *socket, char out[512], char why[WHY])
{
    const yaml_node_t *address = yaml_get(r->doc, socket, "address"), *port = yaml_get(r->doc, socket, "port_value");
    unsigned char bytes[16];
    char plain[INET6_ADDRSTRLEN];
    uint64_t number;
    const char *host = yaml_text(address);
    bool six = inet_pton(AF_INET6, host, bytes) == 1;
    if (!port)
        return import_fail(r->in, yaml_line(socket), why, "the endpoint has no port_value");
    if (!six && inet_pton(AF_INET, host, bytes) != 1)
        return import_fail(r->in, yaml_line(socket), why, "'%s' is hashed by the address that it resolves to: write that address, or use_hostname_for_hashing", host);
    int e = import_number(r->in, yaml_line(port), "port_value", yaml_text(port), 0, 65535, &number, why);
    if (!e)
        snprintf(out, 512, six ? "[%s]:%u" : "%s:%u", inet_ntop(six ? AF_INET6 : AF_INET, bytes, plain, sizeof plain), (unsigned)number);
    return e;
}

/* What Envoy hashes for an endpoint. */
static int host_key(struct reading *r, yaml_node_t *item, char out[512], char why[WHY])
{
    yaml_node_t *endpoint = yaml_get(r->doc, item, "endpoint"), *address = yaml_get(r->doc, endpoint, "address");
    yaml_node_t *socket = yaml_get(r->doc, address, "socket_address"), *pipe = yaml_path(r->doc, address, "pipe.path"), *key = NULL;
    const char *name;
    yaml_node_t *filters = yaml_path(r->doc, item, "metadata.filter_metadata"), *filter;
    for (size_t i = 0; !key && (filter = yaml_pair(r->doc, filters, i, &name)); i++)
        if (!strcmp(name, "envoy.lb"))
            key = yaml_get(r->doc, filter, "hash_key");
    if (!key && r->by_hostname) {
        key = yaml_get(r->doc, endpoint, "hostname");
        if (!key && r->resolves)
            key = yaml_get(r->doc, socket, "address");
        if (!key)
            return import_fail(r->in, yaml_line(item), why, "use_hostname_for_hashing, and the endpoint has no hostname");
    }
    if (!key)
        key = pipe;
    if (!key && !socket)
        return import_fail(r->in, yaml_line(item), why, "the endpoint has neither socket_address nor pipe");
    if (!key)
        return address_text(r, socket, out, why);
    if ((size_t)snprintf(out, 512, "%s", yaml_text(key)) >= 512)
        return import_fail(r->in, yaml_line(key), why, "a name of more than 511 bytes");
    return 0;
}

static int add_endpoint(struct reading *r, yaml_node_t *item, char why[WHY])
{
    static const char *const ill[] = {"UNHEALTHY", "DRAINING", "TIMEOUT", "DEGRADED"};
    const yaml_node_t *weight = yaml_get(r->doc, item, "load_balancing_weight");
    const char *health = yaml_text(yaml_get(r->doc, item, "health_status"));
    char name[512];
    uint64_t w = 1;
    for (size_t i = 0; i < sizeof ill / sizeof *ill; i++)
        if (!strcmp(health, ill[i])) {
            r->ill++;
            import_warn(r->in, yaml_line(item), "health_status %s: left out, as Envoy does", health);
            return 0;
        }
    int e = weight ? import_number(r->in, yaml_line(weight), "load_balancing_weight", yaml_text(weight), 1, WEIGHT_MAX, &w, why) : 0;
    if (!e)
        e = host_key(r, item, name, why);
    if (!e)
        e = import_node(r->in, yaml_line(item), "endpoint", name, (uint32_t)w, NULL, why);
    return e;
}

static int add_endpoints(struct reading *r, yaml_node_t *cluster, char why[WHY])
{
    yaml_node_t *groups = yaml_path(r->doc, cluster, "load_assignment.endpoints"), *group, *item;
    int e = 0;
    for (size_t g = 0; !e && (group = yaml_item(r->doc, groups, g)); g++) {
        const char *priority = yaml_text(yaml_get(r->doc, group, "priority"));
        if (*priority && strcmp(priority, "0")) {
            import_warn(r->in, yaml_line(group), "endpoints of priority %s serve only when those before fail: left out", priority);
            continue;
        }
        yaml_node_t *list = yaml_get(r->doc, group, "lb_endpoints");
        for (size_t i = 0; !e && (item = yaml_item(r->doc, list, i)); i++)
            e = add_endpoint(r, item, why);
    }
    if (!e && r->in->draft.count == 0)
        return import_fail(r->in, yaml_line(cluster), why, "the cluster has no endpoints here (are they discovered?)");
    if (!e && r->ill > r->in->draft.count)
        import_warn(r->in, yaml_line(cluster), "more than half of the endpoints are unhealthy: Envoy's panic mode would use all");
    return e;
}

/* Options of the ring or table; pair: Envoy's name, keysim's name, ..., NULL. */
static int add_options(struct reading *r, yaml_node_t *config, const char *const *pair, char why[WHY])
{
    char *to = r->in->spec + strlen(r->in->spec);
    const char *sign = ":";
    for (; *pair; pair += 2) {
        const yaml_node_t *value = yaml_get(r->doc, config, pair[0]);
        if (!value)
            continue;
        uint64_t n;
        int e = import_number(r->in, yaml_line(value), pair[0], yaml_text(value), 1, 8388608, &n, why);
        if (e)
            return e;
        to += sprintf(to, "%s%s=%llu", sign, pair[1], (unsigned long long)n);
        sign = ",";
    }
    const yaml_node_t *hash = yaml_get(r->doc, config, "hash_function");
    const char *name = yaml_text(hash);
    if (hash && strcmp(name, "XX_HASH") && strcmp(name, "MURMUR_HASH_2"))
        return import_fail(r->in, yaml_line(hash), why, "hash_function '%s': must be XX_HASH or MURMUR_HASH_2", name);
    if (hash)
        sprintf(to, "%shash=%s", sign, *name == 'X' ? "xxh64" : "murmur2");
    return 0;
}

/* What the settings common to both ask for; config NULL: none. */
static int read_common(struct reading *r, yaml_node_t *config, char why[WHY])
{
    yaml_node_t *hashing = yaml_get(r->doc, config, "consistent_hashing_lb_config");
    const yaml_node_t *locality = yaml_get(r->doc, config, "locality_weighted_lb_config"), *bound = yaml_get(r->doc, hashing, "hash_balance_factor");
    if (locality)
        return import_fail(r->in, yaml_line(locality), why, "locality_weighted_lb_config: weights of localities cannot be told here");
    if (bound && strcmp(yaml_text(bound), "0"))
        import_warn(r->in, yaml_line(bound), "hash_balance_factor: a key's first choice is shown, as if no endpoint were overloaded");
    r->by_hostname |= yaml_true(yaml_get(r->doc, hashing, "use_hostname_for_hashing"));
    return 0;
}

/* The extension of load_balancing_policy that Envoy would take: the first. */
static yaml_node_t *extension(struct reading *r, yaml_node_t *cluster, const char **type)
{
    yaml_node_t *policies = yaml_path(r->doc, cluster, "load_balancing_policy.policies");
    yaml_node_t *config = yaml_path(r->doc, yaml_item(r->doc, policies, 0), "typed_extension_config.typed_config");
    const char *full = yaml_text(yaml_get(r->doc, config, "@type")), *dot = strrchr(full, '.');
    *type = dot ? dot + 1 : full;
    return config;
}

static int read_policy(struct reading *r, yaml_node_t *cluster, char why[WHY])
{
    static const char *const ring[] = {"minimum_ring_size", "min", "maximum_ring_size", "max", NULL};
    static const char *const table[] = {"table_size", "table", NULL};
    const char *type, *policy = yaml_text(yaml_get(r->doc, cluster, "lb_policy"));
    yaml_node_t *config = extension(r, cluster, &type), *common = yaml_get(r->doc, cluster, "common_lb_config");
    bool maglev = config ? !strcmp(type, "Maglev") : !strcmp(policy, "MAGLEV");
    if (!maglev && strcmp(config ? type : policy, config ? "RingHash" : "RING_HASH"))
        return import_fail(r->in, yaml_line(cluster), why, "lb_policy %s places no key: RING_HASH and MAGLEV do", *type ? type : *policy ? policy : "ROUND_ROBIN");
    const yaml_node_t *subsets = yaml_get(r->doc, cluster, "lb_subset_config");
    if (subsets)
        return import_fail(r->in, yaml_line(subsets), why, "lb_subset_config: each subset has a ring of its own, which cannot be told here");
    const char *kind = yaml_text(yaml_get(r->doc, cluster, "type"));
    r->resolves = !strcmp(kind, "STRICT_DNS") || !strcmp(kind, "LOGICAL_DNS");
    snprintf(r->in->spec, sizeof r->in->spec, "%s", maglev ? "envoy-maglev" : "envoy-ring");
    int e = read_common(r, common, why);
    if (!e && config)
        e = read_common(r, config, why);
    if (!config)
        config = yaml_get(r->doc, cluster, maglev ? "maglev_lb_config" : "ring_hash_lb_config");
    return e ? e : add_options(r, config, maglev ? table : ring, why);
}

static int envoy_read(struct import *in, const char *path, char *text, char why[WHY])
{
    (void)path;
    yaml_document_t doc;
    yaml_node_t *root, *cluster;
    int e = yaml_read(in, text, &doc, &root, why);
    if (e)
        return e;
    struct reading r = {.in = in, .doc = &doc};
    yaml_node_t *list = yaml_path(&doc, root, "static_resources.clusters");
    if (!list)
        list = yaml_get(&doc, root, "resources"); /* a file of discovered clusters */
    for (size_t i = 0; !e && (cluster = yaml_item(&doc, list, i)); i++) {
        const char *name = yaml_text(yaml_get(&doc, cluster, "name"));
        if (import_part(in, name) && !(e = read_policy(&r, cluster, why)))
            e = add_endpoints(&r, cluster, why);
    }
    yaml_document_delete(&doc);
    return e;
}

const struct importer importer_envoy = {"envoy", "cluster", envoy_read};
