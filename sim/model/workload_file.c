/* Keys from a file: a line a key, a NUL-ended record a key, or a column of a CSV file, read
 * as a stream, so a file of any size takes the memory of a block.
 *
 * The first block is read when the file is opened, so that an empty file or a missing column
 * is told at once; it is handed out by the first key_file_next. Beside, the requests of each
 * key are counted by its 64-bit fingerprint, in an open-addressing table, for the sum of p^2;
 * beyond 2^22 distinct keys the table is dropped and the sum unknown. It takes at most 128 MB,
 * 192 MB while it grows.
 * Cost: some 30 ns a line, and to 100 ns more to count one of millions of distinct keys. */
#include "model/workload_parts.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define BLOCK_BYTES ((size_t)8 << 20) /* a block of long keys ends with the key that passes this */
#define DISTINCT_MAX ((size_t)1 << 22)

struct tally { /* how often each key was requested */
    struct tally_slot {
        uint64_t print, count; /* count 0: free */
    } *slot;
    size_t slots, used;  /* slots: a power of two, at most 3/4 used; 0: given up or not begun */
    bool over;           /* too many distinct keys */
    double requests, squares; /* squares: counts squared and summed; whole numbers */
    uint64_t most;            /* the largest count */
};

struct key_file {
    struct file_options options; /* the path is the reader's */
    struct reader *reader;
    struct reader_text *field; /* of a record, where sizes are read */
    struct key_block first;
    bool first_waits;
    uint64_t next; /* number of the next block's first key */
    struct tally tally;
};

static int parse_separator(const char *text, void *field, char why[WHY])
{
    char separator = strcmp(text, "tab") == 0 ? '\t' : text[0];
    if (separator != '\t' && strlen(text) != 1)
        return fail(why, EINVAL, "is no single byte; sep=; or sep=tab would be");
    if (separator == '"' || separator == '\n' || separator == '\r')
        return fail(why, EINVAL, "a quote or a line end cannot be");
    *(char *)field = separator;
    return 0;
}

const struct option file_option[] = {
    {.name = "path", .type = OPTION_TEXT, .offset = offsetof(struct file_options, path), .help = "the file; - is standard input"},
    {.name = "column", .type = OPTION_COUNT, .offset = offsetof(struct file_options, column), .min = 1, .max = 1 << 20,
     .help = "CSV column that holds the key, from 1 (default: the whole line)"},
    {.name = "sep", .type = OPTION_CUSTOM, .offset = offsetof(struct file_options, separator), .parse = parse_separator,
     .help = "byte between columns, or the word tab (default: a comma)"},
    {.name = "size-column", .type = OPTION_COUNT, .offset = offsetof(struct file_options, size_column), .min = 1, .max = 1 << 20,
     .help = "CSV column that holds the bytes of each key's data, for plan (default: none)"},
    {.name = "header", .type = OPTION_CHOICE, .offset = offsetof(struct file_options, header), .fallback = "0", .choices = "0|1",
     .help = "1: the first record is no key"},
    {.name = "nul", .type = OPTION_CHOICE, .offset = offsetof(struct file_options, nul), .fallback = "0", .choices = "0|1",
     .help = "1: keys end with a NUL byte instead of a line end"},
    {.name = NULL},
};

static struct tally_slot *tally_find(const struct tally *t, uint64_t print)
{
    size_t at = (size_t)print & (t->slots - 1);
    while (t->slot[at].count && t->slot[at].print != print)
        at = (at + 1) & (t->slots - 1);
    return &t->slot[at];
}

static void tally_release(struct tally *t)
{
    mem_free(t->slot);
    *t = (struct tally){0};
}

/* Room for a block of new keys. 0 or -ENOMEM. */
static int tally_room(struct tally *t)
{
    struct tally larger = *t;
    if (4 * (t->used + KEY_BLOCK) <= 3 * t->slots)
        return 0;
    larger.slots = t->slots ? 2 * t->slots : 4 * KEY_BLOCK;
    if (!(larger.slot = mem_alloc(larger.slots, sizeof *larger.slot)))
        return -ENOMEM;
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].count)
            *tally_find(&larger, t->slot[i].print) = t->slot[i];
    mem_free(t->slot);
    *t = larger;
    return 0;
}

/* Fingerprints first, so that the table's cache misses overlap. 0 or -ENOMEM. */
static int tally_add(struct tally *t, const struct key_block *b)
{
    uint64_t print[KEY_BLOCK];
    if (t->over)
        return 0;
    if (tally_room(t))
        return -ENOMEM;
    for (size_t i = 0; i < b->count; i++) {
        print[i] = XXH3_64bits(b->text[i], b->len[i]);
        __builtin_prefetch(&t->slot[print[i] & (t->slots - 1)]);
    }
    for (size_t i = 0; i < b->count; i++) {
        struct tally_slot *slot = tally_find(t, print[i]);
        t->used += !slot->count;
        t->squares += 2 * (double)slot->count + 1;
        *slot = (struct tally_slot){print[i], slot->count + 1};
        t->most = slot->count > t->most ? slot->count : t->most;
    }
    t->requests += (double)b->count;
    if (t->used > DISTINCT_MAX) {
        tally_release(t);
        t->over = true;
    }
    return 0;
}

static int read_key(struct key_file *f, size_t column, const char **text, size_t *len, char why[WHY])
{
    if (column)
        return reader_field(f->reader, f->options.separator, column, text, len, why);
    return reader_line(f->reader, text, len, why);
}

/* A key and its size, from one record. */
static int read_sized(struct key_file *f, const char **text, size_t *len, uint64_t *amount, char why[WHY])
{
    size_t key = (size_t)f->options.column, size = (size_t)f->options.size_column, most = key > size ? key : size, count;
    int got = reader_record(f->reader, f->options.separator, f->field, most, &count, why);
    if (got <= 0)
        return got;
    if (count < most)
        return fail(why, EINVAL, "%s line %" PRIu64 ": has %zu column%s, column %zu was asked for", reader_path(f->reader),
                    reader_line_number(f->reader), count, count == 1 ? "" : "s", most);
    const struct reader_text *given = &f->field[size - 1];
    char shown[80];
    if (text_amount(given->text, given->len, amount))
        return fail(why, EINVAL, "%s line %" PRIu64 ": '%s' in column %zu: must be a number, 0 to 10^12, without a unit", reader_path(f->reader),
                    reader_line_number(f->reader), text_printable(given->text, given->len, shown, sizeof shown), size);
    *text = f->field[key - 1].text;
    *len = f->field[key - 1].len;
    return 1;
}

static int read_block(struct key_file *f, struct key_block *b, char why[WHY])
{
    size_t n = 0, used = 0, len;
    const char *text;
    if (f->field && !b->amount && !(b->amount = mem_alloc(KEY_BLOCK, sizeof *b->amount)))
        return fail(why, ENOMEM, "out of memory for keys of %s", reader_path(f->reader));
    while (n < KEY_BLOCK && used < BLOCK_BYTES) {
        int got = f->field ? read_sized(f, &text, &len, &b->amount[n], why) : read_key(f, (size_t)f->options.column, &text, &len, why);
        if (got < 0)
            return got;
        if (!got)
            break;
        if (key_block_room(b, used + len))
            return fail(why, ENOMEM, "out of memory for keys of %s", reader_path(f->reader));
        memcpy(b->buffer + used, text, len);
        b->len[n] = (uint32_t)len;
        b->line[n++] = reader_line_number(f->reader);
        used += len;
    }
    const char *at = b->buffer; /* only now: it may have moved */
    for (size_t i = 0; i < n; at += b->len[i++])
        b->text[i] = at;
    b->count = n;
    b->first = f->next;
    f->next += n;
    return 0;
}

static void swap_blocks(struct key_block *a, struct key_block *b)
{
    struct key_block c = *a;
    *a = *b;
    *b = c;
}

/* From a reader that was just opened: skips the header and reads the first block. */
static int begin(struct key_file *f, char why[WHY])
{
    const char *text;
    size_t len;
    f->next = 0;
    int got = f->options.header ? read_key(f, f->options.column != 0, &text, &len, why) : 1;
    if (got < 0)
        return got;
    int error = read_block(f, &f->first, why);
    if (error)
        return error;
    if (!f->first.count)
        return fail(why, EINVAL, "file %s holds no key", reader_path(f->reader));
    f->first_waits = true;
    return 0;
}

int key_file_open(struct key_file **out, const struct file_options *options, char why[WHY])
{
    if (!options->path || !*options->path)
        return fail(why, EINVAL, "workload file: path= is missing, e.g. file:path=keys.txt");
    if (options->nul && options->column)
        return fail(why, EINVAL, "workload file: column= reads CSV, whose records end with a line: without nul=1, please");
    if (options->separator && !options->column)
        return fail(why, EINVAL, "workload file: sep= needs a column, e.g. column=1");
    if (options->size_column && !options->column)
        return fail(why, EINVAL, "workload file: size-column= needs the key's column too, e.g. column=1");
    struct key_file *f = mem_alloc(1, sizeof *f);
    if (!f || key_block_init(&f->first)) {
        mem_free(f);
        return fail(why, ENOMEM, "out of memory for a workload");
    }
    f->options = *options;
    if (!options->separator)
        f->options.separator = ',';
    int error = 0;
    if (options->size_column && !(f->field = mem_alloc((size_t)(options->column + options->size_column), sizeof *f->field)))
        error = fail(why, ENOMEM, "out of memory for a workload");
    if (!error)
        error = reader_open(&f->reader, options->path, options->nul ? '\0' : '\n', options->nul, why);
    if (!error)
        error = begin(f, why);
    if (error)
        key_file_close(f);
    else
        *out = f;
    return error;
}

void key_file_close(struct key_file *f)
{
    if (f->reader)
        reader_close(f->reader);
    key_block_release(&f->first);
    tally_release(&f->tally);
    mem_free(f->field);
    mem_free(f);
}

int key_file_next(struct key_file *f, struct key_block *b, char why[WHY])
{
    int error = 0;
    if (f->first_waits)
        swap_blocks(b, &f->first);
    else
        error = read_block(f, b, why);
    f->first_waits = false;
    if (!error && tally_add(&f->tally, b))
        error = fail(why, ENOMEM, "out of memory for the counts of %s", reader_path(f->reader));
    return error;
}

int key_file_rewind(struct key_file *f, char why[WHY])
{
    struct reader *again;
    if (f->first_waits)
        return 0;
    const char *path = reader_path(f->reader);
    if (strcmp(path, "-") == 0)
        return fail(why, EINVAL, "standard input can be read only once; give a file");
    int error = reader_open(&again, path, f->options.nul ? '\0' : '\n', f->options.nul, why);
    if (error)
        return error;
    reader_close(f->reader);
    f->reader = again;
    tally_release(&f->tally);
    return begin(f, why);
}

double key_file_sum_p2(const struct key_file *f)
{
    const struct tally *t = &f->tally;
    return t->requests > 0 ? t->squares / (t->requests * t->requests) : (double)NAN;
}

double key_file_top_share(const struct key_file *f)
{
    return f->tally.requests > 0 ? (double)f->tally.most / f->tally.requests : (double)NAN;
}

bool key_file_has_sizes(const struct key_file *f)
{
    return f->options.size_column > 0;
}

const char *key_file_path(const struct key_file *f)
{
    return reader_path(f->reader);
}
