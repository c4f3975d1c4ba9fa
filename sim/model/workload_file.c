/* Keys from a file: a line a key, a NUL-ended record a key, or a column of a CSV file, read
 * as a stream, so a file of any size takes the memory of a block.
 *
 * The first block is read when the file is opened, so that an empty file or a missing column
 * is told at once; it is handed out by the first key_file_next. Beside, the requests of each
 * key are counted (workload_tally.c). Where hot keys are to be split, the whole file is read
 * once before, to know them.
 * Cost: some 30 ns a line, and the count. */
#include "model/workload_parts.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { COLUMNS_MAX = 1 << 20 };
#define BLOCK_BYTES ((size_t)8 << 20) /* a block of long keys ends with the key that passes this */

struct key_file {
    struct file_options options; /* the path is the reader's */
    struct reader *reader;
    struct reader_text *field; /* of a record, where sizes are read */
    struct key_block first;
    bool first_waits;
    uint64_t next; /* number of the next block's first key */
    struct tally tally;
    uint64_t *hot; /* fingerprints of the keys to split; NULL: none yet */
    bool once;     /* each key the first time it is met */
    bool standard; /* read from standard input, which cannot be read again */
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

static int parse_column(const char *text, void *field, char why[WHY])
{
    return text_count(text, strlen(text), field) || *(uint64_t *)field < 1 || *(uint64_t *)field > COLUMNS_MAX
               ? fail(why, EINVAL, "must be a column's number, 1 to %d", COLUMNS_MAX)
               : 0;
}

const struct option file_option[] = {
    {.name = "path", .type = OPTION_TEXT, .offset = offsetof(struct file_options, path), .help = "the file; - is standard input"},
    {.name = "column", .type = OPTION_CUSTOM, .offset = offsetof(struct file_options, column), .parse = parse_column,
     .help = "CSV column that holds the key, from 1 (default: the whole line)"},
    {.name = "sep", .type = OPTION_CUSTOM, .offset = offsetof(struct file_options, separator), .parse = parse_separator,
     .help = "byte between columns, or the word tab (default: a comma)"},
    {.name = "size-column", .type = OPTION_CUSTOM, .offset = offsetof(struct file_options, size_column), .parse = parse_column,
     .help = "CSV column that holds the bytes of each request, for balance and plan (default: none)"},
    {.name = "header", .type = OPTION_CHOICE, .offset = offsetof(struct file_options, header), .fallback = "0", .choices = "0|1",
     .help = "1: the first record is no key"},
    {.name = "nul", .type = OPTION_CHOICE, .offset = offsetof(struct file_options, nul), .fallback = "0", .choices = "0|1",
     .help = "1: keys end with a NUL byte instead of a line end"},
    SPLIT_OPTIONS(offsetof(struct file_options, split)),
    {.name = NULL},
};

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
        if (key_block_room(b, used + len + KEY_SPLIT_ROOM))
            return fail(why, ENOMEM, "out of memory for keys of %s", reader_path(f->reader));
        memcpy(b->buffer + used, text, len);
        if (f->hot && print_among(f->hot, (size_t)f->options.split.hottest, key_print(text, len)))
            len += key_split_write(key_split_copy(&f->options.split, f->next + n), b->buffer + used + len);
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

/* Reads the whole file for its hottest keys, and goes back to its start. */
static int find_hot(struct key_file *f, char why[WHY])
{
    const struct key_split *split = &f->options.split;
    struct key_block b;
    int error = 0;
    if (key_block_init(&b))
        return fail(why, ENOMEM, "out of memory for a workload");
    do
        error = key_file_next(f, &b, why);
    while (!error && b.count);
    key_block_release(&b);
    if (!error && f->tally.over)
        error = fail(why, EINVAL, "workload file: hottest=: %s holds more than %zu distinct keys, too many to find the hottest", reader_path(f->reader), TALLY_MAX);
    else if (!error && split->hottest > f->tally.used)
        error = fail(why, EINVAL, "workload file: hottest=%" PRIu64 ": there are only %zu keys in %s", split->hottest, f->tally.used, reader_path(f->reader));
    if (!error && !(f->hot = tally_hottest(&f->tally, (size_t)split->hottest)))
        error = fail(why, ENOMEM, "out of memory for a workload");
    return error ? error : key_file_rewind(f, why);
}

int key_file_open(struct key_file **out, const struct file_options *options, uint64_t seed, char why[WHY])
{
    if (!options->path || !*options->path)
        return fail(why, EINVAL, "workload file: path= is missing, e.g. file:path=keys.txt");
    if (options->nul && options->column)
        return fail(why, EINVAL, "workload file: column= reads CSV, whose records end with a line: without nul=1, please");
    if (options->separator && !options->column)
        return fail(why, EINVAL, "workload file: sep= needs a column, e.g. column=1");
    if (options->size_column && !options->column)
        return fail(why, EINVAL, "workload file: size-column= needs the key's column too, e.g. column=1");
    if (options->split.hottest && !strcmp(options->path, "-"))
        return fail(why, EINVAL, "workload file: hottest= reads the keys twice, and standard input can be read only once; give a file");
    struct key_split split = options->split;
    int error = key_split_init(&split, "file", seed, why);
    if (error)
        return error;
    struct key_file *f = mem_alloc(1, sizeof *f);
    if (!f || key_block_init(&f->first)) {
        mem_free(f);
        return fail(why, ENOMEM, "out of memory for a workload");
    }
    f->options = *options;
    f->options.split = split;
    f->standard = !strcmp(options->path, "-");
    if (!options->separator)
        f->options.separator = ',';
    if (options->size_column && !(f->field = mem_alloc((size_t)(options->column + options->size_column), sizeof *f->field)))
        error = fail(why, ENOMEM, "out of memory for a workload");
    if (!error)
        error = reader_open(&f->reader, options->path, options->nul ? '\0' : '\n', options->nul, why);
    if (!error)
        error = begin(f, why);
    if (!error && split.hottest)
        error = find_hot(f, why);
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
    mem_free(f->hot);
    mem_free(f);
}

int key_file_next(struct key_file *f, struct key_block *b, char why[WHY])
{
    int error = 0;
    bool more;
    do {
        if (f->first_waits)
            swap_blocks(b, &f->first);
        else
            error = read_block(f, b, why);
        f->first_waits = false;
        more = !error && b->count;
        if (more && (f->once ? tally_first(&f->tally, b) : tally_add(&f->tally, b)))
            error = fail(why, ENOMEM, "out of memory for the counts of %s", reader_path(f->reader));
    } while (more && !error && !b->count);
    return error;
}

int key_file_rewind(struct key_file *f, char why[WHY])
{
    struct reader *again;
    if (f->first_waits)
        return 0;
    if (f->standard)
        return fail(why, EINVAL, "standard input can be read only once; give a file");
    int error = reader_open(&again, reader_path(f->reader), f->options.nul ? '\0' : '\n', f->options.nul, why);
    if (error)
        return error;
    reader_close(f->reader);
    f->reader = again;
    tally_release(&f->tally);
    return begin(f, why);
}

int key_file_each_once(struct key_file *f, char why[WHY])
{
    if (f->tally.over)
        return fail(why, EINVAL, "%s holds more than %zu distinct keys, too many to tell apart", reader_path(f->reader), TALLY_MAX);
    int error = key_file_rewind(f, why);
    f->once = !error;
    return error;
}

bool key_file_is_once(const struct key_file *f)
{
    return f->once;
}

const struct tally *key_file_tally(const struct key_file *f)
{
    return &f->tally;
}

bool key_file_has_sizes(const struct key_file *f)
{
    return f->options.size_column > 0;
}

const char *key_file_path(const struct key_file *f)
{
    return reader_path(f->reader);
}
