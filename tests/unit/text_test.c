/* Numbers, percent-encoding, near names, harmless texts. */
#include "base/text.h"
#include "base/why.h"
#include "tests/tap.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static void counts(void)
{
    static const struct { const char *text; int error; uint64_t value; } row[] = {
        {"0", 0, 0}, {"10", 0, 10}, {"007", 0, 7}, {"1k", 0, 1000}, {"10M", 0, 10000000}, {"2G", 0, 2000000000},
        {"18446744073709551615", 0, UINT64_MAX}, {"18446744073709551616", -ERANGE, 0}, {"18446744074G", -ERANGE, 0},
        {"99999999999999999999999999", -ERANGE, 0}, {"", -EINVAL, 0}, {"k", -EINVAL, 0}, {"-1", -EINVAL, 0},
        {"+1", -EINVAL, 0}, {" 1", -EINVAL, 0}, {"1 ", -EINVAL, 0}, {"1.5", -EINVAL, 0}, {"1e3", -EINVAL, 0},
        {"1kk", -EINVAL, 0}, {"1K", -EINVAL, 0}, {"0x10", -EINVAL, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t value = 99;
        int error = text_count(row[i].text, strlen(row[i].text), &value);
        ok(error == row[i].error && value == (error ? 99 : row[i].value), "count '%s'", row[i].text);
    }
}

static void reals(void)
{
    static const struct { const char *text; double value; } good[] = {
        {"0", 0}, {"1.5", 1.5}, {"-2", -2}, {".5", .5}, {"1.", 1}, {"1e3", 1000}, {"1E+3", 1000}, {"25e-2", .25}};
    static const char *const bad[] = {"", ".", "-", "e3", "1e", "1e+", "inf", "nan", "0x1p3", " 1", "1 ", "1,5", "1e999", "+1", "1..2"};
    double x;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ok(!text_real(good[i].text, strlen(good[i].text), &x) && fabs(x - good[i].value) < 1e-15, "real '%s'", good[i].text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(text_real(bad[i], strlen(bad[i]), &x) == -EINVAL, "no real '%s'", bad[i]);
}

static void numbers(void)
{
    char out[48];
    static const struct { double value; const char *text; } shorts[] = {
        {1.14, "1.14"}, {0, "0"}, {150, "150"}, {999.7, "1000"}, {1234, "1234"}, {9999, "9999"}, {9999.7, "10k"},
        {31500000, "31.5M"}, {8610000, "8.61M"}, {999600, "1M"}, {2.5e9, "2.5G"}, {-31500000, "-31.5M"}, {0.00123, "0.00123"}};
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        ok(strcmp(text_short(shorts[i].value, out), shorts[i].text) == 0, "short %g: %s", shorts[i].value, out);
    static const struct { double value; const char *text; } bytes[] = {
        {0, "0 B"}, {512, "512 B"}, {999.6, "1.0 kB"}, {4.2e6, "4.2 MB"}, {9.96e6, "10 MB"}, {128e6, "128 MB"}, {3e12, "3.0 TB"}};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        ok(strcmp(text_bytes(bytes[i].value, out), bytes[i].text) == 0, "bytes %g: %s", bytes[i].value, out);
    static const struct { double value; const char *text; } exact[] = {
        {0.1, "0.1"}, {0.30000000000000004, "0.30000000000000004"}, {1e20, "1e+20"}, {150, "150"}, {-2.5, "-2.5"}};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        ok(strcmp(text_number(exact[i].value, out), exact[i].text) == 0, "shortest %s", out);
    ok(strcmp(text_fixed(-0.0004, 3, out), "0.000") == 0, "no negative zero");
    ok(strcmp(text_fixed(-0.0006, 3, out), "-0.001") == 0, "negative");
    ok(strcmp(text_fixed(2.5, 0, out), "2") == 0, "no digits, no point");
    ok(!*text_fixed(NAN, 3, out) && !*text_fixed(INFINITY, 3, out) && !*text_fixed(-1e18, 3, out), "no number is empty");
    ok(strlen(text_fixed(-999999999999999744.0, 17, out)) < 48, "the longest fits");
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "de_DE")) {
        double x = 0;
        ok(!text_real("1.5", 3, &x) && fabs(x - 1.5) < 1e-15 && !strcmp(text_fixed(1.5, 2, out), "1.50") &&
               !strcmp(text_number(1.5, out), "1.5"), "a locale with a comma changes nothing");
        setlocale(LC_NUMERIC, "C");
    }
}

static void percent(void)
{
    char out[64];
    size_t n = text_percent_encode("a b%#\xff\n~", 8, out);
    ok(n == 18 && memcmp(out, "a%20b%25%23%FF%0A~", n) == 0, "encoded: %.*s", (int)n, out);
    long m = text_percent_decode(out, n, out);
    ok(m == 8 && memcmp(out, "a b%#\xff\n~", 8) == 0, "decoded in place");
    ok(text_percent_decode("%e2%00", 6, out) == 2 && out[1] == 0, "lower case, NUL");
    ok(text_percent_decode("%4", 2, out) == -EINVAL && text_percent_decode("%", 1, out) == -EINVAL &&
           text_percent_decode("%zz", 3, out) == -EINVAL, "bad ones are refused");
    ok(text_percent_decode("", 0, out) == 0, "empty");
}

static void printable(void)
{
    static const struct { const char *in, *out; } row[] = {
        {"plain", "plain"}, {"a\nb\x1b[31m", "a\\x0Ab\\x1B[31m"}, {"caf\xc3\xa9", "caf\xc3\xa9"}, {"\x7f", "\\x7F"},
        {"\xc2\x9b", "\\xC2\\x9B"}, {"\xc3", "\\xC3"}, {"\xc0\xaf", "\\xC0\\xAF"}, {"\xed\xa0\x80", "\\xED\\xA0\\x80"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}, {"\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"}};
    char out[64], small[6];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        ok(strcmp(text_printable(row[i].in, strlen(row[i].in), out, sizeof out), row[i].out) == 0, "printable %s", out);
    // NOLINTBEGIN(misc-misleading-bidirectional): these are the marks that must not come through
    static const struct { const char *in, *shell; } word[] = {
        {"ring:vnodes=150", "ring:vnodes=150"}, {"", "''"}, {"a b", "'a b'"}, {"it's", "'it'\\''s'"}, {"=cmd", "'=cmd'"}, {"~", "'~'"}, {"$(x)`y`", "'$(x)`y`'"},
        {"a\nb'\\", "$'a\\x0ab\\'\\\\'"}, {"\xff", "$'\\xff'"}, {"\xc3\xa9", "'\xc3\xa9'"}, {"\xe2\x80\xae", "$'\\xe2\\x80\\xae'"},
    };
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        char quoted[64], *end = text_shell_word(word[i].in, quoted);
        ok(strcmp(quoted, word[i].shell) == 0 && end == quoted + strlen(quoted), "for a shell: %s", quoted);
    }
    static const char *const turning[] = {"\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xc2\x9b", "\x7f", "\t", "\xed\xa0\x80"};
    // NOLINTEND(misc-misleading-bidirectional)
    static const char *const plain[] = {"\xe2\x80\x93", "\xe2\x80\x99", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xc2\xa0", "\xd8\x9b", " "};
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
        ok(text_shown(turning[i], strlen(turning[i])) == 0, "not shown: %zu", i);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        ok(text_shown(plain[i], strlen(plain[i])) == strlen(plain[i]), "shown: %zu", i);
    ok(strcmp(text_printable("abc\ndef", 7, small, sizeof small), "abc") == 0, "an escape is not cut in two");
    ok(strcmp(text_printable("abcd\xc3\xa9", 6, small, sizeof small), "abcd") == 0, "nor a character");
    ok(strcmp(text_printable("abcde", 5, small, sizeof small), "abcde") == 0, "the last byte is used");
    char why[WHY] = "vnodes=0", bells[1000] = "";
    ok(fail(why, EINVAL, "ring: %s\t: %s", why, "x") == -EINVAL && strcmp(why, "ring: vnodes=0\\x09: x") == 0, "why may be wrapped: %s", why);
    ok(fail(why, ENOSPC, "%2047d", 1) == -ENOSPC && strlen(why) == WHY - 1 && !strstr(why, "..."), "and has so much room");
    ok(fail(why, ENOSPC, "file %65536d: cannot be read", 1) == -ENOSPC && strlen(why) < WHY && !strncmp(why, "file ", 5) && strstr(why, " ... ") &&
           strstr(why, "1: cannot be read"), "of a long one the middle is left out");
    ok(fail(why, EINVAL, "%s: cannot be", (const char *)memset(bells, 7, sizeof bells - 1)) == -EINVAL && strlen(why) < WHY && strstr(why, "x07: cannot be"), "counted as it is escaped");
    ok(fail_file(why, ENOENT, "keys.txt", "cannot be read") == -EINVAL && strcmp(why, "keys.txt: cannot be read: No such file or directory") == 0, "%s", why);
    ok(fail_file(why, ENOSPC, "a", "cannot be written") == -ENOSPC, "%s", why);
}

static void nearest(void)
{
    static const char *const names[] = {"modulo", "ring", "slots", "md5-32", "vnodes", "x"};
    static const struct { const char *text; size_t index; } row[] = {
        {"rin", 1}, {"rnig", 1}, {"RING", 1}, {"ringg", 1}, {"slot", 2}, {"md5", 3}, {"vnode", 4}, {"vnoeds", 4}, {"modolu", 0},
        {"moduli", 0}, {"zebra", 6}, {"5-32", 3}, {"odes", 4}, {"ode", 6}, {"", 6}, {"q", 6}, {"rendezvous", 6}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        ok(text_nearest(row[i].text, names, 6) == row[i].index, "nearest to '%s'", row[i].text);
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    ok(text_nearest(longest, names, 6) == 6, "a long name is near none");
}

int main(void)
{
    counts();
    reals();
    numbers();
    percent();
    printable();
    nearest();
    return tap_done();
}
