/* For a length v node i has the longest straw with the probability that its own is v, all before it are shorter and none after it is longer. So for each
 * length, from the longest down, one walk over the nodes; and no more once all straws are as short with probability 2^-60. */
#include "strategies/engines/straws.h"

#include "base/mem.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* A kind's lengths while v descends: how many are longer than v, and how many are v. */
struct reel {
    const int64_t *straw; /* descending */
    uint32_t longer, like;
};

/* The longest length that no reel has passed; false: there is none. */
static bool next_length(struct reel *reel, uint32_t kinds, uint32_t outcomes, int64_t *v)
{
    bool found = false;
    for (uint32_t k = 0; k < kinds; k++) {
        reel[k].longer += reel[k].like;
        reel[k].like = 0;
        if (reel[k].longer < outcomes && (!found || reel[k].straw[reel[k].longer] > *v)) {
            *v = reel[k].straw[reel[k].longer];
            found = true;
        }
    }
    for (uint32_t k = 0; found && k < kinds; k++)
        while (reel[k].longer + reel[k].like < outcomes && reel[k].straw[reel[k].longer + reel[k].like] == *v)
            reel[k].like++;
    return found;
}

/* Adds what one length gives; the probability that no straw is longer. */
static double add_length(const struct reel *reel, double outcomes, const uint32_t *kind, uint32_t nodes, double *share)
{
    double all = 1;
    for (uint32_t i = 0; i < nodes; i++)
        all *= 1 - reel[kind[i]].longer / outcomes;
    double others = all;
    for (uint32_t i = 0; i < nodes && others > 0; i++) {
        const struct reel *r = &reel[kind[i]];
        double none_longer = 1 - r->longer / outcomes, this = r->like / outcomes;
        others /= none_longer;
        share[i] += this * others;
        others *= none_longer - this;
    }
    return all;
}

int straws_shares(int64_t *straw, uint32_t kinds, uint32_t outcomes, const uint32_t *kind, uint32_t nodes, double *share)
{
    struct reel *reel = mem_alloc(kinds, sizeof *reel);
    int64_t v = 0;
    if (!reel)
        return -ENOMEM;
    for (uint32_t k = 0; k < kinds; k++) {
        reel[k].straw = straw + (size_t)k * outcomes;
        qsort(straw + (size_t)k * outcomes, outcomes, sizeof *straw, descending);
    }
    memset(share, 0, nodes * sizeof *share);
    for (double none_longer = 1; none_longer > 0x1p-60 && next_length(reel, kinds, outcomes, &v);)
        none_longer = add_length(reel, outcomes, kind, nodes, share);
    mem_free(reel);
    return 0;
}
