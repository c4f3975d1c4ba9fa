#include "commands/keys.h"

#include "base/mem.h"
#include "base/table.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRESS_KEYS = 8192 }; /* between two looks at the clock */

int keys_open(struct keys *k, const struct args *a, const char *what, char why[WHY])
{
    *k = (struct keys){.args = a};
    if (a->rest_count > 0 && a->file)
        return fail(why, EINVAL, "keys come from the command line or from -f %s, not both", a->file);
    if (a->rest_count > 0)
        return 0;
    struct stat about;
    if (a->file && !stat(a->file, &about) && S_ISREG(about.st_mode) && about.st_size == 0)
        return fail(why, EINVAL, "%s holds no key", a->file);
    int e = reader_open(&k->reader, a->file ? a->file : "-", a->nul ? 0 : '\n', a->nul || a->percent, why);
    if (!e && !a->quiet && (!a->file || !strcmp(a->file, "-")) && terminal_is(stdin))
        fprintf(stderr, "keysim: reading keys from standard input, a line a key (end with Ctrl-D)\n");
    if (!e && (a->output || !terminal_is(stdout))) /* on a terminal the rows themselves show progress */
        progress_start(what, "keys", 0);
    return e;
}

void keys_close(struct keys *k)
{
    progress_end();
    if (k->reader)
        reader_close(k->reader);
    mem_free(k->decoded);
}

void keys_where(const struct keys *k, char *out, size_t size)
{
    if (k->reader)
        snprintf(out, size, "%s line %" PRIu64, reader_path(k->reader), reader_line_number(k->reader));
    else
        snprintf(out, size, "key %d", k->at);
}

int keys_next(struct keys *k, const char **text, size_t *len, char why[WHY])
{
    if (k->reader) {
        int e = reader_line(k->reader, text, len, why);
        if (e != 1)
            return e;
        if (++k->count % PROGRESS_KEYS == 0)
            progress_add(PROGRESS_KEYS);
    } else {
        if (k->at == k->args->rest_count)
            return 0;
        *text = k->args->rest[k->at++];
        *len = strlen(*text);
    }
    if (!k->args->percent)
        return 1;
    if (*len >= k->room && mem_grow(&k->decoded, &k->room, *len + 1, 1)) /* never NULL, for the empty key too */
        return fail(why, ENOMEM, "no memory for a key of %zu bytes", *len);
    long n = text_percent_decode(*text, *len, k->decoded);
    if (n < 0) {
        char where[512], shown[80];
        keys_where(k, where, sizeof where);
        return fail(why, EINVAL, "%s: '%s': a %% must be followed by two hexadecimal digits", where,
                    text_printable(*text, *len, shown, sizeof shown));
    }
    *text = k->decoded;
    *len = (size_t)n;
    return 1;
}

static FILE *rows_file(struct rows *r)
{
    return r->spool ? r->spool : r->out.file;
}

bool rows_broken(const struct rows *r)
{
    return ferror(r->spool ? r->spool : r->out.file);
}

int rows_open(struct rows *r, const struct args *a, const char *const *heading, size_t fields, bool whole, char why[WHY])
{
    *r = (struct rows){.format = args_format(a), .percent = a->percent, .heading = heading, .fields = fields};
    int e = output_open(&r->out, a->output, why);
    if (e)
        return e;
    if (whole && !r->out.path && !(r->spool = tmpfile())) {
        e = fail(why, errno, "cannot make a temporary file: %s", strerror(errno));
        output_abandon(&r->out);
        return e;
    }
    FILE *to = rows_file(r);
    for (size_t i = 0; r->format == FORMAT_CSV && i < fields; i++)
        fprintf(to, "%s%c", heading[i], i + 1 < fields ? ',' : '\n');
    if (r->format == FORMAT_JSON)
        fputc('[', to);
    return 0;
}

static void write_field(struct rows *r, const struct field *f, FILE *to)
{
    char small[256], *encoded = small;
    const char *text = f->text;
    size_t len = f->len;
    if (f->name && r->percent) {
        encoded = 3 * len <= sizeof small ? small : mem_alloc(len, 3);
        if (!encoded) {
            r->full = true;
            return;
        }
        len = text_percent_encode(text, len, encoded);
        text = encoded;
    }
    if (r->format == FORMAT_CSV)
        csv_field(text, len, to);
    else if (r->format == FORMAT_JSON)
        json_field(text, len, to);
    else
        fputs(text_printable(text, len, small, sizeof small), to);
    if (encoded != small)
        mem_free(encoded);
}

/* A row of the aligned table. */
static void keep_row(struct rows *r, const struct field *field)
{
    char shown[256];
    for (size_t i = 0; i < r->fields; i++) {
        size_t len = strlen(text_printable(field[i].text, field[i].len, shown, sizeof shown)) + 1;
        r->full |= mem_grow(&r->cells, &r->room, r->used + len, 1) != 0;
        if (r->full)
            return;
        memcpy(r->cells + r->used, shown, len);
        r->used += len;
    }
}

int rows_align(struct rows *r, char why[WHY])
{
    r->aligned = r->format == FORMAT_TABLE;
    return r->aligned ? output_words(&r->out, why) : 0;
}

int rows_table(struct rows *r, char why[WHY])
{
    const char **cell = r->full ? NULL : mem_alloc((r->count + 1) * r->fields, sizeof *cell);
    if (!cell)
        return fail(why, ENOMEM, "no memory for the table");
    memcpy(cell, r->heading, r->fields * sizeof *cell);
    const char *at = r->cells;
    for (size_t i = r->fields; i < (r->count + 1) * r->fields; i++, at += strlen(at) + 1)
        cell[i] = at;
    words_write(cell, r->count + 1, r->fields, r->out.file);
    mem_free(cell);
    mem_free(r->cells);
    r->cells = NULL;
    r->aligned = false;
    return 0;
}

void rows_write(struct rows *r, const struct field *field)
{
    if (r->aligned) {
        r->count++;
        keep_row(r, field);
        return;
    }
    FILE *to = rows_file(r);
    if (r->format == FORMAT_JSON)
        fputs(r->count ? ",\n {" : "\n {", to);
    r->count++;
    for (size_t i = 0; i < r->fields; i++) {
        if (r->format == FORMAT_JSON)
            fprintf(to, "%s\"%s\": ", i ? ", " : "", r->heading[i]);
        else if (r->format == FORMAT_CSV)
            fputs(i ? "," : "", to);
        else if (i)
            fprintf(to, i == 1 ? " -> " : "  %s ", r->heading[i]);
        write_field(r, &field[i], to);
    }
    fputs(r->format == FORMAT_JSON ? "}" : "\n", to);
}

int rows_close(struct rows *r, char why[WHY])
{
    int e = r->aligned ? rows_table(r, why) : r->full ? fail(why, ENOMEM, "no memory for a row") : 0;
    if (e) {
        rows_abandon(r);
        return e;
    }
    if (r->format == FORMAT_JSON)
        fputs(r->count ? "\n]\n" : "]\n", rows_file(r));
    if (r->spool) {
        char block[65536];
        size_t n;
        bool bad = fflush(r->spool) || ferror(r->spool);
        rewind(r->spool);
        while ((n = fread(block, 1, sizeof block, r->spool)) > 0)
            fwrite(block, 1, n, r->out.file);
        bad |= ferror(r->spool) != 0;
        fclose(r->spool);
        if (bad)
            return fail(why, EIO, "a temporary file cannot be written or read back; is its disk full?");
    }
    return output_close(&r->out, why);
}

void rows_abandon(struct rows *r)
{
    if (r->spool)
        fclose(r->spool);
    mem_free(r->cells);
    output_abandon(&r->out);
}
