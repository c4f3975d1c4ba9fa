/* Hashes in blocks: every many() gives what one() gives, for all instructions that this processor has, and reads no byte beside a key. */
#include "base/cpu.h"
#include "base/mem.h"
#include "base/rng.h"
#include "model/hash.h"
#include "model/md5.h"
#include "tests/stage.h"
#include <sys/mman.h>

enum { KEYS = 1001, LONGEST = 200, NARROW = 67 };

static const void *data[KEYS];
static uint32_t len[KEYS];
static uint64_t single[KEYS], digest[KEYS + 1];

/* Runs of 25 keys of one length, of short ones, of numbers, of any length, of those about one and two blocks of MD5. */
static uint32_t length_of(size_t i)
{
    uint64_t draw = rng_at(2, i), run = i / 25;
    switch (run % 5) {
    case 0: return (uint32_t)(rng_at(3, run) % 40);
    case 1: return (uint32_t)(8 + draw % 10);
    case 2: return (uint32_t)(draw % 22);
    case 3: return (uint32_t)(draw % (LONGEST + 1));
    default: return (uint32_t)(51 + draw % 16);
    }
}

/* Each in a piece of memory of just its length. */
static void keys_make(void)
{
    for (size_t i = 0; i < KEYS; i++) {
        len[i] = length_of(i);
        unsigned char *key = mem_alloc(len[i], 1);
        must(!key, "no memory");
        for (size_t j = 0; j < len[i]; j++)
            key[j] = (unsigned char)(i / 25 % 5 == 2 ? '0' + rng_at(i, j) % 10 : rng_at(i, j));
        data[i] = key;
    }
}

/* Whether count keys from `from` on give their digests, and nothing else is written. */
static bool block_agrees(const struct hash *h, uint64_t seed, size_t from, size_t count)
{
    digest[count] = 0x5EA1;
    h->many(data + from, len + from, count, seed, digest);
    bool good = digest[count] == 0x5EA1;
    for (size_t i = 0; i < count; i++)
        good &= digest[i] == single[from + i] && digest[i] <= h->last;
    return good;
}

static bool blocks_agree(const struct hash *h, uint64_t seed)
{
    for (size_t i = 0; i < KEYS; i++)
        single[i] = h->one(data[i], len[i], seed);
    bool good = block_agrees(h, seed, 0, KEYS);
    for (size_t n = 0; n <= NARROW; n++)
        good &= block_agrees(h, seed, 13 * n % (KEYS - NARROW), n);
    return good;
}

static void test_blocks(void)
{
    static const uint64_t seeds[] = {0, 1, UINT32_MAX, UINT64_MAX};
    char why[WHY];
    keys_make();
    for (const struct hash *const *h = hash_table; *h; h++)
        for (enum cpu_level level = CPU_PLAIN; level <= cpu_best(); level++) {
            bool good = !cpu_use(cpu_name(level), why);
            for (size_t s = 0; s < 4 && ((*h)->seed_bits == 64 || seeds[s] <= UINT32_MAX); s++)
                good &= blocks_agree(*h, seeds[s]);
            ok(good, "%s, %s: a block gives the digests of single keys, none above the last, and no more", (*h)->name, cpu_name(level));
        }
    for (size_t i = 0; i < KEYS; i++)
        mem_free((void *)(uintptr_t)data[i]);
}

/* Keys of 0 to 200 bytes that begin behind, then that end before, a page which must not be touched. */
static void test_edges(void)
{
    char why[WHY];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *at = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(at == MAP_FAILED || mprotect(at + page, page, PROT_READ | PROT_WRITE), "no pages");
    for (size_t i = 0; i < page; i++)
        at[page + i] = (unsigned char)rng_at(5, i);
    for (enum cpu_level level = CPU_PLAIN; level <= cpu_best(); level++) {
        size_t wrong = 0;
        must(cpu_use(cpu_name(level), why), why);
        for (int end = 0; end < 2; end++) {
            for (uint32_t i = 0; i <= LONGEST; i++) {
                len[i] = i;
                data[i] = end ? at + 2 * page - i : at + page;
            }
            for (const struct hash *const *h = hash_table; *h; h++) {
                (*h)->many(data, len, LONGEST + 1, 7, digest);
                for (uint32_t i = 0; i <= LONGEST; i++)
                    wrong += digest[i] != (*h)->one(data[i], i, 7);
            }
        }
        ok(!wrong, "%s: keys of 0 to %d bytes at the edge of what may be read", cpu_name(level), LONGEST);
    }
    munmap(at, 3 * page);
}

/* All four words, of which most hashes keep one or two. */
static void test_md5(void)
{
    static unsigned char bytes[LONGEST];
    char why[WHY];
    for (enum cpu_level level = CPU_PLAIN; level <= cpu_best(); level++) {
        size_t wrong = 0;
        must(cpu_use(cpu_name(level), why), why);
        for (size_t n = 0; n <= MD5_BLOCK; n++) {
            struct md5_block block;
            for (size_t i = 0; i < n; i++) {
                data[i] = bytes + i % 5;
                len[i] = (uint32_t)(3 * n + i) % (LONGEST - 4);
            }
            md5_many(data, len, n, &block);
            for (size_t i = 0; i < n; i++) {
                struct md5 one = md5_one(data[i], len[i]), many = md5_at(&block, i);
                wrong += memcmp(&one, &many, sizeof one) != 0;
            }
        }
        ok(!wrong, "MD5, %s: blocks of 0 to %d give libmd's digests", cpu_name(level), MD5_BLOCK);
    }
}

int main(void)
{
    test_blocks();
    test_edges();
    test_md5();
    return tap_done();
}
