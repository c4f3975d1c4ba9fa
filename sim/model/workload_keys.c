/* The texts of generated keys, each a pure function of (seed, i) and distinct for distinct i:
 *   user, int  a prefix and a decimal number that counts up;
 *   uuid       version 4: 64 of its 122 free bits are a bijection of i (a word of a SplitMix64
 *              stream), the others come from the stream of that word;
 *   ipv4       a keyed permutation of all 2^32 addresses;
 *   alnum      base 62: up to 10 characters are a keyed permutation, further ones drawn;
 *   url        i is the first path segment of digits alone, all around it is drawn.
 * Each kind's writer is compiled into a loop over keys of its own, so that a key costs its
 * text and no call. Cost: 1 ns a key for user and int in a run, which goes ten by ten; 4 ns for
 * them in any order, 7 to 30 ns for uuid, url and ipv4, 45 for alnum; no memory. */
#include "model/workload_parts.h"
#include "base/rng.h"
#include "model/digits.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define ALNUM_DIGITS 10u /* 62^10 < 2^60 */

struct key_kind {
    const char *name;
    size_t longest;
    uint64_t domain;
    char *(*write)(const struct key_maker *m, const uint64_t *key, size_t n, char *out, const void **text, uint32_t *len);
};

/* The loop of a kind, into which the writer of one key is inlined: key i at out, its length; it may touch KEY_SLACK bytes behind. */
#define WRITE_ALL(writes, write_one)                                                                                            \
    static char *writes(const struct key_maker *m, const uint64_t *key, size_t n, char *out, const void **text, uint32_t *len) \
    {                                                                                                                           \
        for (size_t i = 0; i < n; i++) {                                                                                        \
            text[i] = out;                                                                                                      \
            len[i] = (uint32_t)write_one(m, key[i], out);                                                                       \
            out += len[i];                                                                                                      \
        }                                                                                                                       \
        return out;                                                                                                             \
    }

static inline size_t write_prefixed(const struct key_maker *m, uint64_t i, char *out)
{
    memcpy(out, m->prefix, 16); /* a fixed size: a move */
    if (m->prefix_len > 16)
        memcpy(out, m->prefix, m->prefix_len);
    return m->prefix_len + digits_write(out + m->prefix_len, m->first + i);
}

static inline size_t write_uuid(const struct key_maker *m, uint64_t i, char *out)
{
    uint64_t own = rng_at(m->stream, i), more = rng_at(own, 0);
    char digit[32];
    digits_hex(digit, (own >> 16 << 16) | 0x4000 | (own >> 4 & 0xfff));
    digits_hex(digit + 16, (1ULL << 63) | (own & 15) << 58 | more >> 6);
    memcpy(out, digit, 8);
    memcpy(out + 9, digit + 8, 4);
    memcpy(out + 14, digit + 12, 4);
    memcpy(out + 19, digit + 16, 4);
    memcpy(out + 24, digit + 20, 12);
    out[8] = out[13] = out[18] = out[23] = '-';
    return 36;
}

static inline size_t write_ipv4(const struct key_maker *m, uint64_t i, char *out)
{
    uint64_t address = rng_permute(i, m->domain, m->stream);
    size_t len = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        unsigned octet = address >> shift & 255;
        memcpy(out + len, m->octet[octet], 4); /* with its dot */
        len += 2U + (octet > 9) + (octet > 99);
    }
    return len - 1;
}

#define DIGIT "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

static void write_base62(char *out, size_t len, uint64_t value)
{
    for (; len; value /= 62)
        out[--len] = DIGIT[value % 62];
}

/* Ten digits as two numbers of five, whose divisions do not wait for each other. */
static inline void write_ten(char *out, uint64_t value)
{
    const uint32_t fives = 62U * 62 * 62 * 62 * 62;
    uint32_t high = (uint32_t)(value / fives), low = (uint32_t)(value % fives);
    for (size_t at = 5; at--; high /= 62, low /= 62) {
        out[at] = DIGIT[high % 62];
        out[5 + at] = DIGIT[low % 62];
    }
}

static inline size_t write_alnum(const struct key_maker *m, uint64_t i, char *out)
{
    uint64_t head = rng_permute(i, m->domain, m->stream);
    if (m->longest < ALNUM_DIGITS)
        write_base62(out, m->longest, head);
    else
        write_ten(out, head);
    if (m->longest <= ALNUM_DIGITS)
        return m->longest;
    struct rng r = rng_start(rng_at(m->stream, i));
    for (size_t at = ALNUM_DIGITS; at < m->longest; at += ALNUM_DIGITS) {
        uint64_t more = rng_below(&r, m->domain);
        if (m->longest - at < ALNUM_DIGITS)
            write_base62(out + at, m->longest - at, more);
        else
            write_ten(out + at, more);
    }
    return m->longest;
}

struct piece {
    char text[40];
    unsigned char len;
};
#define PIECE(text) {text, sizeof text - 1}

static inline size_t write_piece(char *out, const struct piece *p)
{
    memcpy(out, p->text, sizeof p->text); /* a fixed size: a few moves */
    return p->len;
}

static inline size_t write_url(const struct key_maker *m, uint64_t i, char *out)
{
    static const struct piece site[8] = {
        PIECE("https://www.example.com"), PIECE("https://shop.example.com"), PIECE("https://example.org"), PIECE("http://example.net"),
        PIECE("https://api.example.com/v2"), PIECE("https://cdn.example.net/eu-west"), PIECE("https://blog.example.org"), PIECE("https://m.example.com/en"),
    };
    static const struct piece section[8] = {
        PIECE("/products/"), PIECE("/users/"), PIECE("/articles/"), PIECE("/orders/"),
        PIECE("/p/"), PIECE("/catalogue/garden-tools/"), PIECE("/search/results/"), PIECE("/images/"),
    };
    static const struct piece rest[8] = {
        PIECE(""), PIECE("/"), PIECE("/reviews?page="), PIECE("?page="),
        PIECE("/edit"), PIECE("/thumbnails/320x240.jpg"), PIECE("?utm_source=newsletter&utm_medium=email"), PIECE("#comments"),
    };
    uint64_t word = rng_at(m->stream, i);
    size_t len = write_piece(out, &site[word & 7]);
    len += write_piece(out + len, &section[word >> 3 & 7]);
    len += digits_write(out + len, i);
    len += write_piece(out + len, &rest[word >> 6 & 7]);
    size_t page = digits_write8(out + len, (uint32_t)(1 + (word >> 9 & 31)));
    return (word >> 6 & 6) == 2 ? len + page : len; /* behind the two that end with = */
}

WRITE_ALL(write_prefixed_keys, write_prefixed)
WRITE_ALL(write_uuid_keys, write_uuid)
WRITE_ALL(write_ipv4_keys, write_ipv4)
WRITE_ALL(write_alnum_keys, write_alnum)
WRITE_ALL(write_url_keys, write_url)

#define ALL_NUMBERS (1ULL << 53)

static const struct key_kind key_kinds[] = {
    {"user", 16, ALL_NUMBERS, write_prefixed_keys}, /* and the prefix */
    {"int", 16, ALL_NUMBERS, write_prefixed_keys},
    {"uuid", 36, ALL_NUMBERS, write_uuid_keys},
    {"ipv4", 15, 1ULL << 32, write_ipv4_keys},
    {"alnum", 0, 0, write_alnum_keys}, /* both by len */
    {"url", 31 + 24 + 16 + 39 + 2, ALL_NUMBERS, write_url_keys},
};

int key_maker_init(struct key_maker *m, const struct key_wish *wish, char why[WHY])
{
    const struct key_kind *k = key_kinds;
    const char *prefix = wish->prefix ? wish->prefix : "", *limit = "";
    while (strcmp(k->name, wish->kind) != 0)
        k++;
    struct key_maker maker = {.kind = k, .stream = rng_stream(wish->seed, "workload", wish->kind, 0), .first = wish->first,
                              .longest = k->longest + strlen(prefix), .domain = k->domain - wish->first, .prefix_len = strlen(prefix)};
    if (maker.prefix_len > sizeof maker.prefix)
        return fail(why, EINVAL, "workload %s: prefix= has %zu bytes; at most %zu can be", wish->kind, maker.prefix_len, sizeof maker.prefix);
    memcpy(maker.prefix, prefix, maker.prefix_len);
    for (uint32_t octet = 0; octet < 256; octet++) {
        char text[8];
        text[digits_write8(text, octet)] = '.';
        memcpy(maker.octet[octet], text, sizeof maker.octet[octet]);
    }
    if (wish->first)
        limit = " from first= on";
    if (k->write == write_alnum_keys) {
        limit = " of this len";
        maker.longest = (size_t)wish->len;
        maker.domain = 1;
        for (uint64_t digits = 0; digits < wish->len && digits < ALNUM_DIGITS; digits++)
            maker.domain *= 62;
    }
    if (wish->count > maker.domain)
        return fail(why, EINVAL, "workload %s: count=%" PRIu64 ": there are only %" PRIu64 " keys%s", wish->kind, wish->count, maker.domain, limit);
    *m = maker;
    return 0;
}

char *key_write(const struct key_maker *m, const uint64_t *key, size_t n, char *out, const void **text, uint32_t *len)
{
    return m->kind->write(m, key, n, out, text, len);
}

bool key_runs(const struct key_maker *m)
{
    return m->kind->write == write_prefixed_keys;
}

typedef unsigned char text16 __attribute__((vector_size(16)));
typedef uintptr_t pair __attribute__((vector_size(2 * sizeof(uintptr_t))));
typedef uint32_t four __attribute__((vector_size(16)));

/* The ten keys that differ in the last digit alone, from start, the one with a 0, on. What follows the first `head` bytes is a register, to
 * whose last byte 1 is added; pointers and lengths are stored several at a time. */
static inline char *write_decade(const char *start, size_t head, size_t len, char *out, const void **text, uint32_t *length)
{
    static const unsigned char one[2 * sizeof(text16)] = {[sizeof(text16)] = 1};
    text16 tail, step;
    pair at = {(uintptr_t)out, (uintptr_t)out + len};
    const four all = (four){0} + (uint32_t)len;
    memcpy(&tail, start + head, sizeof tail);
    memcpy(&step, one + sizeof step + 1 - (len - head), sizeof step);
    memcpy(length, &all, sizeof all);
    memcpy(length + 4, &all, sizeof all);
    memcpy(length + 6, &all, sizeof all);
    for (size_t i = 0; i < 10; i += 2, at += 2 * len) {
        memcpy(text + i, &at, sizeof at);
        for (int k = 0; k < 2; k++, tail += step, out += len) {
            if (head)
                memcpy(out, start, sizeof tail); /* a fixed size: a move */
            if (head > sizeof tail)
                memcpy(out, start, head);
            memcpy(out + head, &tail, sizeof tail);
        }
    }
    return out;
}

/* Up to nine keys. */
static char *write_few(const struct key_maker *m, uint64_t first, size_t n, char *out, const void **text, uint32_t *length)
{
    uint64_t key[9];
    for (size_t i = 0; i < n; i++)
        key[i] = first + i;
    return write_prefixed_keys(m, key, n, out, text, length);
}

void key_write_run(const struct key_maker *m, uint64_t first, size_t n, char *out, const void **text, uint32_t *length)
{
    char start[2][KEY_LONGEST + KEY_SLACK] = {{0}}; /* of this decade and of the next: what was just written is slow to read in another size */
    size_t len[2], at = (10 - (m->first + first) % 10) % 10;
    at = at < n ? at : n;
    out = write_few(m, first, at, out, text, length);
    len[0] = write_prefixed(m, first + at, start[0]);
    for (unsigned now = 0; at + 10 <= n; at += 10, now ^= 1) {
        len[!now] = write_prefixed(m, first + at + 10, start[!now]);
        if (len[now] <= sizeof(text16)) /* the usual ones in a loop of their own */
            out = write_decade(start[now], 0, len[now], out, text + at, length + at);
        else
            out = write_decade(start[now], len[now] - sizeof(text16), len[now], out, text + at, length + at);
    }
    write_few(m, first + at, n - at, out, text + at, length + at);
}
