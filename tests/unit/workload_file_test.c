/* Workloads from files: of every shape, split, popular, long, many. */
#include "tests/workloads.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

static char folder[256];

static void must_work(int error)
{
    if (error) {
        printf("Bail out! %s\n", why);
        exit(1);
    }
}

static void put(const char *name, const void *data, size_t len)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, len, f) != len || fclose(f))
        exit(1);
}

static char *spec_of(const char *name, const char *options)
{
    static char text[400];
    snprintf(text, sizeof text, "file:path=%s/%s%s", folder, name, options);
    return text;
}

/* All keys joined by '|'; or the message. */
static void file_gives(const char *name, const char *options, const void *data, size_t len, const char *want)
{
    static char got[4096];
    struct workload *w = NULL;
    struct key_block b;
    put(name, data, len);
    key_block_init(&b);
    int error = workload_open_text(&w, spec_of(name, options), 1, why);
    for (int pass = 0; !error && pass < 2; pass++) {
        size_t used = 0;
        error = pass ? workload_rewind(w, why) : 0;
        while (!error && !(error = workload_next(w, &b, why)) && b.count)
            for (size_t i = 0; i < b.count; i++)
                used += (size_t)snprintf(got + used, sizeof got - used, "%.*s|", (int)b.len[i], (const char *)b.text[i]);
        got[used] = 0;
        ok(!error && strcmp(got, want) == 0, "%s%s, pass %d%s%s", name, options, pass + 1, error ? ": " : "", error ? why : "");
    }
    if (!w)
        ok(false, "%s%s: %s", name, options, why);
    workload_close(w);
    key_block_release(&b);
}
#define FILE_GIVES(name, options, data, want) file_gives(name, options, data, sizeof data - 1, want)

static void files_of_every_shape(void)
{
    FILE_GIVES("lf", "", "a\nb\n", "a|b|");
    FILE_GIVES("crlf", "", "a\r\nb\r\n", "a|b|");
    FILE_GIVES("open-end", "", "a\nb", "a|b|");
    FILE_GIVES("empty-lines", "", "\na\n\n\nb\n", "|a|||b|");
    FILE_GIVES("header", ",header=1", "key\na\nb\n", "a|b|");
    FILE_GIVES("nul", ",nul=1", "a\nb\r\0c\r\n\0", "a\nb\r|c\r\n|");
    FILE_GIVES("csv", ",column=2", "1,a,x\r\n2,\"b,\"\"q\"\"\nr\",x\r\n3,,x\r\n", "a|b,\"q\"\nr||");
    FILE_GIVES("csv-header", ",column=1,header=1", "\"the\nkey\",n\na,1\nb,2\n", "a|b|");
    FILE_GIVES("tabs", ",column=2,sep=tab", "1\ta b\n2\tc\n", "a b|c|");
    FILE_GIVES("semicolons", ",column=2,sep=;", "1;a,b\n2;c\n", "a,b|c|");
    FILE_GIVES("comma", ",column=2,sep=\\,", "1,a\n", "a|");
}

static void files_refused(void)
{
    put("empty", "", 0);
    refused(spec_of("empty", ""), "holds no key");
    put("only-header", "key\n", 4);
    refused(spec_of("only-header", ",header=1"), "holds no key");
    put("narrow", "a,b\nc\n", 6);
    refused(spec_of("narrow", ",column=2"), "narrow");
    ok(strstr(why, "line 2") && strstr(why, "column 2"), "it names file, line and column: %s", why);
    refused(spec_of("missing", ""), "missing");
    refused(spec_of("", ""), folder);
    refused("file", "path");
    refused(spec_of("narrow", ",sep=;"), "column=");
    refused(spec_of("narrow", ",column=1,nul=1"), "nul=1");
    refused(spec_of("narrow", ",column=1,sep=xy"), "sep=tab");
    refused(spec_of("narrow", ",column=0"), "column");
}

/* Blocks stay bounded with keys of 1 MiB; one byte more is refused. */
static void long_keys(void)
{
    enum { MIB = 1 << 20, N = 20 };
    char *data = mem_alloc(N, MIB + 1);
    struct key_block b;
    size_t keys = 0, wrong = 0;
    for (int i = 0; i < N; i++) {
        memset(data + i * (MIB + 1), 'a' + i, MIB);
        data[i * (MIB + 1) + MIB] = '\n';
    }
    put("long", data, N * (MIB + 1));
    struct workload *w = open_or_die(spec_of("long", ""), 1);
    key_block_init(&b);
    while (!workload_next(w, &b, why) && b.count)
        for (size_t i = 0; i < b.count; i++, keys++)
            wrong += b.len[i] != MIB || *(const char *)b.text[i] != (char)('a' + keys) || b.room > 24 * MIB;
    ok(keys == N && wrong == 0, "%zu keys of 1 MiB, %zu wrong, %zu bytes of buffer", keys, wrong, b.room);
    workload_close(w);
    key_block_release(&b);
    data[MIB] = 'x';
    put("too-long", data, N * (MIB + 1));
    refused(spec_of("too-long", ""), "too-long");
    mem_free(data);
}

/* The hottest of a file, each key once, and what cannot be read twice. */
static void split_files(void)
{
    struct key_block b;
    char all[200] = "";
    put("hot", "x\na\nb\na\nc\na\nb\na\nb\n", 18);
    struct workload *w = open_or_die(spec_of("hot", ",hottest=2,copies=2"), 1);
    key_block_init(&b);
    uint64_t wrong = 0, keys = 0;
    while (!workload_next(w, &b, why) && b.count)
        for (size_t i = 0; i < b.count; i++, keys++) {
            snprintf(all + strlen(all), sizeof all - strlen(all), "%.*s ", (int)b.len[i], (const char *)b.text[i]);
            char key = "xabacabab"[b.first + i];
            wrong += *(const char *)b.text[i] != key || b.len[i] != (strchr("ab", key) ? 3 : 1);
        }
    ok(keys == 9 && wrong == 0, "the two hottest are split: %s", all);
    double before = (double)workload_distinct(w);
    must_work(workload_each_once(w, why));
    keys = 0;
    while (!workload_next(w, &b, why) && b.count)
        keys += b.count;
    ok((double)keys == before && !strcmp(workload_load(w), "keys") && fabs(workload_sum_p2(w) * before - 1) < 1e-12, "%u names, each once", (unsigned)keys);
    workload_close(w);
    key_block_release(&b);
    refused(spec_of("hot", ",hottest=5,copies=2"), "there are only 4 keys");
    refused(spec_of("hot", ",hottest=1"), "copies?");
}

static void popularity_of_a_file(void)
{
    struct key_block b;
    char where[400], tail[64];
    put("popular", "a\nb\na\nc\na\n", 10);
    struct workload *w = open_or_die(spec_of("popular", ""), 1);
    key_block_init(&b);
    ok(isnan(workload_sum_p2(w)), "nothing read, no sum");
    workload_next(w, &b, why);
    ok(fabs(workload_sum_p2(w) - 11. / 25) < 1e-15, "a b a c a: sum p^2 = %g", workload_sum_p2(w));
    ok(workload_top_share(w) == 3. / 5, "a has three of five");
    workload_where(w, &b, 3, where, sizeof where);
    snprintf(tail, sizeof tail, "popular line 4");
    ok(strstr(where, tail), "key 3 stands in %s", where);
    workload_rewind(w, why);
    workload_next(w, &b, why);
    ok(fabs(workload_sum_p2(w) - 11. / 25) < 1e-15, "and the same after a rewind");
    ok(strcmp(workload_load(w), "requests") == 0 && workload_requests(w) == 0 && !workload_is_random_access(w), "a file's load is requests");
    workload_close(w);
    key_block_release(&b);
}

static void many_lines(void)
{
    enum { N = 300000 };
    char *data = mem_alloc(N, 8);
    size_t len = 0, keys = 0, wrong = 0;
    struct key_block b;
    for (int i = 0; i < N; i++)
        len += (size_t)sprintf(data + len, "%d\n", i / 3);
    put("many", data, len);
    struct workload *w = open_or_die(spec_of("many", ""), 1);
    key_block_init(&b);
    while (!workload_next(w, &b, why) && b.count) {
        wrong += b.first != keys;
        for (size_t i = 0; i < b.count; i++, keys++)
            wrong += b.line[i] != keys + 1 || !is_number(b.text[i], b.len[i], keys / 3);
    }
    ok(keys == N && wrong == 0, "%zu lines in order, %zu wrong", keys, wrong);
    ok(fabs(workload_sum_p2(w) * N / 3 - 1) < 1e-12, "each key three times: sum p^2 = %g", workload_sum_p2(w));
    workload_close(w);
    key_block_release(&b);
    mem_free(data);
}

int main(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/keysim-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(folder))
        return 1;
    files_of_every_shape();
    files_refused();
    long_keys();
    split_files();
    popularity_of_a_file();
    many_lines();
    put("short", "a\nb\n", 4);
    memory_may_be_short(spec_of("short", ""));
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return tap_done() | (system(command) != 0);
}
