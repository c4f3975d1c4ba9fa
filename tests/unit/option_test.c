/* Specs: splitting, sweeps, tables, refusals and canonical texts. */
#include "base/mem.h"
#include "base/option.h"
#include "tests/tap.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct fields {
    uint64_t vnodes, plain, tree;
    double zipf, theta;
    uint32_t seek;
    const char *label, *path;
    int hash;
};

static int parse_hash(const char *text, void *field, char why[WHY])
{
    static const char *const known[] = {"xxh3", "crc32"};
    for (int i = 0; i < 2; i++)
        if (strcmp(text, known[i]) == 0) {
            *(int *)field = i + 1;
            return 0;
        }
    return fail_unknown(why, "hash", text, known, 2);
}

#define AT(field) .offset = offsetof(struct fields, field)
static const struct option table[] = {
    {"vnodes", OPTION_COUNT, AT(vnodes), .fallback = "150", .min = 1, .max = 1e6, .always = true},
    {"hash", OPTION_CUSTOM, AT(hash), .fallback = "xxh3", .parse = parse_hash, .sweeps = true},
    {"label", OPTION_TEXT, AT(label), .fallback = "{node}#{i}"},
    {"path", OPTION_TEXT, AT(path)},
    {"seek", OPTION_CHOICE, AT(seek), .fallback = "ge", .choices = "ge|gt|le|nearest"},
    {"zipf", OPTION_REAL, AT(zipf), .fallback = "0", .min = 0, .max = 10},
    {"theta", OPTION_REAL, AT(theta)},
    {"plain", OPTION_COUNT, AT(plain), .min = 8},
    {"tree", OPTION_COUNT, AT(tree), .fallback = "0", .max = 64, .bare = "8"},
    {"replicas", .refuse = "the points a node are vnodes=; copies are --replicas"},
    {0},
};

/* Expands text; the number of specs, or the error. */
static int expand(const char *text, struct spec ***out, char why[WHY])
{
    struct spec *spec;
    size_t n;
    int error = spec_parse(text, &spec, why);
    if (error)
        return error;
    error = spec_expand(spec, table, "strategy", out, &n, why);
    spec_destroy(spec);
    return error ? error : (int)n;
}

static void release(struct spec **specs, int n)
{
    while (n > 0)
        spec_destroy(specs[--n]);
    mem_free(specs);
}

static void refused(const char *text, const char *sentence)
{
    char why[WHY] = "";
    struct spec **specs;
    int n = expand(text, &specs, why);
    if (n > 0)
        release(specs, n);
    ok(n == -EINVAL && strcmp(why, sentence) == 0, "%s", n < 0 ? why : text);
}

/* The options' texts of all specs, joined by blanks. */
static void expands(const char *text, const char *want)
{
    char why[WHY] = "", got[4096] = "";
    struct spec **specs;
    int n = expand(text, &specs, why);
    for (int i = 0; i < n; i++) {
        char *options = spec_options(specs[i], table);
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i > 0 ? " " : "", options);
        mem_free(options);
    }
    if (n > 0)
        release(specs, n);
    ok(n > 0 && strcmp(got, want) == 0, "%s: %s%s", text, got, why);
}

static void splitting(void)
{
    char why[WHY];
    struct spec *s;
    ok(spec_parse("ring", &s, why) == 0 && s->count == 0 && strcmp(s->name, "ring") == 0, "a bare name");
    spec_destroy(s);
    ok(spec_parse("file:path=a\\,b\\\\c\\d,sep=,,header=1,eq=a=b:c,empty=", &s, why) == 0 && s->count == 5, "five items");
    ok(strcmp(s->item[0].value, "a,b\\c\\d") == 0, "escapes: %s", s->item[0].value);
    ok(strcmp(s->item[1].value, ",") == 0 && strcmp(s->item[2].name, "header") == 0, "sep=, needs no escape");
    ok(strcmp(s->item[3].value, "a=b:c") == 0 && s->item[4].value[0] == 0, "signs in values, empty values");
    spec_destroy(s);
    ok(spec_parse("file:sep=,", &s, why) == 0 && strcmp(s->item[0].value, ",") == 0, "sep=, at the end");
    spec_destroy(s);
    static const char *const bad[] = {"", ":a=1", "ring:", "ring:=1", "ring:a=1,", "ring:a,", "ring:a,,b", "ring:a=1,a=2", "ring:a,a", "ring:a,b=1,a=2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(spec_parse(bad[i], &s, why) == -EINVAL, "%s", why);
    mem_fail_at(1);
    ok(spec_parse("ring:a=1", &s, why) == -ENOMEM, "%s", why);
}

static void sweeps(void)
{
    static const struct { const char *text, *values; } row[] = {
        {"10", "10"}, {"1k", "1000"}, {"3/10/100", "3 10 100"}, {"1..1024x2", "1 2 4 8 16 32 64 128 256 512 1024"},
        {"1..1000x2", "1 2 4 8 16 32 64 128 256 512"}, {"50..200+50", "50 100 150 200"}, {"5..24+5", "5 10 15 20"},
        {"1..10x1.5", "1 2 3 5 8"}, {"10..10+1", "10"}, {"0..2+1", "0 1 2"}, {"1/10..1kx10", "1 10 100 1000"},
        {"18446744073709551614..18446744073709551615+1", "18446744073709551614 18446744073709551615"},
        {"9G..18446744073709551615x2", NULL}, {"1..18446744073709551615x1000000000", "1 1000000000 1000000000000000000"},
        {"1..2M+10k", NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char why[WHY] = "", got[1024] = "";
        uint64_t *value = NULL;
        size_t n = 0;
        int error = sweep_counts(row[i].text, &value, &n, why);
        for (size_t j = 0; j < n && j < 20; j++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%" PRIu64, j > 0 ? " " : "", value[j]);
        ok(!error && n > 0 && (!row[i].values || strcmp(got, row[i].values) == 0), "%s: %s%s", row[i].text, got, why);
        mem_free(value);
    }
    static const char *const bad[] = {"", "a", "1..10", "1..10+0", "1..10x1", "1..10x0.5", "10..1+1", "10..1x2", "0..8x2", "1//2", "1/",
        "1..1000000+1", "1..10x1.0000000001", "1..99999999999999999999+1", "..", "1..", "..5+1", "1..5+", "1..5x", "1..5+-1", "-1", "1..9x2x2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[WHY] = "";
        uint64_t *value;
        size_t n;
        ok(sweep_counts(bad[i], &value, &n, why) == -EINVAL && *why, "'%s': %s", bad[i], why);
    }
}

static void products(void)
{
    expands("ring", "vnodes=150");
    expands("ring:vnodes=1k", "vnodes=1000");
    expands("ring:hash=crc32,vnodes=2", "vnodes=2,hash=crc32");
    expands("ring:vnodes=1..4x2,hash=xxh3/crc32", "vnodes=1,hash=xxh3 vnodes=1,hash=crc32 vnodes=2,hash=xxh3 vnodes=2,hash=crc32 vnodes=4,hash=xxh3 vnodes=4,hash=crc32");
    expands("ring:hash=xxh3/crc32,vnodes=1/2", "vnodes=1,hash=xxh3 vnodes=2,hash=xxh3 vnodes=1,hash=crc32 vnodes=2,hash=crc32");
    expands("ring:seek=gt/le", "vnodes=150,seek=gt vnodes=150,seek=le");
    expands("ring:label=a/b..c+1\\,d\\\\", "vnodes=150,label=a/b..c+1\\,d\\\\");
    expands("ring:zipf=0..0.5+0.1", "vnodes=150,zipf=0 vnodes=150,zipf=0.1 vnodes=150,zipf=0.2 vnodes=150,zipf=0.3 vnodes=150,zipf=0.4 vnodes=150,zipf=0.5");
    expands("ring:zipf=0.5/1e0", "vnodes=150,zipf=0.5 vnodes=150,zipf=1");
    expands("ring:zipf=0.1..8x2", "vnodes=150,zipf=0.1 vnodes=150,zipf=0.2 vnodes=150,zipf=0.4 vnodes=150,zipf=0.8 vnodes=150,zipf=1.6 vnodes=150,zipf=3.2 vnodes=150,zipf=6.4");
    expands("ring:theta=-1..1e+0+1", "vnodes=150,theta=-1 vnodes=150,theta=0 vnodes=150,theta=1");
    expands("ring:theta=0.30000000000000004", "vnodes=150,theta=0.30000000000000004");
    expands("ring:path=", "vnodes=150,path=");
    expands("ring:tree", "vnodes=150,tree=8");
    expands("ring:tree,vnodes=1/2", "vnodes=1,tree=8 vnodes=2,tree=8");
    expands("ring:vnodes=2,path=a\\,tree,tree", "vnodes=2,path=a\\,tree,tree=8");
    expands("ring:tree=2/4", "vnodes=150,tree=2 vnodes=150,tree=4");
}

static void refusals(void)
{
    refused("ring:vnodes=0", "strategy ring: vnodes=0: must be 1 to 1000000");
    refused("ring:vnodes=1M/2M", "strategy ring: vnodes=2000000: must be 1 to 1000000");
    refused("ring:plain=7", "strategy ring: plain=7: must be at least 8");
    refused("ring:vnodes=ten", "strategy ring: vnodes=ten: 'ten' is not a whole number, like 150, 10k or 2M");
    refused("ring:vnodes=99999999999999999999", "strategy ring: vnodes=99999999999999999999: '99999999999999999999' is too large: whole numbers end at 18446744073709551615");
    refused("ring:vnode=3", "strategy ring: unknown option 'vnode'; did you mean 'vnodes'? known: vnodes, hash, label, path, seek, zipf, theta, plain, tree");
    refused("ring:colour=3", "strategy ring: unknown option 'colour'; known: vnodes, hash, label, path, seek, zipf, theta, plain, tree");
    refused("ring:replicas=3", "strategy ring: replicas= is not an option here: the points a node are vnodes=; copies are --replicas");
    refused("ring:seek=up", "strategy ring: seek=up: must be ge|gt|le|nearest");
    refused("ring:zipf=11", "strategy ring: zipf=11: must be 0 to 10");
    refused("ring:zipf=nan", "strategy ring: zipf=nan: 'nan' is not a number, like 1.25");
    refused("ring:zipf=0..1x2", "strategy ring: zipf=0..1x2: a factor needs a start above 0");
    refused("ring:zipf=0..1+0", "strategy ring: zipf=0..1+0: a step of 0 does not advance");
    refused("ring:zipf=0..1+1e-9", "strategy ring: zipf=0..1+1e-9: more than 100000 values");
    refused("ring:hash=crc", "strategy ring: hash=crc: unknown hash 'crc'; did you mean 'crc32'? known: xxh3, crc32");
    refused("ring:vnodes=1..1k+1,plain=8..1k+1", "ring: its sweeps multiply to more than 100000 specs");
    refused("ring:vnodes", "'ring:vnodes': 'vnodes' is not of the form option=value");
    refused("ring:vnodes=1,zipf,plain=8", "'ring:vnodes=1,zipf,plain=8': 'zipf' is not of the form option=value");
    refused("ring:tree,trees", "'ring:tree,trees': 'trees' is not of the form option=value");
    refused("ring:replicas", "'ring:replicas': 'replicas' is not of the form option=value");
    refused("ring:tree,tree=2", "'ring:tree,tree=2': tree= stands twice; once is right");
    refused("ring:tree=", "strategy ring: tree=: '' is not a whole number, like 150, 10k or 2M");
    refused("ring:tree=65", "strategy ring: tree=65: must be 0 to 64");
    refused("ring:vnodes=a\nb", "strategy ring: vnodes=a\\x0Ab: 'a\\x0Ab' is not a whole number, like 150, 10k or 2M");
}

static void filling(void)
{
    char why[WHY];
    struct spec *s;
    struct fields f = {.plain = 77};
    ok(spec_parse("ring:vnodes=2k,seek=nearest,hash=crc32,path=x\\,y,zipf=0.99", &s, why) == 0 &&
           spec_fill(s, table, "strategy", &f, why) == 0, "filled");
    ok(f.vnodes == 2000 && f.seek == 3 && f.hash == 2 && strcmp(f.path, "x,y") == 0 && fabs(f.zipf - 0.99) < 1e-15, "what was given");
    ok(strcmp(f.label, "{node}#{i}") == 0 && f.plain == 77, "the defaults; none: the field stays");
    char *options = spec_options(s, table);
    ok(strcmp(options, "vnodes=2000,hash=crc32,path=x\\,y,seek=nearest,zipf=0.99") == 0, "%s", options);
    mem_free(options);
    ok(spec_axis(s) == &s->item[0], "the axis is the first number");
    spec_destroy(s);
    static const char *const bad[] = {"ring:vnodes=0,seek=gt", "ring:seek=gt,vnodes=1..2x2", "ring:seek=gt,zipf=x", "ring:seek=gt,what=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fields same = {.seek = 9};
        ok(spec_parse(bad[i], &s, why) == 0 && spec_fill(s, table, "strategy", &same, why) == -EINVAL && same.seek == 9, "%s", why);
        spec_destroy(s);
    }
    ok(spec_parse("ring:tree,vnodes=3", &s, why) == 0 && !s->item[0].value && spec_axis(s) == &s->item[1] && spec_fill(s, table, "strategy", &f, why) == 0 &&
           f.tree == 8 && f.vnodes == 3, "a name alone, not expanded");
    options = spec_options(s, table);
    ok(strcmp(options, "vnodes=3,tree=8") == 0, "%s", options);
    mem_free(options);
    spec_destroy(s);
    ok(spec_parse("ring:vnodes=3,seek", &s, why) == 0 && spec_fill(s, table, "strategy", &f, why) == -EINVAL, "%s", why);
    spec_destroy(s);
    static const struct option none[] = {{0}};
    ok(spec_parse("null:a=1", &s, why) == 0 && spec_fill(s, none, "strategy", &f, why) == -EINVAL, "%s", why);
    spec_destroy(s);
    struct spec **specs;
    int n = expand("ring:hash=crc32,plain=9,vnodes=1/2", &specs, why);
    ok(n == 2 && spec_axis(specs[1]) == &specs[1]->item[2] && strcmp(specs[1]->item[2].value, "2") == 0 && !specs[1]->item[1].swept, "the axis is what was swept");
    release(specs, n);
    ok(spec_parse("ring:hash=crc32", &s, why) == 0 && !spec_axis(s), "no number, no axis");
    spec_destroy(s);
}

/* Every allocation fails once: an error, and nothing leaks. */
static void exhaustion(void)
{
    char why[WHY];
    uint64_t before = mem_live();
    int n = -1;
    bool right = true;
    uint64_t nth = 0;
    while (n < 0 && nth < 1000) {
        struct spec **specs;
        mem_fail_at(++nth);
        n = expand("ring:vnodes=1..64x2,zipf=0..1+0.1,seek=ge/gt", &specs, why);
        mem_fail_at(0);
        right = right && (n == -ENOMEM || n == 154);
        if (n > 0)
            release(specs, n);
        right = right && mem_live() == before;
    }
    ok(right && n == 154, "%" PRIu64 " failing allocations", nth - 1);
}

int main(void)
{
    splitting();
    sweeps();
    products();
    refusals();
    filling();
    exhaustion();
    return tap_done();
}
