/* In each round every node whose turn it is takes the next free cell of its own sequence, until the table is full. Equal nodes
 * end within one cell of each other; a change of nodes moves few cells that it need not.
 * Cost of filling: O(size log size) expected, O(size * nodes) when one node outweighs all; 4 bytes a cell.
 * Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016; weights as in Envoy. */
#include "strategies/engines/maglev.h"

#include "base/mem.h"
#include "model/hashes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void take(struct table_state *t, struct maglev_seat *s)
{
    while (t->owner[s->cell] != NO_NODE) {
        s->cell += s->skip;
        if (s->cell >= t->size)
            s->cell -= t->size;
    }
    t->owner[s->cell] = s->id;
}

static void fill(struct table_state *t, struct maglev_seat *seat, uint32_t n)
{
    double most = 0;
    uint64_t left = t->size;
    for (uint32_t i = 0; i < n; i++)
        most = seat[i].weight > most ? seat[i].weight : most;
    for (double round = 1; left > 0; round++)
        for (uint32_t i = 0; i < n && left > 0; i++) {
            if (round * seat[i].weight < seat[i].target)
                continue;
            seat[i].target += most;
            for (uint64_t turn = 0; turn < seat[i].turns && left > 0; turn++, left--)
                take(t, &seat[i]);
        }
}

int maglev_attach(struct placement *p, uint64_t size, struct maglev_seat *seat, uint32_t n, char why[WHY])
{
    int e = table_attach(p, size, why);
    if (e)
        return e;
    fill(p->state, seat, n);
    if (n > size)
        fail(p->warning, 0, "%u nodes share a table of %" PRIu64 " cells: some get none", n, size);
    return 0;
}

bool maglev_is_size(uint64_t n)
{
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

int maglev_attach_names(struct placement *p, uint64_t size, const struct node *node, uint32_t n, double sum, char why[WHY])
{
    if (!maglev_is_size(size)) {
        uint64_t next = size + 1;
        while (!maglev_is_size(next))
            next++;
        return fail(why, EINVAL, "table=%" PRIu64 " is not a prime number, so a node's steps would not meet every cell; the next is %" PRIu64,
                    size, next);
    }
    struct maglev_seat *seat = mem_alloc(n, sizeof *seat);
    if (!seat)
        return fail(why, ENOMEM, "no memory for %u nodes", n);
    for (uint32_t i = 0; i < n; i++) {
        size_t len = strlen(node[i].name);
        seat[i].id = node[i].id;
        seat[i].cell = hash_xxh64.one(node[i].name, len, 0) % size;
        seat[i].skip = hash_xxh64.one(node[i].name, len, 1) % (size - 1) + 1;
        seat[i].weight = node[i].weight / sum;
        seat[i].turns = 1;
    }
    int e = maglev_attach(p, size, seat, n, why);
    mem_free(seat);
    return e;
}
