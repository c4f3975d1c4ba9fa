/* Answers of tune: the exact ones against the table, the others against what they must agree with. */
#include "experiments/tune.h"
#include "tests/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define T(text) .target = (const char *const[]){text}, .targets = 1 /* one target */

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
        run("ring", row[i].nodes, 1, &(struct tune){T(row[i].target), .confidence = row[i].confidence});
        ok(answer.met && answer.method == TUNE_EXACT && fabs((double)answer.value - row[i].is) <= 1 && table_get_count(table, answer.row, COL(chosen)) == 1,
           "%s nodes, %s, %.2f: %u (the table: %u)", row[i].nodes, row[i].target, row[i].confidence, (unsigned)answer.value, row[i].is);
    }
    run("ring", "10", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.95});
    ok(answer.names_from == 482 && answer.names_pass, "node-0 .. node-9 hold from 482 to 626");
    ok(answer.low == 0 && answer.high == 0, "what is exact has no interval");
}

/* What is said of the names given must hold at each value of the range. */
static void own_names(void)
{
    bool pass = true;
    run("ring:vnodes=481..626+1", "10", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.95, .placements = 10});
    for (size_t r = 1; r < 146; r++)
        pass &= real(r, COL(yours_max_over_mean)) <= 1.10;
    ok(table_rows(table) == 146 && pass && real(0, COL(yours_max_over_mean)) > 1.10, "their own figures from 482 to 626, and at 481");
}

/* Rows are about the size that decides, so they agree with the verdict. */
static void sizes(void)
{
    bool agree = true;
    run("ring", "12", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.99, .later = "12..20"});
    for (size_t r = 0; r < table_rows(table); r++) {
        uint64_t value = strtoull(table_get_text(table, r, COL(value)), NULL, 10);
        agree &= (value >= answer.value) == (real(r, COL(max_over_mean_q99)) <= 1.10);
    }
    ok(agree && answer.worst_nodes == 20 && answer.nodes == 12, "of 12 to 20 nodes the rows of 20 decide");
    run("ring", "3", 1, &(struct tune){T("max/mean<=1.5"), .confidence = 0.95, .later = "3..6", .survive = 1, .placements = 200});
    double all = (double)answer.value;
    ok(answer.met && answer.worst_nodes == 6 && answer.low <= answer.value && answer.value <= answer.high, "and where placements are drawn: %.0f, %u to %u", all,
       (unsigned)answer.low, (unsigned)answer.high);
    run("ring", "6", 1, &(struct tune){T("max/mean<=1.5"), .confidence = 0.95, .survive = 1, .placements = 200});
    ok(within(all, (double)answer.value, 1e-9), "as that size alone says");
}

/* A search that leads nowhere ends. */
static void stalled(void)
{
    run("ring:points=ketama", "10", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.95});
    ok(!answer.met && answer.stall.to == answer.tried && answer.tried <= 1024 && answer.stall.from * 16 == answer.stall.to && answer.stall.after > 8,
       "points that fill another circle than the keys: given up at %u", (unsigned)answer.tried);
    run("ring:vnodes=16..1024x4,hash=fnv1a-64", "20", 1, &(struct tune){T("max/mean<=1.6"), .confidence = 0.5, .placements = 20});
    ok(answer.stall.to == 0, "a weak hash that still gains does not");
}

/* Bands of drawn rings against theory: table 2.1 at ten nodes. */
static void bands(void)
{
    static const double mean[] = {2.929, 1.538, 1.159}, q95[] = {4.450, 1.909, 1.259};
    bool good = true;
    run("ring:vnodes=1/10/100", "10", 1, &(struct tune){T("max/mean<=5"), .confidence = 0.95});
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
    run("uhashring", "10", 1, &(struct tune){T("max/mean<=1.3"), .confidence = 0.95, .placements = 300});
    double system = (double)answer.value;
    ok(answer.met && answer.method == TUNE_PLACED, "a real system is placed: vnodes=%.0f", system);
    run("ring:vnodes=50..500+10,hash=fnv1a-64", "10", 1, &(struct tune){T("max/mean<=1.3"), .confidence = 0.95, .placements = 40});
    ok(answer.method == TUNE_PLACED, "and so is a ring with a weak hash");
    run("ring:hash=md5-32", "10", 1, &(struct tune){T("max/mean<=1.3"), .confidence = 0.95});
    ok(answer.method == TUNE_EXACT && within(system, (double)answer.value, 0.15), "which agree with theory: %u", (unsigned)answer.value);
}

static void fixed(void)
{
    run("slots", "10", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.95});
    ok(answer.met && answer.method == TUNE_FIXED && answer.value == 82, "slots: ceil(S/10) * 10 / S <= 1.10 from 82 on: %u", (unsigned)answer.value);
    run("slots", "10", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.95, .later = "12..16"});
    unsigned most = 0;
    for (unsigned s = 1; s < 2000; s++)
        for (unsigned n = 10; n <= 16; n++)
            if (n != 11 && (double)((s + n - 1) / n * n) / s > 1.10) // NOLINT(bugprone-integer-division): rounds up
                most = s + 1;
    ok(answer.value == most, "and at 12 to 16 nodes too: %u, counted %u", (unsigned)answer.value, most);
    run("maglev", "10", 1, &(struct tune){T("max/mean<=1.01"), .confidence = 0.95});
    ok(answer.value == 883 && !strcmp(answer.option, "table"), "maglev's table is prime: %u", (unsigned)answer.value);
    run("dynamo", "10", 1, &(struct tune){T("max/mean<=1.05"), .confidence = 0.95});
    ok(!strcmp(answer.option, "parts"), "of dynamo's options the one that matters");
    run("multi-probe", "10", 1, &(struct tune){T("max/mean<=1.2"), .confidence = 0.95, .placements = 200});
    ok(answer.met && !strcmp(answer.option, "probes"), "multi-probe: %u probes", (unsigned)answer.value);
}

static void keys(void)
{
    run("ring", "10", 1, &(struct tune){T("max/mean<=1.25"), .confidence = 0.95, .keys = 1000000000000000, .placements = 1000});
    double many = (double)answer.value;
    ok(answer.method == TUNE_DRAWN && within(many, 107, 0.08), "10^15 keys are as many as shares: %.0f (107)", many);
    ok(answer.low <= 107 && answer.high >= 107 && within((double)answer.low, 107, 0.15) && within((double)answer.high, 107, 0.15),
       "of which 1000 placements know so much: %u to %u", (unsigned)answer.low, (unsigned)answer.high);
    double yours = answer.yours[0];
    char spec[32];
    snprintf(spec, sizeof spec, "ring:vnodes=%u/%u", (unsigned)many, 2 * (unsigned)many);
    run(spec, "10", 1, &(struct tune){T("max/mean<=9"), .confidence = 0.95});
    ok(within(real(0, COL(yours_max_over_mean)), yours, 1e-6), "the names given, with 10^15 keys and with shares: %.6f, %.6f", yours,
       real(0, COL(yours_max_over_mean)));
    run(spec, "10", 1, &(struct tune){T("max/mean<=9"), .confidence = 0.95, .keys = 1000});
    ok(real(0, COL(yours_max_over_mean)) > yours + 0.05, "1000 keys on them are less even: %.3f", real(0, COL(yours_max_over_mean)));
    run("ring", "10", 1, &(struct tune){T("max/mean<=1.25"), .confidence = 0.95, .keys = 5000});
    ok(answer.met && (double)answer.value > many, "5000 keys need more: %u", (unsigned)answer.value);
    double cv = real(answer.row, COL(theory_cv)), v = (double)answer.value;
    ok(within(cv, sqrt(9 / (10 * v + 1) * (1 - 1 / 5000.) + 9 / 5000.), 1e-5) && within(real(answer.row, COL(cv)), cv, 0.03), "with the noise of so many keys");
    run("ring", "10", 1, &(struct tune){T("max/mean<=1.10"), .confidence = 0.95, .keys = 100, .placements = 1000});
    ok(!answer.met && answer.tried == 1 << 24, "100 keys: no number of points is enough");
}

/* Two copies of each key on p, added to load[]. */
static void add_copies(const struct placement *p, double *load)
{
    char why[WHY] = "";
    struct map map;
    bool salted;
    double share[5], unplaced;
    uint32_t pair[2];
    must(placement_map(p, true, &map, why), why);
    for (int copy = 0; copy < 2; copy++) {
        struct map of = map;
        of.range = (void *)mem_copy((const char *)map.range, map.count * sizeof *map.range);
        for (size_t i = 0; i < map.count; i++) {
            placement_replicas(p, map.range[i].first, pair, 2, &salted);
            of.range[i].id = pair[copy];
        }
        must(map_shares(&of, share, &unplaced, why), why);
        for (int i = 0; i < 5; i++)
            load[i] += share[i] / 2;
        mem_free(of.range);
    }
    map_release(&map);
}

/* The worst load over fair share of ring:vnodes=16 when up to two of five nodes are gone, by removing them. */
static double worst_removal(uint64_t copies, int most)
{
    char why[WHY] = "";
    struct registry *r = registry_create();
    struct spec *spec = spec_of("ring:vnodes=16");
    const struct cluster *c = cluster_of(r, "5");
    double worst = 0;
    for (int a = 0; a < 5; a++)
        for (int b = a; b <= (most > 1 ? 4 : a); b++)
            for (int none = 0; none < (a + b ? 1 : 2); none++) {
                char change[32];
                double load[5] = {0}, unplaced;
                snprintf(change, sizeof change, a == b ? "-node-%d" : "-node-%d;-node-%d", a, b);
                struct placement *p = open_on_hash(spec, none ? c : changed(r, c, change), "xxh3");
                if (copies > 1)
                    add_copies(p, load);
                else
                    must(placement_shares(p, load, &unplaced, why), why);
                for (int i = 0; i < 5; i++)
                    worst = fmax(worst, load[i] * p->cluster->size);
                placement_close(p);
            }
    spec_destroy(spec);
    registry_destroy(r);
    return worst;
}

static void deaths(void)
{
    for (uint64_t most = 1; most <= 2; most++)
        for (uint64_t copies = 1; copies <= 2; copies++) {
            run("ring:vnodes=16/64", "5", 1,
                &(struct tune){T("max/mean<=3"), .confidence = 0.9, .survive = most, .replicas = copies, .placements = 20});
            double own = real(0, COL(yours_max_over_mean)), worst = worst_removal(copies, (int)most);
            ok(within(own, worst, 1e-6), "up to %u dead, %u copies: the worst of the names given is %.6f, by removal %.6f", (unsigned)most, (unsigned)copies, own,
               worst);
        }
    run("ring:vnodes=16/64", "5", 1, &(struct tune){T("max/mean<=3"), .confidence = 0.9, .survive = 1, .placements = 300});
    double one = real(0, COL(max_over_mean));
    run("ring:vnodes=16/64", "5", 1, &(struct tune){T("max/mean<=3"), .confidence = 0.9, .survive = 1, .placements = 300, .keys = 1000000000000000});
    ok(within(one, real(0, COL(max_over_mean)), 1e-6), "one death with 10^15 keys is as one with shares");
    run("ring:vnodes=16/64", "5", 1, &(struct tune){T("max/mean<=3"), .confidence = 0.9, .replicas = 5, .placements = 20});
    ok(within(real(0, COL(yours_max_over_mean)), 1, 1e-9), "a copy on every node is even");
    run("slots:count=60/600", "5", 1, &(struct tune){T("max/mean<=3"), .confidence = 0.9, .survive = 2});
    ok(answer.met && answer.method == TUNE_FIXED && real(0, COL(yours_max_over_mean)) >= 1, "no ring: opened anew for each set of dead nodes");
}

static void targets(void)
{
    run("ring", "10", 1, &(struct tune){T("moved<=0.12"), .confidence = 0.95});
    ok(answer.method == TUNE_EXACT && answer.value == 27, "moved: the share of one node more, Beta: %u", (unsigned)answer.value);
    run("ring", "10", 1, &(struct tune){T("cv<=0.05"), .confidence = 0.95});
    ok(answer.method == TUNE_DRAWN && within((double)answer.value, 672, 0.03), "cv: %u", (unsigned)answer.value);
    run("ring", "10", 1, &(struct tune){T("max-share<=0.11"), .confidence = 0.95});
    ok(answer.value == 626, "max-share is max/mean of equal nodes");
    run("ring", "10", 1, &(struct tune){T("min/mean>=0.9"), .confidence = 0.95});
    ok(answer.met && answer.method == TUNE_EXACT && within((double)answer.value, 580, 0.1), "min/mean: %u", (unsigned)answer.value);
    run("ring", "10", 1, &(struct tune){.target = (const char *const[]){" cv <= 0.05 ", "max/mean<=1.10"}, .targets = 2, .confidence = 0.95});
    double both = (double)answer.value;
    ok(answer.binding == 0 && within(both, 672, 0.03) && within(answer.yours[1], real(answer.row, COL(yours_max_over_mean)), 1e-5), "of two targets the larger: %.0f", both);
    ok((double)answer.low <= both && (double)answer.high >= both && answer.high - answer.low < 100, "cv: %u to %u", (unsigned)answer.low, (unsigned)answer.high);
    run("ring", "10", 1, &(struct tune){.target = (const char *const[]){"cv<=0.05", "max/mean<=1.05"}, .targets = 2, .confidence = 0.95});
    ok(answer.binding == 1 && answer.value == 2443, "whichever comes first: %u", (unsigned)answer.value);
    run("ring:vnodes=1..64x2", "10", 1, &(struct tune){.target = (const char *const[]){"max/mean<=4", "max/mean<=1.05", "cv<=0.5"}, .targets = 3, .confidence = 0.95});
    ok(!answer.met && answer.binding == 1, "one that cannot be met decides");
    ok(answer.kept > 1.05 && within(answer.kept, real(table_rows(table) - 1, COL(max_over_mean_q95)), 0.01), "and the best keeps to %.3f", answer.kept);
}

static void threads(void)
{
    static const char *const text[] = {"ring", "envoy-ring:min=512..1024x2"};
    for (int i = 0; i < 2; i++) {
        char *written[2];
        size_t len[2];
        for (unsigned k = 0; k < 2; k++) {
            run(text[i], "5", 1 + 2 * k, &(struct tune){T("max/mean<=1.3"), .confidence = 0.95, .placements = 40, .keys = i ? 0 : 1000});
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
    own_names();
    sizes();
    bands();
    if (!SANITIZED) {
        stalled();
        placed();
    }
    fixed();
    keys();
    deaths();
    targets();
    threads();
    table_destroy(table);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
