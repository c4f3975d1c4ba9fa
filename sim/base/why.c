/* The sentence for the user. It is written to a place of its own first, so that a
 * caller may pass `why` itself as an argument and put words in front of it. */
#include "base/why.h"
#include "base/text.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 160, TAIL = 320 }; /* bytes of a sentence that is too long; at most four characters each when escaped */

int fail(char why[WHY], int error, const char *format, ...)
{
    char raw[WHY], *whole = NULL;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(raw, sizeof raw, format, args);
    if (len >= WHY && (whole = malloc((size_t)len + 1)))
        vsnprintf(whole, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    text_printable(raw, whole ? HEAD : strlen(raw), why, WHY);
    if (whole) { /* a name of 64 KB must not hide what is wrong with it */
        size_t head = strlen(strcat(why, " ... "));
        text_printable(whole + len - TAIL, TAIL, why + head, WHY - head);
    }
    free(whole);
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
