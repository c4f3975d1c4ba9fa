/* nginx's configuration: `upstream NAME { ... }` wherever it stands, includes followed. A node's name is the server's text as
 * written, since that is what the ring hashes.
 *
 * Passed over: max_fails, fail_timeout, keepalive, zone and whatever stands outside the upstream. */
#include "base/mem.h"
#include "model/import/import.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 16, FILES_MAX = 1000 };

struct source { /* the file being read */
    const char *at;
    uint64_t line;
};

struct nginx {
    struct import *in;
    const char *folder; /* of the main file, to which includes are relative, with its slash */
    size_t folder_len;
    unsigned depth, files;
    enum { OUTSIDE, OTHER, CHOSEN } where;
    uint64_t started, named_line; /* the upstream's line; of its first server that is a host name, 0: none */
    const char *method;           /* NULL: round robin */
    struct phrase p;
};

static int read_source(struct nginx *n, const char *path, char why[WHY]);

static bool ends_word(char c)
{
    return !c || strchr(" \t\n;{", c) != NULL;
}

/* A backslash before a quote or another backslash goes; \t, \r and \n are themselves; else it stays. */
static void put_escaped(struct nginx *n, struct source *s)
{
    char c = s->at[1];
    if (c == '"' || c == '\'' || c == '\\') {
        phrase_put(&n->p, c);
    } else if (c == 't' || c == 'r' || c == 'n') {
        phrase_put(&n->p, c == 't' ? '\t' : c == 'r' ? '\r' : '\n');
    } else {
        phrase_put(&n->p, '\\');
        if (c)
            phrase_put(&n->p, c);
    }
    s->line += c == '\n';
    s->at += c ? 2 : 1;
}

/* One word, quoted or not; a { behind a $ belongs to it. */
static int read_word(struct nginx *n, struct source *s, char why[WHY])
{
    char quote = *s->at == '"' || *s->at == '\'' ? *s->at++ : 0;
    uint64_t line = s->line;
    bool dollar = false;
    phrase_open(&n->p);
    while (*s->at && (quote ? *s->at != quote : !ends_word(*s->at) || (dollar && *s->at == '{'))) {
        dollar = *s->at == '$';
        if (*s->at == '\\') {
            put_escaped(n, s);
            continue;
        }
        s->line += *s->at == '\n';
        phrase_put(&n->p, *s->at++);
    }
    phrase_close(&n->p);
    if (quote && !*s->at)
        return import_fail(n->in, line, why, "a %c is not closed", quote);
    if (quote && !ends_word(*++s->at) && *s->at != ')')
        return import_fail(n->in, s->line, why, "something follows a closing %c at once", quote);
    return n->p.failed ? fail(why, ENOMEM, "no memory for %s", n->in->path) : 0;
}

/* Reads up to ; { } or the end (0), which is *sign; the statement's first line is *line. */
static int read_statement(struct nginx *n, struct source *s, char *sign, uint64_t *line, char why[WHY])
{
    int e = 0;
    phrase_clear(&n->p);
    while (!e) {
        while (*s->at == ' ' || *s->at == '\t' || *s->at == '\n')
            s->line += *s->at++ == '\n';
        if (n->p.count == 0)
            *line = s->line;
        char c = *s->at;
        if (!c || c == ';' || c == '{' || c == '}') {
            s->at += c != 0;
            *sign = c;
            if (n->p.count > 0 && c != ';' && c != '{')
                return import_fail(n->in, *line, why, "'%s' ends without a ;", phrase_word(&n->p, 0));
            return 0;
        }
        if (c == '#')
            s->at += strcspn(s->at, "\n");
        else
            e = read_word(n, s, why);
    }
    return e;
}

/* Blocks of Lua: any text with balanced braces. */
static int skip_lua(struct nginx *n, struct source *s, uint64_t line, char why[WHY])
{
    for (size_t depth = 1; *s->at; s->at++) {
        s->line += *s->at == '\n';
        depth += *s->at == '{';
        depth -= *s->at == '}';
        if (depth == 0) {
            s->at++;
            return 0;
        }
    }
    return import_fail(n->in, line, why, "a { is not closed");
}

static int follow_include(struct nginx *n, uint64_t line, const char *pattern, char why[WHY])
{
    bool wild = strpbrk(pattern, "*?[") != NULL;
    size_t len = strlen(pattern), folder = *pattern == '/' ? 0 : n->folder_len;
    char *full = mem_alloc(folder + len + 1, 1);
    struct stat about;
    glob_t found = {0};
    int e = 0;
    if (!full)
        return fail(why, ENOMEM, "no memory for %s", n->in->path);
    memcpy(full, n->folder, folder);
    memcpy(full + folder, pattern, len);
    if (n->depth >= DEPTH_MAX)
        e = import_fail(n->in, line, why, "includes are nested more than %d deep", DEPTH_MAX);
    else if (!wild && stat(full, &about) && n->where == OUTSIDE)
        import_warn(n->in, line, "%s is not there: left out", full);
    else if (!wild && stat(full, &about))
        e = import_fail(n->in, line, why, "%s is not there", full);
    else if (!wild)
        e = read_source(n, full, why);
    else if (glob(full, 0, NULL, &found) == GLOB_NOSPACE)
        e = fail(why, ENOMEM, "no memory for %s", full);
    for (size_t i = 0; wild && !e && i < found.gl_pathc; i++)
        e = read_source(n, found.gl_pathv[i], why);
    globfree(&found);
    mem_free(full);
    return e;
}

static void note_name(struct nginx *n, uint64_t line, const char *server)
{
    char host[64];
    const char *colon = strrchr(server, ':');
    size_t len = colon ? (size_t)(colon - server) : strlen(server);
    bool socket = !strncmp(server, "unix:", 5), six = *server == '[';
    snprintf(host, sizeof host, "%.*s", (int)(len < 64 ? len : 63), server);
    if (!socket && !six && !import_is_address(host) && !n->named_line)
        n->named_line = line;
}

static int add_server(struct nginx *n, uint64_t line, char why[WHY])
{
    const char *server = phrase_word(&n->p, 1), *down = NULL;
    uint64_t weight = 1;
    int e = 0;
    if (n->p.count < 2 || n->p.count > PHRASE_WORDS)
        return import_fail(n->in, line, why, "server takes an address and at most %d parameters", PHRASE_WORDS - 2);
    if (strchr(server, '$'))
        return import_fail(n->in, line, why, "server %s: a variable cannot be told here", server);
    for (size_t i = 2; i < n->p.count && !e; i++) {
        const char *word = phrase_word(&n->p, i);
        if (!strncmp(word, "weight=", 7))
            e = import_number(n->in, line, "weight", word + 7, 1, WEIGHT_MAX, &weight, why);
        else if (!strcmp(word, "down"))
            down = "down=1";
        else if (!strcmp(word, "backup") && n->method)
            e = import_fail(n->in, line, why, "backup: nginx refuses it after %s", n->method);
        else if (!strcmp(word, "backup")) {
            import_warn(n->in, line, "server %s is a backup, for when all others are down: left out", server);
            return 0;
        } else if (!strncmp(word, "max_conns=", 10) && strcmp(word, "max_conns=0"))
            import_warn(n->in, line, "max_conns: shown as if the server were never full");
        else if (!strncmp(word, "slow_start=", 11))
            import_warn(n->in, line, "slow_start: shown as if the server were long up");
        else if (!strncmp(word, "service=", 8) || !strcmp(word, "drain"))
            e = import_fail(n->in, line, why, "%s cannot be told here", word);
        else if (strncmp(word, "max_fails=", 10) && strncmp(word, "fail_timeout=", 13) && strncmp(word, "route=", 6) && strcmp(word, "resolve") &&
                 strcmp(word, "max_conns=0"))
            e = import_fail(n->in, line, why, "server %s: '%s' is no parameter of nginx", server, word);
    }
    note_name(n, line, server);
    return e ? e : import_node(n->in, line, "server", server, (uint32_t)weight, down, why);
}

static int set_method(struct nginx *n, uint64_t line, const char *method, char why[WHY])
{
    if (n->method)
        return import_fail(n->in, line, why, "a second method: the upstream has %s already", n->method);
    n->method = method;
    return 0;
}

/* A statement within the upstream. */
static int upstream_statement(struct nginx *n, uint64_t line, char why[WHY])
{
    static const char *const passed[] = {"keepalive", "keepalive_requests", "keepalive_time", "keepalive_timeout", "zone", "ntlm", "queue",
                                         "resolver", "resolver_timeout", "check", "check_http_send", "check_http_expect_alive"};
    static const char *const others[] = {"least_conn", "least_time", "random", "fair", "state", "least_bandwidth"};
    const char *word = phrase_word(&n->p, 0), *last = phrase_word(&n->p, 2);
    if (!strcmp(word, "server"))
        return add_server(n, line, why);
    if (!strcmp(word, "ip_hash"))
        return set_method(n, line, "ip_hash", why);
    if (!strcmp(word, "hash") && (n->p.count == 2 || (n->p.count == 3 && !strcmp(last, "consistent"))))
        return set_method(n, line, n->p.count == 3 ? "consistent" : "hash", why);
    if (!strcmp(word, "hash"))
        return import_fail(n->in, line, why, "hash takes a key and, perhaps, consistent");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(word, others[i]))
            return import_fail(n->in, line, why, "%s: where a key goes cannot be told; hash KEY [consistent] and ip_hash place keys", word);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (!strcmp(word, passed[i]))
            return 0;
    if (!strcmp(word, "sticky"))
        import_warn(n->in, line, "sticky comes before the hash, for clients that were here: not shown");
    else
        import_warn(n->in, line, "'%s' is not known and takes no part", word);
    return 0;
}

/* The upstream ends. */
static int finish_upstream(struct nginx *n, char why[WHY])
{
    bool ring = n->method && !strcmp(n->method, "consistent");
    if (!n->method)
        return import_fail(n->in, n->started, why, "the upstream goes by turns (round robin): hash KEY [consistent] and ip_hash place keys");
    if (n->in->draft.count == 0)
        return import_fail(n->in, n->started, why, "the upstream has no server");
    if (n->named_line && !ring)
        import_warn(n->in, n->named_line, "a host name counts once for each address that it has: shown as if each had one");
    snprintf(n->in->spec, sizeof n->in->spec, "nginx:method=%s", n->method);
    return 0;
}

static int read_statements(struct nginx *n, struct source *s, char why[WHY])
{
    size_t depth = 0, upstream = 0; /* upstream: depth of the block that this file opened, plus one */
    uint64_t opened = 1, line = 1;
    for (char sign;;) {
        int e = read_statement(n, s, &sign, &line, why);
        const char *word = phrase_word(&n->p, 0), *name = phrase_word(&n->p, 1);
        size_t len = strlen(word);
        if (e)
            return e;
        if (!sign)
            return depth ? import_fail(n->in, opened, why, "a { is not closed") : 0;
        if (sign == '}' && depth == 0)
            return import_fail(n->in, line, why, "a } too many");
        if (sign == '{' && len > 13 && !strcmp(word + len - 13, "_by_lua_block")) {
            e = skip_lua(n, s, line, why);
        } else if (sign == '{') {
            if (n->where == OUTSIDE && !strcmp(word, "upstream") && n->p.count == 2) {
                n->where = import_part(n->in, name) ? CHOSEN : OTHER;
                n->started = line;
                upstream = depth + 1;
            }
            if (depth++ == 0)
                opened = line;
        } else if (sign == '}') {
            if (depth-- == upstream && upstream) {
                e = n->where == CHOSEN ? finish_upstream(n, why) : 0;
                n->where = OUTSIDE;
                upstream = 0;
            }
        } else if (!strcmp(word, "include") && n->p.count == 2 && n->where != OTHER) {
            char *pattern = mem_copy(name, strlen(name));
            e = pattern ? follow_include(n, line, pattern, why) : fail(why, ENOMEM, "no memory for %s", n->in->path);
            mem_free(pattern);
        } else if (n->where == CHOSEN && n->p.count > 0) {
            e = upstream_statement(n, line, why);
        }
        if (e)
            return e;
    }
}

/* An included file, in its place. */
static int read_source(struct nginx *n, const char *path, char why[WHY])
{
    if (n->files++ >= FILES_MAX)
        return fail(why, EINVAL, "%s: more than %d files are included", path, FILES_MAX);
    char *text;
    struct stat about;
    bool there = !stat(path, &about);
    if (there && !S_ISREG(about.st_mode))
        return fail(why, EINVAL, "%s is included, and is no file", path);
    if (there && about.st_size == 0)
        return 0;
    int e = import_text(path, &text, why);
    if (e)
        return e;
    const char *outer = n->in->path;
    n->in->path = path;
    n->depth++;
    e = read_statements(n, &(struct source){text, 1}, why);
    n->depth--;
    n->in->path = outer;
    mem_free(text);
    return e;
}

static int nginx_read(struct import *in, const char *path, char *text, char why[WHY])
{
    const char *slash = strrchr(path, '/');
    struct nginx n = {.in = in, .folder = path, .folder_len = slash ? (size_t)(slash - path) + 1 : 0};
    int e = read_statements(&n, &(struct source){text, 1}, why);
    phrase_release(&n.p);
    return e;
}

const struct importer importer_nginx = {"nginx", "upstream", nginx_read};
