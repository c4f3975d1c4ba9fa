/* The reader: one buffer, records handed out where they lie in it. A line is found by
 * one memchr; a CSV record without a quote likewise, and only one with quotes is
 * walked byte by byte and unquoted in place. The buffer starts at 256 KiB and grows
 * only for a record that does not fit. */
#include "base/csv.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 256 * 1024, RAW_MAX = 4 * RECORD_MAX /* a CSV record, quotes included */ };

struct reader {
    char *path, *buffer;
    size_t capacity, start, fill; /* unread: buffer[start .. fill) */
    uint64_t line, next;          /* of the record last returned, of the one to come */
    int file;
    char end;
    bool keep_cr, at_end, standard;
};

static int open_file(struct reader *r, char why[WHY])
{
    struct stat about;
    r->file = r->standard ? STDIN_FILENO : open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->file < 0 || fstat(r->file, &about))
        return fail_file(why, errno, r->path, "cannot be read");
    return S_ISDIR(about.st_mode) ? fail_file(why, EISDIR, r->path, "cannot be read") : 0;
}

int reader_open(struct reader **out, const char *path, char end, bool keep_cr, char why[WHY])
{
    struct reader *r = mem_alloc(1, sizeof *r);
    if (!r)
        return fail(why, ENOMEM, "out of memory");
    *r = (struct reader){.file = -1, .next = 1, .end = end, .keep_cr = keep_cr, .capacity = BUFFER};
    r->standard = strcmp(path, "-") == 0;
    path = r->standard ? "standard input" : path;
    r->path = mem_copy(path, strlen(path));
    r->buffer = mem_alloc(BUFFER, 1);
    int error = r->path && r->buffer ? open_file(r, why) : fail(why, ENOMEM, "out of memory");
    if (error)
        reader_close(r);
    else
        *out = r;
    return error;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    if (r->file >= 0 && !r->standard)
        close(r->file);
    mem_free(r->buffer);
    mem_free(r->path);
    mem_free(r);
}

/* Reads on, keeping what is unread; sets at_end when there is no more. */
static int more(struct reader *r, char why[WHY])
{
    if (r->start > 0) {
        memmove(r->buffer, r->buffer + r->start, r->fill - r->start);
        r->fill -= r->start;
        r->start = 0;
    }
    if (r->fill == r->capacity && mem_grow(&r->buffer, &r->capacity, r->fill + 1, 1))
        return fail(why, ENOMEM, "%s: out of memory", r->path);
    ssize_t got;
    do
        got = read(r->file, r->buffer + r->fill, r->capacity - r->fill);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail(why, errno, "%s: cannot be read: %s", r->path, strerror(errno));
    r->fill += (size_t)got;
    r->at_end = got == 0;
    return 0;
}

static int too_long(const struct reader *r, char why[WHY])
{
    return fail(why, EINVAL, "%s line %llu: is longer than 1 MiB (%u bytes)", r->path, (unsigned long long)r->next, RECORD_MAX);
}

/* The bytes up to the next end: 1 and *len without it, *whole with it; 0 at the end of the file. */
static int find_line(struct reader *r, size_t max, size_t *len, size_t *whole, char why[WHY])
{
    for (size_t seen = 0;;) {
        const char *at = r->buffer + r->start;
        size_t have = r->fill - r->start;
        const char *stop = memchr(at + seen, r->end, have - seen);
        if (stop) {
            *len = (size_t)(stop - at);
            *whole = *len + 1;
            if (!r->keep_cr && r->end == '\n' && *len > 0 && stop[-1] == '\r')
                --*len;
            return *len > max ? too_long(r, why) : 1;
        }
        if (r->at_end) {
            *len = *whole = have;
            return have > max ? too_long(r, why) : have > 0;
        }
        if (have > max + 1) /* one for the CR */
            return too_long(r, why);
        seen = have;
        int error = more(r, why);
        if (error)
            return error;
    }
}

int reader_line(struct reader *r, const char **text, size_t *len, char why[WHY])
{
    size_t whole;
    int found = find_line(r, RECORD_MAX, len, &whole, why);
    if (found <= 0)
        return found;
    *text = r->buffer + r->start;
    r->start += whole;
    r->line = r->next++;
    return 1;
}

enum place { FIRST, PLAIN, QUOTED, QUOTE }; /* of a field's text: before it, outside quotes, inside, after a quote inside */

static enum place step(enum place now, char c, char separator)
{
    if (now == QUOTED)
        return c == '"' ? QUOTE : QUOTED;
    if (c == '"' && now != PLAIN) /* opens a field, or the second of a doubled one */
        return QUOTED;
    return c == separator ? FIRST : PLAIN;
}

/* As find_line, for a record that holds quotes; *lines: the ends in it, its own too. */
static int find_quoted(struct reader *r, char separator, size_t *len, size_t *whole, uint64_t *lines, char why[WHY])
{
    enum place now = FIRST;
    uint64_t opened = 0;
    *lines = 0;
    for (size_t i = 0;; i++) {
        if (i == r->fill - r->start) {
            int error = i > RAW_MAX || r->at_end ? 0 : more(r, why);
            if (error)
                return error;
        }
        bool over = i > RAW_MAX;
        if (over || i == r->fill - r->start) {
            if (now == QUOTED)
                return fail(why, EINVAL, "%s line %llu: a quote opened here is not closed%s", r->path,
                            (unsigned long long)(r->next + opened), over ? " within 4 MiB" : "; a quote inside is written twice");
            if (over)
                return too_long(r, why);
            *len = *whole = i;
            ++*lines;
            return 1;
        }
        char c = r->buffer[r->start + i];
        if (c == r->end) {
            ++*lines;
            if (now != QUOTED) {
                bool cr = !r->keep_cr && c == '\n' && i > 0 && r->buffer[r->start + i - 1] == '\r';
                *len = i - cr;
                *whole = i + 1;
                return 1;
            }
        } else {
            enum place next = step(now, c, separator);
            if (next == QUOTED && now == FIRST)
                opened = *lines;
            now = next;
        }
    }
}

/* The field at *at of a record that ends at `end`, unquoted in place; *at moves to its separator. */
static char *take_quoted(char **at, const char *end, char separator, size_t *len)
{
    char *field = *at, *to = field, *from = field;
    enum place now = FIRST;
    for (; from < end; from++) {
        enum place before = now;
        now = step(now, *from, separator);
        if (now == FIRST)
            break;
        if (now != QUOTE && !(now == QUOTED && before == FIRST)) /* all but the quotes around */
            *to++ = *from;
    }
    *len = (size_t)(to - field);
    *at = from;
    return field;
}

static char *take_plain(char **at, const char *end, char separator, size_t *len)
{
    char *field = *at, *stop = memchr(field, separator, (size_t)(end - field));
    *at = stop ? stop : field + (end - field);
    *len = (size_t)(*at - field);
    return field;
}

int reader_field(struct reader *r, char separator, size_t column, const char **text, size_t *len, char why[WHY])
{
    size_t size, whole, number = 0;
    uint64_t lines = 1;
    int found = find_line(r, RAW_MAX, &size, &whole, why);
    if (found <= 0)
        return found;
    bool quotes = memchr(r->buffer + r->start, '"', size);
    if (quotes && (found = find_quoted(r, separator, &size, &whole, &lines, why)) < 0)
        return found;
    char *at = r->buffer + r->start;
    const char *end = at + size;
    for (;;) {
        *text = quotes ? take_quoted(&at, end, separator, len) : take_plain(&at, end, separator, len);
        if (++number == column)
            break;
        if (at == end)
            return fail(why, EINVAL, "%s line %llu: has %zu column%s, column %zu was asked for", r->path,
                        (unsigned long long)r->next, number, number == 1 ? "" : "s", column);
        at++;
    }
    if (*len > RECORD_MAX)
        return too_long(r, why);
    r->start += whole;
    r->line = r->next;
    r->next += lines;
    return 1;
}

uint64_t reader_line_number(const struct reader *r) { return r->line; }
const char *reader_path(const struct reader *r) { return r->path; }
