/* Scores of weighted rendezvous hashing (Schindelhauer and Schomaker, 2005): of all nodes the one with the highest -w / ln(u) has the key, u being
 * the pair's random number in (0, 1].
 *
 * Compared is the cost -ln(u) / w, lowest first: exponential random variables with rates w, whose least is a node's with probability w / sum. Of equal
 * costs the higher word comes first; so the order is total, and it does not matter who stands where in a configuration. */
#ifndef STRATEGIES_ENGINES_SCORE_H
#define STRATEGIES_ENGINES_SCORE_H

#include "model/cluster.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct contender {
    uint64_t word; /* the node's, folded: a score is rng_mix_folded(rng_fold(digest) ^ word) */
    uint32_t id, weight;
};

struct contest {
    uint32_t size;
    bool equal; /* all weights are */
    struct contender who[];
};

/* The nodes of c in configuration order; to be mem_freed. NULL when memory is out. */
struct contest *contest_create(const struct cluster *c);

/* The id of the winner, of all or of some. */
uint32_t contest_winner(const struct contest *c, uint64_t digest);
void contest_winners(const struct contest *c, const uint64_t *digest, size_t n, uint32_t *id);
uint32_t contest_among(const struct contender *who, size_t size, bool equal, uint64_t digest);

/* A place in the order of one digest. */
struct score {
    double cost;
    uint64_t word;
};
#define SCORE_START ((struct score){-1, 0}) /* before all */

/* The first of the nodes that come after *place, which moves to it; NO_NODE: none does. */
uint32_t score_next(const struct contender *who, size_t size, uint64_t digest, struct score *place);

/* -ln((word + 1) / 2^64), the same on every machine: only + - * / of doubles and integers. Relative error below 1e-12; never rises with word. */
double score_exponential(uint64_t word);

#endif
