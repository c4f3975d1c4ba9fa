#include "strategies/engines/deal.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

static int descending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The j-th of m like nodes: whether it is among the `extra` spread evenly over them. */
static uint64_t spread(uint64_t j, uint64_t m, uint64_t extra)
{
    return (2 * (j + 1) * extra + m) / (2 * m) - (2 * j * extra + m) / (2 * m);
}

int deal_quotas(const struct cluster *c, uint64_t cells, uint64_t *quota)
{
    uint64_t sum = cluster_weight(c), left = cells;
    uint64_t *rest = mem_alloc(c->size, sizeof *rest);
    if (!rest)
        return -ENOMEM;
    bool alike = true;
    for (uint32_t i = 0; i < c->size; i++) {
        uint64_t part = cells * c->node[i].weight;
        quota[i] = part / sum;
        rest[i] = part % sum;
        alike &= rest[i] == rest[0];
        left -= quota[i];
    }
    if (left > 0) {
        if (!alike)
            qsort(rest, c->size, sizeof *rest, descending);
        uint64_t cut = rest[left - 1], above = 0, like = 0, seen = 0;
        for (uint32_t i = 0; i < c->size; i++) {
            above += rest[i] > cut;
            like += rest[i] == cut;
        }
        for (uint32_t i = 0; i < c->size; i++) {
            uint64_t r = cells * c->node[i].weight % sum;
            if (r > cut)
                quota[i]++;
            else if (r == cut)
                quota[i] += spread(seen++, like, left - above);
        }
    }
    mem_free(rest);
    return 0;
}

int deal_contiguous(const struct cluster *c, uint64_t cells, uint32_t *owner)
{
    uint64_t *quota = mem_alloc(c->size, sizeof *quota), cell = 0;
    int e = quota ? deal_quotas(c, cells, quota) : -ENOMEM;
    for (uint32_t i = 0; i < c->size && !e; i++)
        for (uint64_t k = 0; k < quota[i]; k++)
            owner[cell++] = c->node[i].id;
    mem_free(quota);
    return e;
}

/* The books of a minimal re-deal, by id. */
struct books {
    int64_t *have, *want; /* cells now; cells in the end */
    uint32_t *weight;     /* after; 0: no member */
    bool *changed;
};

static void books_release(struct books *b)
{
    mem_free(b->have);
    mem_free(b->want);
    mem_free(b->weight);
    mem_free(b->changed);
}

static int books_open(struct books *b, const struct cluster *before, const struct cluster *after, uint64_t cells, const uint32_t *owner)
{
    uint32_t ids = after->ids;
    uint64_t *quota = mem_alloc(after->size, sizeof *quota);
    *b = (struct books){mem_alloc(ids, sizeof *b->have), mem_alloc(ids, sizeof *b->want), mem_alloc(ids, sizeof *b->weight),
                        mem_alloc(ids, sizeof *b->changed)};
    int e = quota && b->have && b->want && b->weight && b->changed ? deal_quotas(after, cells, quota) : -ENOMEM;
    if (!e) {
        for (uint64_t c = 0; c < cells; c++)
            b->have[owner[c]]++;
        for (uint32_t i = 0; i < after->size; i++) {
            uint32_t id = after->node[i].id;
            b->weight[id] = after->node[i].weight;
            b->want[id] = (int64_t)quota[i];
            b->changed[id] = true;
        }
        for (uint32_t i = 0; i < before->size; i++) {
            uint32_t id = before->node[i].id;
            b->changed[id] = b->weight[id] != before->node[i].weight;
            if (!b->changed[id])
                b->want[id] = b->have[id];
        }
    }
    mem_free(quota);
    return e;
}

/* Spreads `missing` cells (negative: too many promised) over the unchanged nodes: each unit to the one whose wish lies furthest below
 * (above) its fair part; the first in order on ties. */
static void even_out(struct books *b, const struct cluster *after, uint64_t cells, int64_t missing)
{
    double unit = (double)cells / (double)cluster_weight(after);
    int64_t sign = missing > 0 ? 1 : -1, whole = 0;
    for (int round = 0; round < 2; round++) /* in bulk first: what each lacks in whole units, where all of that fits */
        for (uint32_t i = 0; i < after->size && (round == 0 || whole <= sign * missing); i++) {
            uint32_t id = after->node[i].id;
            int64_t lacks = (int64_t)((double)sign * (unit * b->weight[id] - (double)b->want[id])) - 1;
            if (b->changed[id] || lacks <= 0)
                continue;
            if (round == 0)
                whole += lacks;
            else
                b->want[id] += sign * lacks;
        }
    if (whole <= sign * missing)
        missing -= sign * whole;
    for (; missing != 0; missing -= sign) {
        uint32_t best = NO_NODE;
        double most = 0;
        for (uint32_t i = 0; i < after->size; i++) {
            uint32_t id = after->node[i].id;
            if (b->changed[id])
                continue;
            double gap = (double)sign * (unit * b->weight[id] - (double)b->want[id]);
            if (best == NO_NODE || gap > most) {
                best = id;
                most = gap;
            }
        }
        if (best == NO_NODE)
            return; /* every node changed: the quotas add up already */
        b->want[best] += sign;
    }
}

int deal_minimal(const struct cluster *before, const struct cluster *after, uint64_t cells, uint32_t *owner)
{
    struct books b;
    int e = books_open(&b, before, after, cells, owner);
    int64_t missing = (int64_t)cells;
    for (uint32_t id = 0; id < after->ids && !e; id++)
        missing -= b.want[id];
    if (!e)
        even_out(&b, after, cells, missing);
    uint32_t to = 0; /* receivers in configuration order, each filled from the lowest freed cell up */
    uint64_t freed = 0;
    for (uint64_t c = cells; c-- > 0 && !e;)
        if (b.have[owner[c]] > b.want[owner[c]]) {
            b.have[owner[c]]--;
            owner[c] = NO_NODE;
            freed++;
        }
    for (uint64_t c = 0; c < cells && freed > 0 && !e; c++) {
        if (owner[c] != NO_NODE)
            continue;
        while (b.have[after->node[to].id] >= b.want[after->node[to].id])
            to++;
        owner[c] = after->node[to].id;
        b.have[owner[c]]++;
        freed--;
    }
    books_release(&b);
    return e;
}
