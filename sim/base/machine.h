/* What machine this is, as the system tells it. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __clang__
#define COMPILER "clang " __clang_version__
#elif defined __GNUC__
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

struct machine {
    char cpu[128], cores[24], memory[32], system[256];
};
void machine_find(struct machine *m); /* "unknown" where it is not told */

uint64_t machine_available(void); /* bytes of memory that can still be had */

/* The first line of a file such as /sys/..., below root ("": the system's own). False, and text "": not there, or empty. */
bool machine_fact(const char *root, const char *path, char *text, size_t size);

/* The value of the first line "NAME ... : VALUE" of such a file. Likewise. */
bool machine_named(const char *root, const char *path, const char *name, char *text, size_t size);

#endif
