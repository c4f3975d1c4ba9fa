/* The Java ring of a fourth tutorial: a TreeMap of 160 points a node, labels NODE#0 .. NODE#159, the first 8
 * bytes of MD5 as a signed number, negated when negative (-2^63 stays, and is 2^63 here: as in tutorial-java-fnv the
 * owners are the same). */
#include "model/hashes.h"
#include "model/md5.h"
#include "strategies/engines/recipe.h"

static inline uint64_t java_md5_of(struct md5 m)
{
    uint64_t h = md5_swap(m.word[0]) << 32 | md5_swap(m.word[1]);
    return h >> 63 ? 0 - h : h;
}

MD5_HASH(java_md5)

const struct hash hash_tutorial_java_md5 = {
    .name = "tutorial-java-md5",
    .bits = 64,
    .last = 1ULL << 63,
    .verification = 0x1c568b6b,
    .summary = "a tutorial's Java hash: MD5's first 8 bytes big-endian, absolute value",
    .one = java_md5_one,
    .many = java_md5_many,
};

static const struct recipe recipe = {
    .labels = {.format = "{node}#{i}"},
    .hash = &hash_tutorial_java_md5,
    .seek = SEEK_GE,
    .last_wins = true,
};

static const struct option options[] = {RECIPE_VNODES("160"), {0}};

const struct strategy strategy_tutorial_java_md5 = {
    .name = "tutorial-java-md5",
    .summary = "a tutorial's Java ring: MD5's first 8 bytes folded to non-negative, 160 points",
    .source = "tutorial on consistent hashing with a Java TreeMap, MD5 listing",
    .version = "as published",
    .cost = "O(log points) as published",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
