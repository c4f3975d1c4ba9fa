/* The TypeScript ring of a Chinese tutorial (wxvirus, 2026-06-01): a Map from the first four
 * bytes of MD5, read big-endian, to nodes; labels NODE#v0 .. NODE#v149; binary search for the
 * first point at or after the key.
 *
 * Quirk: two labels with one hash share one entry; the node added last owns it, and removing that
 * node deletes the entry for both. Among 600 points on 2^32 that happens once in 24,000 rings; a
 * placement opened here has the other label take over instead. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

static const struct recipe recipe = {
    .labels = {.format = "{node}#v{i}"},
    .hash = &hash_md5_32,
    .seek = SEEK_GE,
    .last_wins = true,
};

static const struct option options[] = {RECIPE_VNODES("150"), {0}};

const struct strategy strategy_tutorial_ts = {
    .name = "tutorial-ts",
    .summary = "a tutorial's TypeScript ring: MD5's first 4 bytes, NODE#v0 .., first point at or after",
    .source = "tutorial 'Consistent Hashing', TypeScript listing",
    .version = "2026-06-01",
    .cost = "O(log points) as published",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
