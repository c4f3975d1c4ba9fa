/* HAProxy's hashes: four of texts, one of addresses, each with its avalanche or without. Bytes are unsigned, values 32 bits. */
#include "strategies/systems/haproxy/parts.h"

static inline uint32_t haproxy_sdbm(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 0;
    for (size_t i = 0; i < len; i++)
        h = p[i] + 65599u * h;
    return h;
}

static inline uint32_t haproxy_djb2(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 5381;
    for (size_t i = 0; i < len; i++)
        h = h * 33 + p[i];
    return h;
}

static inline uint32_t haproxy_crc32(const void *data, size_t len)
{
    return (uint32_t)hash_crc32.one(data, len, 0);
}

static inline uint32_t rotate(uint32_t x, unsigned by)
{
    return x << (by & 31) | x >> (-by & 31);
}

/* Two words, which change places, rotated by numbers that come from them. */
static inline uint32_t haproxy_wt6(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h0 = 0xa53c965au, h1 = 0x5ca6953au;
    unsigned s0 = 6, s1 = 18;
    for (size_t i = 0; i < len; i++) {
        uint32_t x = ~(h0 ^ p[i]), y = ~(h1 + p[i]), u;
        h0 = rotate(y, s0);
        h1 = rotate(x, s1);
        u = ((h0 >> 16) ^ h1) & 0xffff;
        s0 = u % 32;
        s1 = u >> 11;
    }
    return h0 ^ h1;
}

/* Of an address's bytes: its big-endian words xored. */
static inline uint32_t haproxy_address(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 0;
    for (size_t i = 0; i < len; i++)
        h ^= (uint32_t)p[i] << (24 - 8 * (i % 4));
    return h;
}

uint32_t haproxy_avalanche(uint32_t a)
{
    a = a + 0x7ed55d16u + (a << 12);
    a = a ^ 0xc761c23cu ^ a >> 19;
    a = a + 0x165667b1u + (a << 5);
    a = (a + 0xd3a2646cu) ^ a << 9;
    a = a + 0xfd7046c5u + (a << 3);
    a = a ^ 0xb55a4f09u ^ a >> 16;
    return a * 3221225473u;
}

static inline uint32_t plain(uint32_t value)
{
    return value;
}

#define ROW(rule, suffix, finish, word, fingerprint, text)                                                                 \
    static uint64_t haproxy_##rule##suffix##_one(const void *data, size_t len, uint64_t seed)                              \
    {                                                                                                                      \
        (void)seed;                                                                                                        \
        return finish(haproxy_##rule(data, len));                                                                          \
    }                                                                                                                      \
    HASH_MANY(haproxy_##rule##suffix)                                                                                      \
    const struct hash hash_haproxy_##rule##suffix = {                                                                      \
        .name = "haproxy-" #rule word, .bits = 32, .last = UINT32_MAX, .verification = fingerprint, .summary = text,       \
        .one = haproxy_##rule##suffix##_one, .many = haproxy_##rule##suffix##_many,                                        \
    };

#define ROWS(rule, fingerprint, fingerprint_avalanche, text)                                                               \
    ROW(rule, , plain, "", fingerprint, text)                                                                              \
    ROW(rule, _avalanche, haproxy_avalanche, "-avalanche", fingerprint_avalanche, text ", then its avalanche")

ROWS(sdbm, 0xdb3a42ce, 0xfcf49a62, "HAProxy's sdbm")
ROWS(djb2, 0x00c7fb24, 0x5da9c5c7, "HAProxy's djb2")
ROWS(wt6, 0xf0cbb6cc, 0xc25cb362, "HAProxy's wt6")
ROWS(crc32, 0x5c7ddd1f, 0xd166a5fc, "HAProxy's crc32: CRC-32 (zlib)")
ROWS(address, 0x00000000, 0x5cc21fae, "HAProxy's balance source: the xor of an address's big-endian words")
