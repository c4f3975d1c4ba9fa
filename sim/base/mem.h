/* Allocation that counts: what a strategy holds is the growth of mem_live()
 * while it opens, and a test can make the n-th allocation fail.
 * All functions may be called from any thread. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* count * size bytes, zeroed; NULL when the product overflows or memory is out.
 * A request of 0 bytes gives a pointer that can be freed. */
void *mem_alloc(size_t count, size_t size);

/* count * size bytes, undefined, beginning at a multiple of 64, for a table read at random: where it is big, in huge pages
 * if the system has them. Not for mem_resize. NULL as above. */
void *mem_table(size_t count, size_t size);

/* old (NULL: a new block) made count * size bytes long, new bytes undefined;
 * NULL on failure, and old stays as it was. */
void *mem_resize(void *old, size_t count, size_t size);

/* Makes room for `want` elements in *array of `*capacity`, at least doubling.
 * 0 or -ENOMEM (the array stays as it was). */
int mem_grow(void *array, size_t *capacity, size_t want, size_t size);

void mem_free(void *block); /* NULL is allowed */
char *mem_copy(const char *text, size_t len); /* len bytes and a NUL; NULL on failure */

uint64_t mem_live(void);     /* bytes asked for and not yet freed */
uint64_t mem_machine(void);  /* bytes of memory in this machine */
void mem_fail_at(uint64_t nth); /* tests: the nth allocation from now on fails, once; 0: none does */

#endif
