/* The published figures that ship are ours too, within their bounds and what our own samples scatter; threads change nothing; bad files are refused. */
#include "experiments/published.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static int run(uint64_t seed, unsigned threads, const char *folder, struct published **row, size_t *n, char why[WHY])
{
    const struct study s = {.hash = {hash_find("xxh3"), 0}, .seed = seed, .threads = threads};
    return published_run(&s, folder, row, n, why);
}

static void reproduced(const struct published *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct published *r = &row[i];
        ok(published_odds(r) > 1e-9, "%s: %s on %" PRIu32 " nodes, %s at %s=%g: %.4f +- %.4f, published %g (%g to %g)", r->figure, r->spec, r->nodes,
           r->quantity, r->option, r->value, r->ours, r->error, r->published, r->low, r->high);
    }
}

static char folder[] = "build/keysim-published-XXXXXX";

static void write_file(const char *name, const char *rows)
{
    static const char head[] = "figure,strategy,nodes,option,value,quantity,published,low,high,placements,source,why\n";
    char path[128];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *f = fopen(path, "w");
    must(!f || fprintf(f, "%s%s", *rows == '!' ? "" : head, rows) < 0 || fclose(f), path);
}

static const char *const file[] = {"lamping-veach", "multi-probe", "maglev", "dynamo", "ring-theory"};

static void no_rows(void)
{
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        write_file(file[i], "");
}

/* Rows that share placements, of all quantities: the same whatever the threads. */
static void threads(void)
{
    char why[WHY] = "";
    struct published *one = NULL, *more = NULL;
    size_t n = 0, m = 0;
    no_rows();
    write_file("dynamo", "f,\"dynamo:strategy=3,parts=60\",30,tokens,2,efficiency,0.86,0.85,0.87,20,s,w\n"
                         "f,\"dynamo:strategy=1,tokens=2\",30,tokens,2,efficiency,0.52,0.51,0.53,20,s,w\n");
    write_file("ring-theory", "f,ring:vnodes=4,10,vnodes,4,max_over_mean,2,1,3,9,s,w\nf,ring:vnodes=4,10,vnodes,4,max_over_mean_q95,2,1,3,30,s,w\n"
                              "f,ring:vnodes=4,10,vnodes,4,cv,2,1,3,9,s,w\nf,ring:vnodes=4,10,vnodes,4,share_q005,2,1,3,9,s,w\n"
                              "f,ring:vnodes=4,11,table,97,table_max_over_mean,2,1,3,9,s,w\n");
    must(run(3, 1, folder, &one, &n, why) || run(3, 3, folder, &more, &m, why), why);
    bool same = n == 7 && m == n;
    for (size_t i = 0; same && i < n; i++)
        same = one[i].ours == more[i].ours && one[i].error == more[i].error && one[i].freedom == more[i].freedom;
    ok(same, "one thread or three: the same figures");
    ok(one[2].placements == 30 && one[4].placements == 30 && one[6].placements == 9, "rows of one spec share the most placements asked for");
    published_release(one, n);
    published_release(more, m);
}

static void refused(void)
{
    static const struct { const char *rows, *says; } bad[] = {
        {"!figure,strategy\n", "columns"},
        {"f,ring,10,vnodes,4,max,2,1,3,9,s,w\n", "line 2: unknown quantity 'max'"},
        {"f,ring,0,vnodes,4,cv,2,1,3,9,s,w\n", "nodes and placements"},
        {"f,ring,3,vnodes,4,cv,2,1,3,0,s,w\n", "nodes and placements"},
        {"f,ring,3,vnodes,x,cv,2,1,3,1,s,w\n", "value 'x' is no number"},
        {"f,ring,3,vnodes,4,cv,2,4,3,1,s,w\n", "low is above high"},
        {"f,ring,3,vnodes,4,cv,2,1,3,1,s\n", "columns"},
        {"f,rong,3,vnodes,4,cv,2,1,3,1,s,w\n", "rong"},
        {"f,ring:vnodes=1/2,3,vnodes,4,cv,2,1,3,1,s,w\n", "sweep"},
        {"f,jump,3,vnodes,4,efficiency,2,1,3,5,s,w\n", "jump has no map"},
        {"f,jump,3,vnodes,4,table_max_over_mean,2,1,3,5,s,w\n", "jump has no points"},
        {"f,\"dynamo:parts=2\",3,vnodes,4,cv,2,1,3,5,s,w\n", "parts= of 3"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[WHY] = "";
        struct published *row = NULL;
        size_t n = 0;
        no_rows();
        write_file("maglev", bad[i].rows);
        int e = run(1, 2, folder, &row, &n, why);
        ok(e == -EINVAL && !row && strstr(why, bad[i].says), "refused: %s", why);
    }
}

/* Each allocation fails once: an error, or none where it was not missed, and nothing left. */
static void memory(void)
{
    no_rows();
    write_file("dynamo", "f,\"dynamo:strategy=2,tokens=2,parts=60\",30,tokens,2,efficiency,0.86,0.85,0.87,2,s,w\n");
    uint64_t live = mem_live();
    bool clean = true;
    int e = -ENOMEM, failed = 0;
    for (uint64_t nth = 1; e == -ENOMEM && nth < 10000; nth++) {
        char why[WHY] = "";
        struct published *row = NULL;
        size_t n = 0;
        mem_fail_at(nth);
        e = run(1, 1, folder, &row, &n, why);
        mem_fail_at(0);
        clean &= (e == 0) == (row != NULL) && (e == 0 || e == -ENOMEM);
        published_release(row, n);
        clean &= mem_live() == live;
        failed += e == -ENOMEM;
    }
    ok(clean && e == 0 && failed > 20, "each of %d allocations may fail", failed);
}

int main(void)
{
    char why[WHY] = "", path[128];
    uint64_t live = mem_live();
    struct published *row = NULL;
    size_t n = 0;
    must(run(1, 0, "data/published", &row, &n, why), why);
    reproduced(row, n);
    published_release(row, n);
    must(!mkdtemp(folder), folder);
    ok(run(1, 0, folder, &row, &n, why) == -EINVAL && strstr(why, "lamping-veach.csv"), "no files: %s", why);
    threads();
    refused();
    memory();
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        snprintf(path, sizeof path, "%s/%s.csv", folder, file[i]);
        unlink(path);
    }
    rmdir(folder);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
