/* The kinds of workloads with their options, and opening one from its spec. */
#include "model/workload_parts.h"
#include "base/mem.h"
#include "base/rng.h"
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
