#include "strategies/engines/labels.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COUNTER = 20 }; /* digits of a 64-bit counter at most */

int labels_check(const char *format, bool *counts, char why[WHY])
{
    bool node = false;
    *counts = false;
    for (const char *at = format; (at = strchr(at, '{')); at++) {
        if (!strncmp(at, "{node}", 6))
            node = true;
        else if (!strncmp(at, "{i}", 3))
            *counts = true;
        else
            return fail(why, EINVAL, "label '%s': {node} and {i} are what braces may hold", format);
    }
    return node ? 0 : fail(why, EINVAL, "label '%s' must hold {node}, or all nodes would share their points", format);
}

enum { MARKS = 8, CHUNK = 16 };

/* A label being written; digits[] says where its counters end, the first MARKS of them. */
struct text {
    char *at;
    size_t len, counters, digits[MARKS];
};

static void label_write(const char *format, const char *name, size_t name_len, uint64_t i, struct text *t)
{
    char *to = t->at;
    t->counters = 0;
    for (const char *at = format; *at;) {
        if (!strncmp(at, "{node}", 6)) {
            memcpy(to, name, name_len);
            to += name_len;
            at += 6;
        } else if (!strncmp(at, "{i}", 3)) {
            char digits[COUNTER], *d = digits + COUNTER;
            uint64_t rest = i;
            do
                *--d = (char)('0' + rest % 10);
            while (rest /= 10);
            memcpy(to, d, (size_t)(digits + COUNTER - d));
            to += digits + COUNTER - d;
            at += 3;
            if (t->counters++ < MARKS)
                t->digits[t->counters - 1] = (size_t)(to - t->at) - 1;
        } else {
            *to++ = *at++;
        }
    }
    t->len = (size_t)(to - t->at);
}

/* The labels of n counters from i on, each in its room of `stride` bytes. A label is a copy of the one that began its ten but for the last
 * digits, which are written behind it: no byte just written is read. */
static void block_write(const struct labels *l, const char *name, size_t name_len, uint64_t i, size_t n, struct text *ten, char *out, size_t stride,
                        uint32_t *len)
{
    for (size_t k = 0; k < n; k++, out += stride) {
        unsigned digit = (unsigned)((i + k) % 10);
        if (k == 0 || digit == 0 || ten->counters > MARKS)
            label_write(l->format, name, name_len, i + k, ten);
        for (size_t from = 0; from < ten->len; from += CHUNK)
            memcpy(out + from, ten->at + from, CHUNK);
        for (size_t c = 0; c < ten->counters && c < MARKS; c++)
            out[ten->digits[c]] = (char)('0' + digit);
        len[k] = (uint32_t)ten->len;
    }
}

int labels_each(const struct labels *l, const char *name, size_t name_len, uint64_t count, label_sink *each, void *to)
{
    size_t words = 1, room;
    for (const char *at = l->format; (at = strchr(at, '{')); at++)
        words++;
    room = (strlen(l->format) + words * (name_len + COUNTER) + CHUNK - 1) / CHUNK * CHUNK;
    size_t block = count < LABEL_BLOCK ? count : LABEL_BLOCK;
    char *text = mem_alloc(block + 1, room);
    if (!text)
        return -ENOMEM;
    const void *label[LABEL_BLOCK];
    uint32_t len[LABEL_BLOCK];
    struct text ten = {.at = text + block * room};
    for (size_t k = 0; k < block; k++)
        label[k] = text + k * room;
    int e = 0;
    for (uint64_t i = 0; i < count && !e; i += block) {
        size_t n = count - i < block ? (size_t)(count - i) : block;
        block_write(l, name, name_len, l->first + i, n, &ten, text, room, len);
        e = each(to, label, len, n);
    }
    mem_free(text);
    return e;
}

struct emission {
    uint32_t id;
    const struct keyed_hash *hash;
    uint64_t (*place)(const void *rule, uint64_t digest);
    const void *rule;
    point_sink *emit;
    void *to;
};

static int points_of_block(void *emission, const void *const *label, const uint32_t *len, size_t n)
{
    const struct emission *m = emission;
    uint64_t digest[LABEL_BLOCK];
    int e = 0;
    m->hash->hash->many(label, len, n, m->hash->seed, digest);
    for (size_t i = 0; i < n && !e; i++)
        e = m->emit(m->to, &(struct point){m->place ? m->place(m->rule, digest[i]) : digest[i], m->id, label[i], len[i]});
    return e;
}

int labels_emit(const struct labels *l, const struct node *n, uint64_t count, const struct keyed_hash *hash,
                uint64_t (*place)(const void *rule, uint64_t digest), const void *rule, point_sink *emit, void *to)
{
    return labels_each(l, n->name, l->name_len ? l->name_len : strlen(n->name), count, points_of_block, &(struct emission){n->id, hash, place, rule, emit, to});
}
