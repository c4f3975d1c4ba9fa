/* Widths and wrapping. What a terminal itself gets is tests/golden/terminal.t's. */
#include "base/terminal.h"
#include "tests/tap.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool wraps(const char *text, size_t at, size_t indent, size_t width, const char *want)
{
    char got[256] = "";
    FILE *to = fmemopen(got, sizeof got - 1, "w");
    terminal_wrap(text, strlen(text), at, indent, width, to);
    fclose(to);
    return ok(strcmp(got, want) == 0, "%zu columns from %zu, %zu: %.8s", width, at, indent, text);
}

static void wrapping(void)
{
    wraps("one two three", 0, 0, 79, "one two three");
    wraps("one two three", 0, 0, 7, "one two\nthree");
    wraps("one two three", 0, 0, 6, "one\ntwo\nthree");
    wraps("one  two\nthree ", 0, 0, 79, "one two three");
    wraps("a b c", 0, 4, 79, "a b c");
    wraps("a b c", 2, 2, 5, "a b\n  c");
    wraps("caf\xc3\xa9 caf\xc3\xa9", 0, 0, 9, "caf\xc3\xa9 caf\xc3\xa9");
    wraps("longest of all", 0, 0, 3, "longest\nof\nall");
    wraps("a=1,b=2,c=3 d", 0, 0, 8, "a=1,b=2,\nc=3 d");
    wraps("a=1,b=2,c=3", 0, 0, 2, "a=1,\nb=2,\nc=3");
    wraps("x a=1,b=2", 4, 4, 9, "x\n    a=1,\n    b=2");
    wraps("a b", 9, 9, 3, "a\n         b");
    wraps("", 0, 0, 5, "");
}

/* Standard output of a test is no terminal: only COLUMNS can give it a width. */
static void widths(void)
{
    static const struct { const char *columns; size_t width; } row[] = {
        {"80", 80}, {"20", 20}, {"10000", 10000}, {"19", SIZE_MAX}, {"10001", SIZE_MAX}, {"", SIZE_MAX}, {"-80", SIZE_MAX}, {"80 ", SIZE_MAX}, {"wide", SIZE_MAX}};
    if (terminal_is(stdout))
        return;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setenv("COLUMNS", row[i].columns, 1);
        ok(terminal_width(stdout) == row[i].width, "COLUMNS='%s'", row[i].columns);
    }
    setenv("COLUMNS", "80", 1);
    FILE *file = tmpfile();
    ok(file && terminal_width(file) == SIZE_MAX, "a file has no width");
    char why[WHY];
    struct page p;
    static const char shown[] = "first\\x1B[2J line\nNext: more\n";
    char got[64] = "";
    if (file && page_open(&p, file, why) == 0) {
        fputs("first\033[2J line\nNext: more\n", p.in);
        if (!page_close(&p, true, why) && !fseek(file, 0, SEEK_SET))
            got[fread(got, 1, sizeof got - 1, file)] = 0;
    }
    ok(!strcmp(got, shown), "and its page is neither wrapped nor marked, but harmless: %zu bytes", strlen(got));
    if (file)
        fclose(file);
    unsetenv("COLUMNS");
    ok(terminal_width(stdout) == SIZE_MAX, "nor has standard output without COLUMNS");
}

int main(void)
{
    wrapping();
    widths();
    return tap_done();
}
