/* Faults on demand: the n-th call of a kind fails, once. The linker puts these between the program with its libraries and the C library
 * (-Wl,--wrap). The C library's own calls, such as a stream's write, are not among them: tests/faults/calls.t fails those. */
#ifndef TESTS_FAULTS_INJECT_H
#define TESTS_FAULTS_INJECT_H

#include <stdbool.h>
#include <stdint.h>

enum fault { FAULT_NONE, FAULT_ALLOC, FAULT_OPEN, FAULT_FDOPEN, FAULT_FSYNC, FAULT_RENAME, FAULT_CLOSE, FAULT_MAKE, FAULT_READ, FAULT_TMPFILE, FAULTS };
const char *fault_name(enum fault kind);
int fault_errno(enum fault kind); /* with which it fails */

void fault_at(enum fault kind, uint64_t nth); /* from now on */
bool fault_struck(void);                      /* whether it has happened */
int64_t fault_blocks(void);                   /* allocated and not freed */

#endif
