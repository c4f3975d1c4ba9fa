/* Reading NODES, and questions to a cluster. */
#include "base/csv.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/rng.h"
#include "base/text.h"
#include "model/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX 16777216u /* 2^24: names alone are a gigabyte then */

/* Attributes that some system reads; another system ignores them. */
static const char *const known_attributes[] = {"alias", "dc", "down", "id", "rack", "slots", "tokens"};
enum { KNOWN_ATTRIBUTES = sizeof known_attributes / sizeof *known_attributes };

const char *node_attribute(const struct node *n, const char *name, size_t *len)
{
    if (!*n->attributes)
        return NULL;
    size_t want = strlen(name);
    for (const char *at = n->attributes; *at;) {
        size_t word = strcspn(at, " ");
        if (word > want && at[want] == '=' && !memcmp(at, name, want)) {
            *len = word - want - 1;
            return at + want + 1;
        }
        at += word + strspn(at + word, " ");
    }
    return NULL;
}

const struct node *cluster_by_id(const struct cluster *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->size; i++)
        if (c->node[i].id == id)
            return &c->node[i];
    return NULL;
}

const struct node *cluster_by_name(const struct cluster *c, const char *name)
{
    for (uint32_t i = 0; i < c->size; i++)
        if (!strcmp(c->node[i].name, name))
            return &c->node[i];
    return NULL;
}

uint64_t cluster_weight(const struct cluster *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->size; i++)
        sum += c->node[i].weight;
    return sum;
}

void cluster_fair_shares(const struct cluster *c, double *fair)
{
    double sum = (double)cluster_weight(c);
    memset(fair, 0, c->ids * sizeof *fair);
    for (uint32_t i = 0; i < c->size; i++)
        fair[c->node[i].id] = c->node[i].weight / sum;
}

/* Decodes a name in place where names are percent-encoded. */
static int name_decode(const struct registry *r, char *name, char why[WHY])
{
    if (registry_is_percent(r)) {
        long n = text_percent_decode(name, strlen(name), name);
        if (n < 0)
            return fail(why, EINVAL, "node name '%s': a %% must be followed by two hexadecimal digits", name);
        name[n] = 0;
        if (strlen(name) != (size_t)n)
            return fail(why, EINVAL, "node name '%s': a name cannot hold a zero byte", name);
    }
    if (!*name)
        return fail(why, EINVAL, "a node name is empty");
    return 0;
}

static int add_named(struct draft *d, char *name, const char *weight, const char *attributes, char why[WHY])
{
    uint32_t w = 1;
    int e = name_decode(d->registry, name, why);
    if (!e && weight)
        e = weight_parse(weight, name, &w, why);
    if (e)
        return e;
    if (d->count >= NODES_MAX)
        return fail(why, EINVAL, "more than %u nodes", NODES_MAX);
    e = draft_add(d, name, w, attributes);
    char shown[80];
    text_printable(name, strlen(name), shown, sizeof shown);
    if (e == -EEXIST)
        return fail(why, EINVAL, "node %s is named twice", shown);
    return e ? fail(why, ENOMEM, "no memory for node %s", shown) : 0;
}

/* The next item of a list; `\,` and `\=` stand for themselves. Cuts *at in place. */
static char *list_item(char **at, char **weight)
{
    char *item = *at, *to = item, *from = item;
    *weight = NULL;
    for (; *from && *from != ','; from++) {
        if (*from == '\\' && (from[1] == ',' || from[1] == '=' || from[1] == '\\'))
            *to++ = *++from;
        else if (*from == '=' && !*weight)
            *to++ = 0, *weight = to;
        else
            *to++ = *from;
    }
    *at = *from ? from + 1 : NULL;
    *to = 0;
    return item;
}

static int read_list(struct draft *d, const char *nodes, char why[WHY])
{
    char *copy = mem_copy(nodes, strlen(nodes)), *at = copy, *weight;
    if (!copy)
        return fail(why, ENOMEM, "no memory for the list of nodes");
    int e = 0;
    while (at && !e) {
        char *name = list_item(&at, &weight);
        e = add_named(d, name, weight, NULL, why);
    }
    if (e == -EINVAL)
        fail(why, EINVAL, "nodes '%.200s': %s", nodes, why);
    mem_free(copy);
    return e;
}

static int check_attribute(char *word, char why[WHY])
{
    char *value = strchr(word, '=');
    if (!value)
        return fail(why, EINVAL, "'%s' is neither a weight nor attribute=value; a real configuration is read as @FORMAT:FILE, such as @nginx:FILE", word);
    *value = 0;
    bool known = false;
    for (size_t i = 0; i < KNOWN_ATTRIBUTES; i++)
        known |= !strcmp(word, known_attributes[i]);
    int e = known ? 0 : fail_unknown(why, "node attribute", word, known_attributes, KNOWN_ATTRIBUTES);
    if (!e && !strcmp(word, "down") && strcmp(value + 1, "0") && strcmp(value + 1, "1"))
        e = fail(why, EINVAL, "down=%s: must be 0 or 1", value + 1);
    *value = '=';
    return e;
}

/* NAME [WEIGHT] [attribute=value ...]; line is cut up in place. */
static int read_node_line(struct draft *d, char *line, char why[WHY])
{
    static const char blank[] = " \t";
    char *at = line + strspn(line, blank);
    if (!*at || *at == '#')
        return 0;
    char *name = strsep(&at, blank), *weight = NULL, *word;
    if (strchr(name, ',')) /* a table, or a list that belongs on the command line */
        return fail(why, EINVAL, "'%.60s' holds a comma: a node file has a line a node, NAME [WEIGHT] [attribute=value ...]; with --percent a comma in a name is %%2C", name);
    char *attributes = mem_alloc(strlen(at ? at : "") + 2, 1);
    if (!attributes)
        return fail(why, ENOMEM, "no memory for the nodes");
    int e = 0;
    for (int n = 0; !e && at && (word = strsep(&at, blank));) {
        if (!*word)
            continue;
        if (*word == '#')
            break;
        if (n++ == 0 && !strchr(word, '=') && strpbrk(word, "0123456789")) {
            weight = word;
        } else if (!(e = check_attribute(word, why))) {
            strcat(attributes, *attributes ? " " : "");
            strcat(attributes, word);
        }
    }
    if (!e)
        e = add_named(d, name, weight, attributes, why);
    mem_free(attributes);
    return e;
}

static int read_file(struct draft *d, const char *path, char why[WHY])
{
    struct reader *in;
    int e = reader_open(&in, path, '\n', false, why);
    if (e)
        return e;
    const char *text;
    size_t len;
    char inner[WHY];
    while ((e = reader_line(in, &text, &len, why)) == 1) {
        bool binary = memchr(text, 0, len) != NULL;
        for (size_t i = 0; i < len && !binary; i++)
            binary = (unsigned char)text[i] < 32 && text[i] != '\t';
        char *line = binary ? NULL : mem_copy(text, len);
        if (binary)
            e = fail(why, EINVAL, "%s line %" PRIu64 " is not text: a node file has a line a node, NAME [WEIGHT] [attribute=value ...]",
                     path, reader_line_number(in));
        else if (!line)
            e = fail(why, ENOMEM, "no memory for the nodes of %s", path);
        else if ((e = read_node_line(d, line, inner)))
            e = fail(why, -e, "%s line %" PRIu64 ": %s", path, reader_line_number(in), inner);
        mem_free(line);
        if (e)
            break;
    }
    reader_close(in);
    return e ? e : d->count ? 0 : fail(why, EINVAL, "%s names no node: a line a node, NAME [WEIGHT] [attribute=value ...]", path);
}

/* As read before, or now. */
static int read_import(struct draft *d, const char *nodes, char why[WHY])
{
    const struct imported *i;
    int e = import_read(d->registry, nodes, &i, why);
    return e ? e : draft_copy(d, i->cluster, why);
}

int cluster_read(struct registry *r, const char *nodes, bool addresses, const struct cluster **out, char why[WHY])
{
    return cluster_read_as(r, "-n", nodes, addresses, out, why);
}

int cluster_read_as(struct registry *r, const char *option, const char *nodes, bool addresses, const struct cluster **out, char why[WHY])
{
    struct draft d;
    draft_init(&d, r);
    uint64_t n;
    int e = 0, number = text_count(nodes, strlen(nodes), &n);
    if (!*nodes || (!number && n == 0))
        e = fail(why, EINVAL, "no nodes: %s takes a number from 1, a list a,b=2,c or @FILE", option);
    else if (number == -ERANGE || (!number && n > NODES_MAX))
        e = fail(why, EINVAL, "%s %s: at most %u nodes", option, nodes, NODES_MAX);
    else if (!number)
        e = draft_add_defaults(&d, n, addresses, why);
    else if (import_find(nodes))
        e = read_import(&d, nodes, why);
    else if (*nodes == '@' && import_misspelt(nodes, why))
        e = -EINVAL;
    else if (*nodes == '@')
        e = read_file(&d, nodes + 1, why);
    else if (*nodes == '-' && nodes[1 + strspn(nodes + 1, "0123456789")] == 0)
        e = fail(why, EINVAL, "%s %s: must be 1 to %u nodes", option, nodes, NODES_MAX);
    else
        e = read_list(&d, nodes, why);
    if (!e)
        e = draft_finish(&d, out, why);
    if (e)
        draft_release(&d);
    return e;
}

int cluster_sweep(const char *nodes, char ***out, size_t *n, char why[WHY])
{
    bool sweep = *nodes && !nodes[strspn(nodes, "0123456789kMG./x+")] && (strchr(nodes, '/') || strstr(nodes, ".."));
    uint64_t *value = NULL;
    size_t count = 1;
    int e = sweep ? sweep_counts(nodes, &value, &count, why) : 0;
    if (e)
        return fail(why, -e, "nodes '%.200s': %s", nodes, why);
    for (size_t i = 0; sweep && i < count && !e; i++) /* before the first of them is counted */
        if (value[i] > NODES_MAX)
            e = fail(why, EINVAL, "-n %.200s: at most %u nodes", nodes, NODES_MAX);
    if (e) {
        mem_free(value);
        return e;
    }
    char **text = mem_alloc(count, sizeof *text);
    for (size_t i = 0; text && i < count; i++) {
        char number[32];
        if (sweep)
            snprintf(number, sizeof number, "%" PRIu64, value[i]);
        const char *one = sweep ? number : nodes;
        if (!(text[i] = mem_copy(one, strlen(one)))) {
            while (i > 0)
                mem_free(text[--i]);
            mem_free(text);
            text = NULL;
        }
    }
    mem_free(value);
    *out = text;
    *n = count;
    return text ? 0 : fail(why, ENOMEM, "no memory for the sweep");
}

int cluster_random(struct registry *r, const struct cluster *like, uint64_t stream, const struct cluster **out, char why[WHY])
{
    struct draft d;
    draft_init(&d, r);
    struct rng g = rng_start(stream);
    int e = 0;
    for (uint32_t i = 0; i < like->size && !e;) {
        char name[32];
        uint64_t w = rng_next(&g);
        snprintf(name, sizeof name, "10.%u.%u.%u:%u", (unsigned)(w & 255), (unsigned)(w >> 8 & 255), (unsigned)(w >> 16 & 255),
                 1024 + (unsigned)((w >> 24) % 64512));
        e = draft_add(&d, name, like->node[i].weight, like->node[i].attributes);
        if (e != -EEXIST)
            i++;
        else
            e = 0;
    }
    e = e ? fail(why, ENOMEM, "no memory for a random cluster") : draft_finish(&d, out, why);
    if (e)
        draft_release(&d);
    return e;
}
