/* Lines that make servers: their parameters, templates and numbers. */
#include "base/mem.h"
#include "model/import/haproxy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT_LAST = 256, TEMPLATE_LAST = 65536, SERVERS_MAX = 1 << 20 };

/* Words behind which stands a value that must not be taken for a word of its own. */
static const char *const valued[] = {
    "addr", "agent-addr", "agent-inter", "agent-port", "agent-send", "alpn", "ca-file", "check-alpn", "check-proto", "check-sni", "ciphers",
    "ciphersuites", "client-sigalgs", "cookie", "crl-file", "crt", "curves", "downinter", "error-limit", "fall", "fastinter", "guid",
    "idle-ping", "init-addr", "init-state", "inter", "interface", "log-bufsize", "log-proto", "max-reuse", "maxconn", "maxqueue", "minconn",
    "namespace", "npn", "observe", "on-error", "on-marked-down", "on-marked-up", "pool-conn-name", "pool-low-conn", "pool-max-conn",
    "pool-purge-delay", "port", "proto", "proxy-v2-options", "redir", "resolve-net", "resolve-opts", "resolve-prefer", "resolvers", "rise",
    "shard", "sigalgs", "slowstart", "sni", "socks4", "source", "ssl-max-ver", "ssl-min-ver", "tcp-md5sig", "tcp-ut", "track", "usesrc",
    "verify", "verifyhost", "ws"};

static bool is_valued(const char *word)
{
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++)
        if (!strcmp(word, valued[i]))
            return true;
    return false;
}

static const char *word_at(const struct haproxy *h, size_t i) { return phrase_word(&h->p, i); }

int haproxy_parameters(struct haproxy *h, struct server *s, size_t i, char why[WHY])
{
    for (; i < h->p.count; i++) {
        const char *word = word_at(h, i), *value = word_at(h, i + 1);
        uint64_t n;
        int e = 0;
        if (!strcmp(word, "weight")) {
            if (!(e = import_number(h->in, h->line, "weight", value, 0, WEIGHT_LAST, &n, why)))
                s->weight = (uint32_t)n;
            i++;
        } else if (!strcmp(word, "id")) {
            if (!(e = import_number(h->in, h->line, "id", value, 1, INT32_MAX, &n, why)))
                s->id = (uint32_t)n;
            i++;
        } else if (!strcmp(word, "disabled") || !strcmp(word, "enabled")) {
            s->disabled = *word == 'd';
        } else if (!strcmp(word, "backup") || !strcmp(word, "no-backup")) {
            s->backup = *word == 'b';
        } else if (!strcmp(word, "hash-key")) {
            if (strcmp(value, "id"))
                e = import_fail(h->in, h->line, why, "hash-key %s cannot be told here: only id can", value);
            i++;
        } else {
            i += is_valued(word);
        }
        if (e)
            return e;
    }
    return 0;
}

static int add_server(struct haproxy *h, const struct server *s, char why[WHY])
{
    if (h->servers == SERVERS_MAX)
        return import_fail(h->in, h->line, why, "more than %d servers", SERVERS_MAX);
    if (mem_grow(&h->server, &h->capacity, h->servers + 1, sizeof *h->server))
        return fail(why, ENOMEM, "no memory for the servers of %s", h->in->path);
    h->server[h->servers++] = *s;
    return 0;
}

int haproxy_server(struct haproxy *h, bool template, char why[WHY])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:";
    struct server s = h->now.base;
    const char *name = word_at(h, 1), *range = word_at(h, 2), *dash = strchr(range, '-');
    uint64_t first = 1, last;
    s.line = h->line;
    if (h->p.count < (template ? 4u : 3u))
        return import_fail(h->in, h->line, why, "%s lacks %s", word_at(h, 0), template ? "its prefix, count or address" : "its name or address");
    if (strlen(name) >= sizeof s.name - 8 || name[strspn(name, letters)])
        return import_fail(h->in, h->line, why, "server '%s': HAProxy's names have letters, digits, '-', '_', '.' and ':', here at most %zu", name, sizeof s.name - 9);
    snprintf(s.name, sizeof s.name, "%s", name);
    int e = haproxy_parameters(h, &s, template ? 4 : 3, why);
    if (e || !template)
        return e ? e : add_server(h, &s, why);
    char text[16];
    snprintf(text, sizeof text, "%.*s", dash ? (int)(dash - range < 15 ? dash - range : 15) : 0, range);
    if (s.id)
        return import_fail(h->in, h->line, why, "id on a server-template cannot be told here");
    if (dash)
        e = import_number(h->in, h->line, "first number", text, 0, TEMPLATE_LAST, &first, why);
    if (!e)
        e = import_number(h->in, h->line, dash ? "last number" : "count", dash ? dash + 1 : range, first, TEMPLATE_LAST, &last, why);
    for (uint64_t i = first; !e && i <= last; i++) {
        snprintf(s.name, sizeof s.name, "%.*s%" PRIu64, (int)sizeof s.name - 8, name, i);
        e = add_server(h, &s, why);
    }
    return e;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int haproxy_number(struct haproxy *h, char why[WHY])
{
    size_t n = 0;
    uint32_t *taken = mem_alloc(h->servers, sizeof *taken), next = 1;
    if (!taken)
        return fail(why, ENOMEM, "no memory for the servers of %s", h->in->path);
    for (size_t i = 0; i < h->servers; i++)
        if (h->server[i].id)
            taken[n++] = h->server[i].id;
    qsort(taken, n, sizeof *taken, by_id);
    int e = 0;
    for (size_t i = 1; i < n && !e; i++)
        for (size_t k = h->servers; taken[i] == taken[i - 1] && k-- > 0 && !e;)
            if (h->server[k].id == taken[i])
                e = import_fail(h->in, h->server[k].line, why, "another server of this backend has id %u too", taken[i]);
    for (size_t i = 0; i < h->servers; i++, next++) {
        if (h->server[i].id)
            continue;
        while (bsearch(&next, taken, n, sizeof *taken, by_id))
            next++;
        h->server[i].id = next;
    }
    mem_free(taken);
    return e;
}
