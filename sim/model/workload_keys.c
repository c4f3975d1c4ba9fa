/* The texts of generated keys, each a pure function of (seed, i) and distinct for distinct i:
 *   user, int  a prefix and a decimal number that counts up;
 *   uuid       version 4: 64 of its 122 free bits are a bijection of i (a word of a SplitMix64
 *              stream), the others come from the stream of that word;
 *   ipv4       a keyed permutation of all 2^32 addresses;
 *   alnum      base 62: up to 10 characters are a keyed permutation, further ones drawn;
 *   url        i is the first path segment of digits alone, all around it is drawn.
 * Cost: 2 to 6 ns a key for user and int in a run (only the last digit changes nine times
 * in ten, so nothing is divided), 10 to 60 ns for the others; no memory. */
#include "model/workload_parts.h"
#include "base/rng.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define ALNUM_DIGITS 10u /* 62^10 < 2^60 */

struct key_kind {
    const char *name;
    size_t longest;
    uint64_t domain;
    size_t (*write)(const struct key_maker *m, uint64_t i, char *out);
};

static size_t write_decimal(char *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    memcpy(out, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

static size_t write_prefixed(const struct key_maker *m, uint64_t i, char *out)
{
    memcpy(out, m->prefix, m->prefix_len);
    return m->prefix_len + write_decimal(out + m->prefix_len, m->first + i);
}

static size_t write_uuid(const struct key_maker *m, uint64_t i, char *out)
{
    uint64_t own = rng_at(m->stream, i), more = rng_at(own, 0);
    uint64_t half[2] = {
        (own >> 16 << 16) | 0x4000 | (own >> 4 & 0xfff),
        (1ULL << 63) | (own & 15) << 58 | more >> 6,
    };
    char *at = out;
    for (unsigned digit = 0; digit < 32; digit++) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20)
            *at++ = '-';
        *at++ = "0123456789abcdef"[half[digit / 16] >> (60 - 4 * (digit % 16)) & 15];
    }
    return (size_t)(at - out);
}

static size_t write_ipv4(const struct key_maker *m, uint64_t i, char *out)
{
    uint64_t address = rng_permute(i, m->domain, m->stream);
    size_t len = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        len += write_decimal(out + len, address >> shift & 255);
        if (shift)
            out[len++] = '.';
    }
    return len;
}

static void write_base62(char *out, size_t len, uint64_t value)
{
    static const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (; len; value /= 62)
        out[--len] = digit[value % 62];
}

static size_t write_alnum(const struct key_maker *m, uint64_t i, char *out)
{
    size_t head = m->longest < ALNUM_DIGITS ? m->longest : ALNUM_DIGITS;
    write_base62(out, head, rng_permute(i, m->domain, m->stream));
    struct rng r = rng_start(rng_at(m->stream, i));
    for (size_t at = head; at < m->longest; at += ALNUM_DIGITS) {
        size_t left = m->longest - at;
        write_base62(out + at, left < ALNUM_DIGITS ? left : ALNUM_DIGITS, rng_below(&r, m->domain));
    }
    return m->longest;
}

static size_t write_url(const struct key_maker *m, uint64_t i, char *out)
{
    static const char *const site[8] = {
        "https://www.example.com", "https://shop.example.com", "https://example.org", "http://example.net",
        "https://api.example.com/v2", "https://cdn.example.net/eu-west", "https://blog.example.org", "https://m.example.com/en",
    };
    static const char *const section[8] = {
        "/products/", "/users/", "/articles/", "/orders/", "/p/", "/catalogue/garden-tools/", "/search/results/", "/images/",
    };
    static const char *const rest[8] = {
        "", "/", "/reviews?page=", "?page=", "/edit", "/thumbnails/320x240.jpg", "?utm_source=newsletter&utm_medium=email", "#comments",
    };
    uint64_t word = rng_at(m->stream, i);
    char *at = stpcpy(stpcpy(out, site[word & 7]), section[word >> 3 & 7]);
    at += write_decimal(at, i);
    at = stpcpy(at, rest[word >> 6 & 7]);
    if (at[-1] == '=')
        at += write_decimal(at, 1 + (word >> 9 & 31));
    return (size_t)(at - out);
}

#define ALL_NUMBERS (1ULL << 53)

static const struct key_kind key_kinds[] = {
    {"user", 16, ALL_NUMBERS, write_prefixed}, /* and the prefix */
    {"int", 16, ALL_NUMBERS, write_prefixed},
    {"uuid", 36, ALL_NUMBERS, write_uuid},
    {"ipv4", 15, 1ULL << 32, write_ipv4},
    {"alnum", 0, 0, write_alnum}, /* both by len */
    {"url", 31 + 24 + 16 + 39 + 2, ALL_NUMBERS, write_url},
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
    if (wish->first)
        limit = " from first= on";
    if (k->write == write_alnum) {
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

size_t key_write(const struct key_maker *m, uint64_t i, char *out)
{
    return m->kind->write(m, i, out);
}

/* The number after the one that ends text, in place; the new length. */
static size_t decimal_next(char *text, size_t prefix, size_t len)
{
    size_t at = len;
    while (at > prefix && text[at - 1] == '9')
        text[--at] = '0';
    if (at > prefix) {
        text[at - 1]++;
        return len;
    }
    text[prefix] = '1';
    text[len] = '0';
    return len + 1;
}

void key_write_run(const struct key_maker *m, uint64_t first, size_t n, struct key_block *b)
{
    char *out = b->buffer;
    if (m->kind->write != write_prefixed || m->longest > KEY_SLACK) {
        for (size_t i = 0; i < n; i++) {
            b->text[i] = out;
            b->len[i] = (uint32_t)key_write(m, first + i, out);
            out += b->len[i];
        }
        return;
    }
    char text[KEY_SLACK] = {0};
    size_t len = key_write(m, first, text);
    char last = text[len - 1];
    for (size_t i = 0; i < n; i++) {
        memcpy(out, text, sizeof text); /* a fixed size: two moves */
        out[len - 1] = last;
        b->text[i] = out;
        b->len[i] = (uint32_t)len;
        out += len;
        if (last++ == '9') {
            text[len - 1] = '9';
            len = decimal_next(text, m->prefix_len, len);
            last = '0';
        }
    }
}
