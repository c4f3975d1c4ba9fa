/* Random words: known answers, bounds, and a permutation that is one. */
#include "base/mem.h"
#include "base/rng.h"
#include "tests/tap.h"
#include <inttypes.h>

static void known_answers(void)
{
    struct rng r = rng_start(0); /* published outputs of SplitMix64 with seed 0 */
    uint64_t a = rng_next(&r), b = rng_next(&r), c = rng_next(&r);
    ok(a == 0xe220a8397b1dcdafULL && b == 0x6e789e6aa1b965f4ULL && c == 0x06c45d188009454fULL, "SplitMix64 of seed 0");
    ok(rng_at(0, 0) == a && rng_at(0, 2) == c, "read at a position");
    uint64_t s = rng_stream(1, "balance", "ring", 0);
    ok(s != rng_stream(2, "balance", "ring", 0) && s != rng_stream(1, "remap", "ring", 0) &&
           s != rng_stream(1, "balance", "slots", 0) && s != rng_stream(1, "balance", "ring", 1),
       "each part names another stream");
    ok(rng_stream(1, "ab", "c", 0) != rng_stream(1, "a", "bc", 0), "the parts do not run together");
    ok(rng_stream(1, "", "", 0) != rng_stream(0, "", "", 1), "empty names");
}

static double chi_square(const uint64_t *count, size_t n, double expected)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    return sum;
}

static void bounds(void)
{
    struct rng r = rng_start(rng_stream(1, "test", "below", 0));
    uint64_t count[10] = {0};
    bool inside = true;
    for (int i = 0; i < 100000; i++) {
        uint64_t x = rng_below(&r, 10);
        inside = inside && x < 10;
        count[x % 10]++;
    }
    double chi = chi_square(count, 10, 10000);
    ok(inside && chi < 27.9, "uniform below 10: chi-square %.1f of 9", chi); /* 0.999 quantile */
    ok(rng_below(&r, 1) == 0, "below 1");
    uint64_t high = 0; /* a modulus that plain % would bias by a third */
    for (int i = 0; i < 30000; i++)
        high += rng_below(&r, 3ULL << 62) >> 62 == 2;
    ok(high > 9600 && high < 10400, "no bias below 3/4 of 2^64: %" PRIu64 " of 30000", high);
    double sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += rng_real(&r);
    ok(sum > 49500 && sum < 50500, "reals have mean 1/2");
}

static bool is_bijection(uint64_t domain, uint64_t key)
{
    unsigned char *seen = mem_alloc(domain, 1);
    bool good = seen;
    for (uint64_t x = 0; good && x < domain; x++) {
        uint64_t y = rng_permute(x, domain, key);
        good = y < domain && !seen[y];
        if (good)
            seen[y] = 1;
    }
    mem_free(seen);
    return good;
}

static void permutation(void)
{
    static const uint64_t domains[] = {1, 2, 3, 4, 5, 7, 16, 17, 100, 255, 256, 257, 1000, 16384, 65537, 1000003};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        ok(is_bijection(domains[i], 42) && is_bijection(domains[i], i), "a bijection of 0..%" PRIu64, domains[i] - 1);
    uint64_t wide = UINT64_MAX;
    ok(rng_permute(5, wide, 1) < wide && rng_permute(5, wide, 1) != rng_permute(6, wide, 1), "the widest domain");

    enum { DOMAIN = 1000000, DRAWN = 100000, CELLS = 100 };
    uint64_t count[CELLS] = {0}, pair[CELLS] = {0};
    for (uint64_t x = 0; x < DRAWN; x++) {
        uint64_t y = rng_permute(x, DOMAIN, 7), z = rng_permute(x + 1, DOMAIN, 7);
        count[y / (DOMAIN / CELLS)]++;
        pair[y % 10 * 10 + z % 10]++;
    }
    double chi = chi_square(count, CELLS, DRAWN / CELLS), pairs = chi_square(pair, CELLS, DRAWN / CELLS); // NOLINT(bugprone-integer-division): it divides
    ok(chi > 50 && chi < 150, "the first tenth is spread: chi-square %.1f of 99", chi);
    ok(pairs > 50 && pairs < 150, "neighbours are independent: chi-square %.1f of 99", pairs);
    uint64_t same = 0;
    for (uint64_t x = 0; x < 10000; x++)
        same += rng_permute(x, 10000, 1) == rng_permute(x, 10000, 2);
    ok(same < 10, "another key, another permutation: %" PRIu64 " of 10000 agree", same);
}

int main(void)
{
    known_answers();
    bounds();
    permutation();
    return tap_done();
}
