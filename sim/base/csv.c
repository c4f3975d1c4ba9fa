/* The reader: one buffer, records handed out where they lie in it. A line is found by
 * one memchr; a CSV record without a quote likewise, and only one with quotes is
 * walked byte by byte and unquoted in place. The buffer starts at 256 KiB, or a smaller file's
 * size, and grows only for a record that does not fit. */
#include "base/csv.h"
#include "base/mem.h"
#include "base/ranks.h"
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
    if (r->standard && ranks_count() > 1)
        return fail(why, EINVAL, "standard input reaches only one of %u processes: give a file that all can read", ranks_count());
    r->file = r->standard ? STDIN_FILENO : open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->file < 0 || fstat(r->file, &about))
        return fail_file(why, errno, r->path, "cannot be read");
    if (S_ISDIR(about.st_mode))
        return fail_file(why, EISDIR, r->path, "cannot be read");
    if (S_ISREG(about.st_mode) && about.st_size > 0 && about.st_size < BUFFER) /* 0: /proc does not say */
        r->capacity = (size_t)about.st_size + 1; /* the end is met without growing */
    return 0;
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
    int error = r->path ? open_file(r, why) : fail(why, ENOMEM, "out of memory");
    if (!error && !(r->buffer = mem_alloc(r->capacity, 1)))
        error = fail(why, ENOMEM, "out of memory");
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

/* Editors on Windows put a byte order mark before a text. One byte after the other: a terminal's first line may be shorter. */
static int pass_mark(struct reader *r, char why[WHY])
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    if (r->keep_cr || r->end != '\n' || r->line > 0 || r->start > 0)
        return 0;
    for (size_t i = 0; i < sizeof mark; i++) {
        while (i == r->fill && !r->at_end) {
            int error = more(r, why);
            if (error)
                return error;
        }
        if (i == r->fill || r->buffer[i] != mark[i])
            return 0;
    }
    r->start = sizeof mark;
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
    int found = pass_mark(r, why);
    if (found < 0 || (found = find_line(r, RECORD_MAX, len, &whole, why)) <= 0)
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
                            (unsigned long long)r->next + opened, over ? " within 4 MiB" : "; a quote inside is written twice");
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

/* A record that lies in the buffer, and where its next field begins. */
struct record {
    char *at;
    const char *end;
    size_t whole;   /* bytes with the line's end */
    uint64_t lines; /* it spans */
    bool quotes;
    char separator;
};

static int find_record(struct reader *r, char separator, struct record *record, char why[WHY])
{
    size_t size;
    *record = (struct record){.lines = 1, .separator = separator};
    int found = pass_mark(r, why);
    if (found < 0 || (found = find_line(r, RAW_MAX, &size, &record->whole, why)) <= 0)
        return found;
    record->quotes = memchr(r->buffer + r->start, '"', size) != NULL;
    if (record->quotes && (found = find_quoted(r, separator, &size, &record->whole, &record->lines, why)) < 0)
        return found;
    record->at = r->buffer + r->start;
    record->end = record->at + size;
    return 1;
}

/* The next field; *more_follow: it is not the last. */
static int take_field(const struct reader *r, struct record *record, struct reader_text *field, bool *more_follow, char why[WHY])
{
    field->text = record->quotes ? take_quoted(&record->at, record->end, record->separator, &field->len)
                                 : take_plain(&record->at, record->end, record->separator, &field->len);
    *more_follow = record->at != record->end;
    record->at += *more_follow;
    return field->len > RECORD_MAX ? too_long(r, why) : 0;
}

static int pass_record(struct reader *r, const struct record *record)
{
    r->start += record->whole;
    r->line = r->next;
    r->next += record->lines;
    return 1;
}

int reader_field(struct reader *r, char separator, size_t column, const char **text, size_t *len, char why[WHY])
{
    struct record record;
    struct reader_text field;
    bool more_follow;
    int e = find_record(r, separator, &record, why);
    if (e <= 0)
        return e;
    for (size_t number = 1;; number++) {
        if ((e = take_field(r, &record, &field, &more_follow, why)))
            return e;
        if (number == column)
            break;
        if (!more_follow)
            return fail(why, EINVAL, "%s line %llu: has %zu column%s, column %zu was asked for", r->path,
                        (unsigned long long)r->next, number, number == 1 ? "" : "s", column);
    }
    *text = field.text;
    *len = field.len;
    return pass_record(r, &record);
}

int reader_record(struct reader *r, char separator, struct reader_text *field, size_t most, size_t *count, char why[WHY])
{
    struct record record;
    struct reader_text beyond;
    bool more_follow = true;
    int e = find_record(r, separator, &record, why);
    if (e <= 0)
        return e;
    for (*count = 0; more_follow; ++*count)
        if ((e = take_field(r, &record, *count < most ? &field[*count] : &beyond, &more_follow, why)))
            return e;
    return pass_record(r, &record);
}

uint64_t reader_line_number(const struct reader *r) { return r->line; }
const char *reader_path(const struct reader *r) { return r->path; }
