/* Names and ids: each name has one id for the whole run, so owners can be
 * compared as numbers whatever happens to the cluster in between. */
#include "model/registry.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct owned { /* one cluster, its nodes and their attributes */
    struct owned *next;
    struct cluster cluster;
    struct node *node;
};

struct registry {
    char **name; /* by id */
    size_t count, capacity;
    uint32_t *slot; /* open addressing: id + 1, 0 is free */
    size_t slots;   /* a power of two, at least twice count */
    struct owned *clusters;
    struct imported *imported;
    bool percent;
};

static const char no_attributes[] = ""; /* shared, as nearly all nodes have none */

static void attributes_free(const struct node *n)
{
    if (n->attributes != no_attributes)
        mem_free((char *)(uintptr_t)n->attributes);
}

struct registry *registry_create(void)
{
    return mem_alloc(1, sizeof(struct registry));
}

void registry_destroy(struct registry *r)
{
    if (!r)
        return;
    for (struct owned *o = r->clusters, *next; o; o = next) {
        next = o->next;
        for (uint32_t i = 0; i < o->cluster.size; i++)
            attributes_free(&o->node[i]);
        mem_free(o->node);
        mem_free(o);
    }
    for (struct imported *i = r->imported, *next; i; i = next) {
        next = i->next;
        imported_release(i);
    }
    for (size_t i = 0; i < r->count; i++)
        mem_free(r->name[i]);
    mem_free(r->name);
    mem_free(r->slot);
    mem_free(r);
}

struct imported **registry_imported(struct registry *r)
{
    return &r->imported;
}

void imported_release(struct imported *i)
{
    if (!i)
        return;
    mem_free(i->nodes);
    mem_free(i->spec);
    mem_free(i->warning);
    mem_free(i);
}

void registry_percent(struct registry *r, bool percent)
{
    r->percent = percent;
}

bool registry_is_percent(const struct registry *r)
{
    return r->percent;
}

const char *registry_name(const struct registry *r, uint32_t id)
{
    return r->name[id];
}

static size_t name_slot(const struct registry *r, const char *name)
{
    size_t at = rng_stream(0, "name", name, 0) & (r->slots - 1);
    while (r->slot[at] && strcmp(r->name[r->slot[at] - 1], name))
        at = (at + 1) & (r->slots - 1);
    return at;
}

static int registry_rehash(struct registry *r)
{
    size_t slots = r->slots ? 2 * r->slots : 64;
    uint32_t *slot = mem_alloc(slots, sizeof *slot);
    if (!slot)
        return -ENOMEM;
    mem_free(r->slot);
    r->slot = slot;
    r->slots = slots;
    for (uint32_t id = 0; id < r->count; id++)
        r->slot[name_slot(r, r->name[id])] = id + 1;
    return 0;
}

/* The id of a name, new if need be; negative: -ENOMEM. */
static int64_t registry_intern(struct registry *r, const char *name)
{
    if (2 * (r->count + 1) > r->slots && registry_rehash(r))
        return -ENOMEM;
    size_t at = name_slot(r, name);
    if (r->slot[at])
        return r->slot[at] - 1;
    if (mem_grow(&r->name, &r->capacity, r->count + 1, sizeof *r->name))
        return -ENOMEM;
    char *copy = mem_copy(name, strlen(name));
    if (!copy)
        return -ENOMEM;
    r->name[r->count++] = copy;
    r->slot[at] = (uint32_t)r->count;
    return (int64_t)r->count - 1;
}

void draft_init(struct draft *d, struct registry *r)
{
    *d = (struct draft){.registry = r};
}

void draft_release(struct draft *d)
{
    for (size_t i = 0; i < d->count; i++)
        attributes_free(&d->node[i]);
    mem_free(d->node);
    mem_free(d->member);
}

long draft_find(const struct draft *d, const char *name)
{
    const struct registry *r = d->registry;
    if (!r->slots)
        return -1;
    uint32_t id1 = r->slot[name_slot(r, name)];
    return id1 && id1 <= d->members ? (long)d->member[id1 - 1] - 1 : -1;
}

int draft_add(struct draft *d, const char *name, uint32_t weight, const char *attributes)
{
    int64_t id = registry_intern(d->registry, name);
    if (id < 0)
        return (int)id;
    size_t had = d->members;
    if (mem_grow(&d->member, &d->members, (size_t)id + 1, sizeof *d->member))
        return -ENOMEM;
    memset(d->member + had, 0, (d->members - had) * sizeof *d->member);
    if (d->member[id])
        return -EEXIST;
    if (mem_grow(&d->node, &d->capacity, d->count + 1, sizeof *d->node))
        return -ENOMEM;
    const char *copy = attributes && *attributes ? mem_copy(attributes, strlen(attributes)) : no_attributes;
    if (!copy)
        return -ENOMEM;
    struct node *n = &d->node[d->count++];
    *n = (struct node){(uint32_t)id, weight, false, d->registry->name[id], copy};
    size_t len;
    const char *down = node_attribute(n, "down", &len);
    n->down = down && len == 1 && *down == '1';
    d->member[id] = (uint32_t)d->count;
    return 0;
}

void draft_describe(struct draft *d, size_t index, char *attributes)
{
    attributes_free(&d->node[index]);
    d->node[index].attributes = attributes;
}

void draft_remove(struct draft *d, size_t index)
{
    d->member[d->node[index].id] = 0;
    attributes_free(&d->node[index]);
    d->count--;
    memmove(&d->node[index], &d->node[index + 1], (d->count - index) * sizeof *d->node);
    for (size_t i = index; i < d->count; i++)
        d->member[d->node[i].id] = (uint32_t)i + 1;
}

int draft_add_defaults(struct draft *d, uint64_t more, bool addresses, char why[WHY])
{
    char name[64];
    for (uint64_t i = d->count; more > 0; i++) {
        if (addresses && i + 1 >= 1 << 24)
            return fail(why, EINVAL, "there are no more default addresses: 10.0.0.1 to 10.255.255.255; name the nodes");
        if (addresses)
            snprintf(name, sizeof name, "10.%u.%u.%u", (unsigned)((i + 1) >> 16 & 255), (unsigned)((i + 1) >> 8 & 255),
                     (unsigned)((i + 1) & 255));
        else
            snprintf(name, sizeof name, "node-%" PRIu64, i);
        int e = draft_add(d, name, 1, NULL);
        if (e == -EEXIST)
            continue;
        if (e)
            return fail(why, ENOMEM, "no memory for %" PRIu64 " more nodes", more);
        more--;
    }
    return 0;
}

int draft_copy(struct draft *d, const struct cluster *from, char why[WHY])
{
    for (uint32_t i = 0; i < from->size; i++) {
        const struct node *n = &from->node[i];
        if (draft_add(d, n->name, n->weight, n->attributes))
            return fail(why, ENOMEM, "no memory for the nodes");
        d->node[d->count - 1].down = n->down;
    }
    return 0;
}

int draft_finish(struct draft *d, const struct cluster **out, char why[WHY])
{
    struct owned *o = mem_alloc(1, sizeof *o);
    if (!o)
        return fail(why, ENOMEM, "no memory for the cluster");
    o->node = d->node;
    o->cluster = (struct cluster){o->node, (uint32_t)d->count, (uint32_t)d->registry->count};
    o->next = d->registry->clusters;
    d->registry->clusters = o;
    *out = &o->cluster;
    d->node = NULL;
    d->count = d->capacity = 0;
    draft_release(d);
    return 0;
}

int weight_parse(const char *text, const char *node, uint32_t *weight, char why[WHY])
{
    uint64_t w;
    char shown[80];
    text_printable(node, strlen(node), shown, sizeof shown);
    if (text_count(text, strlen(text), &w) || w < 1 || w > WEIGHT_MAX)
        return fail(why, EINVAL, "node %s: weight '%s': must be a whole number, 1 to %u", shown, text, WEIGHT_MAX);
    *weight = (uint32_t)w;
    return 0;
}
