/* The Java ring of a third tutorial: a TreeMap of 10 points a node, labels IP#1 .. IP#10, and a hash that
 * its comment calls FNV1 but that works in FNV-1a's order, over UTF-16 units, with shifts at the end.
 *
 * Quirk that changes results: removeNode takes the node from a list and leaves its points in the
 * ring, so a removed node keeps its keys: after a removal no key moves, and the removed node's keys are
 * nobody's (unplaced_share says how many).
 * Signed arithmetic: a negative hash is negated, and only -2^31 stays negative. It would be the
 * lowest key of the tree; 2^31 is the highest position here; on a circle these are neighbours, and the
 * owners are the same. */
#include "model/hashes.h"
#include "strategies/engines/recipe.h"

/* One code point of UTF-8 as new String(bytes, UTF_8) decodes it (JDK 17): a malformed sequence gives one U+FFFD, and so do the three bytes of a
 * surrogate. Returns the bytes used. */
static size_t utf8_next(const unsigned char *s, size_t len, uint32_t *code)
{
    static const unsigned char low[4] = {0, 0x80, 0x80, 0x80};
    *code = s[0];
    if (s[0] < 0x80)
        return 1;
    size_t more = s[0] >= 0xc2 && s[0] <= 0xdf ? 1 : (s[0] & 0xf0) == 0xe0 ? 2 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 3 : 0;
    unsigned char first_low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : low[more];
    unsigned char first_high = s[0] == 0xf4 ? 0x8f : 0xbf;
    uint32_t value = s[0] & (0x3fu >> more);
    size_t i = 1;
    for (; i <= more && i < len; i++) {
        if (s[i] < (i == 1 ? first_low : 0x80) || s[i] > (i == 1 ? first_high : 0xbf))
            break;
        value = value << 6 | (s[i] & 0x3fu);
    }
    *code = more && i > more && (value & 0xfffff800) != 0xd800 ? value : 0xfffd;
    return i;
}

/* Java's >> keeps the sign. */
static uint32_t shift_right(uint32_t x, unsigned by)
{
    return x >> by | (x & 0x80000000u ? ~(0xffffffffu >> by) : 0);
}

static uint64_t java_fnv_one(const void *data, size_t len, uint64_t seed)
{
    const unsigned char *s = data;
    uint32_t h = 2166136261u, code;
    (void)seed;
    for (size_t i = 0; i < len;) {
        i += utf8_next(s + i, len - i, &code);
        if (code >= 0x10000) { /* a surrogate pair */
            h = (h ^ (0xd7c0 + (code >> 10))) * 16777619u;
            code = 0xdc00 | (code & 0x3ff);
        }
        h = (h ^ code) * 16777619u;
    }
    h += h << 13;
    h ^= shift_right(h, 7);
    h += h << 3;
    h ^= shift_right(h, 17);
    h += h << 5;
    return h & 0x80000000u ? 0u - h : h;
}

HASH_MANY(java_fnv)

const struct hash hash_tutorial_java_fnv = {
    .name = "tutorial-java-fnv",
    .bits = 32,
    .last = 0x80000000u,
    .verification = 0x0dab7295,
    .summary = "a tutorial's Java hash: FNV-1a over UTF-16 units, then shifts; absolute value",
    .one = java_fnv_one,
    .many = java_fnv_many,
};

static const struct recipe recipe = {
    .labels = {.format = "{node}#{i}", .first = 1},
    .hash = &hash_tutorial_java_fnv,
    .seek = SEEK_GE,
    .last_wins = true,
    .keeps_departed = true,
};

static const struct option options[] = {RECIPE_VNODES("10"), {0}};

const struct strategy strategy_tutorial_java_fnv = {
    .name = "tutorial-java-fnv",
    .summary = "a tutorial's Java ring: FNV with shifts, IP#1 .. IP#10; a removed node keeps its points",
    .source = "tutorial on consistent hashing with a Java TreeMap, HashUtils listing",
    .version = "as published",
    .cost = "O(log points) as published",
    .option = options,
    RECIPE_HOOKS,
    .data = &recipe,
};
