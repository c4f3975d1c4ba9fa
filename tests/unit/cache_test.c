/* Caches: Che's formula against known values, the simulation against the formula, and what happens to it when nodes come and go. */
#include "experiments/cache.h"
#include "metrics/che.h"
#include "tests/stage.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool near(double a, double b, double off)
{
    return fabs(a - b) <= off;
}

/* What n equal caches hit. */
static double steady(double zipf, uint32_t n, double items)
{
    struct popularity p;
    must(popularity_init(&p, 1000000, zipf), "no memory");
    double *hit = mem_alloc(p.bands, sizeof *hit), *part = mem_alloc(p.bands * n, sizeof *part);
    for (size_t i = 0; i < p.bands * n; i++)
        part[i] = 1. / n;
    che_hits(&p, part, n, items, INFINITY, hit, NULL);
    mem_free(part);
    double ratio = 0;
    for (size_t b = 0; b < p.bands; b++)
        ratio += p.band[b].all * hit[b];
    mem_free(hit);
    popularity_release(&p);
    return ratio;
}

/* After a change: `kept` of each key's requests stay. */
static double dip(double kept, double requests)
{
    struct popularity p;
    double sum = 0;
    must(popularity_init(&p, 1000000, 0.9), "no memory");
    for (size_t b = 0; b < p.bands; b++)
        sum += p.band[b].all * che_cold(p.band[b].each, 0, requests);
    popularity_release(&p);
    return kept * steady(0.9, 3, 10000) + (1 - kept) * sum;
}

static void formulas(void)
{
    static const struct {
        double zipf, items, three, four;
    } row[] = {{0.9, 1e4, .4991, .5295}, {0.9, 1e5, .7921, .8385}, {1.0, 1e4, .6756, .6999}, {1.0, 1e5, .8808, .9089}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double three = steady(row[i].zipf, 3, row[i].items), four = steady(row[i].zipf, 4, row[i].items);
        ok(near(three, row[i].three, 5.1e-5) && near(four, row[i].four, 5.1e-5), "Zipf %.1f, %.0f items on 3 and 4 nodes: %.4f and %.4f", row[i].zipf,
           row[i].items, three, four);
    }
    ok(near(dip(.2447, 0), .122, 6e-4) && near(dip(.2447, 1e3), .244, 1.5e-3) && near(dip(.2447, 1e4), .348, 2e-3) && near(dip(.2447, 1e5), .481, 2e-3),
       "modulo, 3 to 4 nodes: %.3f at once, %.3f, %.3f, %.3f in the first 1k, 10k, 100k", dip(.2447, 0), dip(.2447, 1e3), dip(.2447, 1e4), dip(.2447, 1e5));
    struct popularity p;
    double sum = 0, keys = 0;
    must(popularity_init(&p, 12345678901, 0.7), "no memory");
    for (size_t b = 0; b < p.bands; b++) {
        sum += p.band[b].all;
        keys += (double)p.band[b].keys;
    }
    ok(near(sum, 1, 1e-9) && near(keys, 12345678901, 0) && p.bands < 3000, "12 G keys are %zu bands, all of the requests", p.bands);
    double *hit = mem_alloc(2 * p.bands, sizeof *hit), *part = mem_alloc(2 * p.bands, sizeof *part);
    for (size_t b = 0; b < p.bands; b++)
        part[2 * b + 1] = 1;
    struct che_times times = che_hits(&p, part, 2, 1000, INFINITY, hit, hit + p.bands);
    struct che_times roomy = che_hits(&p, part, 2, 1e12, INFINITY, hit, hit + p.bands);
    mem_free(hit);
    mem_free(part);
    ok(isinf(roomy.least) && isinf(roomy.most) && roomy.most_finite == 0, "a cache with room for all has an infinite one");
    ok(times.least == times.most && times.most == times.most_finite && isfinite(times.most), "a cache that nobody asks has no characteristic time");
    const double none = 1e-9, all = 1;
    ok(isinf(che_time(&p, &none, 0, 100)) && !isinf(che_time(&p, &all, 0, 100)), "a cache with room for all its keys drops none");
    popularity_release(&p);
}

/* One strategy, run; the table is to be destroyed. fail_at: the allocation of the run that fails. */
static int try(const char *spec_text, const char *nodes, const char *workload, const struct cache_wish *wish, struct table **t, uint64_t fail_at,
               char why[WHY])
{
    struct spec *spec = spec_of(spec_text);
    char *of[] = {(char *)(uintptr_t)nodes};
    struct study s = {.registry = registry_create(), .spec = &spec, .specs = 1, .nodes = of, .sizes = 1, .hash = {hash_find("xxh3"), 0},
                      .workload = workload, .seed = 1, .threads = fail_at ? 1 : 2, .placements = 1};
    must(!s.registry, "no memory");
    *t = NULL;
    mem_fail_at(fail_at);
    int e = cache_run(&s, wish, t, why);
    mem_fail_at(0);
    registry_destroy(s.registry);
    spec_destroy(spec);
    return e;
}

static struct table *go(const char *spec, const char *nodes, const char *workload, const struct cache_wish *wish)
{
    char why[WHY] = "";
    struct table *t;
    must(try(spec, nodes, workload, wish, &t, 0, why), why);
    return t;
}

/* Hits of requests from .. to - 1 over their number; both are windows' ends. */
static double hits(const struct table *t, uint64_t from, uint64_t to)
{
    double sum = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        if (table_get_count(t, r, COL(request)) >= from && table_get_count(t, r, COL(request)) < to)
            sum += table_get_real(t, r, COL(hit_ratio)) * (double)table_get_count(t, r, COL(requests));
    return sum / (double)(to - from);
}

static size_t row_at(const struct table *t, uint64_t request)
{
    size_t r = 0;
    while (table_get_count(t, r, COL(request)) != request)
        r++;
    return r;
}

/* 3 to 4 nodes of 10,000 items, a million keys, Zipf 0.9. `early`: hit ratios in the first 1k, 10k, 100k requests as simulated elsewhere with other
 * names of nodes, hence another share that stays: within 0.03, four standard deviations of chance and of the placement. */
static void story(const char *spec, double stay, const double early[3], double quick)
{
    static const char *const at[] = {"1M:+1"};
    const struct cache_wish wish = {.items = 10000, .at = at, .changes = 1};
    struct table *t = go(spec, "3", "user:count=1M,zipf=0.9,requests=2M", &wish);
    size_t r = row_at(t, 1000000);
    double kept = table_get_real(t, r, COL(kept_share)), before = hits(t, 200000, 1000000), after = hits(t, 1200000, 2000000);
    ok(near(before, .4991, .002) && near(after, .5295, .002), "%s: steady hit ratios %.4f and %.4f", spec, before, after);
    ok(near(table_get_real(t, r - 1, COL(theory_hit_ratio)), .4991, .001) && near(table_get_real(t, table_rows(t) - 1, COL(theory_hit_ratio)), .5295, .001),
       "%s: the formula for its shares: %.4f and %.4f", spec, table_get_real(t, r - 1, COL(theory_hit_ratio)),
       table_get_real(t, table_rows(t) - 1, COL(theory_hit_ratio)));
    ok(near(kept, stay, .03), "%s: %.4f of the requests stay", spec, kept);
    double k1 = hits(t, 1000000, 1001000), k10 = hits(t, 1000000, 1010000), k100 = hits(t, 1000000, 1100000);
    ok(near(k1, early[0], .06) && near(k10, early[1], .03) && near(k100, early[2], .015), "%s: the first 1k, 10k, 100k requests: %.3f, %.3f, %.3f", spec, k1, k10,
       k100);
    double first = table_get_real(t, r, COL(theory_hit_ratio)), second = table_get_real(t, r + 1, COL(theory_hit_ratio));
    ok(near(k1, first, .064) && near(table_get_real(t, r + 1, COL(hit_ratio)), second, .022), "%s: the formula there: %.3f, then %.3f (seen: %.3f, %.3f)", spec,
       first, second, k1, table_get_real(t, r + 1, COL(hit_ratio)));
    uint64_t back = table_get_count(t, r, COL(recovery_requests));
    ok((double)back > quick / 1.7 && (double)back < quick * 1.7, "%s: back to 95 %% after %llu requests", spec, (unsigned long long)back);
    ok(near(table_get_real(t, r, COL(database_over_before)), (1 - k1) / (1 - table_get_real(t, r, COL(hit_ratio_before))), 1e-5),
       "%s: the database gets %.2f times its queries", spec, table_get_real(t, r, COL(database_over_before)));
    table_destroy(t);
}

/* All keys fit, so a miss is a key asked for the first time since its node was new. */
static void leaving(void)
{
    static const char *const away[] = {"200k:-node-1"}, *const back[] = {"200k:-node-1", "300k:+node-1"}, *const down[] = {"200k:node-1=down"};
    struct cache_wish wish = {.items = 5000, .window = 100000, .at = away, .changes = 1};
    const char *workload = "user:count=5k,zipf=0,requests=400k";
    struct table *t = go("ring:vnodes=150", "2", workload, &wish);
    size_t r = row_at(t, 200000);
    double stay = table_get_real(t, r, COL(kept_share)), cold = (1 - stay) * 5000;
    ok(near((double)table_get_count(t, r, COL(database_queries)), cold, 2) && table_get_count(t, r + 1, COL(database_queries)) == 0,
       "one of two nodes leaves: each of its %.0f keys is fetched once", cold);
    table_destroy(t);
    wish.at = back;
    wish.changes = 2;
    t = go("ring:vnodes=150", "2", workload, &wish);
    r = row_at(t, 300000);
    ok(near(table_get_real(t, r, COL(kept_share)), stay, 1e-9) && near((double)table_get_count(t, r, COL(database_queries)), cold, 2),
       "and comes back cold: they are fetched again");
    table_destroy(t);
    wish.at = down;
    wish.changes = 1;
    t = go("modulo", "2", workload, &wish);
    r = row_at(t, 200000);
    ok(table_get_real(t, r, COL(kept_share)) < .6 && near(table_get_real(t, r + 1, COL(hit_ratio)), table_get_real(t, r, COL(kept_share)), .01),
       "a node that is down answers nothing where the strategy takes no notice: %.3f of the requests are hits", table_get_real(t, r + 1, COL(hit_ratio)));
    table_destroy(t);
}

/* One key, asked for again and again: it misses until it is there. */
static void fetching(void)
{
    struct cache_wish wish = {.items = 10, .window = 1000, .fetch = 100};
    struct table *t = go("modulo", "1", "user:count=1,requests=1000", &wish);
    ok(table_get_count(t, 0, COL(database_queries)) == 100 && near(table_get_real(t, 0, COL(hit_ratio)), .9, 1e-9), "a fetch of 100 requests: 100 queries");
    table_destroy(t);
    wish.coalesce = true;
    t = go("modulo", "1", "user:count=1,requests=1000", &wish);
    ok(table_get_count(t, 0, COL(database_queries)) == 1 && table_get_count(t, 0, COL(coalesced)) == 99 && near(table_get_real(t, 0, COL(hit_ratio)), .9, 1e-9),
       "coalesced: 1 query, and 99 wait");
    table_destroy(t);
}

/* Rows a node add up to the rows a window. */
static void nodes_add_up(const char *spec)
{
    static const char *const at[] = {"30k:+1", "70k:-2"};
    struct cache_wish wish = {.items = 500, .at = at, .changes = 2};
    const char *workload = "user:count=20k,zipf=0.8,requests=100k";
    struct table *all = go(spec, "4", workload, &wish);
    wish.per_node = true;
    struct table *each = go(spec, "4", workload, &wish);
    double hit = 0, seen = 0;
    uint64_t asked = 0, requests = 0;
    for (size_t r = 0; r < table_rows(all); r++) {
        hit += table_get_real(all, r, COL(hit_ratio)) * (double)table_get_count(all, r, COL(requests));
        requests += table_get_count(all, r, COL(requests));
    }
    for (size_t r = 0; r < table_rows(each); r++) {
        asked += table_get_count(each, r, COL(requests));
        if (table_get_count(each, r, COL(requests)))
            seen += table_get_real(each, r, COL(hit_ratio)) * (double)table_get_count(each, r, COL(requests));
    }
    ok(requests == 100000 && asked == requests && near(hit, seen, .5), "%s: nodes add up to %.0f hits of %llu requests", spec, hit, (unsigned long long)asked);
    table_destroy(all);
    table_destroy(each);
}

/* Caches with room for more than was asked for yet, and a node that leaves: they never forget the change, and what stays is hit more and more, so
 * that the formula soon ends. While it is given, it holds. */
static void filling(void)
{
    static const char *const at[] = {"500k:-node-1"};
    const struct cache_wish wish = {.items = 60000, .window = 10000, .at = at, .changes = 1};
    struct table *t = go("ring:vnodes=150", "4", "user:count=200k,zipf=1,requests=1M", &wish);
    double off = 0;
    size_t known = 0, late = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        if (table_is_empty(t, r, COL(theory_hit_ratio)))
            continue;
        known++;
        late += table_get_count(t, r, COL(request)) >= 510000;
        off = fmax(off, fabs(table_get_real(t, r, COL(hit_ratio)) - table_get_real(t, r, COL(theory_hit_ratio))));
    }
    ok(known >= 51 && late == 0 && off < .025, "caches that still fill: theory in %zu windows, off by %.4f at most", known, off);
    table_destroy(t);
}

/* A ring takes no notice of a node that is down: what goes there is never hit, and never expected to be. Within four standard deviations. */
static void standing(void)
{
    char nodes[65] = "@";
    const struct cache_wish wish = {.items = 4000};
    temporary("a\nb down=1\nc\n", nodes + 1);
    struct table *t = go("ring", nodes, "user:count=500k,zipf=1,requests=300k", &wish);
    unlink(nodes + 1);
    for (size_t r = 0; r < 3; r++) {
        double seen = table_get_real(t, r, COL(hit_ratio)), expected = table_get_real(t, r, COL(theory_hit_ratio));
        ok(near(seen, expected, 4 * sqrt(expected * (1 - expected) / (double)table_get_count(t, r, COL(requests)))),
           "one of three nodes down, window %zu: hits %.4f, expected %.4f", r + 1, seen, expected);
    }
    table_destroy(t);
}

/* Each allocation failing in turn: an error, and nothing is left. */
static void out_of_memory(void)
{
    static const char *const at[] = {"2k:+1"};
    const struct cache_wish wish = {.items = 10, .window = 2000, .at = at, .changes = 1};
    struct table *t;
    char why[WHY];
    uint64_t live = mem_live(), n = 0;
    int e = -1;
    bool right = true;
    while (e && n < 5000) {
        e = try("modulo", "2", "user:count=100,requests=4k", &wish, &t, ++n, why);
        table_destroy(t);
        right &= mem_live() == live;
    }
    ok(right && !e && n > 50, "%llu allocations, each failing once: nothing is left", (unsigned long long)n - 1);
}

int main(void)
{
    formulas();
    story("modulo", .245, (const double[]){.244, .348, .481}, 35000);
    story("ring:vnodes=150", .76, (const double[]){.414, .451, .506}, 15000);
    leaving();
    filling();
    standing();
    fetching();
    nodes_add_up("ring:vnodes=20");
    nodes_add_up("bounded");
    out_of_memory();
    return tap_done();
}
