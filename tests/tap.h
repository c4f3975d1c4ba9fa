/* TAP, for prove: a test program calls ok() and ends with `return tap_done();`. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Sanitizers look at memory, not at numbers: there what takes long is tried on fewer of them. */
#ifdef __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3))) static inline bool ok(bool passed, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    tap_failed += !passed;
    return passed;
}

__attribute__((format(printf, 1, 2))) static inline void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("# ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

static inline int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
