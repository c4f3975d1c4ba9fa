/* Is it the hash or the count: public incidents (data/incidents) must be blamed on the hash, and an ideal hash never. */
#include "experiments/names.h"
#include "metrics/chance.h"
#include "tests/starve.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define SHARDS "shard1,shard2,shard3,shard4,shard5,shard6,shard7,shard8,shard9,shard10"
#define SERVERS "10.0.16.69:11211,10.0.22.188:11211,10.0.26.214:11211"
#define PEERS                                                                                                                               \
    "10.0.0.1:1991,10.0.0.2:1991,10.0.0.3:1991,10.0.0.4:1991,10.0.0.5:1991,10.0.0.6:1991,10.0.0.7:1991,10.0.0.8:1991,10.0.0.9:1991,"        \
    "10.0.0.10:1991,10.0.0.11:1991,10.0.0.12:1991,10.0.0.13:1991,10.0.0.14:1991,10.0.0.15:1991,10.0.0.16:1991,10.0.0.17:1991,"              \
    "10.0.0.18:1991,10.0.0.19:1991,10.0.0.20:1991"

static struct table *run_on(const char *text, const char *nodes, bool everything, uint64_t placements, uint64_t seed, unsigned threads)
{
    char why[WHY] = "", list[512];
    struct spec *spec = spec_of(text);
    char *sizes = list;
    struct table *t = NULL;
    snprintf(list, sizeof list, "%s", nodes);
    struct study s = {.registry = registry_create(), .spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = seed,
                      .threads = threads, .placements = placements};
    must(names_run(&s, everything, &t, why), why);
    registry_destroy(s.registry);
    spec_destroy(spec);
    return t;
}

static bool is(const struct table *t, size_t row, const char *verdict)
{
    return !strcmp(table_get_text(t, row, COL(verdict)), verdict);
}

static double cv(const struct table *t, size_t row)
{
    return table_get_real(t, row, COL(cv));
}

/* The first row is the ring as it was, of so many points; the rows after it have 4 and 16 times as many. */
static void incident(const char *name, const char *text, const char *nodes, double scatter, double ideal, const char *verdict, const char *later)
{
    struct table *t = run_on(text, nodes, false, 1, 1, 0);
    ok(fabs(cv(t, 0) - scatter) < 0.0005 && fabs(table_get_real(t, 0, COL(theory_cv)) - ideal) < 0.005, "%s: cv %.4f (known %.3f), an ideal hash %.3f (%.2f)", name, cv(t, 0),
       scatter, table_get_real(t, 0, COL(theory_cv)), ideal);
    ok(is(t, 0, verdict), "%s: %s", name, verdict);
    ok(is(t, 1, later) || is(t, 2, later), "with 4 or 16 times the points: %s, as cv is %.3f and %.3f", later, cv(t, 1), cv(t, 2));
    bool cured = true;
    for (size_t r = 0; r < table_rows(t); r++)
        cured &= strcmp(table_get_text(t, r, COL(hash)), "xxh3") || is(t, r, "count");
    ok(cured, "xxh3 over the same names: as an ideal hash");
    table_destroy(t);
}

static void incidents(void)
{
    incident("tinode 542, tinode-0 .. 2", "ring:vnodes=20,hash=fnv1a-32,label={i}{node}", "tinode-0,tinode-1,tinode-2", 0.595, 0.18, "hash", "count");
    incident("tinode 542, tinode-1 .. 3", "ring:vnodes=20,hash=fnv1a-32,label={i}{node}", "tinode-1,tinode-2,tinode-3", 0.097, 0.18, "count", "count");
    incident("go-redis 812, 100 points", "ring:vnodes=100,hash=crc32,label={i}{node}", SHARDS, 0.093, 0.095, "count", "hash");
    incident("go-redis 812, 1000 points", "ring:vnodes=1000,hash=crc32,label={i}{node}", SHARDS, 0.116, 0.030, "hash", "hash");
    incident("stathat 10, 20 points", "ring:vnodes=20,hash=crc32,label={i}{node}", SERVERS, 0.5379, 0.18, "hash", "count"); /* of 58.55, 18.43 and 23.01 % */
    struct table *t = run_on("ring:vnodes=100,hash=crc32,label={i}{node}", PEERS, false, 1, 1, 0);
    double ratio = table_get_real(t, 0, COL(max_over_mean)) / table_get_real(t, 0, COL(min_over_mean));
    ok(fabs(ratio - 2) < 0.005 && is(t, 0, "hash") && is(t, 1, "hash") && is(t, 2, "hash"), "buildbuddy 6088: the fullest holds %.2f times what the emptiest does: hash", ratio);
    table_destroy(t);
}

/* No run with another seed of a mixing hash may be blamed: 20 runs of 21 rows each. */
static void never_blamed(void)
{
    size_t bad = 0, rows = 0;
    double least = 1;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        char text[64];
        snprintf(text, sizeof text, "ring:vnodes=20,hash=xxh3:seed=%d", (int)seed);
        struct table *t = run_on(text, "10", false, NAMES_PLACEMENTS, seed, 0);
        for (size_t r = 0; r < table_rows(t); r++, rows++) {
            double p = table_get_real(t, r, COL(p_value));
            bad += !is(t, r, "count");
            least = p < least ? p : least;
        }
        table_destroy(t);
    }
    ok(bad == 0, "%zu rows of a mixing hash under 20 seeds: none blamed", rows);
    ok(least > 1e-5 && least < 0.1, "the least of their probabilities is %.2g", least);
}

/* The table of all hashes: what is known to mix and what is known not to, whatever the label. */
static void everything(void)
{
    static const char *const weak[] = {"crc32", "fnv1-32", "fnv1a-32", "fnv1a-64"}, *const good[] = {"xxh3", "xxh64", "murmur3-32", "md5-32"};
    struct table *t = run_on("ring", "6", true, 3, 1, 1), *same = run_on("ring", "6", true, 3, 1, 2);
    bool right = true, equal = table_rows(t) == table_rows(same);
    for (size_t k = 0; k < 4; k++) {
        size_t blamed = 0;
        for (size_t r = 0; r < table_rows(t); r++) {
            blamed += !strcmp(table_get_text(t, r, COL(hash)), weak[k]) && is(t, r, "hash");
            right &= strcmp(table_get_text(t, r, COL(hash)), good[k]) || is(t, r, "count");
            equal &= cv(t, r) == cv(same, r) && table_get_real(t, r, COL(p_value)) == table_get_real(same, r, COL(p_value));
        }
        right &= blamed > 0;
    }
    ok(right, "%zu rows: crc32 and FNV are blamed, xxHash, Murmur3 and MD5 never", table_rows(t));
    ok(equal, "the number of threads does not show");
    table_destroy(t);
    table_destroy(same);
}

static int hungry(const struct study *s, struct table **t, char why[WHY])
{
    return names_run(s, false, t, why);
}

static void starved(void)
{
    char nodes[] = "a,b", *sizes = nodes;
    struct spec *spec = spec_of("ring:vnodes=2,hash=xxh3");
    struct study s = {.spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1, .threads = 1, .placements = 1};
    starve(&s, hungry, "names");
    spec_destroy(spec);
}

/* A system beside itself on other names. */
static void systems(const char *text, const char *nodes, const char *verdict)
{
    double q[2] = {0, 0};
    for (unsigned threads = 1; threads <= 2; threads++) {
        char why[WHY] = "", list[512];
        struct spec *spec = spec_of(text);
        char *sizes = list;
        struct table *t = NULL;
        snprintf(list, sizeof list, "%s", nodes);
        struct study s = {.registry = registry_create(), .spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1,
                          .threads = threads, .placements = 1};
        must(names_systems_run(&s, &t, why), why);
        q[threads - 1] = table_get_real(t, 0, COL(cv_q95));
        if (threads == 1)
            ok(is(t, 0, verdict), "%s on %s: %s, cv %.3f (other names: up to %.3f)", text, nodes, verdict, cv(t, 0), q[0]);
        table_destroy(t);
        registry_destroy(s.registry);
        spec_destroy(spec);
    }
    ok(!(q[0] > q[1]) && !(q[0] < q[1]), "the same on two threads");
}

int main(void)
{
    uint64_t live = mem_live();
    incidents();
    never_blamed();
    everything();
    systems("libketama", SERVERS, "count");
    systems("slots", "5", "count");
    systems("tutorial-java-fnv", "10", "count");
    systems("ring:vnodes=20,hash=fnv1a-32,label={i}{node}", "tinode-0,tinode-1,tinode-2", "names");
    starved();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
