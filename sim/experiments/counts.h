/* How many keys each placement's nodes got, counted on all threads. */
#ifndef EXPERIMENTS_COUNTS_H
#define EXPERIMENTS_COUNTS_H

#include "base/why.h"
#include <stddef.h>
#include <stdint.h>

struct counts {
    size_t placements, threads;
    uint32_t ids;    /* a row is ids + 1 counts, the last for keys that no node got */
    uint64_t *count; /* [threads][counts_room()] */
    uint64_t keys;   /* in all */
};

int counts_init(struct counts *c, size_t placements, size_t threads, uint32_t ids); /* 0 or -ENOMEM */
void counts_release(struct counts *c);
size_t counts_room(const struct counts *c); /* of a thread: [placements][ids + 1], and a gap, so that no two threads write to one cache line */
uint64_t *counts_row(const struct counts *c, size_t thread, size_t placement);

/* A feed_sink: counts one block. */
struct key_block;
void counts_block(void *counts, unsigned thread, const uint32_t *const *owner, const struct key_block *block);

/* Adds all threads, and all processes, into thread 0's rows. 0, or another process's error. */
int counts_join(struct counts *c, char why[WHY]);

/* share[id] for ids values (at most c->ids), and what no node got; after counts_join. */
void counts_shares(const struct counts *c, size_t placement, uint32_t ids, double *share, double *unplaced);

#endif
