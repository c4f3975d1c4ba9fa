/* Keys through placements: workload -> keys -> digests -> owners, block by block, on all threads. */
#ifndef EXPERIMENTS_FEED_H
#define EXPERIMENTS_FEED_H

#include "experiments/study.h"

/* Gets the owners of one block: owner[p][i] for placement p and the block's key i. Called from many threads, each
 * with its own number; blocks come in any order, but to one thread in ascending order. */
typedef void feed_sink(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block);

/* Feeds the whole workload to `count` placements in one pass. Placements that hash alike share the digests; those that look at loads get
 * their keys one by one in the workload's order, from loads of zero on. *keys: how many requests there were. Memory does not grow with the
 * keys. Of many processes each feeds blocks of its own, the first all of those whose order matters: what sinks counted is still to be summed. what NULL: the caller shows its own progress. 0, -EINVAL (a key that cannot be one), -ENOMEM, -EIO. */
int feed(const struct study *s, struct workload *w, const struct placement *const *placement, size_t count, feed_sink *sink, void *to,
         const char *what, uint64_t *keys, char why[WHY]);

/* What looking at loads did to a placement's requests; 0 for those that do not look. */
struct feed_spill {
    uint64_t spilled; /* did not go to their key's first choice */
    uint64_t asked;   /* further nodes that were asked, in all */
};

/* The same; spill[count] is zeroed before. */
int feed_spilling(const struct study *s, struct workload *w, const struct placement *const *placement, size_t count, feed_sink *sink, void *to,
                  struct feed_spill *spill, const char *what, uint64_t *keys, char why[WHY]);

/* Says which key of the block is none for the placement, by the verdicts of placement_digests. -EINVAL. */
int feed_refuse(const struct placement *p, const struct workload *w, const struct key_block *b, const uint8_t *verdict, size_t *at, char why[WHY]);

#endif
