/* twemproxy's configuration: YAML, a pool a key. A server is "HOST:PORT:WEIGHT [NAME]" or "/SOCKET:WEIGHT [NAME]"; the name, where
 * there is one, is what is hashed (attribute `alias`). A socket without a name is hashed with a colon behind its path.
 *
 * Placement is settled by distribution, hash, hash_tag and servers. Limits, timeouts, redis and the rest are passed over;
 * auto_eject_hosts takes failing servers out, which is warned of. */
#include "base/mem.h"
#include "model/import/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const hashes[] = {"one_at_a_time", "md5", "crc16", "crc32", "crc32a", "fnv1_64", "fnv1a_64", "fnv1_32", "fnv1a_32",
                                     "hsieh", "murmur", "jenkins"};
static const char *const passed[] = {"listen", "timeout", "backlog", "client_connections", "preconnect", "redis", "redis_auth", "redis_db",
                                     "server_connections", "server_retry_timeout", "server_failure_limit", "tcpkeepalive", "reuseport",
                                     "hash_tag", "hash", "distribution", "servers", "auto_eject_hosts"};

static bool among(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(word, list[i]))
            return true;
    return false;
}
#define AMONG(word, list) among(word, list, sizeof(list) / sizeof *(list))

/* text is cut up: the weight ends at the last colon, a name behind it follows a blank. */
static int add_server(struct import *in, uint64_t line, char *text, char why[WHY])
{
    char attributes[512] = "";
    char *name = strrchr(text, ' ');
    if (name)
        *name++ = 0;
    char *weight = strrchr(text, ':');
    bool socket = *text == '/', named = name && *name;
    if (weight)
        *weight++ = 0;
    const char *port = weight && !socket ? strrchr(text, ':') : NULL;
    if (!weight || (!socket && (!port || port == text)))
        return import_fail(in, line, why, "server '%s': must be HOST:PORT:WEIGHT [NAME] or /SOCKET:WEIGHT [NAME]", text);
    uint64_t w, number;
    int e = import_number(in, line, "weight", weight, 1, WEIGHT_MAX, &w, why);
    if (!e && !socket)
        e = import_number(in, line, "port", port + 1, 1, 65535, &number, why);
    const char *label = named ? name : text, *colon = named ? "" : ":";
    if (!e && (named || socket) && !import_is_word(label))
        e = import_fail(in, line, why, "server %s: '%s', which is hashed, must be text without blanks", text, label);
    if (!e && (named || socket) && (size_t)snprintf(attributes, sizeof attributes, "alias=%s%s", label, colon) >= sizeof attributes)
        e = import_fail(in, line, why, "server %s: its name is longer than 500 bytes", text);
    return e ? e : import_node(in, line, "server", text, (uint32_t)w, attributes, why);
}

static int add_servers(struct import *in, yaml_document_t *doc, const yaml_node_t *list, uint64_t line, char why[WHY])
{
    const yaml_node_t *item;
    int e = 0;
    for (size_t i = 0; !e && (item = yaml_item(doc, list, i)); i++) {
        const char *written = yaml_text(item);
        char *text = mem_copy(written, strlen(written));
        e = text ? add_server(in, yaml_line(item), text, why) : fail(why, ENOMEM, "no memory for the servers of %s", in->path);
        mem_free(text);
    }
    return !e && in->draft.count == 0 ? import_fail(in, line, why, "the pool has no servers") : e;
}

static int write_spec(struct import *in, yaml_document_t *doc, const yaml_node_t *pool, char why[WHY])
{
    const yaml_node_t *way = yaml_get(doc, pool, "distribution"), *hash = yaml_get(doc, pool, "hash"), *tag = yaml_get(doc, pool, "hash_tag");
    const char *distribution = way ? yaml_text(way) : "ketama";
    if (!strcmp(distribution, "random"))
        return import_fail(in, yaml_line(way), why, "distribution random places no key: ketama and modula do");
    if (strcmp(distribution, "ketama") && strcmp(distribution, "modula"))
        return import_fail(in, yaml_line(way), why, "distribution '%s': must be ketama, modula or random", distribution);
    if (hash && !AMONG(yaml_text(hash), hashes))
        return import_fail(in, yaml_line(hash), why, "hash '%s' is none of twemproxy's: %s, %s, %s ... %s", yaml_text(hash), hashes[0], hashes[1], hashes[2], hashes[6]);
    if (tag && strlen(yaml_text(tag)) != 2)
        return import_fail(in, yaml_line(tag), why, "hash_tag '%s': must be two characters, as \"{}\"", yaml_text(tag));
    int n = snprintf(in->spec, sizeof in->spec, "twemproxy:distribution=%s%s%s", distribution, hash ? ",hash=" : "", hash ? yaml_text(hash) : "");
    char *to = in->spec + n;
    if (tag)
        to += sprintf(to, ",tag=");
    for (const char *c = tag ? yaml_text(tag) : ""; *c; c++) {
        if (*c == ',' || *c == '\\')
            *to++ = '\\';
        *to++ = *c;
    }
    *to = 0;
    return 0;
}

static int read_pool(struct import *in, yaml_document_t *doc, const yaml_node_t *pool, char why[WHY])
{
    const char *key;
    const yaml_node_t *value;
    for (size_t i = 0; (value = yaml_pair(doc, pool, i, &key)); i++) {
        if (!strcmp(key, "auto_eject_hosts") && yaml_true(value))
            import_warn(in, yaml_line(value), "auto_eject_hosts: shown with all servers in");
        else if (!AMONG(key, passed) && strcmp(key, "<<"))
            import_warn(in, yaml_line(value), "'%s' is not known and takes no part", key);
    }
    int e = write_spec(in, doc, pool, why);
    return e ? e : add_servers(in, doc, yaml_get(doc, pool, "servers"), yaml_line(pool), why);
}

static int twemproxy_read(struct import *in, const char *path, char *text, char why[WHY])
{
    (void)path;
    yaml_document_t doc;
    yaml_node_t *root, *pool;
    int e = yaml_read(in, text, &doc, &root, why);
    if (e)
        return e;
    const char *name;
    for (size_t i = 0; !e && (pool = yaml_pair(&doc, root, i, &name)); i++)
        if (yaml_get(&doc, pool, "servers") && import_part(in, name))
            e = read_pool(in, &doc, pool, why);
    yaml_document_delete(&doc);
    return e;
}

const struct importer importer_twemproxy = {"twemproxy", "pool", twemproxy_read};
