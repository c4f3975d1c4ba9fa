/* stathat/consistent (Go): a map from 32-bit hashes to members, labels 0MEMBER .. 19MEMBER, CRC-32 or (UseFnv) FNV-1a.
 *
 * Quirks: the search wants a point strictly after the key, so a key that is itself a label goes one point
 * further. Labels of different members can be one text, as in groupcache: the member added last has that point, and copies
 * (GetN) never meet the one overwritten. Removing a member deletes such a shared point for both; here the other
 * takes over, as if the members had been added anew. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

static const struct recipe recipes[] = {
    {.labels = {.format = "{i}{node}"}, .hash = &hash_crc32, .seek = SEEK_GT, .last_wins = true},
    {.labels = {.format = "{i}{node}"}, .hash = &hash_fnv1a_32, .seek = SEEK_GT, .last_wins = true},
};

static const struct option options[] = {
    RECIPE_POINTS("replicas", "20"),
    RECIPE_KIND("hash", "crc32|fnv", "crc32", "CRC-32, or FNV-1a with 32 bits (UseFnv)"),
    {0},
};

const struct strategy strategy_stathat = {
    .name = "stathat",
    .summary = "stathat/consistent (Go): CRC-32 or FNV-1a, 0MEMBER .., strictly after, 20 points",
    .source = "stathat.com/c/consistent",
    .version = "30ea17e",
    .cost = "O(log points) in stathat/consistent",
    .option = options,
    RECIPE_HOOKS,
    .data = recipes,
};
