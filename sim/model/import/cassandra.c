/* The text of `nodetool ring`: a table a data centre, a row a token,
 *
 *     Datacenter: dc1
 *     ==========
 *     Address    Rack   Status State   Load        Owns     Token
 *                                                           9187343239835811839
 *     10.0.0.1   r0     Up     Normal  113.16 KiB  66.67%   -9223372036854775808
 *
 * (the lonely number repeats the last token). A node's tokens, rack and data centre go into attributes. */
#include "base/mem.h"
#include "model/import/import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host { /* host i is node i of the draft */
    char *rack, *dc; /* in the text */
    char *tokens;
    size_t len, capacity;
    uint64_t line;
    bool down;
};

struct ring {
    struct import *in;
    uint64_t line;
    char *dc;
    bool several; /* data centres */
    struct host *host;
    size_t hosts, capacity;
};

/* A token of Murmur3Partitioner: signed 64 bits. */
static bool is_token(const char *text)
{
    const char *digits = text + (*text == '-');
    char *end;
    errno = 0;
    strtoll(text, &end, 10);
    return *digits && !digits[strspn(digits, "0123456789")] && !errno;
}

static int find_host(struct ring *r, const char *name, char *rack, struct host **out, char why[WHY])
{
    long at = draft_find(&r->in->draft, name);
    if (at < 0 && mem_grow(&r->host, &r->capacity, r->hosts + 1, sizeof *r->host))
        return fail(why, ENOMEM, "no memory for the nodes of %s", r->in->path);
    int e = at < 0 ? import_node(r->in, r->line, "node", name, 1, NULL, why) : 0;
    if (e)
        return e;
    if (at < 0)
        r->host[at = (long)r->hosts++] = (struct host){.rack = rack, .dc = r->dc, .line = r->line};
    *out = &r->host[at];
    return 0;
}

static int add_token(struct host *h, const char *token)
{
    size_t len = strlen(token);
    if (mem_grow(&h->tokens, &h->capacity, h->len + len + 2, 1))
        return -ENOMEM;
    if (h->len)
        h->tokens[h->len++] = ',';
    memcpy(h->tokens + h->len, token, len + 1);
    h->len += len;
    return 0;
}

static bool is_status(const char *word)
{
    return !strcmp(word, "Up") || !strcmp(word, "Down") || !strcmp(word, "?");
}

/* Address Rack Status State Load.. Owns Token */
static int read_row(struct ring *r, char *word[], size_t n, char why[WHY])
{
    const char *state = word[3], *token = word[n - 1];
    if (n < 6 || !is_status(word[2]))
        return import_fail(r->in, r->line, why, "not a row of nodetool ring: Address Rack Status State Load Owns Token (without blanks in a rack's name)");
    if (!is_token(token))
        return import_fail(r->in, r->line, why, "token '%s': must be a whole number of 64 bits, as Murmur3Partitioner has them", token);
    if (!r->dc)
        return import_fail(r->in, r->line, why, "a row before the first 'Datacenter: NAME'");
    if (!strcmp(state, "Joining")) {
        import_warn(r->in, r->line, "%s is joining and serves nothing yet: left out", word[0]);
        return 0;
    }
    struct host *h = NULL;
    size_t before = r->hosts;
    int e = find_host(r, word[0], word[1], &h, why);
    if (e)
        return e;
    if (r->hosts > before && strcmp(state, "Normal"))
        import_warn(r->in, r->line, "%s is %s: shown where it is now", word[0], state);
    if (strcmp(h->rack, word[1]) || h->dc != r->dc)
        return import_fail(r->in, r->line, why, "%s stood in another rack or data centre on line %llu", word[0], (unsigned long long)h->line);
    h->down = strcmp(word[2], "Up");
    return add_token(h, token) ? fail(why, ENOMEM, "no memory for the tokens of %s", r->in->path) : 0;
}

static int read_line(struct ring *r, char *line, char why[WHY])
{
    static const char *const passed[] = {"Address", "Note:", "Warning:", "To", "WARNING:"};
    char *word[16], *rest = line + strspn(line, " \t");
    size_t n = 0;
    if (!strncmp(rest, "Datacenter:", 11)) {
        r->several = r->dc != NULL;
        rest += 11;
        r->dc = import_word(&rest);
        if (!r->dc || import_word(&rest))
            return import_fail(r->in, r->line, why, "the name of a data centre is one word");
        return 0;
    }
    while (n < 16 && (word[n] = import_word(&rest)))
        n++;
    if (n == 0 || (n == 1 && (*word[0] == '=' || is_token(word[0]))))
        return 0;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (!strcmp(word[0], passed[i]))
            return 0;
    return read_row(r, word, n, why);
}

/* The nodes' attributes, now that all tokens are known. */
static int describe_hosts(struct ring *r, char why[WHY])
{
    for (size_t i = 0; i < r->hosts; i++) {
        const struct host *h = &r->host[i];
        struct node *n = &r->in->draft.node[i];
        size_t size = strlen(h->dc) + strlen(h->rack) + h->len + 64;
        char *attributes = mem_alloc(size, 1);
        if (!attributes)
            return fail(why, ENOMEM, "no memory for the tokens of %s", r->in->path);
        snprintf(attributes, size, "dc=%s rack=%s tokens=%s%s", h->dc, h->rack, h->tokens, h->down ? " down=1" : "");
        draft_describe(&r->in->draft, i, attributes);
        n->down = h->down;
    }
    return 0;
}

static int cassandra_read(struct import *in, const char *path, char *text, char why[WHY])
{
    (void)path;
    struct ring r = {.in = in, .line = 1};
    char *line;
    int e = 0;
    snprintf(in->spec, sizeof in->spec, "cassandra");
    for (; !e && (line = import_line(&text)); r.line++)
        e = read_line(&r, line, why);
    if (!e)
        e = describe_hosts(&r, why);
    if (!e && r.several)
        import_warn(in, 1, "how a keyspace spreads its replicas is not told here: -s cassandra:strategy=network,rf=DC:COPIES/... does");
    for (size_t i = 0; i < r.hosts; i++)
        mem_free(r.host[i].tokens);
    mem_free(r.host);
    return e;
}

const struct importer importer_cassandra = {"cassandra", NULL, cassandra_read};
