/* lafikl/consistent (Go): labels NODE0 .. NODE9, the first 8 bytes of BLAKE2b-512 little-endian, first point at or after the
 * key. This is its Get; GetLeast (bounded loads) is another look-up.
 *
 * Quirk: 10 points a node scatter the shares with a CV near 30 %: the load bound is what evens them out. BLAKE2b comes
 * from libb2. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

#include <blake2.h>

static uint64_t blake2b_one(const void *data, size_t len, uint64_t seed)
{
    uint8_t digest[BLAKE2B_OUTBYTES];
    uint64_t head = 0;
    (void)seed;
    blake2b(digest, data, NULL, sizeof digest, len, 0);
    for (size_t i = 8; i-- > 0;)
        head = head << 8 | digest[i];
    return head;
}

HASH_MANY(blake2b)

const struct hash hash_lafikl_blake2b = {
    .name = "lafikl-blake2b",
    .bits = 64,
    .last = UINT64_MAX,
    .verification = 0x1AD4510F, /* computed here */
    .summary = "BLAKE2b-512, its first 8 bytes as a little-endian number (libb2)",
    .one = blake2b_one,
    .many = blake2b_many,
};

static const struct recipe recipe = {
    .labels = {.format = "{node}{i}"},
    .hash = &hash_lafikl_blake2b,
    .seek = SEEK_GE,
    .last_wins = true,
};

static const struct option options[] = {RECIPE_POINTS("replicas", "10"), {0}};

const struct strategy strategy_lafikl = {
    .name = "lafikl",
    .summary = "lafikl/consistent (Go), plain Get: BLAKE2b, NODE0 .., first point at or after, 10 points",
    .source = "github.com/lafikl/consistent",
    .version = "bdd3606",
    .cost = "O(log points) in lafikl/consistent",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
