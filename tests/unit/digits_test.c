/* Numbers as text, all digits at once, against printf. */
#include "base/rng.h"
#include "model/digits.h"
#include "tests/tap.h"
#include <inttypes.h>

static uint64_t wrong;

static void compare(uint64_t value)
{
    char want[32], got[32];
    int len = snprintf(want, sizeof want, "%" PRIu64, value);
    wrong += digits_write(got, value) != (size_t)len || memcmp(got, want, (size_t)len) != 0;
    if (value < DIGITS_TEN8)
        wrong += digits_write8(got, (uint32_t)value) != (size_t)len || memcmp(got, want, (size_t)len) != 0;
}

static void compare_hex(uint64_t value)
{
    char want[32], got[16];
    snprintf(want, sizeof want, "%016" PRIx64, value);
    digits_hex(got, value);
    wrong += memcmp(got, want, sizeof got) != 0;
}

int main(void)
{
    for (uint64_t value = 0; value < 300000; value++)
        compare(value);
    for (uint64_t fours = 0; fours < 10000; fours++)
        compare(fours * 10000 + (9999 - fours));
    ok(wrong == 0, "small numbers, and all groups of four digits");
    for (uint64_t power = 1; power <= 1000000000000000; power *= 10)
        for (uint64_t off = 0; off < 3; off++) {
            compare(power + off);
            compare(power - (power > off ? off : power));
            compare(10 * power - 1);
        }
    ok(wrong == 0, "around the powers of ten, to 10^16 - 1");
    for (uint64_t i = 0; i < 100000; i++)
        compare(rng_at(1, i) % 10000000000000000);
    ok(wrong == 0, "random numbers");
    compare_hex(0);
    compare_hex(UINT64_MAX);
    compare_hex(0x0123456789abcdef);
    for (uint64_t i = 0; i < 100000; i++)
        compare_hex(rng_at(2, i));
    ok(wrong == 0, "hexadecimal digits");
    return tap_done();
}
