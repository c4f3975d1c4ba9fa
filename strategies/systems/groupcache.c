/* groupcache's consistenthash (Go): a sorted slice of CRC-32 values and a map from them to nodes; labels 0NODE .. 49NODE, the
 * counter in front and no separator; first point at or after the key.
 *
 * Quirks: without a separator, labels of different nodes can be one text (1 of "0x" and 10 of "x" are both "10x"): the
 * node added last has that point. The package cannot remove nodes: callers make a new map, as a change here does. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

static const struct recipe recipe = {
    .labels = {.format = "{i}{node}"},
    .hash = &hash_crc32,
    .seek = SEEK_GE,
    .last_wins = true,
};

static const struct option options[] = {RECIPE_POINTS("replicas", "50"), {0}};

const struct strategy strategy_groupcache = {
    .name = "groupcache",
    .summary = "groupcache (Go): CRC-32, 0NODE .., first point at or after, 50 points",
    .source = "github.com/golang/groupcache, consistenthash",
    .version = "2c02b82",
    .cost = "O(log points) in groupcache",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
