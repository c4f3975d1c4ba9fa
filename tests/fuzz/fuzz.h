/* What fuzz targets share. A target is a file with LLVMFuzzerTestOneInput(): libFuzzer calls it with bytes of its own making (`make fuzz`), replay.c with
 * those of the committed corpus (`make test`). What must not be stops the program, so that either of them sees it. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "base/mem.h"
#include "base/why.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* 0; -1: not worth keeping, as it would take long */

#define HOLD(what) hold((what), #what, __FILE__, __LINE__)
static inline void hold(bool good, const char *what, const char *file, int line)
{
    if (good)
        return;
    fprintf(stderr, "%s line %d: does not hold: %s\n", file, line, what);
    abort();
}

/* 0, or the user's mistake with a sentence that a terminal shows harmlessly. */
static inline bool refused(int error, const char *why)
{
    if (!error)
        return false;
    if (error != -EINVAL)
        fprintf(stderr, "error %d: %s\n", error, why);
    HOLD(error == -EINVAL);
    HOLD(*why);
    for (const char *c = why; *c; c++)
        HOLD((unsigned char)*c >= 32 && *c != 127);
    return true;
}

/* The bytes as a text, up to the first NUL; to be mem_freed. */
static inline char *text_of(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    char *text = mem_copy((const char *)data, end ? (size_t)(end - data) : size);
    HOLD(text);
    return text;
}

/* The next byte of a target's head; 0 beyond the end. */
static inline unsigned take(const uint8_t **data, size_t *size)
{
    return *size ? (--*size, *(*data)++) : 0u;
}

/* -- disk.c -- */

/* A file of these bytes, which are not copied, in place of the one before; its path. In pieces: a read gives so many bytes at most, and the system says
 * that the file has `told`. */
const char *file_of(const void *data, size_t size);
const char *file_in_pieces(const void *data, size_t size, size_t piece, size_t told);

#endif
