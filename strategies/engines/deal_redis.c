/* How redis-cli deals slots (7.0.15): facts of its create, rebalance and reshard commands, float steps included. */
#include "strategies/engines/deal.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void deal_redis_create(const struct cluster *c, uint64_t cells, uint32_t *owner)
{
    float each = (float)cells / (float)c->size, cursor = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        long end = lround((double)(cursor + each - 1));
        uint64_t last = i + 1 == c->size || end >= (long)cells ? cells - 1 : end < (long)first ? first : (uint64_t)end;
        for (; first <= last; first++)
            owner[first] = c->node[i].id;
        cursor += each;
    }
}

struct side { /* a node in redis-cli's list */
    uint32_t id, weight;
    int64_t slots, balance; /* balance: slots too many */
};

/* The list: members in their old order, leaving ones with weight 0 (if they are empty they have left already, and must get nothing),
 * then those that came. How many; counts[id] is a scratch of ids values. */
static uint32_t list_sides(const struct cluster *before, const struct cluster *after, uint64_t cells, const uint32_t *owner,
                           int64_t *counts, uint32_t *weight, struct side *side)
{
    uint32_t n = 0;
    for (uint64_t c = 0; c < cells; c++)
        counts[owner[c]]++;
    for (uint32_t i = 0; i < after->size; i++)
        weight[after->node[i].id] = after->node[i].weight;
    for (uint32_t i = 0; i < before->size; i++) {
        uint32_t id = before->node[i].id;
        if (weight[id] || counts[id])
            side[n++] = (struct side){id, weight[id], counts[id], 0};
        weight[id] = 0;
    }
    for (uint32_t i = 0; i < after->size; i++)
        if (weight[after->node[i].id])
            side[n++] = (struct side){after->node[i].id, after->node[i].weight, 0, 0};
    return n;
}

/* Fills the balances; false when nobody is off by more than the threshold of 2 %. */
static bool weigh(struct side *side, uint32_t n, uint64_t cells, uint64_t total_weight)
{
    bool over = false;
    int64_t rest = 0;
    float unit = (float)cells / (float)total_weight;
    for (uint32_t i = 0; i < n; i++) {
        int64_t expected = (int64_t)(unit * (float)side[i].weight);
        side[i].balance = side[i].slots - expected;
        rest += side[i].balance;
        if (side[i].slots > 0)
            over |= fabs(100 - 100.0 * (double)expected / (double)side[i].slots) > 2;
        else
            over |= expected > 1;
    }
    while (rest > 0) { /* expected counts are truncated: who needs slots takes the rest one by one */
        int64_t had = rest;
        for (uint32_t i = 0; i < n && rest > 0; i++)
            if (side[i].balance <= 0) {
                side[i].balance--;
                rest--;
            }
        if (rest == had)
            break;
    }
    return over;
}

/* Stable insertion sort: equal balances keep the list's order. */
static void sort_sides(struct side *side, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct side s = side[i];
        uint32_t k = i;
        for (; k > 0 && side[k - 1].balance > s.balance; k--)
            side[k] = side[k - 1];
        side[k] = s;
    }
}

/* From the fullest to the emptiest, always the giver's lowest slots. */
static void move_slots(struct side *side, uint32_t n, uint64_t cells, uint32_t *owner)
{
    for (uint32_t to = 0, from = n - 1; to < from;) {
        int64_t need = -side[to].balance, spare = side[from].balance, count = need < spare ? need : spare, left = count;
        for (uint64_t c = 0; c < cells && left > 0; c++)
            if (owner[c] == side[from].id) {
                owner[c] = side[to].id;
                left--;
            }
        side[to].balance += count > 0 ? count : 0;
        side[from].balance -= count > 0 ? count : 0;
        if (side[to].balance >= 0)
            to++;
        if (side[from].balance <= 0)
            from--;
    }
}

int deal_redis_rebalance(const struct cluster *before, const struct cluster *after, uint64_t cells, uint32_t *owner)
{
    struct side *side = mem_alloc(before->size + (size_t)after->size, sizeof *side);
    int64_t *counts = mem_alloc(after->ids, sizeof *counts);
    uint32_t *weight = mem_alloc(after->ids, sizeof *weight);
    int e = side && counts && weight ? 0 : -ENOMEM;
    if (!e) {
        uint32_t n = list_sides(before, after, cells, owner, counts, weight, side);
        if (weigh(side, n, cells, cluster_weight(after))) {
            sort_sides(side, n);
            move_slots(side, n, cells, owner);
        }
    }
    mem_free(side);
    mem_free(counts);
    mem_free(weight);
    return e;
}

/* Moves `count` slots from the n sides to node `to`: the fullest gives its part rounded up, the others rounded down, each its
 * lowest slots. spare: zeros, ids of them, and so left behind. */
static void reshard(struct side *side, uint32_t n, int64_t count, uint32_t to, uint64_t cells, uint32_t *owner, int64_t *spare)
{
    float whole = (float)count;
    int64_t total = 0;
    for (uint64_t c = 0; c < cells; c++)
        spare[owner[c]]++;
    for (uint32_t i = 0; i < n; i++) {
        side[i].slots = spare[side[i].id];
        side[i].balance = -side[i].slots; /* the fullest first */
        total += side[i].slots;
    }
    for (uint64_t c = 0; c < cells; c++)
        spare[owner[c]] = 0;
    sort_sides(side, n);
    for (uint32_t i = 0; i < n && count > 0 && total > 0; i++) {
        float part = whole / (float)total * (float)side[i].slots;
        int64_t most = side[i].slots < count ? side[i].slots : count, gives = i ? (int64_t)floorf(part) : (int64_t)ceilf(part);
        spare[side[i].id] = gives < most ? gives : most;
        count -= spare[side[i].id];
    }
    for (uint64_t c = 0; c < cells; c++)
        if (spare[owner[c]] > 0) {
            spare[owner[c]]--;
            owner[c] = to;
        }
}

/* Node id gives all its slots to the members, in even parts. */
static void drain(uint32_t id, const struct cluster *members, uint64_t cells, uint32_t *owner, int64_t *spare)
{
    struct side leaving = {.id = id};
    int64_t left = 0;
    for (uint64_t c = 0; c < cells; c++)
        left += owner[c] == id;
    for (uint32_t i = 0; i < members->size && left > 0; i++) {
        int64_t part = left / (members->size - i);
        reshard(&leaving, 1, part, members->node[i].id, cells, owner, spare);
        left -= part;
    }
}

int deal_redis_reshard(const struct cluster *before, const struct cluster *after, uint64_t cells, uint32_t *owner)
{
    struct side *side = mem_alloc(before->size + (size_t)after->size, sizeof *side);
    int64_t *spare = mem_alloc(after->ids, sizeof *spare);
    enum { STRANGER, LEAVES, MEMBER };
    uint8_t *role = mem_alloc(after->ids, sizeof *role);
    int e = side && spare && role ? 0 : -ENOMEM;
    uint32_t n = 0;
    for (; n < before->size && !e; n++) {
        side[n].id = before->node[n].id;
        role[side[n].id] = LEAVES;
    }
    for (uint32_t i = 0; i < after->size && !e; i++) {
        uint32_t id = after->node[i].id;
        if (role[id] == STRANGER) {
            reshard(side, n, (int64_t)cells / (n + 1), id, cells, owner, spare);
            side[n++].id = id;
        }
        role[id] = MEMBER;
    }
    for (uint32_t i = 0; i < before->size && !e; i++)
        if (role[before->node[i].id] == LEAVES)
            drain(before->node[i].id, after, cells, owner, spare);
    mem_free(side);
    mem_free(spare);
    mem_free(role);
    return e;
}
