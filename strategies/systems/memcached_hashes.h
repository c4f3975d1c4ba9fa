/* The small hashes that libmemcached (libhashkit) and twemproxy share, which copied them from there.
 *
 * Bytes are `char`, signed on x86: where a rule says "signed", a byte of 0x80 and more is extended with ones before it is used, and
 * builds with unsigned char (ARM) place such keys elsewhere. These follow x86. */
#ifndef STRATEGIES_SYSTEMS_MEMCACHED_HASHES_H
#define STRATEGIES_SYSTEMS_MEMCACHED_HASHES_H

#include "model/hashes.h"

static inline uint32_t memcached_signed(unsigned char byte)
{
    return byte | (byte & 0x80 ? 0xffffff00u : 0);
}

static inline uint32_t memcached_one_at_a_time(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t v = 0;
    for (size_t i = 0; i < len; i++) {
        v += memcached_signed(p[i]);
        v += v << 10;
        v ^= v >> 6;
    }
    v += v << 3;
    v ^= v >> 11;
    return v + (v << 15);
}

/* 15 bits of a CRC-32. */
static inline uint32_t memcached_crc(const void *data, size_t len)
{
    return (uint32_t)hash_crc32.one(data, len, 0) >> 16 & 0x7fff;
}

static inline uint32_t memcached_fnv1_64(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < len; i++)
        h = h * 0x100000001b3u ^ (p[i] | (p[i] & 0x80 ? ~(uint64_t)0xff : 0));
    return (uint32_t)h;
}

/* The low half of FNV-1a, 64 bits, for which the low halves of its constants are enough. */
static inline uint32_t memcached_fnv1a_64(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 0x84222325u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ memcached_signed(p[i])) * 0x1b3u;
    return h;
}

static inline uint32_t memcached_fnv1_32(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = h * 16777619u ^ memcached_signed(p[i]);
    return h;
}

static inline uint32_t memcached_fnv1a_32(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ memcached_signed(p[i])) * 16777619u;
    return h;
}

/* The seed of murmur and murmur3. */
static inline uint32_t memcached_murmur_seed(size_t len)
{
    return 0xdeadbeefu * (uint32_t)len;
}

static inline uint32_t memcached_murmur(const void *data, size_t len)
{
    return (uint32_t)hash_murmur2_32.one(data, len, memcached_murmur_seed(len));
}

static inline uint32_t memcached_rotate(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

/* Up to four bytes, little-endian. */
static inline uint32_t memcached_word(const unsigned char *p, size_t len)
{
    uint32_t word = 0;
    for (size_t i = 0; i < len && i < 4; i++)
        word |= (uint32_t)p[i] << 8 * i;
    return word;
}

/* Bob Jenkins's lookup3 (hashlittle, public domain), initial value 13: three words a round, and a last round that differs. */
static inline uint32_t memcached_jenkins(const void *data, size_t len)
{
    static const unsigned mix[6] = {4, 6, 8, 16, 19, 4}, last[7] = {14, 11, 25, 16, 4, 14, 24};
    const unsigned char *p = data;
    uint32_t s[3];
    s[0] = s[1] = s[2] = 0xdeadbeefu + (uint32_t)len + 13;
    if (len == 0)
        return s[2];
    for (;; p += 12, len -= 12) {
        for (size_t i = 0; i < 3 && 4 * i < len; i++)
            s[i] += memcached_word(p + 4 * i, len - 4 * i);
        if (len <= 12)
            break;
        for (size_t i = 0; i < 6; i++) {
            uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];
            *a = (*a - *c) ^ memcached_rotate(*c, mix[i]);
            *c += *b;
        }
    }
    for (size_t i = 0; i < 7; i++) {
        uint32_t *to = &s[(i + 2) % 3], from = s[(i + 1) % 3];
        *to = (*to ^ from) - memcached_rotate(from, last[i]);
    }
    return s[2];
}

/* Makes SYSTEM_RULE, a static function of (data, len), a hash, SYSTEM_RULE_one and SYSTEM_RULE_many. */
#define MEMCACHED_HASH(system, rule)                                                                                       \
    static uint64_t system##_##rule##_one(const void *data, size_t len, uint64_t seed)                                     \
    {                                                                                                                      \
        (void)seed;                                                                                                        \
        return system##_##rule(data, len);                                                                                 \
    }                                                                                                                      \
    HASH_MANY(system##_##rule)

/* The row SYSTEM-RULE of such a hash. */
#define MEMCACHED_ROW(system, rule, width, largest, fingerprint, text)                                                     \
    const struct hash hash_##system##_##rule = {                                                                           \
        .name = #system "-" #rule, .bits = width, .last = largest, .verification = fingerprint, .summary = text,           \
        .one = system##_##rule##_one, .many = system##_##rule##_many,                                                      \
    };

#endif
