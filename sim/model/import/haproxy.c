/* HAProxy's configuration: `backend` and `listen` sections, with what they take from `defaults`. Nodes carry their numeric id as an
 * attribute, explicit or counted as HAProxy counts, since the ring hashes that alone.
 *
 * A server of weight 0 and one that is disabled are down; backups, which serve when all others are down, are left out with a
 * warning. What comes before the hash (use-server, stick, cookie) is warned of. .if blocks, which ask the running program, are
 * refused where they may matter. Checks, TLS, timeouts, maxconn and the rest are passed over. */
#include "model/import/haproxy.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *word_at(const struct haproxy *h, size_t i) { return phrase_word(&h->p, i); }

/* Keeps the words behind the first. */
static uint64_t keep_words(const struct haproxy *h, char word[4][64])
{
    for (size_t i = 0; i < 4; i++)
        snprintf(word[i], 64, "%s", word_at(h, i + 1));
    return h->line;
}

/* Said before the hash is asked. */
static void note_before_hash(struct haproxy *h)
{
    const char *word = word_at(h, 0);
    bool stick = !strcmp(word, "stick") && strcmp(word_at(h, 1), "store-response");
    if (!stick && strcmp(word, "cookie") && strcmp(word, "use-server") && strcmp(word, "dispatch"))
        return;
    snprintf(h->now.before, sizeof h->now.before, "%s", word);
    h->now.before_line = h->line;
}

/* A line of defaults, backend or listen. missing: a variable that it needs and that is not set, or "". */
static int read_statement(struct haproxy *h, const char *missing, char why[WHY])
{
    struct section *s = &h->now;
    const char *word = word_at(h, 0);
    bool template = !strcmp(word, "server-template"), server = template || !strcmp(word, "server"), base = !strcmp(word, "default-server");
    bool balance = !strcmp(word, "balance"), type = !strcmp(word, "hash-type");
    if (server && !s->defaults && !s->noted) {
        s->noted = true;
        s->chosen = import_part(h->in, s->name);
    }
    if (server || base || balance || type) {
        if (h->conditions)
            s->condition = h->condition;
        if (*missing && !s->missing_line) {
            snprintf(s->missing, sizeof s->missing, "%s", missing);
            s->missing_line = h->line;
        }
        if (s->chosen && s->missing_line)
            return import_fail(h->in, s->missing_line, why, "the variable %s is not set: set it in the environment as HAProxy has it", s->missing);
        if (s->chosen && h->p.count > PHRASE_WORDS)
            return import_fail(h->in, h->line, why, "more than %d words", PHRASE_WORDS);
    }
    if (server)
        return s->chosen ? haproxy_server(h, template, why) : 0;
    if (base)
        return h->in->choosing || *missing ? 0 : haproxy_parameters(h, &s->base, 1, why);
    if (balance)
        s->balance_line = keep_words(h, s->balance);
    else if (type)
        s->type_line = keep_words(h, s->type);
    else if (!strcmp(word, "hash-balance-factor"))
        s->factor_line = strcmp(word_at(h, 1), "0") ? h->line : 0;
    else
        note_before_hash(h);
    return 0;
}

/* balance: the spec's first half. */
static int write_balance(struct haproxy *h, const struct section *s, char why[WHY])
{
    char way[64];
    snprintf(way, sizeof way, "%.*s", (int)strcspn(s->balance[0], "("), s->balance[0]);
    bool hdr = !strcmp(way, "hdr"), url = !strcmp(way, "url_param");
    if (!s->balance_line)
        return import_fail(h->in, s->line, why, "backend %s has no balance, which is round robin: hdr(NAME), uri, url_param NAME and source place keys", s->name);
    if (!hdr && !url && strcmp(way, "uri") && strcmp(way, "source"))
        return import_fail(h->in, s->balance_line, why, "balance %s: where a key goes cannot be told; hdr(NAME), uri, url_param NAME and source place keys", s->balance[0]);
    const char *more = url ? s->balance[2] : s->balance[1];
    bool whole = !strcmp(way, "uri") && !strcmp(more, "whole") && !*s->balance[2];
    if (*more && !whole && !(url && !strcmp(more, "check_post")))
        return import_fail(h->in, s->balance_line, why, "balance %s %s cannot be told here", way, more);
    snprintf(h->in->spec, sizeof h->in->spec, "haproxy:balance=%s%s", way, whole ? ",whole=1" : "");
    return 0;
}

/* hash-type METHOD [FUNCTION [avalanche]]: the second half. METHOD alone has its own defaults, which are keysim's too. */
static int write_type(struct haproxy *h, const struct section *s, char why[WHY])
{
    static const char *const functions[] = {"sdbm", "djb2", "wt6", "crc32"};
    const char *method = s->type_line ? s->type[0] : "map-based", *function = s->type[1], *modifier = s->type[2];
    bool ring = !strcmp(method, "consistent"), known = !*function;
    if (!ring && strcmp(method, "map-based"))
        return import_fail(h->in, s->type_line, why, "hash-type '%s': must be map-based or consistent", method);
    for (size_t i = 0; i < 4; i++)
        known |= !strcmp(function, functions[i]);
    if (!known)
        return import_fail(h->in, s->type_line, why, "hash-type: function '%s' must be sdbm, djb2, wt6 or crc32", function);
    if (*modifier && strcmp(modifier, "avalanche"))
        return import_fail(h->in, s->type_line, why, "hash-type: '%s' must be avalanche", modifier);
    size_t len = strlen(h->in->spec);
    char *to = h->in->spec + len;
    if (*function)
        snprintf(to, sizeof h->in->spec - len, ",type=%s,hash=%s,avalanche=%d", ring ? "consistent" : "map", function, *modifier != 0);
    else
        snprintf(to, sizeof h->in->spec - len, ",type=%s", ring ? "consistent" : "map");
    if (s->factor_line && ring)
        import_warn(h->in, s->factor_line, "hash-balance-factor: a key's first choice is shown, as if no server were overloaded");
    return 0;
}

static int finish_section(struct haproxy *h, char why[WHY])
{
    struct section *s = &h->now;
    if (s->defaults) {
        if (mem_grow(&h->saved, &h->saved_capacity, h->saved_count + 1, sizeof *h->saved))
            return fail(why, ENOMEM, "no memory for %s", h->in->path);
        h->saved[h->saved_count++] = *s;
    }
    if (!s->chosen)
        return 0;
    if (s->condition)
        return import_fail(h->in, s->condition, why, ".if asks the running program: what holds cannot be told here");
    int e = write_balance(h, s, why);
    if (!e)
        e = write_type(h, s, why);
    if (!e)
        e = haproxy_number(h, why);
    if (s->before_line)
        import_warn(h->in, s->before_line, "%s comes before the hash: not shown", s->before);
    for (size_t i = 0; i < h->servers && !e; i++) {
        const struct server *v = &h->server[i];
        char attributes[64];
        snprintf(attributes, sizeof attributes, "id=%u%s", v->id, v->disabled || !v->weight ? " down=1" : "");
        if (v->backup)
            import_warn(h->in, v->line, "server %s is a backup, for when all others are down: left out", v->name);
        else
            e = import_node(h->in, v->line, "server", v->name, v->weight ? v->weight : 1, attributes, why);
    }
    if (!e && h->in->draft.count == 0)
        e = import_fail(h->in, s->line, why, "backend %s has only backups", s->name);
    return e;
}

/* The defaults that a section begins with: those it names with `from`, else the latest. */
static int begin_section(struct haproxy *h, char why[WHY])
{
    static const char *const kinds[] = {"global", "defaults", "backend", "listen", "frontend", "peers", "resolvers", "userlist", "mailers",
                                        "cache", "program", "ring", "http-errors", "fcgi-app", "log-forward", "crt-store", "traces", "acme",
                                        "log-profile"};
    const char *word = word_at(h, 0), *name = word_at(h, 1);
    size_t kind = 0, from = !strcmp(name, "from") ? 1 : 2;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(word, kinds[kind]))
        kind++;
    if (kind == sizeof kinds / sizeof *kinds)
        return 0;
    int e = finish_section(h, why);
    if (e)
        return e;
    bool defaults = kind == 1, servers = kind == 2 || kind == 3, named = !strcmp(word_at(h, from), "from");
    struct section fresh = {.base.weight = 1};
    size_t base = h->saved_count;
    while (base > 0 && named && strcmp(h->saved[base - 1].name, word_at(h, from + 1)))
        base--;
    if ((servers && base > 0) || (defaults && named && base > 0))
        fresh = h->saved[base - 1];
    else if (servers && named)
        return import_fail(h->in, h->line, why, "there is no defaults '%s'", word_at(h, from + 1));
    h->now = fresh;
    h->now.line = h->line;
    h->now.defaults = defaults;
    h->now.other = !servers && !defaults;
    h->now.noted = h->now.chosen = false;
    if (h->conditions)
        h->now.condition = h->condition;
    snprintf(h->now.name, sizeof h->now.name, "%s", from == 1 && defaults ? "" : name);
    return servers && (!*name || strlen(name) >= sizeof h->now.name) ? import_fail(h->in, h->line, why, "%s takes a name, shorter than %zu bytes", word, sizeof h->now.name) : 1;
}

/* setenv, presetenv and unsetenv of `global`. */
static int set_variable(struct haproxy *h)
{
    const char *word = word_at(h, 0), *name = word_at(h, 1);
    if (!strcmp(word, "setenv") || (!strcmp(word, "presetenv") && !environment_get(&h->env, name)))
        return environment_set(&h->env, name, word_at(h, 2));
    return !strcmp(word, "unsetenv") ? environment_set(&h->env, name, NULL) : 0;
}

static int read_line(struct haproxy *h, const char *line, char why[WHY])
{
    char missing[128], said[WHY];
    int e = haproxy_words(line, &h->env, &h->p, missing, said);
    if (e)
        return e == -EINVAL ? import_fail(h->in, h->line, why, "%s", said) : fail(why, -e, "%s", said);
    if (h->p.count == 0)
        return 0;
    const char *word = word_at(h, 0);
    if (!strcmp(word, ".if") && !h->conditions++)
        h->condition = h->line;
    else if (!strcmp(word, ".endif") && h->conditions)
        h->conditions--;
    e = begin_section(h, why);
    if (e)
        return e < 0 ? e : 0;
    if (h->now.other)
        return set_variable(h) ? fail(why, ENOMEM, "no memory for the environment") : 0;
    return read_statement(h, missing, why);
}

static int haproxy_read(struct import *in, const char *path, char *text, char why[WHY])
{
    (void)path;
    struct haproxy h = {.in = in, .line = 1, .now.other = true};
    char *line;
    int e = 0;
    for (; !e && (line = import_line(&text)); h.line++)
        e = read_line(&h, line, why);
    if (!e)
        e = finish_section(&h, why);
    phrase_release(&h.p);
    environment_release(&h.env);
    mem_free(h.saved);
    mem_free(h.server);
    return e;
}

const struct importer importer_haproxy = {"haproxy", "backend", haproxy_read};
