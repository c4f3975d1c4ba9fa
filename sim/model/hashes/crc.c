/* crc32, crc16: remainders of polynomial division over GF(2).
 *
 * crc32 is zlib's (IEEE, reflected 0xEDB88320); a seed is the CRC of what came before.
 * crc16 is XMODEM's (0x1021, initial 0, most significant bit first), as Redis Cluster
 * uses it, four bytes a step with four tables (Kounavis and Berry, "Novel table
 * lookup-based algorithms for high-performance CRC generation", 2008).
 * Cost: crc16 keeps 2 KiB of tables and does four look-ups for four bytes. */
#include "model/hashes.h"
#include <zlib.h>

static inline uint64_t crc32_one(const void *data, size_t len, uint64_t seed)
{
    return crc32_z((uLong)seed, data, len);
}
HASH_MANY(crc32)

/* A CRC is linear: the entry of a byte is the xor of the entries of its bits, so
 * eight constants unfold to 256 entries, the lowest bit varying fastest. */
#define FOLD1(x, a) (x), (x) ^ (a)
#define FOLD2(x, a, b) FOLD1(x, a), FOLD1((x) ^ (b), a)
#define FOLD3(x, a, b, c) FOLD2(x, a, b), FOLD2((x) ^ (c), a, b)
#define FOLD4(x, a, b, c, d) FOLD3(x, a, b, c), FOLD3((x) ^ (d), a, b, c)
#define FOLD5(x, a, b, c, d, e) FOLD4(x, a, b, c, d), FOLD4((x) ^ (e), a, b, c, d)
#define FOLD6(x, a, b, c, d, e, f) FOLD5(x, a, b, c, d, e), FOLD5((x) ^ (f), a, b, c, d, e)
#define FOLD7(x, a, b, c, d, e, f, g) FOLD6(x, a, b, c, d, e, f), FOLD6((x) ^ (g), a, b, c, d, e, f)
#define FOLD8(a, b, c, d, e, f, g, h) FOLD7(0, a, b, c, d, e, f, g), FOLD7((h), a, b, c, d, e, f, g)

/* Row k, constant j: x^(16 + 8k + j) modulo the polynomial, the CRC of a byte
 * 1 << j with k zero bytes behind it; each is twice the one before. */
static const uint16_t crc16_table[4][256] = {
    {FOLD8(0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48C4, 0x9188)},
    {FOLD8(0x3331, 0x6662, 0xCCC4, 0x89A9, 0x0373, 0x06E6, 0x0DCC, 0x1B98)},
    {FOLD8(0x3730, 0x6E60, 0xDCC0, 0xA9A1, 0x4363, 0x86C6, 0x1DAD, 0x3B5A)},
    {FOLD8(0x76B4, 0xED68, 0xCAF1, 0x85C3, 0x1BA7, 0x374E, 0x6E9C, 0xDD38)},
};

static inline uint64_t crc16_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    const uint16_t (*t)[256] = crc16_table;
    const unsigned char *p = data;
    unsigned crc = 0;
    for (; len >= 4; p += 4, len -= 4)
        crc = t[3][p[0] ^ crc >> 8] ^ t[2][p[1] ^ (crc & 255)] ^ t[1][p[2]] ^ t[0][p[3]];
    for (; len; p++, len--)
        crc = (crc << 8 & 0xFFFF) ^ t[0][p[0] ^ crc >> 8];
    return crc;
}
HASH_MANY(crc16)

const struct hash hash_crc32 = {
    .name = "crc32", .bits = 32, .last = UINT32_MAX, .seed_bits = 32,
    .verification = 0x3719DB20,
    .summary = "CRC-32 (zlib)",
    .one = crc32_one, .many = crc32_many,
};

const struct hash hash_crc16 = {
    .name = "crc16", .bits = 16, .last = UINT16_MAX,
    .verification = 0x000002A8, /* computed here */
    .summary = "CRC-16/XMODEM, of Redis Cluster's slots (own code)",
    .one = crc16_one, .many = crc16_many,
};
