/* The draws of a CRUSH bucket, a block of items at a time, and which of them can still win. */
#ifndef STRATEGIES_ENGINES_CRUSH_H
#define STRATEGIES_ENGINES_CRUSH_H

#include <stdint.h>

enum { CRUSH_BLOCK = 32 };

struct crush_block {
    uint32_t number[CRUSH_BLOCK], weight[CRUSH_BLOCK], id[CRUSH_BLOCK]; /* weight: 16.16 */
};

/* u[i]: the low 16 bits of Jenkins' mix of (key, number[i], attempt), of the first n items. Returns the bits of those for which crush_hopes(). Of items
 * after them u and bits are anything. */
typedef uint32_t crush_draws(const struct crush_block *b, uint32_t n, uint32_t key, uint32_t attempt, float reach, uint32_t u[CRUSH_BLOCK]);
crush_draws *crush_draws_best(void); /* for this processor; at all levels the same u */

/* The fixed-point logarithm of (u + 1) / 2^16 lies below its tangent at 1, 2^44 / ln 2 * (u - 65535) / 2^16, but for what Ceph's table has too much,
 * less than one step of u. So with a quotient of `longest` to beat, no u that is further from the top than reach * weight + 2 has to be looked at;
 * the reach is rounded up by more than floats err. */
static inline float crush_reach(int64_t longest)
{
    return (float)(-(double)longest * (0x1.62e42fefa39efp-1 * 0x1p-28 * (1 + 0x1p-20)));
}
static inline int crush_hopes(uint32_t u, uint32_t weight, float reach)
{
    return (float)(65535 - (int32_t)u) < (float)(int32_t)weight * reach + 2;
}

#endif
