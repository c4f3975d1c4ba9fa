/* Lines and CSV records against a naive reading of the same bytes, from a file that comes whole or piece by piece; or as a trace
 * of requests. The head: flags, the column, the size of the pieces. */
#include "base/csv.h"
#include "base/text.h"
#include "model/workload.h"
#include "tests/fuzz/fuzz.h"

enum { LINES = 1, NUL = 2, KEEP_CR = 4, PIECES = 8, TRACE = 16, SEMICOLON = 32, SIZES = 64 };

struct input {
    const uint8_t *data;
    size_t size, column, piece;
    unsigned flags;
    char end, separator;
    bool keep_cr;
};

static const char *file(const struct input *in)
{
    return in->flags & PIECES ? file_in_pieces(in->data, in->size, in->piece, 1 + in->size / 3) : file_of(in->data, in->size);
}

/* Where the first record begins: behind a byte order mark. */
static size_t head(const struct input *in)
{
    return !in->keep_cr && in->end == '\n' && in->size >= 3 && !memcmp(in->data, "\xef\xbb\xbf", 3) ? 3 : 0;
}

static struct reader *opened(const struct input *in)
{
    struct reader *r = NULL;
    char why[WHY] = "";
    HOLD(!reader_open(&r, file(in), in->end, in->keep_cr, why));
    return r;
}

/* A line from *at on, without its end; false when there is none. */
static bool naive_line(const struct input *in, size_t *at, size_t *first, size_t *len)
{
    if (*at >= in->size)
        return false;
    *first = *at;
    while (*at < in->size && (char)in->data[*at] != in->end)
        ++*at;
    *len = *at - *first;
    if (*at < in->size && in->end == '\n' && !in->keep_cr && *len && in->data[*at - 1] == '\r')
        --*len;
    ++*at;
    return true;
}

static void lines(const struct input *in)
{
    struct reader *r = opened(in);
    char why[WHY] = "";
    const char *text;
    size_t at = head(in), first, want, len;
    uint64_t line = 0;
    while (naive_line(in, &at, &first, &want)) {
        HOLD(reader_line(r, &text, &len, why) == 1);
        HOLD(len == want && !memcmp(text, in->data + first, len));
        HOLD(reader_line_number(r) == ++line);
    }
    HOLD(reader_line(r, &text, &len, why) == 0);
    reader_close(r);
}

/* -- records -- */

struct naive {
    char *text; /* the fields' bytes */
    size_t at, used, fields, start[1 << 12], len[1 << 12];
    uint64_t line, next;
};
enum found { END, RECORD, OPEN };

/* RFC 4180, and: a quote amid an unquoted field is itself; what follows a closing quote belongs to the field. */
static enum found naive_record(const struct input *in, struct naive *n)
{
    const uint8_t *data = in->data;
    bool quoted = false, was = false, first = true;
    n->used = n->fields = 0;
    n->start[0] = 0;
    n->line = n->next;
    if (n->at >= in->size)
        return END;
    for (; n->at < in->size; n->at++) {
        char c = (char)data[n->at];
        n->next += c == in->end;
        if (c == in->end && !quoted)
            break;
        if (c == '\r' && in->end == '\n' && !in->keep_cr && !quoted && n->at + 1 < in->size && data[n->at + 1] == '\n')
            continue;
        if (c == '"' && first) {
            quoted = was = true;
            first = false;
        } else if (c == '"' && quoted && n->at + 1 < in->size && data[n->at + 1] == '"') {
            n->text[n->used++] = '"';
            n->at++;
        } else if (c == '"' && quoted) {
            quoted = false;
        } else if (c == in->separator && !quoted) {
            n->len[n->fields] = n->used - n->start[n->fields];
            n->start[++n->fields] = n->used;
            first = true;
            was = false;
        } else {
            n->text[n->used++] = c;
            first = false;
        }
    }
    n->next += n->at == in->size;
    n->at++;
    n->len[n->fields] = n->used - n->start[n->fields];
    n->fields++;
    return quoted && was ? OPEN : RECORD;
}

static void records(const struct input *in, struct naive *n)
{
    struct reader *r = opened(in);
    struct reader_text field[8];
    char why[WHY] = "";
    size_t count;
    enum found found;
    int e;
    n->at = head(in);
    n->next = 1;
    while ((found = naive_record(in, n)) == RECORD) {
        HOLD(reader_record(r, in->separator, field, 8, &count, why) == 1);
        HOLD(count == n->fields && reader_line_number(r) == n->line);
        for (size_t i = 0; i < count && i < 8; i++)
            HOLD(field[i].len == n->len[i] && !memcmp(field[i].text, n->text + n->start[i], n->len[i]));
    }
    e = reader_record(r, in->separator, field, 8, &count, why);
    HOLD(found == OPEN ? refused(e, why) : e == 0);
    reader_close(r);
}

static void fields(const struct input *in, struct naive *n)
{
    struct reader *r = opened(in);
    char why[WHY] = "";
    const char *text;
    size_t len;
    enum found found;
    int e;
    n->at = head(in);
    n->next = 1;
    while ((found = naive_record(in, n)) == RECORD && n->fields >= in->column) {
        HOLD(reader_field(r, in->separator, in->column, &text, &len, why) == 1);
        HOLD(len == n->len[in->column - 1] && !memcmp(text, n->text + n->start[in->column - 1], len) && reader_line_number(r) == n->line);
    }
    e = reader_field(r, in->separator, in->column, &text, &len, why);
    HOLD(found == END ? e == 0 : refused(e, why));
    reader_close(r);
}

/* -- as a workload -- */

/* Each block's keys are the records' fields; what the reading of records would refuse is refused. */
static void trace(const struct input *in, struct naive *n)
{
    char why[WHY] = "", spec[160];
    bool sized = in->flags & SIZES;
    size_t size = in->column == 1 ? 2 : 1, most = sized && in->column == 1 ? 2 : in->column;
    struct workload *w;
    struct key_block b;
    snprintf(spec, sizeof spec, "file:path=%s,column=%zu,sep=%s%s", file(in), in->column, in->separator == ';' ? ";" : "\\,",
             sized ? size == 1 ? ",size-column=1" : ",size-column=2" : "");
    if (refused(workload_open_text(&w, spec, 1, why), why))
        return;
    HOLD(!key_block_init(&b));
    n->at = head(in);
    n->next = 1;
    int e;
    while (!(e = workload_next(w, &b, why)) && b.count)
        for (size_t i = 0; i < b.count; i++) {
            uint64_t amount;
            HOLD(naive_record(in, n) == RECORD && n->fields >= most);
            HOLD(b.len[i] == n->len[in->column - 1] && !memcmp(b.text[i], n->text + n->start[in->column - 1], b.len[i]) && b.line[i] == n->line);
            HOLD(!sized || (!text_amount(n->text + n->start[size - 1], n->len[size - 1], &amount) && amount == b.amount[i]));
        }
    HOLD(e || naive_record(in, n) == END);
    refused(e, why);
    key_block_release(&b);
    workload_close(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct naive n;
    uint64_t live = mem_live();
    struct input in = {.flags = take(&data, &size)};
    in.column = 1 + take(&data, &size) % 4;
    in.piece = 1 + take(&data, &size) % 61;
    in.end = in.flags & NUL ? 0 : '\n';
    in.keep_cr = in.flags & KEEP_CR;
    in.separator = in.flags & SEMICOLON ? ';' : ',';
    in.data = data;
    in.size = size < 4000 ? size : 4000;
    HOLD(n.text = mem_alloc(in.size, 1));
    if (in.flags & TRACE && !(in.flags & (NUL | KEEP_CR)))
        trace(&in, &n);
    else if (in.flags & LINES)
        lines(&in);
    else
        records(&in, &n), fields(&in, &n);
    mem_free(n.text);
    HOLD(mem_live() == live);
    return 0;
}
