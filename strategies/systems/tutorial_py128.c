/* The Python ring of a second tutorial: the whole MD5 as a 128-bit number, labels NODE#0 .., bisect_left,
 * 3 points a node by default (its comment calls MD5 "32 bits": it means 32 hexadecimal digits).
 *
 * Positions here are the first 64 of the 128 bits. The answers are the same unless a key and a point agree
 * in those 64 bits and not in the others: one chance in 2^64 for each pair. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

static const struct recipe recipe = {
    .labels = {.format = "{node}#{i}"},
    .hash = &hash_md5_64,
    .seek = SEEK_GE,
    .last_wins = true,
};

static const struct option options[] = {RECIPE_VNODES("3"), {0}};

const struct strategy strategy_tutorial_py128 = {
    .name = "tutorial-py128",
    .summary = "a tutorial's Python ring: whole MD5, NODE#0 .., first point at or after, 3 points",
    .source = "tutorial 'Consistent hashing in Python', ConsistentHashing class",
    .version = "as published",
    .cost = "O(log points) as published",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
