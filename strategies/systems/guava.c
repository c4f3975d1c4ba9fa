/* Google Guava's Hashing.consistentHash(HashCode, buckets): jump consistent hash in Java's arithmetic (engines/jump.h).
 *
 * A HashCode becomes the 64-bit key by its first 8 bytes, little-endian, shorter ones zero-extended: murmur3_32 and crc32 leave the
 * generator 2^32 starts only. Keys are bytes (UTF-8 for strings); seeds are 0, sipHash24's key is Guava's default. */
#include "model/hashes.h"
#include "model/md5.h"
#include "model/siphash.h"
#include "strategies/engines/jump.h"
#include "strategies/engines/numbered.h"

static inline uint64_t guava_md5_of(struct md5 m)
{
    return (uint64_t)m.word[1] << 32 | m.word[0];
}
MD5_HASH(guava_md5)

static uint64_t guava_siphash24_one(const void *data, size_t len, uint64_t seed)
{
    static const struct siphash guava = {{0x0706050403020100, 0x0F0E0D0C0B0A0908}, 2, 4};
    (void)seed;
    return siphash(&guava, data, len);
}
HASH_MANY(guava_siphash24)

const struct hash hash_guava_md5 = {
    .name = "guava-md5", .bits = 64, .last = UINT64_MAX,
    .verification = 0x5B6A13DF, /* computed here */
    .summary = "MD5, its first 8 bytes as a little-endian number, as Guava's HashCode gives a long",
    .one = guava_md5_one, .many = guava_md5_many,
};

const struct hash hash_guava_siphash24 = {
    .name = "guava-siphash24", .bits = 64, .last = UINT64_MAX,
    .verification = 0x41F0700E, /* computed here */
    .summary = "SipHash-2-4 with the key 00 01 .. 0f (own code)",
    .one = guava_siphash24_one, .many = guava_siphash24_many,
};

struct guava_options {
    uint32_t hash;
};

static const struct option options[] = {
    {.name = "hash", .type = OPTION_CHOICE, .offset = offsetof(struct guava_options, hash), .fallback = "murmur3_128",
     .choices = "murmur3_128|murmur3_32|md5|crc32|sipHash24", .help = "the HashFunction that makes the HashCode (murmur3_32: the _fixed one)"},
    {0},
};

NUMBERED_ENGINE_MANY(guava, jump_bucket_java(digest, nodes), jump_many(digests, n, nodes, true, bucket), numbered_shares)

static int guava_open(struct placement *p, char why[WHY])
{
    static const struct hash *const hash[] = {&hash_murmur3_128, &hash_murmur3_32, &hash_guava_md5, &hash_crc32, &hash_guava_siphash24};
    const struct guava_options *o = p->options;
    p->key.hash = (struct keyed_hash){hash[o->hash], 0};
    return numbered_attach(p, &guava_engine, 0, why);
}

const struct strategy strategy_guava = {
    .name = "guava",
    .summary = "Guava's consistentHash: jump hash of a HashCode; only the last node can leave",
    .source = "Google Guava, com.google.common.hash.Hashing",
    .version = "31.1",
    .cost = "O(log N), no memory",
    .option = options,
    .options_size = sizeof(struct guava_options),
    .open = guava_open,
    .change = numbered_change,
};
