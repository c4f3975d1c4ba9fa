/* Workloads: the keys of each kind, and their options. */
#include "tests/workloads.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static void must_work(int error)
{
    if (error) {
        printf("Bail out! %s\n", why);
        exit(1);
    }
}

static void first_keys_are(const char *text, const char *wanted)
{
    struct workload *w = open_or_die(text, 1);
    struct key_block b;
    char got[1024] = "";
    key_block_init(&b);
    workload_fill(w, 0, 3, &b);
    for (size_t i = 0; i < b.count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", i ? " " : "", (int)b.len[i], (const char *)b.text[i]);
    ok(strcmp(got, wanted) == 0, "%s: %s", text, got);
    key_block_release(&b);
    workload_close(w);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Fingerprints of requests 0 .. n-1, read in blocks of `step`. */
static uint64_t *prints(const char *text, size_t n, size_t step)
{
    struct workload *w = open_or_die(text, 1);
    struct key_block b;
    uint64_t *print = mem_alloc(n, sizeof *print);
    key_block_init(&b);
    for (size_t at = 0; at < n; at += b.count) {
        workload_fill(w, at, n - at < step ? n - at : step, &b);
        for (size_t i = 0; i < b.count; i++)
            print[at + i] = XXH3_64bits(b.text[i], b.len[i]);
    }
    key_block_release(&b);
    workload_close(w);
    return print;
}

static void keys_are_distinct(const char *text, size_t n)
{
    uint64_t *print = prints(text, n, KEY_BLOCK);
    size_t twice = 0;
    qsort(print, n, sizeof *print, by_value);
    for (size_t i = 1; i < n; i++)
        twice += print[i] == print[i - 1];
    ok(twice == 0, "%s: %zu keys, all distinct", text, n);
    mem_free(print);
}

static void blocks_do_not_matter(const char *text)
{
    enum { N = 120000 };
    uint64_t *whole = prints(text, N, KEY_BLOCK), *cut = prints(text, N, 997), *single = prints(text, N, 1);
    ok(memcmp(whole, cut, N * sizeof *whole) == 0 && memcmp(whole, single, N * sizeof *whole) == 0, "%s: the same keys in any blocks", text);
    mem_free(whole);
    mem_free(cut);
    mem_free(single);
}

static void counts_up(const char *text, const char *prefix, uint64_t first)
{
    struct workload *w = open_or_die(text, 1);
    struct key_block b;
    size_t wrong = 0, skip = strlen(prefix);
    key_block_init(&b);
    workload_fill(w, first, KEY_BLOCK, &b);
    for (size_t i = 0; i < b.count; i++) {
        const char *text_i = b.text[i];
        wrong += memcmp(text_i, prefix, skip) != 0 || !is_number(text_i + skip, b.len[i] - skip, first + i);
    }
    ok(wrong == 0, "%s: counts up from %" PRIu64, text, first);
    key_block_release(&b);
    workload_close(w);
}

/* Around each power of ten, and on both sides of the length that fits a register. */
static void counts_through_powers(size_t prefix_len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    size_t wrong = 0;
    for (uint64_t power = 1; power <= 1000000000000000; power *= 10) {
        char text[200];
        struct key_block b;
        snprintf(text, sizeof text, "int:count=1000,prefix=%.*s,first=%" PRIu64, (int)prefix_len, letters, power);
        struct workload *w = open_or_die(text, 1);
        key_block_init(&b);
        for (size_t n = 0; n < 130; n += n < 25 ? 1 : 35) {
            workload_fill(w, 900 - n, n, &b);
            wrong += b.count != n;
            for (size_t i = 0; i < n; i++) {
                const char *key = b.text[i];
                wrong += memcmp(key, letters, prefix_len) != 0 || !is_number(key + prefix_len, b.len[i] - prefix_len, power + 900 - n + i);
            }
        }
        key_block_release(&b);
        workload_close(w);
    }
    ok(wrong == 0, "numbers of all lengths behind %zu letters", prefix_len);
}

static void says(const char *given, const char *text, const char *load, uint64_t requests, double sum_p2)
{
    struct workload *w = open_or_die(given, 1);
    ok(strcmp(workload_text(w), text) == 0 && strcmp(workload_load(w), load) == 0 && workload_requests(w) == requests &&
           fabs(workload_sum_p2(w) / sum_p2 - 1) < 1e-9,
       "%s: %s, %s, %" PRIu64 ", sum p^2 %g", given, workload_text(w), workload_load(w), workload_requests(w), workload_sum_p2(w));
    workload_close(w);
}

static void popular_keys(void)
{
    struct workload *w = open_or_die("int:count=3,zipf=1,requests=9", 1);
    ok(fabs(workload_top_share(w) - 6. / 11) < 1e-12, "zipf=1 over three keys: the first has 6/11");
    workload_close(w);
    w = open_or_die("int:count=8", 1);
    ok(workload_top_share(w) == 1. / 8, "each key once: an eighth");
    workload_close(w);
}

/* Popularities of split keys by brute force; each name of a block in its place. */
static void split_keys(void)
{
    enum { COUNT = 50, HOT = 4, COPIES = 3, REQUESTS = 200000 };
    uint64_t got[HOT][COPIES] = {{0}}, rest = 0, wrong = 0;
    double p[COUNT], all = 0, sum = 0;
    struct key_block b;
    struct workload *w = open_or_die("int:count=50,zipf=1.2,requests=200k,hottest=4,copies=3", 1);
    for (int k = 0; k < COUNT; k++)
        all += p[k] = pow(k + 1, -1.2);
    for (int k = 0; k < COUNT; k++)
        sum += p[k] * p[k] / (all * all) / (k < HOT ? COPIES : 1);
    ok(fabs(workload_sum_p2(w) / (sum + (1 - sum) / REQUESTS) - 1) < 1e-12 && fabs(workload_top_share(w) - p[0] / all / COPIES) < 1e-12 && workload_distinct(w) == 58,
       "the sum of p^2, the largest and how many, of keys of which four have three names");
    key_block_init(&b);
    for (uint64_t first = 0; first < REQUESTS; first += b.count) {
        workload_fill(w, first, REQUESTS - first < KEY_BLOCK ? REQUESTS - first : KEY_BLOCK, &b);
        for (size_t i = 0; i < b.count; i++) {
            const char *text = b.text[i];
            if (b.len[i] == 3 && text[1] == '#' && text[0] >= '0' && text[0] < '0' + HOT && text[2] >= '0' && text[2] < '0' + COPIES)
                got[text[0] - '0'][text[2] - '0']++;
            else
                rest++;
        }
    }
    for (int k = 0; k < HOT; k++)
        for (int c = 0; c < COPIES; c++) {
            double mean = p[k] / all * REQUESTS / COPIES;
            wrong += fabs((double)got[k][c] - mean) > 7 * sqrt(mean); /* a right program: one in 10^11 for each */
        }
    ok(wrong == 0 && rest > 0, "each name has its part of the requests");
    must_work(workload_each_once(w, why));
    ok(workload_requests(w) == 58 && !strcmp(workload_load(w), "keys") && workload_sum_p2(w) == 1. / 58, "each name once");
    workload_fill(w, 0, 58, &b);
    char names[400] = "";
    for (size_t i = 0; i < 14; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%.*s ", (int)b.len[i], (const char *)b.text[i]);
    ok(!strcmp(names, "0#0 0#1 0#2 1#0 1#1 1#2 2#0 2#1 2#2 3#0 3#1 3#2 4 5 ") && b.len[57] == 2 && !memcmp(b.text[57], "49", 2), "in order: %s...", names);
    workload_fill(w, 20, 3, &b);
    ok(b.len[0] == 2 && !memcmp(b.text[0], "12", 2), "from the midst too");
    workload_close(w);
    w = open_or_die("int:count=3,zipf=1,hottest=3,copies=2", 1);
    ok(fabs(workload_top_share(w) - 3. / 11) < 1e-12, "all keys may be split");
    workload_close(w);
    w = open_or_die("int:count=30,zipf=0.5,hottest=1,copies=100", 1);
    ok(fabs(workload_top_share(w) / workload_sum_p2(w) - 1) < 40 && workload_top_share(w) > 0.05, "and the next key may become the hottest");
    workload_close(w);
    key_block_release(&b);
}

int main(void)
{
    first_keys_are("user", "user:0 user:1 user:2");
    first_keys_are("int", "0 1 2");
    first_keys_are("uuid", "07298c5f-d536-4db4-8f46-da53a986f9f7 "
                   "ece7a5df-68ae-46ee-953f-3e812358534b "
                   "b806580f-e063-4a6b-b94d-6a79efd00158");
    first_keys_are("ipv4", "88.202.161.133 41.147.210.238 215.194.211.202");
    first_keys_are("alnum", "AIlC3n20n2 M0djGh490a uo2DVGeUwb");
    first_keys_are("alnum:len=1,count=3", "U 0 H");
    first_keys_are("alnum:len=25", "AIlC3n20n2gwxjZpkTtyObWkD "
                   "M0djGh490axnzYnmVRr7HFXw9 "
                   "uo2DVGeUwbH4zaHQezcRlT38M");
    first_keys_are("url", "http://example.net/articles/0#comments "
                   "https://cdn.example.net/eu-west/catalogue/garden-tools/1/reviews?page=17 "
                   "https://shop.example.com/orders/2");
    first_keys_are("user:prefix=sku-,first=98", "sku-98 sku-99 sku-100");
    first_keys_are("user:prefix=", "0 1 2");
    first_keys_are("int:prefix=a9,first=9", "a99 a910 a911");
    first_keys_are("user:prefix=/catalogue/garden-tools/no\\,,first=9", "/catalogue/garden-tools/no,9 /catalogue/garden-tools/no,10 /catalogue/garden-tools/no,11");
    first_keys_are("user:zipf=0.99", "user:1 user:5 user:150348");
    first_keys_are("user:requests=5", "user:299123 user:399286 user:142156");
    counts_up("int:count=10M", "", 0);
    counts_up("user:count=10M", "user:", 9999999 - 2000);
    counts_up("int:count=9007199254740992", "", 9007199254740992 - KEY_BLOCK);
    keys_are_distinct("uuid", 1000000);
    keys_are_distinct("ipv4:count=4294967296", 1000000);
    keys_are_distinct("alnum", 1000000);
    keys_are_distinct("alnum:len=3,count=238328", 238328);
    keys_are_distinct("alnum:len=12", 1000000);
    keys_are_distinct("url", 1000000);
    counts_up("user:count=10M,prefix=0123456789abcdef", "0123456789abcdef", 9999999 - 2000);
    counts_up("user:count=10M,prefix=0123456789abcdefg", "0123456789abcdefg", 9999999 - 2000);
    for (size_t len = 0; len <= 17; len++)
        counts_through_powers(len);
    counts_through_powers(40);
    blocks_do_not_matter("user");
    blocks_do_not_matter("int:zipf=1.1");
    blocks_do_not_matter("alnum:len=200");
    blocks_do_not_matter("url:requests=1M");

    says("user", "user:count=1000000", "keys", 1000000, 1e-6);
    says("user:requests=10M,zipf=0.99,count=1M", "user:count=1000000,zipf=0.99,requests=10000000", "requests", 10000000,
         0.0070242707521357);
    says("int:count=100,requests=50", "int:count=100,requests=50", "requests", 50, 0.01 + 0.99 / 50);
    says("alnum:count=62,len=1", "alnum:count=62,len=1", "keys", 62, 1. / 62);
    refused("alnum:count=63,len=1", "only 62");
    refused("ipv4:count=4294967297", "4294967296");
    says("user:first=7,prefix=k", "user:count=1000000,prefix=k,first=7", "keys", 1000000, 1e-6);
    refused("user:first=9007199254740991,count=2", "only 1 keys from first= on");
    refused("int:prefix=0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
            "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890", "at most 200");
    refused("uuid:first=3", "first");
    refused("user:count=0", "count");
    refused("user:zipf=-1", "zipf");
    refused("user:zipf=nan", "zipf");
    refused("user:requests=0", "requests");
    refused("usr:count=3", "user");
    refused("user:len=3", "len");
    refused("alnum:len=201", "len");
    refused("user:count=1/2", "sweep");

    popular_keys();
    split_keys();
    memory_may_be_short("uuid:count=10,zipf=1");
    return tap_done();
}
