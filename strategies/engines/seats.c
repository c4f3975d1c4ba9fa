/* Cost: 4 bytes a seat; a change takes time for the nodes before and after, and the algorithm's own for those that differ. */
#include "strategies/engines/seats.h"

#include "base/mem.h"
#include "strategies/engines/names.h"

#include <errno.h>
#include <inttypes.h>

int seats_fit(uint32_t nodes, uint64_t capacity, char why[WHY])
{
    uint64_t enough = 1;
    while (enough < nodes)
        enough *= 2;
    if (nodes <= capacity)
        return 0;
    return fail(why, EINVAL, "%u nodes are more than the capacity of %" PRIu64 ", which is fixed when it opens; ask for capacity=%" PRIu64 " or more",
                nodes, capacity, enough);
}

void *seats_create(size_t bytes, const struct seats_rule *rule, const struct cluster *c, uint32_t count, char why[WHY])
{
    struct seats *s = mem_alloc(1, bytes);
    uint32_t *id = mem_alloc(count, sizeof *id);
    if (!s || !id) {
        mem_free(s);
        mem_free(id);
        fail(why, ENOMEM, "no memory for %u seats", count);
        return NULL;
    }
    *s = (struct seats){.rule = rule, .id = id, .count = count, .nodes = c->size, .left = NO_NODE};
    for (uint32_t i = 0; i < c->size; i++)
        id[i] = c->node[i].id;
    for (uint32_t i = count; i-- > c->size; s->left = SEAT_EMPTY | i)
        id[i] = s->left;
    return s;
}

void seats_destroy(void *state)
{
    mem_free(((struct seats *)state)->id);
    mem_free(state);
}

static void promise(struct placement *p, const struct cluster *c)
{
    p->caps = CAP_MINIMAL | CAP_ANY_REMOVAL | CAP_HISTORY;
    p->law = warn_of_weights(p, c) ? LAW_NONE : LAW_FIXED;
}

void seats_attach(struct placement *p, const struct engine *engine, void *state)
{
    p->engine = engine;
    p->state = state;
    promise(p, p->cluster);
}

static void leave(struct seats *s, uint32_t seat)
{
    s->nodes--;
    if (s->rule->reserve && s->left == NO_NODE && seat == s->count - 1) {
        s->count--;
        return;
    }
    s->rule->leave(s, seat);
    s->id[seat] = s->left;
    s->left = SEAT_EMPTY | seat;
}

static void come(struct seats *s, uint32_t id)
{
    uint32_t seat = s->left == NO_NODE ? s->count++ : s->left & ~SEAT_EMPTY;
    if (s->left != NO_NODE) {
        s->left = s->id[seat];
        s->rule->come(s, seat);
    }
    s->id[seat] = id;
    s->nodes++;
}

int seats_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    struct seats *s = p->state;
    const struct cluster *before = p->cluster;
    struct member {
        uint32_t seat;
        bool was, is;
    } *member = mem_alloc(after->ids, sizeof *member);
    if (!member)
        return fail(why, ENOMEM, "no memory to compare %u nodes with %u", before->size, after->size);
    for (uint32_t seat = 0; seat < s->count; seat++)
        if (!(s->id[seat] & SEAT_EMPTY))
            member[s->id[seat]] = (struct member){seat, true, false};
    uint32_t leaving = before->size;
    for (uint32_t i = 0; i < after->size; i++) {
        struct member *m = &member[after->node[i].id];
        m->is = true;
        leaving -= m->was;
    }
    int e = s->rule->reserve ? s->rule->reserve(s, leaving, after->size, why) : seats_fit(after->size, s->count, why);
    for (uint32_t i = before->size; !e && i-- > 0;) /* the last first, so that +2 after -2 is as before */
        if (!member[before->node[i].id].is)
            leave(s, member[before->node[i].id].seat);
    for (uint32_t i = 0; !e && i < after->size; i++)
        if (!member[after->node[i].id].was)
            come(s, after->node[i].id);
    if (!e)
        promise(p, after);
    mem_free(member);
    return e;
}

int seats_shares(const void *state, double *share)
{
    const struct seats *s = state;
    for (uint32_t seat = 0; seat < s->count; seat++)
        if (!(s->id[seat] & SEAT_EMPTY))
            share[s->id[seat]] = 1.0 / s->nodes;
    return 0;
}
