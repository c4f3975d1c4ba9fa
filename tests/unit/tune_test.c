/* Answers of tune: the exact ones against the table, the others against what they must agree with. */
#include "experiments/tune.h"
#include "tests/stage.h"

#include <math.h>
#include <string.h>

static struct tune_answer answer;
static struct table *table;

/* Runs tune on nodes, with `threads`; the table stays until the next run. */
static void run(const char *text, const char *nodes, unsigned threads, const struct tune *ask)
{
    char why[WHY] = "", *names = mem_copy(nodes, strlen(nodes));
    struct spec **spec;
    size_t n;
    must(catalog_expand(text, &spec, &n, why), why);
    struct study s = {.registry = registry_create(), .spec = spec, .specs = n, .nodes = &names, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1,
                      .threads = threads, .placements = 1};
    table_destroy(table);
    table = NULL;
    must(tune_run(&s, ask, &table, &answer, why), why);
    registry_destroy(s.registry);
    for (size_t i = 0; i < n; i++)
        spec_destroy(spec[i]);
    mem_free(spec);
    mem_free(names);
}

static bool within(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

static double real(size_t row, const struct column *c)
{
    return table_get_real(table, row, c);
}

static void exact(void)
{
    static const struct { const char *nodes, *target; double confidence; unsigned is; } row[] = {
        {"10", "max/mean<=1.10", 0.95, 626}, {"3", "max/mean<=1.25", 0.95, 51},    {"100", "max/mean<=1.25", 0.99, 252}, {"100", "max/mean<=1.25", 0.90, 172},
        {"a=2,b=1,c=2,d=1,e=2,f=1,g=2,h=1,i=2,j=1", "max/mean<=1.10", 0.95, 534}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        run("ring", row[i].nodes, 1, &(struct tune){.target = row[i].target, .confidence = row[i].confidence});
        ok(answer.met && answer.method == TUNE_EXACT && fabs((double)answer.value - row[i].is) <= 1 && table_get_count(table, answer.row, COL(chosen)) == 1,
           "%s nodes, %s, %.2f: %u (the table: %u)", row[i].nodes, row[i].target, row[i].confidence, (unsigned)answer.value, row[i].is);
    }
    run("ring", "10", 1, &(struct tune){.target = "max/mean<=1.10", .confidence = 0.95});
    ok(answer.names_from == 482 && answer.names_pass, "node-0 .. node-9 hold from 482 on");
}

/* Bands of drawn rings against theory: table 2.1 at ten nodes. */
static void bands(void)
{
    static const double mean[] = {2.929, 1.538, 1.159}, q95[] = {4.450, 1.909, 1.259};
    bool good = true;
    run("ring:vnodes=1/10/100", "10", 1, &(struct tune){.target = "max/mean<=5", .confidence = 0.95});
    for (size_t r = 0; r < 3; r++)
        good &= within(real(r, COL(theory_max_over_mean)), mean[r], 0.0005) && within(real(r, COL(max_over_mean)), mean[r], 0.015) &&
                within(real(r, COL(max_over_mean_q95)), q95[r], 0.005) && within(real(r, COL(cv)), real(r, COL(theory_cv)), 0.02) &&
                real(r, COL(max_over_mean_q05)) < real(r, COL(max_over_mean_q50)) && real(r, COL(max_over_mean_q95)) < real(r, COL(max_over_mean_q99));
    ok(good && table_rows(table) == 3, "means, 95th percentiles and cv of drawn rings");
    ok(answer.met && answer.value == 1, "one point is enough for a large bound");
}

/* Placements with drawn names must find what theory finds. */
static void placed(void)
{
    run("uhashring", "10", 1, &(struct tune){.target = "max/mean<=1.3", .confidence = 0.95, .placements = 300});
    double system = (double)answer.value;
    ok(answer.met && answer.method == TUNE_PLACED, "a real system is placed: vnodes=%.0f", system);
    run("ring:vnodes=50..500+10,hash=fnv1a-64", "10", 1, &(struct tune){.target = "max/mean<=1.3", .confidence = 0.95, .placements = 40});
    ok(answer.method == TUNE_PLACED, "and so is a ring with a weak hash");
    run("ring:hash=md5-32", "10", 1, &(struct tune){.target = "max/mean<=1.3", .confidence = 0.95});
    ok(answer.method == TUNE_EXACT && within(system, (double)answer.value, 0.15), "which agree with theory: %u", (unsigned)answer.value);
}

static void fixed(void)
{
    run("slots", "10", 1, &(struct tune){.target = "max/mean<=1.10", .confidence = 0.95});
    ok(answer.met && answer.method == TUNE_FIXED && answer.value == 82, "slots: ceil(S/10) * 10 / S <= 1.10 from 82 on: %u", (unsigned)answer.value);
    run("slots", "10", 1, &(struct tune){.target = "max/mean<=1.10", .confidence = 0.95, .later = "12..16"});
    unsigned most = 0;
    for (unsigned s = 1; s < 2000; s++)
        for (unsigned n = 10; n <= 16; n++)
            if (n != 11 && (double)((s + n - 1) / n * n) / s > 1.10)
                most = s + 1;
    ok(answer.value == most, "and at 12 to 16 nodes too: %u, counted %u", (unsigned)answer.value, most);
    run("maglev", "10", 1, &(struct tune){.target = "max/mean<=1.01", .confidence = 0.95});
    ok(answer.value == 883 && !strcmp(answer.option, "table"), "maglev's table is prime: %u", (unsigned)answer.value);
    run("dynamo", "10", 1, &(struct tune){.target = "max/mean<=1.05", .confidence = 0.95});
    ok(!strcmp(answer.option, "parts"), "of dynamo's options the one that matters");
    run("multi-probe", "10", 1, &(struct tune){.target = "max/mean<=1.2", .confidence = 0.95});
    ok(answer.met && !strcmp(answer.option, "probes"), "multi-probe: %u probes", (unsigned)answer.value);
}

static void keys(void)
{
    run("ring", "10", 1, &(struct tune){.target = "max/mean<=1.25", .confidence = 0.95, .keys = 1000000000000000, .placements = 1000});
    double many = (double)answer.value;
    ok(answer.method == TUNE_DRAWN && within(many, 107, 0.08), "10^15 keys are as many as shares: %.0f (107)", many);
    run("ring", "10", 1, &(struct tune){.target = "max/mean<=1.25", .confidence = 0.95, .keys = 5000});
    ok(answer.met && (double)answer.value > many, "5000 keys need more: %u", (unsigned)answer.value);
    double cv = real(answer.row, COL(theory_cv)), v = (double)answer.value;
    ok(within(cv, sqrt(9 / (10 * v + 1) * (1 - 1 / 5000.) + 9 / 5000.), 1e-5) && within(real(answer.row, COL(cv)), cv, 0.03), "with the noise of so many keys");
    run("ring", "10", 1, &(struct tune){.target = "max/mean<=1.10", .confidence = 0.95, .keys = 100, .placements = 1000});
    ok(!answer.met && answer.tried == 1000000, "100 keys: no number of points is enough");
}

static void deaths(void)
{
    run("ring:vnodes=16/64", "5", 1, &(struct tune){.target = "max/mean<=3", .confidence = 0.9, .survive = 1, .placements = 300});
    double pairs = real(0, COL(max_over_mean)), own = real(0, COL(yours_max_over_mean));
    run("ring:vnodes=16/64", "5", 1, &(struct tune){.target = "max/mean<=3", .confidence = 0.9, .survive = 1, .replicas = 1, .placements = 300});
    ok(within(pairs, real(0, COL(max_over_mean)), 1e-9), "one death by pairs");
    char why[WHY] = "";
    struct registry *r = registry_create();
    struct spec *spec = spec_of("ring:vnodes=16");
    const struct cluster *c = cluster_of(r, "5");
    double worst = 0;
    for (int victim = 0; victim < 5; victim++) {
        char change[16];
        double share[5], unplaced;
        snprintf(change, sizeof change, "-node-%d", victim);
        struct placement *p = open_on_hash(spec, changed(r, c, change), "xxh3");
        must(placement_shares(p, share, &unplaced, why), why);
        for (int i = 0; i < 5; i++)
            worst = share[i] * 4 > worst ? share[i] * 4 : worst;
        placement_close(p);
    }
    spec_destroy(spec);
    registry_destroy(r);
    ok(within(own, worst, 1e-6), "the worst death of the names given: %.6f, by removal %.6f", own, worst);
    run("ring:vnodes=16/64", "5", 1, &(struct tune){.target = "max/mean<=3", .confidence = 0.9, .survive = 2, .placements = 100});
    ok(real(0, COL(yours_max_over_mean)) > 0.99 && answer.met, "two deaths");
    run("ring:vnodes=16/64", "5", 1, &(struct tune){.target = "max/mean<=3", .confidence = 0.9, .replicas = 5, .placements = 20});
    ok(within(real(0, COL(yours_max_over_mean)), 1, 1e-9), "a copy on every node is even");
}

static void targets(void)
{
    run("ring", "10", 1, &(struct tune){.target = "moved<=0.12", .confidence = 0.95});
    ok(answer.method == TUNE_EXACT && answer.value == 27, "moved: the share of one node more, Beta: %u", (unsigned)answer.value);
    run("ring", "10", 1, &(struct tune){.target = "cv<=0.05", .confidence = 0.95});
    ok(answer.method == TUNE_DRAWN && within((double)answer.value, 672, 0.03), "cv: %u", (unsigned)answer.value);
    run("ring", "10", 1, &(struct tune){.target = "max-share<=0.11", .confidence = 0.95});
    ok(answer.value == 626, "max-share is max/mean of equal nodes");
    run("ring", "10", 1, &(struct tune){.target = "min/mean>=0.9", .confidence = 0.95});
    ok(answer.met && answer.method == TUNE_EXACT && within((double)answer.value, 580, 0.1), "min/mean: %u", (unsigned)answer.value);
}

static void threads(void)
{
    static const char *const text[] = {"ring", "envoy-ring:min=512..1024x2"};
    for (int i = 0; i < 2; i++) {
        char *written[2];
        size_t len[2];
        for (unsigned k = 0; k < 2; k++) {
            run(text[i], "5", 1 + 2 * k, &(struct tune){.target = "max/mean<=1.3", .confidence = 0.95, .placements = 40, .keys = i ? 0 : 1000});
            FILE *f = open_memstream(&written[k], &len[k]);
            table_write_csv(table, f);
            fclose(f);
        }
        ok(len[0] == len[1] && !memcmp(written[0], written[1], len[0]), "%s: one thread and three write the same", text[i]);
        free(written[0]);
        free(written[1]);
    }
}

int main(void)
{
    uint64_t live = mem_live();
    exact();
    bands();
    placed();
    fixed();
    keys();
    deaths();
    targets();
    threads();
    table_destroy(table);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
