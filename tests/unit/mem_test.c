/* Allocation: counting, growing, failing on demand. */
#include "base/mem.h"
#include "tests/tap.h"
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#if defined __SANITIZE_ADDRESS__
#define COPIES 1 /* its realloc always does */
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define COPIES 1
#endif
#endif
#if !defined COPIES && defined __GLIBC__ && defined __linux__
#define COPIES 0
#elif !defined COPIES
#define COPIES 1
#endif

static long most_held(void) /* kB */
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}

/* The pages of a large block move along when it grows. */
static void test_growth(void)
{
    const size_t large = 64 << 20, little = 4 << 20;
    unsigned char *block = mem_resize(NULL, large, 1);
    if (block)
        memset(block, 7, large);
    long before = most_held();
    for (size_t k = 1; k <= 4 && block; k++) {
        unsigned char *grown = mem_resize(block, large + k * little, 1);
        if (!grown)
            break;
        block = grown;
    }
    ok(block && block[large - 1] == 7 && (COPIES || most_held() - before < (long)large / 1024 / 2), "a large block grows without being held twice");
    mem_free(block);
}

int main(void)
{
    uint64_t before = mem_live();
    unsigned char *block = mem_alloc(100, 3);
    ok(block && mem_live() == before + 300, "300 bytes are counted");
    ok((uintptr_t)block % 16 == 0, "aligned to 16");
    bool zero = true;
    for (int i = 0; i < 300; i++)
        zero = zero && block[i] == 0;
    ok(zero, "zeroed");
    memset(block, 7, 300);
    block = mem_resize(block, 1000, 1);
    ok(mem_live() == before + 1000 && block[299] == 7, "grown, counted, kept");
    block = mem_resize(block, 10, 1);
    ok(mem_live() == before + 10 && block[9] == 7, "shrunk, counted, kept");
    mem_fail_at(1);
    ok(!mem_resize(block, 20, 1) && mem_live() == before + 10 && block[9] == 7, "a failing resize keeps the block");
    mem_free(block);
    mem_free(NULL);
    ok(mem_live() == before, "freed");

    volatile size_t huge = SIZE_MAX;
    ok(!mem_alloc(huge / 2 + 1, 2) && !mem_alloc(huge, 1) && !mem_resize(NULL, huge, huge), "overflow is refused");
    void *empty = mem_alloc(0, 8);
    ok(empty, "0 bytes give a pointer");
    mem_free(empty);

    mem_fail_at(3);
    void *one = mem_alloc(1, 1), *two = mem_alloc(1, 1), *three = mem_alloc(1, 1), *four = mem_alloc(1, 1);
    ok(one && two && !three && four, "the third allocation fails, once");
    mem_free(one), mem_free(two), mem_free(four);
    mem_fail_at(1);
    mem_fail_at(0);
    one = mem_alloc(1, 1);
    ok(one, "0 lets all succeed");
    mem_free(one);

    int *list = NULL;
    size_t capacity = 0, grown = 0;
    for (size_t i = 0; i < 1000; i++) {
        size_t was = capacity;
        if (mem_grow(&list, &capacity, i + 1, sizeof *list) == 0)
            list[i] = (int)i;
        grown += capacity != was;
    }
    ok(capacity >= 1000 && list[999] == 999 && grown <= 8, "grows by doubling");
    size_t was = capacity;
    mem_fail_at(1);
    ok(mem_grow(&list, &capacity, was + 1, sizeof *list) == -ENOMEM && capacity == was && list[999] == 999, "a failing growth keeps the array");
    ok(mem_grow(&list, &capacity, SIZE_MAX, sizeof *list) == -ENOMEM && capacity == was, "too much is -ENOMEM");
    mem_free(list);

    char *copy = mem_copy("key:1234", 3);
    ok(copy && strcmp(copy, "key") == 0, "a copy ends with NUL");
    mem_free(copy);
    copy = mem_copy(NULL, 0);
    ok(copy && *copy == 0, "an empty copy");
    mem_free(copy);
    test_growth();
    ok(mem_live() == before, "nothing is left");
    ok(mem_machine() > 1000000, "the machine has memory");
    return tap_done();
}
