/* Many processes, one run: past one machine.
 *
 * Under mpirun or srun every process (rank) gets the same command line and takes the same
 * decisions. Where there is much to do, each does the units that are its own and at a joint all
 * get what the others found: afterwards every rank holds the same bytes, so that no later
 * decision can differ, and results do not depend on how many there are. Rank 0 alone writes.
 *
 * A joint is reached by all ranks in the same order, from one thread. It opens with a vote: a rank
 * that has failed, here or anywhere before, says so instead, and all end with its error; nobody
 * waits for it. Without MPI (make without MPI=1, or a start without mpirun) there is one
 * rank and joints do nothing. */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* First of all in main. Under a launcher it returns in a child, and the process it was called in waits: should the
 * child be killed, it ends with 3. 0, -EINVAL (a launcher, but no MPI), -ENOMEM. */
int ranks_start(char why[WHY]);

/* The last joint: e and its sentence are what this rank's run came to; what it returns is the run's. */
int ranks_end(int e, char why[WHY]);
void ranks_close(void); /* after the last word was written: ends all */

/* From now on rank 0 works as one process. True: this is another one, which has nothing to do but ranks_end. */
bool ranks_alone(void);

bool ranks_launched(void); /* a launcher reads standard output: through a terminal of its own, whatever becomes of it */
unsigned ranks_count(void);
unsigned ranks_own(void);  /* 0 .. count - 1 */
unsigned ranks_here(void); /* how many share this machine */
bool ranks_mine(uint64_t unit);

/* Joints. 0, or the error that comes first: the least `at`, then the lowest rank. */
int ranks_agree(int e, uint64_t at, char why[WHY]);
int ranks_same(uint64_t x, char why[WHY]);                         /* -EIO where x differs: so did what they read */
uint64_t ranks_note(uint64_t x, const void *read, size_t n);        /* what x becomes with n bytes more */
int ranks_sum(uint64_t *x, size_t n, char why[WHY]);               /* x[i] over all ranks */
int ranks_sum_wide(void *x, size_t n, char why[WHY]);              /* n unsigned numbers of 128 bits */
/* record[i] of `size` bytes, without pointers, is the outcome of unit first + i, by its owner: all get all. */
int ranks_gather(void *record, size_t size, uint64_t first, size_t n, char why[WHY]);

#endif
