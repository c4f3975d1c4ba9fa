/* The bucket is digest mod W, W the sum of weights; node i has weight_i buckets in
 * a row. Nothing is stored a bucket: the bucket is found among the running sums.
 * Cost: O(1) when all weigh 1, else O(log N); 8 to 12 bytes a node. */
#include "strategies/engines/modulo.h"

#include "base/divide.h"
#include "base/mem.h"

#include <errno.h>

struct modulo {
    struct divisor total; /* W */
    uint32_t nodes;
    bool equal;      /* all weigh 1: bucket i is node i */
    uint64_t *until; /* until[i]: buckets of nodes 0 .. i; NULL when equal */
    const struct modulo_retry *retry; /* NULL: no node is down */
    uint32_t lone;   /* the only usable node, else NO_NODE */
    uint32_t id[];
};

static void modulo_destroy(void *state)
{
    struct modulo *m = state;
    mem_free(m->until);
    mem_free(m);
}

static inline uint32_t bucket_owner(const struct modulo *m, uint64_t bucket)
{
    uint32_t low = 0, n = m->nodes;
    while (n > 1) { /* the first i with until[i] > bucket is in low .. low+n-1 */
        uint32_t half = n / 2;
        low += m->until[low + half - 1] <= bucket ? half : 0;
        n -= half;
    }
    return m->id[low];
}

static void modulo_lookup_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    const struct modulo *m = state;
    const struct divisor total = m->total;
    if (m->equal)
        for (size_t i = 0; i < n; i++)
            id[i] = m->id[divisor_mod(&total, digest[i])];
    else
        for (size_t i = 0; i < n; i++)
            id[i] = bucket_owner(m, divisor_mod(&total, digest[i]));
}

static uint32_t modulo_lookup(const void *state, uint64_t digest)
{
    const struct modulo *m = state;
    uint64_t bucket = divisor_mod(&m->total, digest);
    return m->equal ? m->id[bucket] : bucket_owner(m, bucket);
}

static uint64_t modulo_cells(const void *state)
{
    return ((const struct modulo *)state)->total.d;
}

static size_t modulo_ranges(const void *state, size_t from, struct range *r, size_t n)
{
    const struct modulo *m = state;
    size_t k = 0;
    for (; k < n && from + k < m->nodes; k++) {
        size_t i = from + k;
        r[k].first = m->equal ? i : i ? m->until[i - 1] : 0;
        r[k].last = m->equal ? i : m->until[i] - 1;
        r[k].id = m->id[i];
    }
    return k;
}

static void modulo_spot(const void *state, uint64_t digest, struct spot *spot)
{
    *spot = (struct spot){.kind = SPOT_CELL, .cell = digest % ((const struct modulo *)state)->total.d};
}

static const struct engine modulo_engine = {
    .name = "modulo",
    .destroy = modulo_destroy,
    .lookup = modulo_lookup,
    .lookup_many = modulo_lookup_many,
    .cells = modulo_cells,
    .ranges = modulo_ranges,
    .spot = modulo_spot,
};

static uint32_t modulo_again(const void *state, const void *part, size_t len, uint64_t digest)
{
    const struct modulo *m = state;
    for (unsigned time = 1; time <= m->retry->times; time++) {
        digest = m->retry->next(part, len, digest, time);
        uint32_t owner = modulo_lookup(m, digest);
        if (owner != NO_NODE)
            return owner;
    }
    return m->lone;
}

/* Its NO_NODE is not final, so there is no map. */
static const struct engine retry_engine = {
    .name = "modulo with retries",
    .destroy = modulo_destroy,
    .lookup = modulo_lookup,
    .lookup_many = modulo_lookup_many,
    .again = modulo_again,
    .cells = modulo_cells,
    .spot = modulo_spot,
};

int modulo_attach(struct placement *p, const struct cluster *c, char why[WHY])
{
    struct modulo *m = mem_alloc(1, sizeof *m + c->size * sizeof m->id[0]);
    if (!m)
        return fail(why, ENOMEM, "no memory for %u buckets", c->size);
    m->total = divisor_of(cluster_weight(c));
    m->nodes = c->size;
    m->equal = m->total.d == c->size;
    if (!m->equal && !(m->until = mem_alloc(c->size, sizeof *m->until))) {
        mem_free(m);
        return fail(why, ENOMEM, "no memory for %u buckets", c->size);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        m->id[i] = c->node[i].id;
        sum += c->node[i].weight;
        if (m->until)
            m->until[i] = sum;
    }
    p->engine = &modulo_engine;
    p->state = m;
    return 0;
}

int modulo_attach_retry(struct placement *p, const struct cluster *c, const struct modulo_retry *retry, char why[WHY])
{
    uint32_t usable = 0;
    int e = modulo_attach(p, c, why);
    if (e)
        return e;
    struct modulo *m = p->state;
    m->lone = NO_NODE;
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->node[i].down)
            m->id[i] = NO_NODE;
        else
            m->lone = usable++ ? NO_NODE : c->node[i].id;
    }
    if (usable < c->size) {
        m->retry = retry;
        p->engine = &retry_engine;
    }
    return 0;
}
