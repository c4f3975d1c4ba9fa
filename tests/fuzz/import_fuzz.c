/* Real configurations, each format with a corpus of its own (corpus/import-FORMAT): the first byte is the format's number, the rest of the first line
 * names the part, and the file follows. What is read is a cluster and a spec that exists; what is not is refused with a sentence. */
#include "placement/placement.h"
#include "tests/fuzz/clusters.h"

static const char *const format[] = {"cassandra", "envoy", "haproxy", "ketama", "nginx", "redis-nodes", "twemproxy"};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak)); /* the engine's */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A run that starts with one format stays with it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    (void)seed;
    return size < 2 ? LLVMFuzzerMutate(data, size, most) : 1 + LLVMFuzzerMutate(data + 1, size - 1, most - 1);
}

static void no_control(const char *text)
{
    for (; *text; text++)
        HOLD((unsigned char)*text >= 32 && *text != 127);
}

/* NAME=VALUE, one blank between. */
static void are_attributes(const char *text)
{
    no_control(text);
    while (*text) {
        size_t word = strcspn(text, " ");
        HOLD(word > 0 && memchr(text, '=', word));
        text += word + (text[word] && text[word + 1]);
    }
}

static void is_told_whole(const struct cluster *c)
{
    is_cluster(c);
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        size_t len;
        const char *down = node_attribute(n, "down", &len);
        HOLD(n->down == (down && len == 1 && *down == '1'));
        no_control(n->name);
        are_attributes(n->attributes);
    }
}

/* The spec exists, and where attributes say who owns what, the system that reads them opens on the nodes or says what is wrong. */
static void is_spec(const char *text, const struct cluster *c, bool open)
{
    char why[WHY] = "";
    struct spec **all;
    struct placement *p;
    size_t n;
    HOLD(text);
    int e = catalog_expand(text, &all, &n, why);
    if (e)
        fprintf(stderr, "%s: %s\n", text, why);
    HOLD(!e && n == 1);
    if (open && !refused(placement_open(&p, all[0], c, &(struct keyed_hash){hash_find("xxh3"), 0}, why), why))
        placement_close(p);
    spec_destroy(all[0]);
    mem_free(all);
}

/* false: too many nodes to be worth keeping. */
static bool imported(struct registry *r, const char *nodes, bool open)
{
    char why[WHY] = "";
    const char *spec, *warning;
    const struct cluster *c, *again = NULL;
    if (refused(cluster_import(r, nodes, &spec, &warning, why), why)) {
        HOLD(refused(cluster_read(r, nodes, false, &c, why), why));
        return true;
    }
    HOLD(!cluster_read(r, nodes, false, &c, why));
    if (c->size > TOO_MANY)
        return false;
    HOLD(!cluster_read(r, nodes, false, &again, why) && same_nodes(c, again));
    is_told_whole(c);
    is_spec(spec, c, open);
    if (warning)
        no_control(warning);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t live = mem_live();
    unsigned which = take(&data, &size) % (sizeof format / sizeof *format);
    char nodes[256];
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    size_t part = line && line - data < 64 ? (size_t)(line - data) : 0, head = line ? part + (line == data + part) : 0;
    const char *path = file_of(data + head, size - head);
    if (part && memchr(data, 0, part))
        part = 0;
    snprintf(nodes, sizeof nodes, "@%s:%s%s%.*s", format[which], path, part ? "#" : "", (int)part, (const char *)data);
    struct registry *r = registry_create();
    HOLD(r);
    bool keep = imported(r, nodes, !strcmp(format[which], "cassandra") || !strcmp(format[which], "redis-nodes"));
    registry_destroy(r);
    HOLD(mem_live() == live);
    return keep ? 0 : -1;
}
