#include "strategies/engines/ketama.h"

#include "model/hashes.h"
#include "model/md5.h"

struct emission {
    uint32_t id;
    point_sink *emit;
    void *to;
};

static int four_points_each(void *emission, const void *const *label, const uint32_t *len, size_t n)
{
    const struct emission *m = emission;
    struct md5_block md5;
    int e = 0;
    md5_many(label, len, n, &md5);
    for (size_t i = 0; i < n && !e; i++)
        for (size_t w = 0; w < 4 && !e; w++)
            e = m->emit(m->to, &(struct point){md5.word[w][i], m->id, label[i], len[i]});
    return e;
}
_Static_assert((int)LABEL_BLOCK <= (int)MD5_BLOCK, "a block of labels is one of digests");

int ketama_emit(const struct labels *l, const char *name, size_t name_len, uint32_t id, uint64_t count, point_sink *emit, void *to)
{
    return labels_each(l, name, name_len, count, four_points_each, &(struct emission){id, emit, to});
}

static inline uint64_t ketama_of(struct md5 m)
{
    return m.word[0];
}

MD5_HASH(ketama)

const struct hash hash_ketama = {
    .name = "ketama", .bits = 32, .last = UINT32_MAX,
    .verification = 0xC10C356B, /* computed here */
    .summary = "MD5, its first 4 bytes as a little-endian number: the key's hash of ketama rings (libmd)",
    .one = ketama_one, .many = ketama_many,
};
