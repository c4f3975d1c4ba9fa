/* Hot keys: what balance says of requests, keys and bytes, against formulas, counting by hand, and figures that others give. */
#include "experiments/balance.h"
#include "model/zipf.h"
#include "tests/stage.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

struct result {
    struct registry *registry;
    struct table *t;
};

static struct result run(const char *const *specs, size_t count, const char *nodes, const char *workload, uint64_t placements, unsigned threads)
{
    char why[WHY] = "", *node = (char *)(uintptr_t)nodes;
    struct result of = {.registry = registry_create()};
    struct spec *spec[4];
    for (size_t i = 0; i < count; i++)
        spec[i] = spec_of(specs[i]);
    struct study s = {.registry = of.registry, .spec = spec, .specs = count, .nodes = &node, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .workload = workload,
                      .seed = 1, .threads = threads, .placements = placements};
    must(balance_run(&s, &of.t, why), why);
    for (size_t i = 0; i < count; i++)
        spec_destroy(spec[i]);
    return of;
}

static void result_free(struct result *of)
{
    table_destroy(of->t);
    registry_destroy(of->registry);
}

static double real(const struct result *of, size_t row, const struct column *c)
{
    return table_is_empty(of->t, row, c) ? (double)NAN : table_get_real(of->t, row, c);
}

static bool counts(const struct result *of, size_t row, const char *load, uint64_t keys)
{
    return !strcmp(table_get_text(of->t, row, COL(load)), load) && table_get_count(of->t, row, COL(keys)) == keys;
}

static bool near(double a, double b, double off)
{
    return fabs(a - b) <= off;
}

/* max/mean is p1 N at least: 6.9 % and 1.39 of a million keys on 20 nodes. On 100 nodes Zipf 1.1 gives 100 / zeta(1.1) = 9.45 or more,
 * however many keys there are; a measurement that claims 7.22 for it had other keys. */
static void floors(void)
{
    static const char *const specs[] = {"ring", "slots", "choices", "bounded"};
    struct result of = run(specs, 4, "20", "user:count=1M,zipf=1,requests=200k", 1, 2);
    ok(table_rows(of.t) == 8 && counts(&of, 0, "requests", 200000) && counts(&of, 1, "keys", 1000000) && counts(&of, 6, "requests", 200000), "requests, then keys");
    ok(near(real(&of, 0, COL(top_share)), 0.0695, 5e-5) && near(real(&of, 0, COL(floor_max_over_mean)), 1.39, 5e-4), "6.9 %% on one of 20 nodes: 1.39 times fair at least");
    ok(real(&of, 0, COL(max_over_mean)) > 1.39 && real(&of, 2, COL(max_over_mean)) > 1.39, "and none that gives a key one node goes below");
    ok(real(&of, 1, COL(floor_max_over_mean)) == 1 && real(&of, 1, COL(top_share)) == 1e-6, "keys each once are no burden");
    ok(real(&of, 4, COL(floor_max_over_mean)) == 1 && real(&of, 4, COL(max_over_mean)) < 1.01 && real(&of, 6, COL(max_over_mean)) < 1.2501,
       "over two nodes it fits: choices %.4f, bounded loads %.4f", real(&of, 4, COL(max_over_mean)), real(&of, 6, COL(max_over_mean)));
    ok(isnan(real(&of, 0, COL(spilled_share))) && real(&of, 4, COL(extra_lookups)) == 1 && real(&of, 4, COL(spilled_share)) > 0.2, "two choices ask one node more, always");
    result_free(&of);

    of = run(specs, 3, "100", "user:count=200k,zipf=1.1,requests=200k", 1, 2);
    double top = zipf_share(200000, 1.1, 1);
    ok(near(real(&of, 0, COL(floor_max_over_mean)), 100 * top, 1e-6) && 100 * top > 9.45 && zipf_share((uint64_t)1 << 53, 1.1, 1) > 0.0945 &&
           zipf_share((uint64_t)1 << 53, 1.1, 1) < 0.097, "Zipf 1.1 on 100 nodes: %.2f at least, above 9.45 with any number of keys", 100 * top);
    ok(near(real(&of, 4, COL(floor_max_over_mean)), 50 * top, 1e-6) && real(&of, 4, COL(max_over_mean)) > 50 * top * 0.98, "two choices halve it, no more");
    result_free(&of);

    of = run(specs, 1, "100", "user:count=200k,zipf=1.1,requests=200k,hottest=10,copies=8", 1, 2);
    ok(near(real(&of, 0, COL(floor_max_over_mean)), 100 * fmax(top / 8, zipf_share(200000, 1.1, 11)), 1e-6) && counts(&of, 1, "keys", 200070), "eight names for ten keys");
    result_free(&of);

    of = run(specs, 3, "a=3,b,c", "user:count=10,zipf=3,requests=1k", 1, 1);
    top = zipf_share(10, 3, 1);
    ok(near(real(&of, 0, COL(floor_max_over_mean)), top / 0.6, 1e-6) && near(real(&of, 4, COL(floor_max_over_mean)), fmax(1, top / 0.8), 1e-6),
       "at best it lies on the largest nodes");
    result_free(&of);
}

/* 100 nodes of 200 points, 200,000 keys: keys alike hardly spill under bounds of 25 %; the 21.9 % that were measured, and the 1.25, are a Zipf of 0.97's. */
static void spilled(void)
{
    static const char *const specs[] = {"bounded:over=ring:vnodes=200,eps=0.25"};
    struct result one = run(specs, 1, "100", "user:count=200k,zipf=0.97,requests=200k", 5, 1), two = run(specs, 1, "100", "user:count=200k,zipf=0.97,requests=200k", 5, 2);
    double share = real(&one, 0, COL(spilled_share)), asked = real(&one, 0, COL(extra_lookups));
    note("spilled %.4f of the requests, %.4f nodes more asked; of the keys %.5f", share, asked, real(&one, 1, COL(spilled_share)));
    ok(near(real(&one, 0, COL(max_over_mean)), 1.25, 0.001) && near(share, 0.219, 0.03), "1.25 with 21.9 %% spilled");
    ok(asked >= share && asked < 4 * share, "each asks one node more, or a few");
    ok(real(&one, 1, COL(spilled_share)) < 0.005 && real(&one, 1, COL(extra_lookups)) < 0.01, "keys alike hardly spill");
    ok(share == real(&two, 0, COL(spilled_share)) && asked == real(&two, 0, COL(extra_lookups)), "whatever the number of threads");
    result_free(&one);
    result_free(&two);
}

/* A file of requests with sizes, against counting by hand: a 3 of 8, b 2, c .. e 1; bytes a 12, b 30, c 2, d 4, e 52. */
static void bytes(void)
{
    static const char text[] = "a,2\nb,10\na,4\nc,2\na,6\nd,4\nb,20\ne,52\n";
    static const char *const specs[] = {"modulo", "choices:over=modulo"};
    char path[64], workload[128];
    temporary(text, path);
    snprintf(workload, sizeof workload, "file:path=%s,column=1,size-column=2", path);
    struct result of = run(specs, 2, "4", workload, 1, 2);
    ok(table_rows(of.t) == 6 && counts(&of, 0, "requests", 8) && counts(&of, 1, "keys", 5) && counts(&of, 2, "bytes", 8) && counts(&of, 3, "requests", 8),
       "requests, keys, bytes of each strategy");
    ok(real(&of, 0, COL(top_share)) == 3. / 8 && real(&of, 0, COL(floor_max_over_mean)) == 1.5 && near(real(&of, 1, COL(floor_max_over_mean)), 1, 1e-9) &&
           near(real(&of, 2, COL(floor_max_over_mean)), 4 * 0.52, 1e-6), "the hottest has 3 of 8 requests, and 52 of 100 bytes");
    double squares[3] = {(9 + 4 + 3) / 64., 1 / 5., (144 + 900 + 4 + 16 + 2704) / 10000.};
    bool right = true;
    for (size_t k = 0; k < 3; k++)
        right &= near(real(&of, k, COL(noise_cv)), sqrt(3 * squares[k]), 1e-6) && near(real(&of, k, COL(theory_cv)), sqrt(3 * squares[k]), 1e-6);
    ok(right, "noise by the squares of what each key has");
    double all = 0;
    for (size_t k = 0; k < 3; k++)
        all += real(&of, k, COL(max_over_mean)) >= real(&of, k, COL(floor_max_over_mean)) * (1 - 1e-6);
    ok(all == 3, "no figure below its floor");
    result_free(&of);
    unlink(path);
}

int main(void)
{
    uint64_t live = mem_live();
    floors();
    spilled();
    bytes();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
