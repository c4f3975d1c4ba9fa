/* Nodes on numbered seats, any of which can leave: what anchor, dx and memento share.
 *
 * An algorithm maps digests to taken seats; which node sits where is kept here. An arrival takes the seat that was left last: the order
 * that anchor and memento need, and it makes the last removal undone by the next addition. */
#ifndef STRATEGIES_ENGINES_SEATS_H
#define STRATEGIES_ENGINES_SEATS_H

#include "strategies/strategy.h"

#define SEAT_EMPTY 0x80000000u /* what id[] of an empty seat has set, NO_NODE too; no node's id has it */
#define SEATS_MOST 0x1p28      /* the largest capacity= */

/* How an algorithm follows its seats. leave() and come() cannot fail. */
struct seats_rule {
    void (*leave)(void *state, uint32_t seat); /* `nodes` is already one less */
    void (*come)(void *state, uint32_t seat);  /* on an empty seat; `nodes` is not yet one more */
    /* All that can fail before `leaving` nodes leave and others come, `nodes` in the end; it leaves the state as it was on failure. Seats are
     * then as many as needed: one is added when none is empty, and the last one left goes when none is. NULL: their number is fixed. */
    int (*reserve)(void *state, uint32_t leaving, uint32_t nodes, char why[WHY]);
};

/* The first member of an algorithm's state. */
struct seats {
    const struct seats_rule *rule;
    uint32_t *id;         /* of the node on each seat; an empty one holds what `left` was before: a chain */
    uint32_t count, nodes;
    uint32_t left;        /* the seat left last, with SEAT_EMPTY; NO_NODE: none is empty */
};

/* 0, or -EINVAL where so many nodes need a larger capacity=. */
int seats_fit(uint32_t nodes, uint64_t capacity, char why[WHY]);

/* A state of so many bytes, zeroed but for the seats it begins with: c's nodes sit in their order, the seats after them are empty and the lowest
 * is taken first. NULL: no memory. */
void *seats_create(size_t bytes, const struct seats_rule *rule, const struct cluster *c, uint32_t count, char why[WHY]);
void seats_destroy(void *state);

/* Attaches a state to p, with its promises, and the warning that weights are ignored. Its law: every node has the same share. */
void seats_attach(struct placement *p, const struct engine *engine, void *state);

/* A strategy's change(): nodes that are gone leave, the last in the configuration first, then new ones come in its order. */
int seats_change(struct placement *p, const struct cluster *after, char why[WHY]);

/* An engine's shares(): 1/N each. */
int seats_shares(const void *state, double *share);

#endif
