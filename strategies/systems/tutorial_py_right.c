/* The Python twin of tutorial-ts, from the same page: the same points, but bisect_right, which finds
 * the first point strictly after the key. The two differ for keys that hash exactly onto a point and for
 * no others: the key `redis-01#v0` is one. The removal quirk is the same. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

static const struct recipe recipe = {
    .labels = {.format = "{node}#v{i}"},
    .hash = &hash_md5_32,
    .seek = SEEK_GT,
    .last_wins = true,
};

static const struct option options[] = {RECIPE_VNODES("150"), {0}};

const struct strategy strategy_tutorial_py_right = {
    .name = "tutorial-py-right",
    .summary = "the same tutorial's Python ring: bisect_right, so strictly after",
    .source = "tutorial 'Consistent Hashing', Python listing",
    .version = "2026-06-01",
    .cost = "O(log points) as published",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
