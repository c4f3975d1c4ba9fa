/* uhashring (Python): two rings in one package.
 *
 * meta (its default): 160 labels NODE-0 .. a unit of weight, whole MD5s as 128-bit numbers. Positions here are their first 64 bits,
 * which answers alike but for one pair of key and point in 2^64. ketama: floor(40 * nodes * weight / sum of weights) labels,
 * in whole numbers (no point is lost to rounding as in the C libraries), four points each.
 *
 * Quirks: both search strictly after the key (bisect), so unlike libketama a key that hashes exactly onto a point goes to
 * the next one. In ketama mode every change makes the whole ring anew, since each node's labels depend on all weights. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

static const struct recipe recipes[] = {
    {.labels = {.format = "{node}-{i}"}, .hash = &hash_md5_64, .seek = SEEK_GT, .weights = WEIGHTS_TIMES, .vnodes = 160, .last_wins = true},
    {.labels = {.format = "{node}-{i}"}, .hash = &hash_ketama, .seek = SEEK_GT, .weights = WEIGHTS_SHARE, .vnodes = 40, .last_wins = true,
     .ketama = true},
};

static const struct option options[] = {
    RECIPE_KIND("mode", "meta|ketama", "meta", "whole MD5s, or four points a label (hash_fn='ketama')"),
    {.name = "vnodes", .type = OPTION_COUNT, .offset = offsetof(struct recipe_options, vnodes), .min = 1, .max = 1000000,
     .help = "labels a unit of weight (default 160; ketama: 40)"},
    {0},
};

const struct strategy strategy_uhashring = {
    .name = "uhashring",
    .summary = "uhashring (Python): MD5, NODE-0 .., strictly after; whole digests, or ketama's four points a label",
    .source = "github.com/ultrabug/uhashring",
    .version = "2.1",
    .cost = "O(log points) in uhashring",
    .option = options,
    .options_size = sizeof(struct recipe_options),
    .open = recipe_open,
    .points = recipe_points,
    .data = recipes,
};
