/* Divisions by multiplication against the processor's own. */
#include "base/divide.h"
#include "base/rng.h"
#include "tests/tap.h"

static uint64_t wrong;

static void one(const struct divisor *by, uint64_t x)
{
    wrong += divisor_mod(by, x) != x % by->d || divisor_quotient(by, x) != x / by->d;
}

/* x around 0, around all multiples near the ends and the middle, and at random. */
static void all_of(uint64_t d)
{
    struct divisor by = divisor_of(d);
    uint64_t last = UINT64_MAX / d, at[] = {0, 1, 2, last / 2, last / 3, last - 1, last};
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
        for (uint64_t near = 0; near < 5; near++)
            one(&by, at[i] * d + near - 2);
    for (unsigned bit = 0; bit < 64; bit++)
        for (uint64_t near = 0; near < 3; near++)
            one(&by, (UINT64_C(1) << bit) + near - 1);
    for (uint64_t i = 0; i < 100; i++)
        one(&by, rng_at(d, i) >> i % 64);
}

int main(void)
{
    for (uint64_t d = 1; d <= 3000; d++)
        all_of(d);
    ok(!wrong, "divisors 1 .. 3000");
    for (unsigned bit = 1; bit < 64; bit++)
        for (uint64_t near = 0; near < 3; near++)
            all_of((UINT64_C(1) << bit) + near - 1);
    ok(!wrong, "powers of two, one below and one above");
    const uint64_t odd[] = {65537, 655373, 5000011, 16777213, 4294967291, UINT64_C(18446744073709551557), UINT64_MAX - 1, UINT64_MAX,
                            UINT64_C(7) * 73 * 127 * 337 * 92737 * 649657, 641, 6700417, 274177, UINT64_C(67280421310721)};
    for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++)
        all_of(odd[i]);
    ok(!wrong, "primes, factors of 2^32 + 1, 2^63 - 1 and 2^64 + 1, and the largest of all");
    for (uint64_t i = 0; i < 5000; i++)
        all_of((rng_at(7, i) >> i % 63) | 1);
    ok(!wrong, "odd divisors of all sizes");
    return tap_done();
}
