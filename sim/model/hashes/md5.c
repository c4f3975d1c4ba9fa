/* md5-32, md5-64: the first 4 or 8 bytes of an MD5 (RFC 1321), big-endian, as
 * tutorials of consistent hashing cut it. MD5 itself comes from libmd.
 *
 * Cost: a block of 64 bytes at a time, some 100 ns each. */
#include "model/hashes.h"
#include <md5.h>

static inline uint64_t md5_head(const void *data, size_t len, size_t bytes)
{
    MD5_CTX context;
    uint8_t digest[MD5_DIGEST_LENGTH];
    MD5Init(&context);
    MD5Update(&context, data, len);
    MD5Final(digest, &context);
    uint64_t head = 0;
    for (size_t i = 0; i < bytes; i++)
        head = head << 8 | digest[i];
    return head;
}

static inline uint64_t md5_32_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return md5_head(data, len, 4);
}
HASH_MANY(md5_32)

static inline uint64_t md5_64_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return md5_head(data, len, 8);
}
HASH_MANY(md5_64)

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
