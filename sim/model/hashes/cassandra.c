/* murmur3-cassandra, cassandra-token, cassandra-random: Cassandra's Murmur3Partitioner and RandomPartitioner.
 *
 * Quirk: Java's bytes have signs, and the port of MurmurHash3 x64_128 widens them in the tail (the last length mod 16
 * bytes): a tail byte from 0x80 on also flips all bits above it. Plain ASCII hashes as MurmurHash3 does. */
#include "model/hashes.h"
#include "model/md5.h"

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static uint64_t word(const unsigned char *p)
{
    uint64_t w = 0;
    for (size_t i = 8; i-- > 0;)
        w = w << 8 | p[i];
    return w;
}

/* Up to 8 bytes, each widened with its sign. */
static uint64_t tail(const unsigned char *p, size_t len)
{
    uint64_t w = 0;
    for (size_t i = 0; i < len; i++)
        w ^= (p[i] & 0x80u ? ~0xffULL | p[i] : p[i]) << 8 * i;
    return w;
}

static uint64_t mix1(uint64_t k)
{
    return rotate(k * 0x87C37B91114253D5, 31) * 0x4CF5AD432745937F;
}

static uint64_t mix2(uint64_t k)
{
    return rotate(k * 0x4CF5AD432745937F, 33) * 0x87C37B91114253D5;
}

static uint64_t finish(uint64_t h)
{
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD;
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53;
    return h ^ h >> 33;
}

static uint64_t murmur3_one(const void *data, size_t len, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h1 = seed, h2 = seed;
    size_t left = len;
    for (; left >= 16; p += 16, left -= 16) {
        h1 = (rotate(h1 ^ mix1(word(p)), 27) + h2) * 5 + 0x52DCE729;
        h2 = (rotate(h2 ^ mix2(word(p + 8)), 31) + h1) * 5 + 0x38495AB5;
    }
    if (left > 8)
        h2 ^= mix2(tail(p + 8, left - 8));
    if (left > 0)
        h1 ^= mix1(tail(p, left < 8 ? left : 8));
    h1 ^= len;
    h2 ^= len;
    h1 += h2;
    h2 += h1;
    return finish(h1) + finish(h2);
}

HASH_MANY(murmur3)

/* -2^63 stands for "no token": the empty key alone has it. */
static uint64_t token_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    uint64_t h = murmur3_one(data, len, 0);
    return len == 0 ? 1ULL << 63 : h == 1ULL << 63 ? h - 1 : h;
}

HASH_MANY(token)

static inline uint64_t random_of(struct md5 m)
{
    uint64_t high = md5_swap(m.word[0]) << 32 | md5_swap(m.word[1]);
    return high >> 63 ? ~high + !(m.word[2] | m.word[3]) : high;
}

MD5_HASH(random)

const struct hash hash_murmur3_cassandra = {
    .name = "murmur3-cassandra", .bits = 64, .last = UINT64_MAX, .seed_bits = 32,
    .verification = 0x1D90FA4C, /* computed here */
    .summary = "MurmurHash3 x64_128 with Cassandra's signed tail, its first 64 bits (own code)",
    .one = murmur3_one, .many = murmur3_many,
};

const struct hash hash_cassandra_token = {
    .name = "cassandra-token", .bits = 64, .last = UINT64_MAX,
    .verification = 0xA6CFD9BA, /* computed here */
    .summary = "Murmur3Partitioner's token as 64 bits: the same, but -2^63 becomes 2^63-1 (own code)",
    .one = token_one, .many = token_many,
};

const struct hash hash_cassandra_random = {
    .name = "cassandra-random", .bits = 64, .last = 1ULL << 63,
    .verification = 0x24B6B1D8, /* computed here */
    .summary = "RandomPartitioner's token, MD5 as a signed number without its sign, without its last 64 bits (libmd)",
    .one = random_one, .many = random_many,
};
