/* The sentence for the user. It is written to a place of its own first, so that a
 * caller may pass `why` itself as an argument and put words in front of it. */
#include "base/why.h"
#include "base/text.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(char why[WHY], int error, const char *format, ...)
{
    char raw[WHY];
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    text_printable(raw, strlen(raw), why, WHY);
    return -error;
}

int fail_file(char why[WHY], int error, const char *path, const char *what)
{
    static const int mistakes[] = {ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG, ENXIO};
    int told = error;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (error == mistakes[i])
            told = EINVAL;
    return fail(why, told, "%s: %s: %s", *path ? path : "''", what, strerror(error));
}
