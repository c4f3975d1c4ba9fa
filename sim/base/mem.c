/* Counted allocation. A header of 16 bytes in front of each block keeps its size,
 * so that freeing can subtract it; 16 keeps the alignment malloc gives. In front of
 * a table's header lies what its alignment skips. */
#include "base/mem.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct header {
    _Alignas(16) size_t bytes;
    size_t skipped; /* bytes before the header */
};
_Static_assert(sizeof(struct header) == 16, "keeps the alignment of what follows");

static _Atomic uint64_t live, fail_in;

static bool must_fail(void)
{
    uint64_t left = atomic_load(&fail_in);
    while (left > 0 && !atomic_compare_exchange_weak(&fail_in, &left, left - 1))
        ;
    return left == 1;
}

/* The bytes of a block without and with its header, or false when they overflow. */
static bool measure(size_t count, size_t size, size_t *bytes, size_t *whole)
{
    return !__builtin_mul_overflow(count, size, bytes) && !__builtin_add_overflow(*bytes, sizeof(struct header), whole);
}

enum { LINE = 64, HUGE_PAGE = 1 << 21 };

/* Asks for huge pages: a wish, without which big tables are but slower. For all of the block's pages: a mapping of two kinds could not grow
 * in place, and would be copied. */
static void wish_huge(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)block / page * page, end = ((uintptr_t)block + bytes + page - 1) / page * page;
    if (bytes >= HUGE_PAGE)
        madvise((void *)from, end - from, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

void *mem_alloc(size_t count, size_t size)
{
    size_t bytes, whole;
    if (!measure(count, size, &bytes, &whole) || must_fail())
        return NULL;
    struct header *h = calloc(1, whole);
    if (!h)
        return NULL;
    wish_huge(h, whole);
    h->bytes = bytes;
    atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed);
    return h + 1;
}

void *mem_table(size_t count, size_t size)
{
    size_t bytes, whole, align;
    if (!measure(count, size, &bytes, &whole) || must_fail())
        return NULL;
    align = bytes >= HUGE_PAGE ? HUGE_PAGE : LINE;
    void *block;
    if (__builtin_add_overflow(bytes, align, &whole) || posix_memalign(&block, align, whole))
        return NULL;
    wish_huge((char *)block + align, bytes);
    struct header *h = (struct header *)((char *)block + align) - 1;
    *h = (struct header){bytes, align - sizeof *h};
    atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed);
    return h + 1;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    size_t bytes, whole;
    if (!measure(count, size, &bytes, &whole) || must_fail())
        return NULL;
    struct header *h = old ? (struct header *)old - 1 : NULL;
    size_t before = h ? h->bytes : 0;
    struct header *grown = realloc(h, whole);
    if (!grown)
        return NULL;
    wish_huge(grown, whole);
    *grown = (struct header){.bytes = bytes};
    atomic_fetch_add_explicit(&live, (uint64_t)bytes - before, memory_order_relaxed); /* modulo 2^64: may shrink */
    return grown + 1;
}

int mem_grow(void *array, size_t *capacity, size_t want, size_t size)
{
    if (want <= *capacity)
        return 0;
    size_t room = *capacity > SIZE_MAX / 2 ? want : *capacity * 2;
    if (room < want)
        room = want;
    if (room < 8)
        room = 8;
    void *block;
    memcpy(&block, array, sizeof block); /* array is the address of some T *, not of a void * */
    block = mem_resize(block, room, size);
    if (!block)
        return -ENOMEM;
    memcpy(array, &block, sizeof block);
    *capacity = room;
    return 0;
}

void mem_free(void *block)
{
    if (!block)
        return;
    struct header *h = (struct header *)block - 1;
    atomic_fetch_sub_explicit(&live, h->bytes, memory_order_relaxed);
    free((char *)h - h->skipped);
}

char *mem_copy(const char *text, size_t len)
{
    char *copy = len < SIZE_MAX ? mem_alloc(len + 1, 1) : NULL;
    if (copy && len > 0)
        memcpy(copy, text, len);
    return copy;
}

uint64_t mem_live(void) { return atomic_load_explicit(&live, memory_order_relaxed); }

uint64_t mem_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

void mem_fail_at(uint64_t nth) { atomic_store(&fail_in, nth); }
