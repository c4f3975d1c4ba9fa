/* keysim hash: the digest of each key. */
#include "model/hash.h"

#include "base/text.h"
#include "commands/keys.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int hash_all(const struct keyed_hash *h, struct keys *keys, struct rows *rows, char why[WHY])
{
    const char *text;
    size_t len;
    int e = 0;
    while (!rows_broken(rows) && (e = keys_next(keys, &text, &len, why)) == 1) {
        if (h->hash->accepts && !h->hash->accepts(text, len)) {
            char where[512], shown[80];
            keys_where(keys, where, sizeof where);
            return fail(why, EINVAL, "%s: '%s' is no key for %s: it wants %s", where, text_printable(text, len, shown, sizeof shown), h->hash->name,
                        h->hash->wants);
        }
        char digest[24];
        int n = snprintf(digest, sizeof digest, "%0*" PRIx64, (int)h->hash->bits / 4, h->hash->one(text, len, h->seed));
        rows_write(rows, (struct field[]){{text, len, true}, {digest, (size_t)n, false}});
    }
    return e;
}

static int run(struct args *a, char why[WHY])
{
    static const char *const heading[] = {"key", "digest"};
    struct keyed_hash h;
    struct keys keys;
    struct rows rows;
    int e = hash_parse(a->hash, &h, why);
    if (e)
        return e;
    e = keys_open(&keys, a, "hash", why);
    if (!e)
        e = rows_open(&rows, a, heading, 2, h.hash->accepts || a->percent, why);
    if (!e) {
        e = hash_all(&h, &keys, &rows, why);
        if (e)
            rows_abandon(&rows);
        else
            e = rows_close(&rows, why);
    }
    keys_close(&keys);
    return e;
}

static const int takes[] = {'H', 'f', '0', FLAG_PERCENT, 0};

const struct command command_hash = {
    .name = "hash",
    .summary = "print the digest of keys",
    .usage = "-H HASH[:seed=S] [--percent] [-f FILE|-] [KEY...]",
    .takes = takes,
    .run = run,
    .details = "Prints key,digest: hexadecimal, as wide as the hash. keysim list hashes names them.\n\n"
               "  keysim hash -H crc16 foo user:1001\n"
               "  keysim hash -H murmur3-32:seed=5 -f keys.txt\n",
};
