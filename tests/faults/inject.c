#include "tests/faults/inject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    int error;
} kinds[FAULTS] = {
    [FAULT_ALLOC] = {"allocation", ENOMEM}, [FAULT_OPEN] = {"open", EMFILE},   [FAULT_FDOPEN] = {"fdopen", ENOMEM}, [FAULT_FSYNC] = {"fsync", EIO},
    [FAULT_RENAME] = {"rename", ENOSPC},    [FAULT_CLOSE] = {"close", EIO},    [FAULT_MAKE] = {"mkdir", ENOSPC},    [FAULT_READ] = {"read", EIO},
    [FAULT_TMPFILE] = {"tmpfile", ENOSPC},
};

static enum fault wanted;
static _Atomic int64_t left, blocks;
static atomic_bool struck;

const char *fault_name(enum fault kind) { return kinds[kind].name; }
int fault_errno(enum fault kind) { return kinds[kind].error; }
bool fault_struck(void) { return struck; }
int64_t fault_blocks(void) { return blocks; }

void fault_at(enum fault kind, uint64_t nth)
{
    wanted = kind;
    left = (int64_t)nth;
    struck = false;
}

static bool strikes(enum fault kind)
{
    if (kind != wanted || atomic_fetch_sub(&left, 1) != 1)
        return false;
    struck = true;
    errno = kinds[kind].error;
    return true;
}

/* What stands behind each wrapped name. */
#define WRAP(result, name, ...)            \
    result __real_##name(__VA_ARGS__);     \
    result __wrap_##name(__VA_ARGS__);     \
    result __wrap_##name(__VA_ARGS__)

static void *counted(void *block)
{
    blocks += block != NULL;
    return block;
}

WRAP(void *, malloc, size_t size) { return strikes(FAULT_ALLOC) ? NULL : counted(__real_malloc(size)); }
WRAP(void *, calloc, size_t n, size_t size) { return strikes(FAULT_ALLOC) ? NULL : counted(__real_calloc(n, size)); }
WRAP(char *, strdup, const char *text) { return strikes(FAULT_ALLOC) ? NULL : counted(__real_strdup(text)); }

WRAP(void *, realloc, void *old, size_t size)
{
    void *block = strikes(FAULT_ALLOC) ? NULL : __real_realloc(old, size);
    blocks += block && !old;
    return block;
}

/* Its text is made within libc, and freed by whoever opened it. */
WRAP(FILE *, open_memstream, char **text, size_t *size)
{
    FILE *f = strikes(FAULT_ALLOC) ? NULL : __real_open_memstream(text, size);
    blocks += f != NULL;
    return f;
}

WRAP(int, posix_memalign, void **out, size_t align, size_t size)
{
    int e = strikes(FAULT_ALLOC) ? ENOMEM : __real_posix_memalign(out, align, size);
    blocks += e == 0;
    return e;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}

/* A file with a name and something in it: no folder, of which only a power cut could tell, no scratch file, which is read back already, and none
 * that is opened to see whether it can be. */
static bool is_kept(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink > 0 && about.st_size > 0;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return strikes(FAULT_OPEN) ? -1 : __real_open(path, flags, mode);
}

WRAP(FILE *, fopen, const char *path, const char *mode) { return strikes(FAULT_OPEN) ? NULL : __real_fopen(path, mode); }
WRAP(DIR *, opendir, const char *path) { return strikes(FAULT_OPEN) ? NULL : __real_opendir(path); }
WRAP(FILE *, fdopen, int file, const char *mode) { return strikes(FAULT_FDOPEN) ? NULL : __real_fdopen(file, mode); }
WRAP(FILE *, tmpfile, void) { return strikes(FAULT_TMPFILE) ? NULL : __real_tmpfile(); }
WRAP(int, fsync, int file) { return is_kept(file) && strikes(FAULT_FSYNC) ? -1 : __real_fsync(file); }
WRAP(int, rename, const char *from, const char *to) { return strikes(FAULT_RENAME) ? -1 : __real_rename(from, to); }
WRAP(int, mkdir, const char *path, mode_t mode) { return strikes(FAULT_MAKE) ? -1 : __real_mkdir(path, mode); }
WRAP(ssize_t, read, int file, void *to, size_t n) { return strikes(FAULT_READ) ? -1 : __real_read(file, to, n); }

/* The stream is closed all the same, as the C library does when its last write fails. */
WRAP(int, fclose, FILE *file)
{
    bool memory = fileno(file) < 0; /* a stream of its own: there is none for its end */
    bool fails = memory ? strikes(FAULT_ALLOC) : __fwritable(file) && is_kept(fileno(file)) && strikes(FAULT_CLOSE);
    int e = __real_fclose(file);
    if (fails)
        errno = kinds[wanted].error;
    return fails ? EOF : e;
}
