/* md5-32, md5-64: the first 4 or 8 bytes of an MD5 (RFC 1321), big-endian, as
 * tutorials of consistent hashing cut it. A single MD5 comes from libmd, which is also
 * the plain twin of md5_lanes.c.
 *
 * Cost: a block of 64 bytes at a time, some 100 ns each. */
#include "model/md5.h"

#include "model/hashes.h"
#include <md5.h>

struct md5 md5_one(const void *data, size_t len)
{
    MD5_CTX context;
    uint8_t b[MD5_DIGEST_LENGTH];
    MD5Init(&context);
    MD5Update(&context, data, len);
    MD5Final(b, &context);
    struct md5 digest;
    for (size_t i = 0; i < 4; i++)
        digest.word[i] = b[4 * i] | (uint32_t)b[4 * i + 1] << 8 | (uint32_t)b[4 * i + 2] << 16 | (uint32_t)b[4 * i + 3] << 24;
    return digest;
}

static inline uint64_t md5_32_of(struct md5 m)
{
    return md5_swap(m.word[0]);
}
MD5_HASH(md5_32)

static inline uint64_t md5_64_of(struct md5 m)
{
    return md5_swap(m.word[0]) << 32 | md5_swap(m.word[1]);
}
MD5_HASH(md5_64)

const struct hash hash_md5_32 = {
    .name = "md5-32", .bits = 32, .last = UINT32_MAX,
    .verification = 0x3172EBB2, /* computed here */
    .summary = "MD5, its first 4 bytes as a big-endian number (libmd)",
    .one = md5_32_one, .many = md5_32_many,
};

const struct hash hash_md5_64 = {
    .name = "md5-64", .bits = 64, .last = UINT64_MAX,
    .verification = 0x6E7C1502, /* computed here */
    .summary = "MD5, its first 8 bytes as a big-endian number (libmd)",
    .one = md5_64_one, .many = md5_64_many,
};
