/* The text of CLUSTER NODES: a line a node,
 *
 *     ID IP:PORT@BUSPORT[,HOST] FLAGS MASTER PING PONG EPOCH LINK [SLOT | FIRST-LAST | [SLOT->-ID] | [SLOT-<-ID]]...
 *
 * Masters are nodes, named IP:PORT as MOVED names them; their slots go into the attribute `slots`. Replicas own nothing and are
 * passed over. A slot on its way still belongs to the node that has it; one that nobody has gets no node. */
#include "base/mem.h"
#include "model/import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 16384, FIELDS = 8 };

struct nodes {
    struct import *in;
    uint64_t line, moving_line, moving; /* slots on their way: the first's line, how many */
    size_t owned;
    bool taken[SLOTS];
};

/* Whether a flag stands in the list "myself,master,fail?". */
static bool has_flag(const char *flags, const char *flag)
{
    size_t len = strlen(flag);
    for (const char *at = flags; *at; at += *at == ',') {
        size_t word = strcspn(at, ",");
        if (word == len && !memcmp(at, flag, len))
            return true;
        at += word;
    }
    return false;
}

static int take_slots(struct nodes *n, char *word, char why[WHY])
{
    char *dash = strchr(word, '-');
    uint64_t first = 0, last = 0;
    if (dash)
        *dash = 0;
    int e = import_number(n->in, n->line, "slot", word, 0, SLOTS - 1, &first, why);
    if (!e)
        e = import_number(n->in, n->line, "slot", dash ? dash + 1 : word, 0, SLOTS - 1, &last, why);
    if (!e && last < first)
        e = import_fail(n->in, n->line, why, "slots %s-%s run backwards", word, dash ? dash + 1 : word);
    if (dash)
        *dash = '-';
    for (uint64_t s = first; !e && s <= last; s++) {
        if (n->taken[s])
            return import_fail(n->in, n->line, why, "slot %" PRIu64 " belongs to two masters", s);
        n->taken[s] = true;
        n->owned++;
    }
    return e;
}

/* Slots from the line's rest to attributes, which has the room. */
static int read_slots(struct nodes *n, char *at, char *attributes, char why[WHY])
{
    char *word, *to = attributes + sprintf(attributes, "slots=");
    const char *comma = "";
    while ((word = import_word(&at))) {
        if (*word == '[') {
            if (!n->moving++)
                n->moving_line = n->line;
            continue;
        }
        int e = take_slots(n, word, why);
        if (e)
            return e;
        to += sprintf(to, "%s%s", comma, word);
        comma = ",";
    }
    return 0;
}

/* IP:PORT of IP:PORT@BUSPORT,HOST,FACT=VALUE; where the node has no address (yet), HOST:PORT, or its id. Cuts address up. */
static const char *node_name(const char *id, char *address, char name[512])
{
    char *host = strchr(address, ',');
    if (host) {
        *host++ = 0;
        host[strcspn(host, ",")] = 0;
    }
    address[strcspn(address, "@")] = 0;
    if (*address != ':' || strchr(address + 1, ':')) /* an IPv6 address may begin with colons */
        return address;
    if (host && *host && !strchr(host, '='))
        snprintf(name, 512, "%s%s", host, address);
    else
        snprintf(name, 512, "%s", strcmp(address, ":0") ? address : id);
    return name;
}

static int read_node(struct nodes *n, char *line, char why[WHY])
{
    char *field[FIELDS], name[512];
    size_t len = strlen(line), count = 0;
    while (count < FIELDS && (field[count] = import_word(&line)))
        count++;
    if (count == 0)
        return 0;
    if (count < FIELDS || !strchr(field[1], ':'))
        return import_fail(n->in, n->line, why, "not a line of CLUSTER NODES: ID IP:PORT@BUSPORT FLAGS MASTER PING PONG EPOCH LINK [SLOTS]");
    const char *flags = field[2];
    if (has_flag(flags, "handshake"))
        import_warn(n->in, n->line, "%s has not joined yet: left out", field[1]);
    if (!has_flag(flags, "master") || has_flag(flags, "handshake"))
        return 0;
    if (has_flag(flags, "fail?"))
        import_warn(n->in, n->line, "%s may be failing: shown as if it answered", field[1]);
    char *attributes = mem_alloc(len + 32, 1);
    if (!attributes)
        return fail(why, ENOMEM, "no memory for the slots of %s", n->in->path);
    int e = read_slots(n, line, attributes, why);
    if (!e && (has_flag(flags, "fail") || has_flag(flags, "noaddr")))
        strcat(attributes, " down=1");
    if (!e)
        e = import_node(n->in, n->line, "node", node_name(field[0], field[1], name), 1, attributes, why);
    mem_free(attributes);
    return e;
}

static int redis_nodes_read(struct import *in, const char *path, char *text, char why[WHY])
{
    (void)path;
    struct nodes n = {.in = in, .line = 1};
    char *line;
    snprintf(in->spec, sizeof in->spec, "redis-cluster");
    for (; (line = import_line(&text)); n.line++) {
        int e = read_node(&n, line, why);
        if (e)
            return e;
    }
    if (n.moving)
        import_warn(in, n.moving_line, "slots are being moved (%" PRIu64 "): shown where they come from; keys that have left already are asked for with ASK", n.moving);
    if (in->draft.count && n.owned < SLOTS)
        import_warn(in, n.line - 1, "%zu of %u slots belong to nobody: their keys get no node", SLOTS - n.owned, SLOTS);
    return 0;
}

const struct importer importer_redis_nodes = {"redis-nodes", NULL, redis_nodes_read};
