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

/* Writes the label of one counter to out (room for it); its length. */
static size_t label_write(const char *format, const char *name, size_t name_len, uint64_t i, char *out)
{
    char *to = out;
    for (const char *at = format; *at;) {
        if (!strncmp(at, "{node}", 6)) {
            memcpy(to, name, name_len);
            to += name_len;
            at += 6;
        } else if (!strncmp(at, "{i}", 3)) {
            char digits[COUNTER], *d = digits + COUNTER;
            do
                *--d = (char)('0' + i % 10);
            while (i /= 10);
            memcpy(to, d, (size_t)(digits + COUNTER - d));
            to += digits + COUNTER - d;
            at += 3;
        } else {
            *to++ = *at++;
        }
    }
    return (size_t)(to - out);
}

int labels_each(const struct labels *l, const char *name, size_t name_len, uint64_t count, label_sink *each, void *to)
{
    size_t words = 1;
    for (const char *at = l->format; (at = strchr(at, '{')); at++)
        words++;
    char *label = mem_alloc(strlen(l->format) + words * (name_len + COUNTER), 1);
    int e = label ? 0 : -ENOMEM;
    for (uint64_t i = 0; i < count && !e; i++)
        e = each(to, label, label_write(l->format, name, name_len, l->first + i, label));
    mem_free(label);
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

static int one_point(void *emission, const char *label, size_t len)
{
    const struct emission *m = emission;
    uint64_t digest = m->hash->hash->one(label, len, m->hash->seed);
    return m->emit(m->to, &(struct point){m->place ? m->place(m->rule, digest) : digest, m->id, label, len});
}

int labels_emit(const struct labels *l, const struct node *n, uint64_t count, const struct keyed_hash *hash,
                uint64_t (*place)(const void *rule, uint64_t digest), const void *rule, point_sink *emit, void *to)
{
    return labels_each(l, n->name, strlen(n->name), count, one_point, &(struct emission){n->id, hash, place, rule, emit, to});
}
