/* HAProxy's keys: which part of what a client sends is hashed, and how.
 *
 * hdr: the first of comma-separated values without blanks around, round robin when that is empty; uri: what stands before `?`;
 * url_param: what stands before `&`, which may be nothing; source: the bytes of the address. Nothing is decoded. */
#include "strategies/engines/address.h"
#include "strategies/systems/haproxy/parts.h"

#include <string.h>

enum { ADDRESS = 5 }; /* beyond the words of hash= */

static const struct hash *const hashes[][2] = {
    {&hash_haproxy_sdbm, &hash_haproxy_sdbm_avalanche},       {&hash_haproxy_sdbm, &hash_haproxy_sdbm_avalanche},
    {&hash_haproxy_djb2, &hash_haproxy_djb2_avalanche},       {&hash_haproxy_wt6, &hash_haproxy_wt6_avalanche},
    {&hash_haproxy_crc32, &hash_haproxy_crc32_avalanche},     {&hash_haproxy_address, &hash_haproxy_address_avalanche},
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The first value of a list: commas in quotes do not end it. */
static size_t first_value(const char *text, size_t len)
{
    bool quoted = false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted && text[i] == '\\')
            i++;
        else if (!quoted && text[i] == ',')
            return i;
    }
    return len;
}

static enum key_verdict header(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    (void)o;
    (void)buf;
    if (memchr(key, '\n', len) || memchr(key, '\r', len) || memchr(key, 0, len))
        return KEY_INVALID;
    size_t end = first_value(key, len), from = 0;
    while (from < end && is_blank(key[from]))
        from++;
    while (end > from && is_blank(key[end - 1]))
        end--;
    *part = key + from;
    *part_len = end - from;
    return end > from ? KEY_HASHED : KEY_UNPLACED;
}

/* Round robin among one server is that server. */
static enum key_verdict lone_header(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    enum key_verdict v = header(o, key, len, buf, part, part_len);
    return v == KEY_UNPLACED ? KEY_HASHED : v;
}

static enum key_verdict target(const void *options_, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    const struct haproxy_options *o = options_;
    const char *query = o->whole ? NULL : memchr(key, '?', len);
    (void)buf;
    *part = key;
    *part_len = query ? (size_t)(query - key) : len;
    return len ? KEY_HASHED : KEY_INVALID;
}

static enum key_verdict parameter(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    const char *end = memchr(key, '&', len);
    (void)o;
    (void)buf;
    *part = key;
    *part_len = end ? (size_t)(end - key) : len;
    return KEY_HASHED;
}

static enum key_verdict address(const void *o, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    (void)o;
    *part = buf;
    *part_len = address_parse(key, len, buf);
    return *part_len ? KEY_HASHED : KEY_INVALID;
}

static const struct hash *key_hash(const struct haproxy_options *o)
{
    bool mixed = o->avalanche ? o->avalanche == 2 : o->type == CONSISTENT && o->hash == NOT_GIVEN;
    return hashes[o->balance == SOURCE ? ADDRESS : o->hash][mixed];
}

void haproxy_key_rule(struct placement *p, uint32_t usable)
{
    const struct haproxy_options *o = p->options;
    p->key = (struct key_rule){.hash = {key_hash(o), 0}};
    if (o->balance == HDR) {
        p->key.filter = usable == 1 ? lone_header : header;
        p->key.wants = "a header's value, without line ends and zero bytes";
    } else if (o->balance == URI) {
        p->key.filter = target;
        p->key.wants = "a request target, which is never empty";
    } else if (o->balance == URL_PARAM) {
        p->key.filter = parameter;
    } else {
        p->key.filter = address;
        p->key.wants = "an IPv4 or IPv6 address";
    }
}
