/* The ring's oracle: scans all points, word for word as the rules say. */
#ifndef TESTS_RING_ORACLE_H
#define TESTS_RING_ORACLE_H

#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <string.h>

__extension__ typedef __int128 wide;

/* All points in the order of emission. */
struct emitted {
    struct point at[4096];
    size_t n;
};

static inline int collect(void *to, const struct point *point)
{
    struct emitted *all = to;
    must(all->n == 4096, "too many points for the oracle");
    all->at[all->n++] = *point;
    return 0;
}

/* Whether point i is worth more than point j at the same distance. */
static inline bool wins(const struct ring_rule *rule, size_t i, size_t j)
{
    return rule->last_wins ? i > j : i < j;
}

static inline wide around(wide steps, uint64_t last)
{
    wide circle = (wide)last + 1;
    return (steps % circle + circle) % circle;
}

/* How far point at is from digest position x by the rule; smaller is better. Doubled, so that a tie of `nearest` can be broken. */
static inline wide distance(const struct ring_rule *rule, uint64_t at, uint64_t x)
{
    wide up = (wide)at - x, far = (wide)1 << 66, sign = 1;
    if (!rule->clamp) {
        if (rule->seek == SEEK_GE)
            return around(up, rule->last);
        if (rule->seek == SEEK_GT)
            return around(up - 1, rule->last);
        if (rule->seek == SEEK_LE)
            return around(-up, rule->last);
        wide after = 2 * around(up, rule->last) + 1, before = 2 * around(-up, rule->last);
        return after < before ? after : before;
    }
    if (rule->seek == SEEK_NEAREST)
        return up > 0 ? 2 * up + 1 : -2 * up;
    if (rule->seek == SEEK_LE)
        up = -up;
    else if (rule->seek == SEEK_GT)
        up -= 1;
    if (up < 0) /* on the wrong side: the end point, which is the nearest of those, is the last resort */
        sign = -1;
    return sign < 0 ? far - up : up;
}

static inline size_t oracle(const struct emitted *all, const struct ring_rule *rule, uint64_t x)
{
    size_t best = all->n;
    wide least = 0;
    for (size_t i = 0; i < all->n; i++) {
        wide d = distance(rule, all->at[i].position, x);
        if (best == all->n || d < least || (d == least && wins(rule, i, best))) {
            best = i;
            least = d;
        }
    }
    return best;
}

/* The nodes met when walking on from the owner's point: up the circle, or down it for `le`. Where the last emitted wins (a map overwritten),
 * the others of equal points are not there at all. */
static inline size_t oracle_walk(const struct emitted *all, const struct ring_rule *rule, size_t owner, uint32_t *id, size_t k)
{
    struct ring_rule walk = *rule;
    size_t found = 0;
    bool met[4096] = {false};
    walk.seek = rule->seek == SEEK_LE ? SEEK_LE : SEEK_GE;
    walk.clamp = false;
    for (size_t step = 0; step < all->n && found < k; step++) {
        size_t best = all->n;
        wide least = 0;
        for (size_t i = 0; i < all->n; i++) {
            wide d = distance(&walk, all->at[i].position, all->at[owner].position);
            if (d == least && best < all->n && rule->last_wins) /* overwritten, one by the other */
                met[wins(rule, i, best) ? best : i] = true;
            if (!met[i] && (best == all->n || d < least || (d == least && wins(rule, i, best)))) {
                best = i;
                least = d;
            }
        }
        if (best == all->n)
            break;
        met[best] = true;
        size_t i = 0;
        while (i < found && id[i] != all->at[best].id)
            i++;
        if (i == found)
            id[found++] = all->at[best].id;
    }
    return found;
}

#endif
