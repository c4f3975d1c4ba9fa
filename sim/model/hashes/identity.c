/* identity: the key's decimal number, for textbook examples and for keys that are
 * hashed already. Leading zeros are allowed; bytes that are no such number, which
 * accepts() refuses, count as 0. Cost: one multiplication a digit. */
#include "model/hashes.h"

static inline bool decimal(const void *data, size_t len, uint64_t *value)
{
    const unsigned char *digit = data;
    uint64_t v = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned d = digit[i] - '0';
        if (d > 9 || v > (UINT64_MAX - d) / 10)
            return false;
        v = v * 10 + d;
    }
    *value = v;
    return len > 0;
}

static bool identity_accepts(const void *data, size_t len)
{
    uint64_t value;
    return decimal(data, len, &value);
}

static inline uint64_t identity_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    uint64_t value;
    return decimal(data, len, &value) ? value : 0;
}
HASH_MANY(identity)

const struct hash hash_identity = {
    .name = "identity", .bits = 64, .last = UINT64_MAX,
    .verification = 0, /* none of its keys is a number */
    .summary = "the key's decimal number",
    .one = identity_one, .many = identity_many,
    .accepts = identity_accepts, .wants = "a decimal number from 0 to 18446744073709551615",
};
