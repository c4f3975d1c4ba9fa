/* Names and ids: each name has one id as long as some cluster or draft holds it, so owners can be
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

struct known {
    char *name;    /* NULL: the id is free */
    uint32_t held; /* by how many clusters and drafts; of a free id: the next free one, or NO_NODE */
};

struct registry {
    struct known *known; /* by id */
    size_t count, capacity;
    uint32_t free;  /* the id given back last, or NO_NODE */
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
    struct registry *r = mem_alloc(1, sizeof *r);
    if (r)
        r->free = NO_NODE;
    return r;
}

static void owned_free(struct owned *o)
{
    for (uint32_t i = 0; i < o->cluster.size; i++)
        attributes_free(&o->node[i]);
    mem_free(o->node);
    mem_free(o);
}

void registry_destroy(struct registry *r)
{
    if (!r)
        return;
    for (struct owned *o = r->clusters, *next; o; o = next) {
        next = o->next;
        owned_free(o);
    }
    for (struct imported *i = r->imported, *next; i; i = next) {
        next = i->next;
        imported_release(i);
    }
    for (size_t i = 0; i < r->count; i++)
        mem_free(r->known[i].name);
    mem_free(r->known);
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
    return r->known[id].name;
}

static size_t name_home(const struct registry *r, const char *name)
{
    return rng_stream(0, "name", name, 0) & (r->slots - 1);
}

static size_t name_slot(const struct registry *r, const char *name)
{
    size_t at = name_home(r, name);
    while (r->slot[at] && strcmp(r->known[r->slot[at] - 1].name, name))
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
        if (r->known[id].name)
            r->slot[name_slot(r, r->known[id].name)] = id + 1;
    return 0;
}

/* Closes the gap, as far as others were pushed over it. */
static void slot_clear(struct registry *r, size_t gap)
{
    size_t mask = r->slots - 1;
    for (size_t i = (gap + 1) & mask; r->slot[i]; i = (i + 1) & mask)
        if (((i - name_home(r, r->known[r->slot[i] - 1].name)) & mask) >= ((i - gap) & mask)) {
            r->slot[gap] = r->slot[i];
            gap = i;
        }
    r->slot[gap] = 0;
}

/* One holder less; the last takes the name along, and its id is given again. */
static void registry_let_go(struct registry *r, uint32_t id)
{
    struct known *k = &r->known[id];
    if (--k->held > 0)
        return;
    slot_clear(r, name_slot(r, k->name));
    mem_free(k->name);
    *k = (struct known){NULL, r->free};
    r->free = id;
}

/* The id of a name, new if need be, with one holder more; negative: -ENOMEM. */
static int64_t registry_intern(struct registry *r, const char *name)
{
    if (2 * (r->count + 1) > r->slots && registry_rehash(r))
        return -ENOMEM;
    size_t at = name_slot(r, name);
    if (r->slot[at]) {
        r->known[r->slot[at] - 1].held++;
        return r->slot[at] - 1;
    }
    if (r->free == NO_NODE && mem_grow(&r->known, &r->capacity, r->count + 1, sizeof *r->known))
        return -ENOMEM;
    char *copy = mem_copy(name, strlen(name));
    if (!copy)
        return -ENOMEM;
    uint32_t id = r->free;
    if (id == NO_NODE)
        id = (uint32_t)r->count++;
    else
        r->free = r->known[id].held;
    r->known[id] = (struct known){copy, 1};
    r->slot[at] = id + 1;
    return id;
}

void draft_init(struct draft *d, struct registry *r)
{
    *d = (struct draft){.registry = r};
}

void draft_release(struct draft *d)
{
    for (size_t i = 0; i < d->count; i++) {
        registry_let_go(d->registry, d->node[i].id);
        attributes_free(&d->node[i]);
    }
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

/* Room for one node more, and for the id. */
static int draft_room(struct draft *d, uint32_t id)
{
    size_t had = d->members;
    if (mem_grow(&d->member, &d->members, (size_t)id + 1, sizeof *d->member))
        return -ENOMEM;
    memset(d->member + had, 0, (d->members - had) * sizeof *d->member);
    return mem_grow(&d->node, &d->capacity, d->count + 1, sizeof *d->node);
}

int draft_add(struct draft *d, const char *name, uint32_t weight, const char *attributes)
{
    int64_t known = registry_intern(d->registry, name);
    if (known < 0)
        return (int)known;
    uint32_t id = (uint32_t)known;
    int e = draft_room(d, id);
    if (!e && d->member[id])
        e = -EEXIST;
    const char *copy = e || !attributes || !*attributes ? no_attributes : mem_copy(attributes, strlen(attributes));
    if (e || !copy) {
        registry_let_go(d->registry, id);
        return e ? e : -ENOMEM;
    }
    struct node *n = &d->node[d->count++];
    *n = (struct node){id, weight, false, registry_name(d->registry, id), copy};
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
    registry_let_go(d->registry, d->node[index].id);
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

void cluster_release(struct registry *r, const struct cluster *c)
{
    struct owned **at = &r->clusters;
    while (*at && &(*at)->cluster != c)
        at = &(*at)->next;
    struct owned *o = *at;
    if (!o)
        return;
    *at = o->next;
    for (uint32_t i = 0; i < o->cluster.size; i++)
        registry_let_go(r, o->node[i].id);
    owned_free(o);
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
