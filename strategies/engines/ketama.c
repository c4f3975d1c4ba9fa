#include "strategies/engines/ketama.h"

#include "model/hashes.h"

#include <md5.h>

enum { WORDS = 4 };

static void md5_words(const void *data, size_t len, uint32_t word[WORDS])
{
    MD5_CTX context;
    uint8_t b[MD5_DIGEST_LENGTH];
    MD5Init(&context);
    MD5Update(&context, data, len);
    MD5Final(b, &context);
    for (size_t i = 0; i < WORDS; i++)
        word[i] = b[4 * i] | (uint32_t)b[4 * i + 1] << 8 | (uint32_t)b[4 * i + 2] << 16 | (uint32_t)b[4 * i + 3] << 24;
}

uint32_t ketama_hash(const void *data, size_t len)
{
    uint32_t word[WORDS];
    md5_words(data, len, word);
    return word[0];
}

struct emission {
    uint32_t id;
    point_sink *emit;
    void *to;
};

static int four_points(void *emission, const char *label, size_t len)
{
    const struct emission *m = emission;
    uint32_t word[WORDS];
    md5_words(label, len, word);
    int e = 0;
    for (size_t i = 0; i < WORDS && !e; i++)
        e = m->emit(m->to, &(struct point){word[i], m->id, label, len});
    return e;
}

int ketama_emit(const struct labels *l, const char *name, size_t name_len, uint32_t id, uint64_t count, point_sink *emit, void *to)
{
    return labels_each(l, name, name_len, count, four_points, &(struct emission){id, emit, to});
}

static uint64_t ketama_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return ketama_hash(data, len);
}

HASH_MANY(ketama)

const struct hash hash_ketama = {
    .name = "ketama", .bits = 32, .last = UINT32_MAX,
    .verification = 0xC10C356B, /* computed here */
    .summary = "MD5, its first 4 bytes as a little-endian number: the key's hash of ketama rings (libmd)",
    .one = ketama_one, .many = ketama_many,
};
