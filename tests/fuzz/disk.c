/* The file of fuzz.h: what the reader asks of the system is answered here (the linker's --wrap), as a million files a minute would take the system most of
 * the time. */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

enum { FIRST = 1 << 20, OPEN = 4 }; /* descriptors that no system gives */

static struct {
    const char *data;
    size_t size, piece, told;
    size_t at[OPEN]; /* the next byte of each who reads, from 1; 0: free */
} disk;

const char *file_in_pieces(const void *data, size_t size, size_t piece, size_t told)
{
    disk.data = data;
    disk.size = size;
    disk.piece = piece;
    disk.told = told;
    return "(fuzz)";
}

const char *file_of(const void *data, size_t size)
{
    return file_in_pieces(data, size, SIZE_MAX, size);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_fstat(int file, struct stat *about);
int __wrap_fstat(int file, struct stat *about);
ssize_t __real_read(int file, void *to, size_t size);
ssize_t __wrap_read(int file, void *to, size_t size);
int __real_close(int file);
int __wrap_close(int file);

int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (strcmp(path, "(fuzz)"))
        return __real_open(path, flags, mode);
    int i = 0;
    while (disk.at[i])
        HOLD(++i < OPEN);
    disk.at[i] = 1;
    return FIRST + i;
}

int __wrap_fstat(int file, struct stat *about)
{
    if (file < FIRST)
        return __real_fstat(file, about);
    *about = (struct stat){.st_mode = S_IFREG, .st_size = (off_t)disk.told};
    return 0;
}

ssize_t __wrap_read(int file, void *to, size_t size)
{
    if (file < FIRST)
        return __real_read(file, to, size);
    size_t *at = &disk.at[file - FIRST], left = disk.size - (*at - 1);
    size_t n = left < size ? left : size;
    n = n < disk.piece ? n : disk.piece;
    if (n)
        memcpy(to, disk.data + *at - 1, n);
    *at += n;
    return (ssize_t)n;
}

int __wrap_close(int file)
{
    if (file < FIRST)
        return __real_close(file);
    disk.at[file - FIRST] = 0;
    return 0;
}
