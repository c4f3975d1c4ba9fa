/* The sentence for the user. It is written to a place of its own first, so that a
 * caller may pass `why` itself as an argument and put words in front of it. */
#include "base/why.h"
#include "base/text.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 160, TAIL = 320 }; /* bytes of a sentence that is too long; at most four characters each when escaped */

static bool fits(const char *text, size_t len)
{
    size_t room = WHY - 1;
    for (size_t i = 0, wide; i < len; i += wide ? wide : 1) {
        wide = text_shown(text + i, len - i);
        if (room < (wide ? wide : 4))
            return false;
        room -= wide ? wide : 4;
    }
    return true;
}

int fail(char why[WHY], int error, const char *format, ...)
{
    char raw[WHY], *whole = NULL;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int all = vsnprintf(raw, sizeof raw, format, args);
    if (all >= WHY && (whole = malloc((size_t)all + 1)))
        vsnprintf(whole, (size_t)all + 1, format, again);
    va_end(again);
    va_end(args);
    const char *text = whole ? whole : raw;
    size_t len = strlen(text);
    if (fits(text, len)) {
        text_printable(text, len, why, WHY);
    } else { /* a name of 64 KB must not hide what is wrong with it */
        size_t head = strlen(strcat(text_printable(text, HEAD, why, WHY), " ... "));
        text_printable(text + len - TAIL, TAIL, why + head, WHY - head);
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
