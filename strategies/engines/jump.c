/* The digest seeds a linear congruential generator; from bucket b the key jumps to the first bucket j > b that it
 * would move to when buckets are added one by one, which has P(j > m) = (b + 1) / (m + 1).
 * Nothing is stored but the nodes' ids. Cost: ln N jumps, each with a division; 4 bytes a node.
 * Source: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014. */
#include "strategies/engines/jump.h"

#include "base/mem.h"

#include <errno.h>

struct jump {
    uint32_t nodes;
    bool java;
    uint32_t id[];
};

/* Guava divides once where the paper rounds twice: quotients that are whole numbers can come out one bucket lower there. And its r
 * is an int: 2^31 overflows to -2^31, the next bucket is negative, and the key stays. */
static inline int64_t next_bucket(int64_t b, uint64_t key, bool java)
{
    uint64_t r = (key >> 33) + 1;
    if (!java)
        return (int64_t)((double)(b + 1) * (0x1p31 / (double)r));
    return r >> 31 ? INT64_MAX : (int64_t)((double)(b + 1) / ((double)r / 0x1p31));
}

static inline uint32_t bucket_of(uint64_t key, int64_t n, bool java)
{
    int64_t b = 0, next = 0;
    while (next < n) {
        b = next;
        key = key * 2862933555777941757u + 1;
        next = next_bucket(b, key, java);
    }
    return (uint32_t)b;
}

static uint32_t jump_lookup(const void *state, uint64_t digest)
{
    const struct jump *j = state;
    return j->id[bucket_of(digest, j->nodes, j->java)];
}

static void jump_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct jump *j = state;
    int64_t nodes = j->nodes;
    if (j->java)
        for (size_t i = 0; i < n; i++)
            id[i] = j->id[bucket_of(digest[i], nodes, true)];
    else
        for (size_t i = 0; i < n; i++)
            id[i] = j->id[bucket_of(digest[i], nodes, false)];
}

static const struct engine jump_engine = {
    .name = "jump",
    .destroy = mem_free,
    .lookup = jump_lookup,
    .lookup_many = jump_lookup_many,
};

static struct jump *create(const struct cluster *c, bool java, char why[WHY])
{
    struct jump *j = mem_alloc(1, sizeof *j + c->size * sizeof j->id[0]);
    if (!j) {
        fail(why, ENOMEM, "no memory for %u buckets", c->size);
        return NULL;
    }
    j->nodes = c->size;
    j->java = java;
    for (uint32_t i = 0; i < c->size; i++)
        j->id[i] = c->node[i].id;
    return j;
}

/* Every bucket gets 1/N; that is no law for nodes that should get more than others. */
static void promise(struct placement *p, const struct cluster *c)
{
    bool equal = true;
    for (uint32_t i = 1; i < c->size; i++)
        equal &= c->node[i].weight == c->node[0].weight;
    p->caps = CAP_MINIMAL;
    p->law = equal ? LAW_FIXED : LAW_NONE;
    if (!equal)
        fail(p->warning, 0, "%s knows no weights: they are ignored", p->strategy->name);
}

int jump_attach(struct placement *p, bool java, char why[WHY])
{
    struct jump *j = create(p->cluster, java, why);
    if (!j)
        return -ENOMEM;
    p->engine = &jump_engine;
    p->state = j;
    promise(p, p->cluster);
    return 0;
}

int jump_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct cluster *before = p->cluster;
    for (uint32_t i = 0; i < before->size && i < after->size; i++)
        if (before->node[i].id != after->node[i].id)
            return fail(why, EINVAL, "%s cannot leave its place: nodes are numbered, only the last (%s) can leave and new ones come last; "
                                     "with ring, slots or maglev any node can leave",
                        before->node[i].name, before->node[before->size - 1].name);
    struct jump *j = create(after, ((const struct jump *)p->state)->java, why);
    if (!j)
        return -ENOMEM;
    mem_free(p->state);
    p->state = j;
    promise(p, after);
    return 0;
}
