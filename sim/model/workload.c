/* Workloads: from a spec to blocks of keys.
 *
 * A generated workload is a key maker (workload_keys.c) and, where keys have a popularity, a
 * Zipf sampler that says which key request i asks for; without one, request i is key i. Both
 * are pure functions of (seed, i), so any block can be made by any thread. A file
 * (workload_file.c) comes block by block. Cost: the file heads of the three say. */
#include "model/workload_parts.h"
#include "base/mem.h"
#include "base/rng.h"
#include "model/zipf.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct generated_options {
    uint64_t count, requests, len, first;
    const char *prefix;
    double zipf;
    struct key_split split;
};

#define FIELD(name) offsetof(struct generated_options, name)
#define GENERATED_OPTIONS                                                                                               \
    {.name = "count", .type = OPTION_COUNT, .offset = FIELD(count), .fallback = "1M", .min = 1, .max = 0x1p53,          \
     .always = true, .help = "distinct keys"},                                                                          \
    {.name = "zipf", .type = OPTION_REAL, .offset = FIELD(zipf), .fallback = "0", .min = 0, .max = 8,                   \
     .help = "popularity: key k (from 1) is requested in proportion to k^-zipf; 0 without requests: each key once"},    \
    {.name = "requests", .type = OPTION_COUNT, .offset = FIELD(requests), .min = 1, .max = 0x1p53,                      \
     .help = "requests drawn (default: as many as keys); without zipf each key is as likely"},                           \
    SPLIT_OPTIONS(FIELD(split))

#define NUMBER_OPTIONS(in_front)                                                                                        \
    {.name = "prefix", .type = OPTION_TEXT, .offset = FIELD(prefix), .fallback = in_front, .help = "text before the number"}, \
    {.name = "first", .type = OPTION_COUNT, .offset = FIELD(first), .fallback = "0", .min = 0, .max = 0x1p53 - 1,       \
     .help = "the first number"}

static const struct option generated_option[] = {GENERATED_OPTIONS, {.name = NULL}};
static const struct option user_option[] = {GENERATED_OPTIONS, NUMBER_OPTIONS("user:"), {.name = NULL}};
static const struct option int_option[] = {GENERATED_OPTIONS, NUMBER_OPTIONS(""), {.name = NULL}};
static const struct option alnum_option[] = {
    GENERATED_OPTIONS,
    {.name = "len", .type = OPTION_COUNT, .offset = FIELD(len), .fallback = "10", .min = 1, .max = 200, .help = "bytes a key"},
    {.name = NULL},
};

const struct workload_kind workload_kinds[] = {
    {"user", "user:0, user:1 ...", user_option},
    {"int", "0, 1, 2 ...", int_option},
    {"uuid", "random UUIDs (version 4), distinct", generated_option},
    {"ipv4", "IPv4 addresses in random order, distinct", generated_option},
    {"alnum", "letters and digits, len of them, distinct", alnum_option},
    {"url", "URLs of several lengths, distinct", generated_option},
    {"file", "keys of a file, a line each, or a column of CSV", file_option},
    {NULL, NULL, NULL},
};

struct workload {
    char *text;
    struct key_file *file;  /* NULL: generated */
    struct key_maker maker;
    struct zipf *zipf;      /* NULL: each key once */
    uint64_t draws;         /* its stream */
    struct key_split split;
    uint64_t keys;          /* distinct: those that are split count as their copies */
    uint64_t requests;
    double sum_p2, top;
};

int key_block_init(struct key_block *b)
{
    *b = (struct key_block){
        .text = mem_alloc(KEY_BLOCK, sizeof *b->text),
        .len = mem_alloc(KEY_BLOCK, sizeof *b->len),
        .line = mem_alloc(KEY_BLOCK, sizeof *b->line),
    };
    if (b->text && b->len && b->line && key_block_room(b, KEY_BLOCK) == 0)
        return 0;
    key_block_release(b);
    return -ENOMEM;
}

void key_block_release(struct key_block *b)
{
    mem_free(b->text);
    mem_free(b->len);
    mem_free(b->line);
    mem_free(b->amount);
    mem_free(b->buffer);
    *b = (struct key_block){0};
}

int key_block_room(struct key_block *b, size_t bytes)
{
    return bytes <= b->room ? 0 : mem_grow(&b->buffer, &b->room, bytes, 1);
}

/* The popularities of R draws. Each copy of a split key has an equal part of what the key had. */
static void measure(struct workload *w)
{
    uint64_t count = w->zipf->count, hottest = w->split.hottest, copies = w->split.copies;
    double s = w->zipf->s, expected = zipf_sum_p2(count, s), top = zipf_share(count, s, 1);
    if (hottest) {
        double all = zipf_sum(count, s), hot = zipf_sum(hottest, 2 * s) / (all * all), next = hottest < count ? zipf_share(count, s, hottest + 1) : 0;
        expected -= hot - hot / (double)copies;
        top = top / (double)copies > next ? top / (double)copies : next;
        w->keys += hottest * (copies - 1);
    }
    w->top = top;
    w->sum_p2 = expected + (1 - expected) / (double)w->requests;
}

static int open_generated(struct workload *w, const struct spec *spec, const struct option *table, uint64_t seed, char why[WHY])
{
    struct generated_options o = {0};
    int error = spec_fill(spec, table, "workload", &o, why);
    if (!error)
        error = key_maker_init(&w->maker, &(struct key_wish){spec->name, o.prefix, seed, o.count, o.len, o.first}, why);
    if (error)
        return error;
    w->requests = o.requests ? o.requests : o.count;
    w->keys = o.count;
    w->sum_p2 = w->top = 1 / (double)o.count;
    w->split = o.split;
    if ((error = key_split_init(&w->split, spec->name, seed, why)))
        return error;
    if (w->split.hottest && o.zipf == 0)
        return fail(why, EINVAL, "workload %s: hottest=: without zipf= no key is hotter than another; e.g. zipf=1", spec->name);
    if (w->split.hottest > o.count)
        return fail(why, EINVAL, "workload %s: hottest=%" PRIu64 ": there are only %" PRIu64 " keys", spec->name, w->split.hottest, o.count);
    if (o.requests || o.zipf > 0) {
        if (!(w->zipf = mem_alloc(1, sizeof *w->zipf)))
            return fail(why, ENOMEM, "out of memory for a workload");
        zipf_init(w->zipf, o.count, o.zipf);
        w->draws = rng_stream(seed, "workload", "zipf", 0);
        measure(w);
    }
    return 0;
}

static int open_file(struct workload *w, const struct spec *spec, uint64_t seed, char why[WHY])
{
    struct file_options o = {0};
    int error = spec_fill(spec, file_option, "workload", &o, why);
    return error ? error : key_file_open(&w->file, &o, seed, why);
}

/* The kind's row, or NULL and why. */
static const struct workload_kind *find_kind(const char *name, char why[WHY])
{
    const char *known[sizeof workload_kinds / sizeof *workload_kinds];
    size_t n = 0;
    for (; workload_kinds[n].name; n++) {
        if (strcmp(workload_kinds[n].name, name) == 0)
            return &workload_kinds[n];
        known[n] = workload_kinds[n].name;
    }
    struct stat about;
    if (strchr(name, '/') || !stat(name, &about))
        fail(why, EINVAL, "unknown workload '%.200s'; keys of a file: file:path=%.200s", name, name);
    else
        fail_unknown(why, "workload", name, known, n);
    return NULL;
}

static char *spec_text(const struct spec *spec, const struct option *table)
{
    char *options = spec_options(spec, table);
    size_t size = options ? strlen(spec->name) + strlen(options) + 2 : 0;
    char *text = options ? mem_alloc(size, 1) : NULL;
    if (text)
        snprintf(text, size, *options ? "%s:%s" : "%s", spec->name, options);
    mem_free(options);
    return text;
}

int workload_open(struct workload **out, const struct spec *spec, uint64_t seed, char why[WHY])
{
    const struct workload_kind *kind = find_kind(spec->name, why);
    if (!kind)
        return -EINVAL;
    struct workload *w = mem_alloc(1, sizeof *w);
    if (!w)
        return fail(why, ENOMEM, "out of memory for a workload");
    int error = kind->option == file_option ? open_file(w, spec, seed, why) : open_generated(w, spec, kind->option, seed, why);
    if (!error && !(w->text = spec_text(spec, kind->option)))
        error = fail(why, ENOMEM, "out of memory for a workload");
    if (error)
        workload_close(w);
    else
        *out = w;
    return error;
}

int workload_open_text(struct workload **out, const char *text, uint64_t seed, char why[WHY])
{
    struct spec *spec, **each;
    size_t n;
    int error = spec_parse(text, &spec, why);
    if (error)
        return error;
    const struct workload_kind *kind = find_kind(spec->name, why);
    error = kind ? spec_expand(spec, kind->option, "workload", &each, &n, why) : -EINVAL;
    spec_destroy(spec);
    if (error)
        return error;
    error = n == 1 ? workload_open(out, each[0], seed, why)
                   : fail(why, EINVAL, "workload '%s' is a sweep of %zu; one workload is wanted here", text, n);
    for (size_t i = 0; i < n; i++)
        spec_destroy(each[i]);
    mem_free(each);
    return error;
}

void workload_close(struct workload *w)
{
    if (!w)
        return;
    if (w->file)
        key_file_close(w->file);
    mem_free(w->zipf);
    mem_free(w->text);
    mem_free(w);
}

const char *workload_text(const struct workload *w)
{
    return w->text;
}

const char *workload_load(const struct workload *w)
{
    return w->file ? (key_file_is_once(w->file) ? "keys" : "requests") : w->zipf ? "requests" : "keys";
}

int workload_has_sizes(const struct workload *w)
{
    return w->file && key_file_has_sizes(w->file);
}

uint64_t workload_requests(const struct workload *w)
{
    return w->requests;
}

uint64_t workload_distinct(const struct workload *w)
{
    return w->file ? key_file_tally(w->file)->used : w->keys;
}

double workload_sum_p2(const struct workload *w)
{
    return w->file ? tally_sum_p2(&key_file_tally(w->file)->requests) : w->sum_p2;
}

double workload_top_share(const struct workload *w)
{
    return w->file ? tally_top_share(&key_file_tally(w->file)->requests) : w->top;
}

double workload_bytes_sum_p2(const struct workload *w)
{
    return tally_sum_p2(&key_file_tally(w->file)->amount);
}

double workload_bytes_top_share(const struct workload *w)
{
    return tally_top_share(&key_file_tally(w->file)->amount);
}

int workload_is_drawn(const struct workload *w, uint64_t *keys, double *zipf)
{
    if (!w->zipf || w->split.hottest)
        return 0;
    *keys = w->zipf->count;
    *zipf = w->zipf->s;
    return 1;
}

int workload_is_random_access(const struct workload *w)
{
    return !w->file;
}

/* Writes request i; its length. */
static size_t write_request(const struct workload *w, uint64_t i, char *out)
{
    const struct key_split *split = &w->split;
    uint64_t copies = split->hottest * split->copies, key, copy = 0;
    if (w->zipf) {
        key = zipf_rank(w->zipf, w->draws, i);
        if (key < split->hottest)
            copy = key_split_copy(split, i);
    } else if (i < copies) { /* each name once, those of split keys first */
        key = i / split->copies;
        copy = i % split->copies;
    } else {
        key = i - copies + split->hottest;
    }
    size_t len = key_write(&w->maker, key, out);
    return key < split->hottest ? len + key_split_write(copy, out + len) : len;
}

int workload_fill(const struct workload *w, uint64_t first, size_t n, struct key_block *b)
{
    uint64_t copies = w->split.hottest * w->split.copies;
    if (key_block_room(b, n * (w->maker.longest + (copies ? KEY_SPLIT_ROOM : 0)) + KEY_SLACK))
        return -ENOMEM;
    b->first = first;
    b->count = n;
    if (!w->zipf && first >= copies) {
        key_write_run(&w->maker, first - copies + w->split.hottest, n, b);
        return 0;
    }
    char *out = b->buffer;
    for (size_t i = 0; i < n; i++) {
        b->text[i] = out;
        b->len[i] = (uint32_t)write_request(w, first + i, out);
        out += b->len[i];
    }
    return 0;
}

int workload_keys(const struct workload *w, uint64_t first, uint64_t step, size_t n, struct key_block *b)
{
    if (key_block_room(b, n * w->maker.longest + KEY_SLACK))
        return -ENOMEM;
    b->first = first;
    b->count = n;
    char *out = b->buffer;
    for (size_t i = 0; i < n; i++) {
        b->text[i] = out;
        b->len[i] = (uint32_t)key_write(&w->maker, first + i * step, out);
        out += b->len[i];
    }
    return 0;
}

int workload_next(struct workload *w, struct key_block *b, char why[WHY])
{
    return key_file_next(w->file, b, why);
}

int workload_rewind(struct workload *w, char why[WHY])
{
    return w->file ? key_file_rewind(w->file, why) : 0;
}

int workload_each_once(struct workload *w, char why[WHY])
{
    if (w->file)
        return key_file_each_once(w->file, why);
    mem_free(w->zipf);
    w->zipf = NULL;
    w->requests = w->keys;
    w->sum_p2 = w->top = 1 / (double)w->keys;
    return 0;
}

void workload_where(const struct workload *w, const struct key_block *b, size_t i, char *out, size_t size)
{
    if (w->file)
        snprintf(out, size, "%s line %" PRIu64, key_file_path(w->file), b->line[i]);
    else
        snprintf(out, size, "%s request %" PRIu64, w->text, b->first + i + 1);
}
