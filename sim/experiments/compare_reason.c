/* Why two placements differ: what enters them is held side by side, from the key to the node, and the first difference that explains
 * by itself is named along with the others. */
#include "experiments/compare.h"

#include "base/text.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(char text[WHY], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char text[WHY], const char *format, ...)
{
    size_t at = strlen(text);
    if (at && at + 3 < WHY)
        at += (size_t)snprintf(text + at, WHY - at, "; ");
    va_list list;
    va_start(list, format);
    vsnprintf(text + at, WHY - at, format, list);
    va_end(list);
}

struct first_point {
    uint64_t position;
    char label[64];
};

static int keep_first(void *to, const struct point *point)
{
    struct first_point *f = to;
    f->position = point->position;
    if (point->label)
        text_printable(point->label, point->label_len, f->label, sizeof f->label);
    return -ECANCELED; /* one is enough */
}

static void ring_reason(const struct placement *a, const struct placement *b, char text[WHY])
{
    struct first_point one = {0, ""}, other = {0, ""};
    size_t distinct, n = ring_points(a, &distinct), m = ring_points(b, &distinct);
    const struct node *node = &a->cluster->node[0];
    a->strategy->points(a, node, keep_first, &one);
    b->strategy->points(b, node, keep_first, &other);
    if (ring_position_bits(a) != ring_position_bits(b))
        add(text, "width of the ring: %u bits against %u", ring_position_bits(a), ring_position_bits(b));
    if (!*one.label != !*other.label)
        add(text, "points: hashed labels ('%s') against points without", *one.label ? one.label : other.label);
    else if (strcmp(one.label, other.label))
        add(text, "labels: '%s' against '%s'", one.label, other.label);
    else if (*one.label && one.position != other.position)
        add(text, "hash of the points: label '%s' stands elsewhere", one.label);
    if (n != m)
        add(text, "how many points: %zu against %zu", n, m);
    if (strcmp(ring_rule_words(a), ring_rule_words(b)))
        add(text, "search: %s against %s", ring_rule_words(a), ring_rule_words(b));
}

/* What both make of a few keys. */
struct taste {
    bool verdict, part, digest; /* the same for all of them (digests where the parts are) */
};

static struct taste taste_keys(const struct placement *a, const struct placement *b)
{
    static const char *const keys[] = {"", "user:1", "{user:1}:x", "10.0.0.1", "a,b", "/path?query", "7"};
    struct taste t = {true, true, true};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct placement *const p[2] = {a, b};
        unsigned char buf[2][16];
        const void *part[2];
        size_t len[2];
        enum key_verdict v[2];
        for (int k = 0; k < 2; k++)
            v[k] = placement_part(p[k], keys[i], strlen(keys[i]), buf[k], &part[k], &len[k]);
        if (v[0] != v[1])
            t.verdict = false;
        else if (v[0] != KEY_HASHED)
            continue;
        else if (len[0] != len[1] || memcmp(part[0], part[1], len[0]))
            t.part = false;
        else if (a->key.hash.hash->one(part[0], len[0], a->key.hash.seed) != b->key.hash.hash->one(part[1], len[1], b->key.hash.seed))
            t.digest = false;
    }
    return t;
}

void compare_reason(const struct placement *a, const struct placement *b, char text[WHY])
{
    const struct keyed_hash *x = &a->key.hash, *y = &b->key.hash;
    *text = 0;
    struct taste taste = taste_keys(a, b);
    if (!taste.part)
        add(text, "part of the key: one hashes another part (a tag, a header's first value, an address)");
    if (!taste.digest && x->hash != y->hash)
        add(text, "hash of the key: %s against %s", x->hash->name, y->hash->name);
    else if (!taste.digest)
        add(text, "seed of the hash: %" PRIu64 " against %" PRIu64, x->seed, y->seed);
    if (!taste.verdict)
        add(text, "keys that one places and the other does not (the empty key, or what is no address)");
    if (a->engine != b->engine) {
        add(text, "method: %s against %s", a->engine->name, b->engine->name);
        return;
    }
    if (is_ring(a)) {
        ring_reason(a, b, text);
        if (!*text)
            add(text, "ties, or where points stand: labels, hash and search are the same");
        return;
    }
    uint64_t cells = a->engine->cells ? a->engine->cells(a->state) : 0, others = b->engine->cells ? b->engine->cells(b->state) : 0;
    if (cells != others)
        add(text, "size: %" PRIu64 " cells against %" PRIu64, cells, others);
    else if (cells && taste.digest)
        add(text, "order: the same cells are dealt to the nodes in another order");
}
