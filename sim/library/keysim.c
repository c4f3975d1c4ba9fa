/* The library's face: a placement and the registry that its nodes come from. The one file whose functions are seen from outside. */
#include "base/mem.h"
#include "base/version.h"
#include "placement/placement.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "library/keysim.h"
#pragma GCC visibility pop

struct keysim {
    struct registry *registry;
    const struct cluster *cluster;
    struct spec *spec;
    struct placement *p;
    const char *brought;       /* what a configuration says that cannot be told here, or NULL; the registry's */
    char warning[2 * WHY + 2]; /* that, and the strategy's */
};

/* Hands the sentence to the caller; error as it is. */
static int tell(int error, const char *sentence, char *why, size_t size)
{
    if (error && why && size)
        snprintf(why, size, "%s", sentence);
    return error;
}

const char *keysim_version(void)
{
    return KEYSIM_VERSION;
}

/* One spec or one set of nodes: the arrays that a sweep would fill. */
static int refuse_sweep(const char *what, const char *text, size_t n, char why[WHY])
{
    return n == 1 ? 0 : fail(why, EINVAL, "%s '%.200s' is a sweep of %zu: one is wanted here", what, text, n);
}

static int read_spec(struct keysim *k, const char *text, char why[WHY])
{
    struct spec **all;
    size_t n;
    int e = catalog_expand(text, &all, &n, why);
    if (e)
        return e;
    k->spec = all[0];
    for (size_t i = 1; i < n; i++)
        spec_destroy(all[i]);
    mem_free(all);
    return refuse_sweep("spec", text, n, why);
}

static int check_nodes(const char *nodes, char why[WHY])
{
    char **all;
    size_t n;
    int e = cluster_sweep(nodes, &all, &n, why);
    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        mem_free(all[i]);
    mem_free(all);
    return refuse_sweep("nodes", nodes, n, why);
}

static void take_warning(struct keysim *k)
{
    const char *both = k->brought && *k->p->warning ? "; " : "";
    snprintf(k->warning, sizeof k->warning, "%s%s%s", k->brought ? k->brought : "", both, k->p->warning);
}

static int open_on(struct keysim *k, const char *spec, const char *nodes, char why[WHY])
{
    const char *meant;
    int e = check_nodes(nodes, why);
    if (!e)
        e = cluster_import(k->registry, nodes, &meant, &k->brought, why);
    if (!e && !spec && !(spec = meant))
        e = fail(why, EINVAL, "which strategy? Only the configuration of a real system says that itself; '%.200s' is none", nodes);
    if (!e)
        e = read_spec(k, spec, why);
    if (!e)
        e = cluster_read(k->registry, nodes, catalog_find(k->spec->name)->addresses, &k->cluster, why);
    if (!e)
        e = placement_open(&k->p, k->spec, k->cluster, &(struct keyed_hash){hash_find("xxh3"), 0}, why);
    if (!e)
        take_warning(k);
    return e;
}

int keysim_open(struct keysim **out, const char *spec, const char *nodes, char *why, size_t size)
{
    char said[WHY];
    struct keysim *k = mem_alloc(1, sizeof *k);
    *out = NULL;
    if (k)
        k->registry = registry_create();
    int e = k && k->registry ? open_on(k, spec, nodes, said) : fail(said, ENOMEM, "no memory to open %.200s", spec ? spec : nodes);
    if (e)
        keysim_close(k);
    else
        *out = k;
    return tell(e, said, why, size);
}

void keysim_close(struct keysim *k)
{
    if (!k)
        return;
    placement_close(k->p);
    spec_destroy(k->spec);
    registry_destroy(k->registry);
    mem_free(k);
}

const char *keysim_warning(const struct keysim *k)
{
    return k->warning;
}

/* The cluster before is let go, and with it the names that are not in this one; but where nodes that left still get keys, theirs are needed. */
int keysim_change(struct keysim *k, const char *change, char *why, size_t size)
{
    char said[WHY];
    const struct cluster *after = NULL;
    int e = cluster_change(k->registry, k->cluster, change, k->p->strategy->addresses, &after, said);
    if (!e && (e = placement_change(k->p, after, said)))
        cluster_release(k->registry, after);
    if (e)
        return tell(e, said, why, size);
    if (!(k->p->caps & CAP_DEPARTED))
        cluster_release(k->registry, k->cluster);
    k->cluster = after;
    take_warning(k);
    return 0;
}

static int number_of(enum key_verdict v, uint32_t id)
{
    return v == KEY_INVALID ? KEYSIM_NO_KEY : id == NO_NODE ? KEYSIM_NOWHERE : (int)id;
}

int keysim_where(const struct keysim *k, const void *key, size_t len)
{
    uint64_t digest;
    enum key_verdict v = placement_digest(k->p, key, len, &digest);
    return number_of(v, v == KEY_HASHED ? placement_owner(k->p, key, len, digest) : NO_NODE);
}

void keysim_where_many(const struct keysim *k, const void *const *key, const uint32_t *len, size_t n, int *node)
{
    enum { BLOCK = 256 };
    uint64_t digest[BLOCK];
    uint32_t owner[BLOCK];
    uint8_t verdict[BLOCK];
    for (size_t from = 0, some; from < n; from += some) {
        bool plain;
        some = n - from < BLOCK ? n - from : BLOCK;
        placement_digests(k->p, key + from, len + from, some, digest, verdict, &plain);
        placement_owners(k->p, key + from, len + from, some, digest, verdict, plain, owner);
        for (size_t i = 0; i < some; i++)
            node[from + i] = number_of(verdict[i], owner[i]);
    }
}

int keysim_replicas(const struct keysim *k, const void *key, size_t len, int *node, int most)
{
    uint64_t digest;
    bool salted;
    enum key_verdict v = placement_digest(k->p, key, len, &digest);
    if (v != KEY_HASHED)
        return v == KEY_INVALID ? KEYSIM_NO_KEY : 0;
    size_t want = most < 0 ? 0 : (uint32_t)most < k->cluster->size ? (size_t)most : k->cluster->size;
    uint32_t *id = (uint32_t *)node; /* ids of nodes fit both */
    size_t n = placement_replicas(k->p, digest, id, want, &salted);
    if (n == 0 && want > 0 && (id[0] = placement_owner(k->p, key, len, digest)) != NO_NODE)
        n = 1; /* the one that a second hashing found */
    return (int)n;
}

size_t keysim_nodes(const struct keysim *k)
{
    return k->cluster->size;
}

int keysim_node(const struct keysim *k, size_t position)
{
    return position < k->cluster->size ? (int)k->cluster->node[position].id : KEYSIM_NOWHERE;
}

int keysim_find(const struct keysim *k, const char *name)
{
    const struct node *n = cluster_by_name(k->cluster, name);
    return n ? (int)n->id : KEYSIM_NOWHERE;
}

int keysim_numbers(const struct keysim *k)
{
    return (int)k->cluster->ids;
}

const char *keysim_name(const struct keysim *k, int node)
{
    return node >= 0 && (uint32_t)node < k->cluster->ids ? registry_name(k->registry, (uint32_t)node) : NULL;
}

uint32_t keysim_weight(const struct keysim *k, int node)
{
    const struct node *n = node < 0 ? NULL : cluster_by_id(k->cluster, (uint32_t)node);
    return n ? n->weight : 0;
}
