/* The reader: lines, records, their limits and their line numbers. */
#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"
#include "tests/tap.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "\xef\xbb\xbf" /* byte order mark */

static char path[] = "build-csv-test-XXXXXX";

static struct reader *open_text(const char *text, size_t len, char end, bool keep_cr)
{
    char why[WHY];
    struct reader *r = NULL;
    FILE *f = fopen(path, "w");
    fwrite(text, 1, len, f);
    fclose(f);
    return reader_open(&r, path, end, keep_cr, why) ? NULL : r;
}

/* All records as "1:abc|2:def|", from a text; column 0: lines. The last result is in *error. */
static const char *records(const char *text, size_t len, char end, bool keep_cr, char separator, size_t column, int *error, char why[WHY])
{
    static char got[1024];
    size_t used = 0, n;
    const char *field;
    struct reader *r = open_text(text, len, end, keep_cr);
    while ((*error = column ? reader_field(r, separator, column, &field, &n, why) : reader_line(r, &field, &n, why)) == 1) {
        used += (size_t)snprintf(got + used, sizeof got - used, "%" PRIu64 ":", reader_line_number(r));
        memcpy(got + used, field, n);
        used += n;
        got[used++] = '|';
    }
    got[used] = 0;
    reader_close(r);
    return got;
}

static void lines(const char *text, size_t len, char end, bool keep_cr, const char *want)
{
    char why[WHY] = "";
    int error;
    const char *got = records(text, len, end, keep_cr, ',', 0, &error, why);
    char shown[256];
    ok(error == 0 && strcmp(got, want) == 0, "lines %s %s", text_printable(got, strlen(got), shown, sizeof shown), why);
}

static void fields(const char *text, size_t column, const char *want)
{
    char why[WHY] = "";
    int error;
    const char *got = records(text, strlen(text), '\n', false, ',', column, &error, why);
    char shown[256];
    ok(error == 0 && strcmp(got, want) == 0, "column %zu: %s %s", column, text_printable(got, strlen(got), shown, sizeof shown), why);
}

static void refused(const char *text, size_t column, const char *sentence)
{
    char why[WHY] = "";
    int error;
    records(text, strlen(text), '\n', false, ',', column, &error, why);
    ok(error == -EINVAL && strstr(why, sentence) && strstr(why, path), "%s", why);
}

static void small(void)
{
    lines("a\nb\n", 4, '\n', false, "1:a|2:b|");
    lines("a\n\nb", 4, '\n', false, "1:a|2:|3:b|");
    lines("", 0, '\n', false, "");
    lines("\n", 1, '\n', false, "1:|");
    lines("a\r\n\r\nb\r", 7, '\n', false, "1:a|2:|3:b\r|");
    lines("a\r\nb", 4, '\n', true, "1:a\r|2:b|");
    lines("a\nb\0c\r\0", 7, '\0', false, "1:a\nb|2:c\r|");
    lines(MARK "a\n" MARK "b\n", 10, '\n', false, "1:a|2:" MARK "b|");
    lines(MARK MARK "\n\n", 8, '\n', false, "1:" MARK "|2:|");
    lines(MARK "a\n", 5, '\n', true, "1:" MARK "a|");
    lines(MARK "a", 5, '\0', false, "1:" MARK "a|");
    lines(MARK, 3, '\n', false, "");
    lines("\xef\xbb\n", 3, '\n', false, "1:\xef\xbb|");

    fields("a,b,c\nd,e,f\n", 1, "1:a|2:d|");
    fields("a,b,c\nd,e,f\n", 3, "1:c|2:f|");
    fields("a,,c\r\n,e,\r\n", 2, "1:|2:e|");
    fields("a,b\r\n", 2, "1:b|");
    fields("\"a,1\",\"b \"\"q\"\"\",c\nx,y,z", 2, "1:b \"q\"|2:y|");
    fields("\"a\nb\r\nc\",d\ne,f\n", 1, "1:a\nb\r\nc|4:e|");
    fields("\"a\nb\",d\r\ne,f\n", 2, "1:d|3:f|");
    fields("a\"b,c\"\nd,e\n", 1, "1:a\"b|2:d|");
    fields("a\"b,c\"\nd,e\n", 2, "1:c\"|2:e|");
    fields("\"\",\"\"\"\"\n\"a\"b,\"c\"", 2, "1:\"|2:c|");
    fields("\"\",\"\"\"\"\n\"a\"b,\"c\"", 1, "1:|2:ab|");
    fields("\"a\"", 1, "1:a|");
    fields("\n\n", 1, "1:|2:|");
    fields(MARK "\"a,b\",c\n", 1, "1:a,b|");

    refused("a,b,c\n1,2,3\n", 5, " line 1: has 3 columns, column 5 was asked for");
    refused("a,b\n\nc,d\n", 2, " line 2: has 1 column, column 2 was asked for");
    refused("a,\"b\nc\"\n\"x\"\n", 2, " line 3: has 1 column, ");
    refused("a,b\nc,\"d\ne\n", 1, " line 2: a quote opened here is not closed");
    refused("a,b\n\"c\n\",\"d\ne\n", 1, " line 3: a quote opened here is not closed");
}

/* A text of `head`, then n times fill, then tail. */
static char *long_text(const char *head, char fill, size_t n, const char *tail, size_t *len)
{
    size_t h = strlen(head), t = strlen(tail);
    char *text = malloc(h + n + t);
    memcpy(text, head, h);
    memset(text + h, fill, n);
    memcpy(text + h + n, tail, t);
    *len = h + n + t;
    return text;
}

static void check_long(const char *head, size_t n, const char *tail, size_t column, size_t want, const char *next)
{
    char why[WHY] = "";
    size_t len, got = 0;
    const char *field = NULL;
    char *text = long_text(head, 'x', n, tail, &len);
    struct reader *r = open_text(text, len, '\n', false);
    int found = column ? reader_field(r, ',', column, &field, &got, why) : reader_line(r, &field, &got, why);
    if (want == 0) {
        ok(found == -EINVAL && strstr(why, "line 1: "), "too long: %s", why);
    } else {
        ok(found == 1 && got == want && field[got - 1] == 'x', "%zu bytes %s", want, why);
        found = column ? reader_field(r, ',', column, &field, &got, why) : reader_line(r, &field, &got, why);
        ok(found == 1 && got == strlen(next) && memcmp(field, next, got) == 0, "and the next");
    }
    reader_close(r);
    free(text);
}

/* Whole records, of which at most three fields are kept. */
static void whole(const char *text, const char *want)
{
    char why[WHY] = "", got[256] = "";
    struct reader_text field[3];
    size_t count, used = 0;
    int e;
    struct reader *r = open_text(text, strlen(text), '\n', false);
    while ((e = reader_record(r, ',', field, 3, &count, why)) == 1) {
        used += (size_t)snprintf(got + used, sizeof got - used, "%" PRIu64 ":%zu:", reader_line_number(r), count);
        for (size_t k = 0; k < count && k < 3; k++)
            used += (size_t)snprintf(got + used, sizeof got - used, "%.*s|", (int)field[k].len, field[k].text);
    }
    reader_close(r);
    char shown[300];
    ok(e == 0 && !strcmp(got, want), "records %s %s", text_printable(got, strlen(got), shown, sizeof shown), why);
}

static void whole_records(void)
{
    whole("a,b\n", "1:2:a|b|");
    whole("a,b,c,d,e\n\nx", "1:5:a|b|c|2:1:|3:1:x|");
    whole("a,\n,\n", "1:2:a||2:2:||");
    whole("\"a,1\",\"say \"\"x\"\"\",\"two\nlines\",d\nnext\n", "1:4:a,1|say \"x\"|two\nlines|3:1:next|");
    whole("", "");
    char why[WHY] = "";
    struct reader_text field[3];
    size_t count;
    struct reader *r = open_text("a,\"b\n", 5, '\n', false);
    ok(reader_record(r, ',', field, 3, &count, why) == -EINVAL && strstr(why, "line 1"), "%s", why);
    reader_close(r);
}

static void limits(void)
{
    check_long("", RECORD_MAX, "\nnext", 0, RECORD_MAX, "next");
    check_long("", RECORD_MAX, "\r\nnext", 0, RECORD_MAX, "next");
    check_long("", RECORD_MAX + 1, "\n", 0, 0, "");
    check_long("", RECORD_MAX + 1, "", 0, 0, "");
    check_long("", 3 * RECORD_MAX, "\n", 0, 0, "");
    check_long("a,", RECORD_MAX, ",c\na,b,c\n", 2, RECORD_MAX, "b");
    check_long("a,\"\"\"", RECORD_MAX - 1, "\",c\na,b,c\n", 2, RECORD_MAX, "b");
    check_long("a,", RECORD_MAX + 1, ",c\n", 2, 0, "");
    check_long("a,\"", 5 * RECORD_MAX, "", 1, 0, "");

    char why[WHY] = "";
    size_t n, count = 0;
    const char *line;
    bool right = true;
    FILE *f = fopen(path, "w");
    for (int i = 0; i < 200000; i++)
        fprintf(f, "key:%d,\"v\n%d\"\n", i, i);
    fclose(f);
    struct reader *r = NULL;
    right = reader_open(&r, path, '\n', false, why) == 0;
    for (; right && reader_field(r, ',', 2, &line, &n, why) == 1; count++) {
        char want[32];
        int size = snprintf(want, sizeof want, "v\n%zu", count);
        right = (size_t)size == n && memcmp(line, want, n) == 0 && reader_line_number(r) == 2 * count + 1;
    }
    ok(right && count == 200000, "a file larger than the buffer: %zu records", count);
    ok(strcmp(reader_path(r), path) == 0, "its path");
    reader_close(r);
}

static void mistakes(void)
{
    char why[WHY] = "";
    struct reader *r;
    ok(reader_open(&r, "no/such/file", '\n', false, why) == -EINVAL, "%s", why);
    ok(reader_open(&r, "/", '\n', false, why) == -EINVAL, "%s", why);
    for (uint64_t nth = 1; nth <= 3; nth++) {
        mem_fail_at(nth);
        ok(reader_open(&r, path, '\n', false, why) == -ENOMEM, "%s", why);
    }
    mem_fail_at(0);
    const char *line;
    size_t n;
    if (access("/proc/self/mem", R_OK) == 0 && reader_open(&r, "/proc/self/mem", '\n', false, why) == 0) {
        ok(reader_line(r, &line, &n, why) == -EIO, "%s", why);
        reader_close(r);
    }
    reader_close(NULL);
    ok(mem_live() == 0, "nothing is left");
}

int main(void)
{
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    small();
    whole_records();
    limits();
    mistakes();
    unlink(path);
    return tap_done();
}
