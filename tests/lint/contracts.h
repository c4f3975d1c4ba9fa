/* gcc -fanalyzer sees one file at a time; this tells it what a function of another file promises. */
#include "base/why.h"

static inline int always_an_error(int e)
{
    if (e >= 0)
        __builtin_unreachable();
    return e;
}

#define fail(...) always_an_error(fail(__VA_ARGS__))
