/* Sets of k of n nodes: how many there are, one after the other, or one at random. */
#ifndef METRICS_SUBSETS_H
#define METRICS_SUBSETS_H

#include <stdbool.h>
#include <stdint.h>

uint64_t subsets_count(uint64_t n, uint64_t k, uint64_t most); /* n over k, or `most` where it is larger */

void subset_first(uint32_t k, uint32_t *subset); /* 0 .. k-1 */

/* Set number `rank` in lexicographic order; and the one after it. False: that was the last, and stays. */
void subset_at(uint64_t rank, uint32_t n, uint32_t k, uint32_t *subset);
bool subset_next(uint32_t n, uint32_t k, uint32_t *subset);

/* By Floyd's method; taken[n] is scratch, all false before and after. */
void subset_random(uint64_t stream, uint32_t n, uint32_t k, bool *taken, uint32_t *subset);

#endif
