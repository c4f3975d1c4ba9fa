/* Hashes against published constants and known answers, and what
 * hash_parse refuses. Runs from the repository's root (data/vectors). */
#include "base/mem.h"
#include "model/hash.h"
#include "tests/tap.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LENGTHS "data/vectors/hashes-lengths.tsv"

static uint64_t digest_of(const struct keyed_hash *k, const void *data, size_t len)
{
    return k->hash->one(data, len, k->seed);
}

static void test_table(void)
{
    for (const struct hash *const *row = hash_table; *row; row++) {
        const struct hash *h = *row;
        uint32_t value = hash_verification(h);
        ok(value == h->verification, "%s: verification %08" PRIX32, h->name, value);
        ok((h->bits == 8 || h->bits == 16 || h->bits == 32 || h->bits == 64) && h->last > 0 && h->last <= UINT64_MAX >> (64 - h->bits) && (h->seed_bits == 0 || h->seed_bits == 32 || h->seed_bits == 64) &&
               h->summary && !h->accepts == !h->wants,
           "%s: the row agrees with itself", h->name);
        ok(hash_find(h->name) == h, "%s: found by name", h->name);
        ok((h->one("key", 3, 1) != h->one("key", 3, 2)) == (h->seed_bits > 0), "%s: the seed counts or does not", h->name);
    }
    ok(!hash_find("md6") && !hash_find(""), "no other name is found");
}

static void test_published(void)
{
    static const struct answer {
        const char *spec, *key;
        uint64_t digest;
    } answers[] = {
        {"xxh3", "", 0x2D06800538D394C2},
        {"xxh3", "abc", 0x78AF5F94892F3950},
        {"xxh64", "", 0xEF46DB3751D8E999},
        {"xxh64", "abc", 0x44BC2CF5AD770999},
        {"xxh32", "", 0x02CC5D05},
        {"xxh32", "abc", 0x32D153FF},
        {"murmur3-32", "", 0},
        {"murmur3-32:seed=1", "", 0x514E28B7},
        {"murmur3-32", "hello", 0x248BFA47},
        {"murmur3-128", "hello", 0xCBD8A7B341BD9B02},
        {"murmur2-32", "", 0},
        {"murmur2-64a", "", 0},
        {"md5-32", "", 0xD41D8CD9},
        {"md5-64", "", 0xD41D8CD98F00B204},
        {"md5-64", "abc", 0x900150983CD24FB0},
        {"crc32", "", 0},
        {"crc32", "123456789", 0xCBF43926},
        {"crc32:seed=2615402659", "56789", 0xCBF43926}, /* goes on from the CRC of 1234 */
        {"crc16", "", 0},
        {"crc16", "123456789", 0x31C3},
        {"fnv1-32", "", 0x811C9DC5},
        {"fnv1-32", "a", 0x050C5D7E},
        {"fnv1-64", "", 0xCBF29CE484222325},
        {"fnv1-64", "a", 0xAF63BD4C8601B7BE},
        {"fnv1a-32", "foobar", 0xBF9CF968},
        {"fnv1a-64", "foobar", 0x85944171F73967E8},
        {"fnv1a-32:seed=2166136261", "", 0},
        /* the tutorial's code run on new String(bytes, UTF_8), OpenJDK 17.0.15 */
        {"tutorial-java-fnv", "x\xed\xa0\x80y", 0x099CC73F}, /* a surrogate: one U+FFFD */
        {"tutorial-java-fnv", "\xed\xbf\xbf\xed\x80\x80", 0x464D5B17},
        {"tutorial-java-fnv", "\xed\xa0" "A", 0x6E272532},
        {"tutorial-java-fnv", "\xf0\x90\x80" "A", 0x6E272532},
        {"tutorial-java-fnv", "\xe0\x80\x80", 0x74D2E01C}, /* overlong: one for each byte */
        {"tutorial-java-fnv", "\xf4\x90\x80\x80", 0x41F7538D},
        {"tutorial-java-fnv", "\xf0\x9f\x98\x80", 0x6B87E33D}, /* two UTF-16 units */
        {"identity", "42", 42},
        {"identity", "007", 7},
        {"identity", "18446744073709551615", UINT64_MAX},
        {"identity", "18446744073709551616", 0},
        {"identity", "-1", 0},
        {"identity", "", 0},
    };
    char why[WHY];
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct answer *a = &answers[i];
        struct keyed_hash k;
        bool parsed = !hash_parse(a->spec, &k, why);
        ok(parsed && digest_of(&k, a->key, strlen(a->key)) == a->digest, "%s of '%s' is %" PRIX64, a->spec, a->key,
           a->digest);
    }
}

/* The file's heading names a hash a column; a line holds a length and the digests. */
static void test_lengths(void)
{
    enum { LINE = 4096, COLUMNS = 32 };
    static const unsigned skip = 5; /* bytes that keep the key from being aligned */
    char line[LINE], why[WHY];
    struct keyed_hash column[COLUMNS] = {{NULL, 0}};
    size_t columns = 0, rows = 0, wrong = 0;
    FILE *file = fopen(LENGTHS, "r");
    if (!ok(file, "%s opens", LENGTHS))
        return;
    while (fgets(line, LINE, file)) {
        if (line[0] == '#')
            continue;
        char *rest = NULL, *word = strtok_r(line, "\t\n", &rest);
        if (!strcmp(word, "len")) {
            for (; (word = strtok_r(NULL, "\t\n", &rest)) && columns < COLUMNS; columns++)
                if (!ok(!hash_parse(word, &column[columns], why), "heading %s is a hash", word))
                    break;
            continue;
        }
        size_t len = strtoul(word, NULL, 10);
        unsigned char key[LINE];
        for (size_t i = 0; i < len; i++)
            key[skip + i] = (unsigned char)(i * 131 + 7);
        for (size_t c = 0; c < columns; c++) {
            word = strtok_r(NULL, "\t\n", &rest);
            uint64_t want = word ? strtoull(word, NULL, 16) : 0, got = digest_of(&column[c], key + skip, len);
            if (word && want == got)
                continue;
            wrong++;
            note("%s of %zu bytes: %" PRIx64 ", not %" PRIx64, column[c].hash->name, len, got, want);
        }
        rows++;
    }
    fclose(file);
    ok(columns == 21 && rows == 1101 && !wrong, "%zu known digests of %zu lengths agree", rows * columns, rows);
}

static void test_accepts(void)
{
    const struct hash *identity = hash_find("identity");
    ok(identity->accepts("0", 1) && identity->accepts("18446744073709551615", 20) && identity->accepts("007", 3),
       "identity accepts decimal numbers to 2^64-1");
    ok(!identity->accepts("", 0) && !identity->accepts("18446744073709551616", 20) && !identity->accepts("-1", 2) &&
           !identity->accepts("1 ", 2) && !identity->accepts("0x1", 3) && !identity->accepts("1\0", 2),
       "identity accepts nothing else");
}

static void test_parse(void)
{
    static const struct refusal {
        const char *spec, *words;
    } refusals[] = {
        {"md6", "unknown hash 'md6'; "},
        {"md5", "unknown hash 'md5'; did you mean 'md5-32'?"},
        {"xxh46", "unknown hash 'xxh46'; did you mean 'xxh64'?"},
        {"crc-16", "unknown hash 'crc-16'; did you mean 'crc16'?"},
        {"", ""},
        {"md5-32:seed=1", "hash md5-32 takes no seed"},
        {"crc16:seed=0", "hash crc16 takes no seed"},
        {"identity:seed=1", "hash identity takes no seed"},
        {"xxh3:salt=1", "salt"},
        {"xxh3:seed=x", "seed"},
        {"xxh3:seed=-1", "seed"},
        {"xxh3:seed=1/2", "seed"},
        {"xxh3:seed=18446744073709551616", "seed"},
        {"xxh32:seed=4294967296", "seed"},
        {"murmur3-128:seed=4294967296", "seed"},
        {"crc32:seed=4294967296", "seed"},
    };
    char why[WHY];
    struct keyed_hash k = {hash_find("crc16"), 77};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        why[0] = '\0';
        int err = hash_parse(refusals[i].spec, &k, why);
        ok(err == -EINVAL && why[0] && strstr(why, refusals[i].words) && k.hash == hash_find("crc16") && k.seed == 77,
           "'%s' is refused: %s", refusals[i].spec, why);
    }
    ok(!hash_parse("xxh3", &k, why) && k.hash == hash_find("xxh3") && k.seed == 0, "a name alone has seed 0");
    ok(!hash_parse("fnv1a-64:seed=18446744073709551615", &k, why) && k.seed == UINT64_MAX, "64 bits of seed");
    ok(!hash_parse("xxh32:seed=4294967295", &k, why) && k.seed == UINT32_MAX, "32 bits of seed");

    uint64_t live = mem_live();
    int err = -ENOMEM;
    uint64_t nth = 1;
    for (; err == -ENOMEM && nth < 100; nth++) {
        k = (struct keyed_hash){NULL, 77};
        mem_fail_at(nth);
        err = hash_parse("xxh3:seed=5", &k, why);
        if (err && (k.hash || k.seed != 77))
            break;
    }
    mem_fail_at(0);
    ok(!err && nth > 2 && mem_live() == live, "without memory it says so, and nothing leaks");
}

int main(void)
{
    test_table();
    test_published();
    test_lengths();
    test_accepts();
    test_parse();
    return tap_done();
}
