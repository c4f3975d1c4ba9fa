/* Cascades: the worked one on a ring of 256 positions, step by step; how often 100 nodes go down together; who takes over (receivers and the worst
 * survivor's gain, known from the ring's law); copies, assigned slots, and all ways of handing on against one another. */
#include "experiments/failure.h"
#include "metrics/cascade.h"
#include "tests/starve.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool near(double a, double b, double off)
{
    return fabs(a - b) <= off;
}

/* -- the worked cascade -- */

/* A key goes to the first token at or after it: A 32, 160; B 48, 240; C 16, 96; D 112, 192. */
static const struct { int position, node; } token[] = {{16, 2}, {32, 0}, {48, 1}, {96, 2}, {112, 3}, {160, 0}, {192, 3}, {240, 1}};
enum { TOKENS = sizeof token / sizeof *token, NODES = 4 };

static int ring_of_256(void *of, const bool *dead, double *load, double *lost, char why[WHY])
{
    (void)of;
    (void)why;
    *lost = 0;
    for (int i = 0; i < NODES; i++)
        load[i] = 0;
    for (int i = 0; i < TOKENS; i++) {
        int to = i;
        while (dead[token[to].node])
            to = (to + 1) % TOKENS;
        load[token[to].node] += (i ? token[i].position - token[i - 1].position : token[0].position + 256 - token[TOKENS - 1].position) / 256.0;
    }
    return 0;
}

/* "A80 B96 - C80" of one state after the other. */
static void write_state(void *to, uint32_t step, const bool *dead, const double *load)
{
    char *text = to;
    text += strlen(text);
    text += sprintf(text, "%s", step > 1 ? " | " : "");
    for (int i = 0; i < NODES; i++)
        text += sprintf(text, dead[i] ? "-" : "%c%.0f%s", 'A' + i, 256 * load[i], i < NODES - 1 ? " " : "");
}

static void worked(void)
{
    static const struct { double capacity; char first; const char *states; uint32_t survivors; } row[] = {
        {1.25, 'A', "-B80 C80 D96 | -B176 C80 - | --C256 - | ----", 0},
        {1.5, 'A', "-B80 C80 D96", 3},
        {1.5, 'B', "A64 -C144 D48 | A144 --D112 | ----", 0},
        {1.5, 'C', "A96 B64 -D96", 3},
        {1.5, 'D', "A80 B96 C80 -", 3},
        {2, 'A', "-B80 C80 D96", 3},
        {2, 'B', "A64 -C144 D48 | A144 --D112 | ---D256 | ----", 0},
        {2, 'C', "A96 B64 -D96", 3},
        {2, 'D', "A80 B96 C80 -", 3},
        {2.25, 'A', "-B80 C80 D96", 3},
        {2.25, 'B', "A64 -C144 D48", 3},
        {2.25, 'C', "A96 B64 -D96", 3},
        {2.25, 'D', "A80 B96 C80 -", 3},
    };
    static const double fair[NODES] = {.25, .25, .25, .25};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char why[WHY] = "", states[512] = "";
        bool dead[NODES] = {false};
        double load[NODES], capacity[NODES], lost;
        struct cascade_end end;
        for (int k = 0; k < NODES; k++)
            capacity[k] = row[i].capacity * fair[k];
        dead[row[i].first - 'A'] = true;
        ring_of_256(NULL, dead, load, &lost, why);
        struct cascade c = {NODES, fair, capacity, ring_of_256, NULL, write_state, states};
        must(cascade_run(&c, dead, load, lost, &end, why), why);
        ok(!strcmp(states, row[i].states) && end.survivors == row[i].survivors && (end.survivors ? end.lost == 0 : end.lost == 1), "%g, kill %c: %s",
           row[i].capacity, row[i].first, states);
    }
}

/* At 1.25 all four collapse, one after the other or two at once. */
static void all_fall(void)
{
    static const char *const order[] = {"DBC", "C(AD)", "(AD)B", "BCA"};
    static const double fair[NODES] = {.25, .25, .25, .25}, capacity[NODES] = {.3125, .3125, .3125, .3125};
    for (int first = 0; first < NODES; first++) {
        char why[WHY] = "", fell[64] = "";
        bool dead[NODES] = {false};
        dead[first] = true;
        for (int left = NODES - 1; left > 0;) {
            double load[NODES], lost;
            int n = 0;
            char some[8] = "";
            ring_of_256(NULL, dead, load, &lost, why);
            for (int i = 0; i < NODES; i++)
                if (!dead[i] && cascade_over(load[i], capacity[i]))
                    some[n++] = (char)('A' + i);
            for (int i = 0; i < n; i++)
                dead[some[i] - 'A'] = true;
            left -= n ? n : left;
            sprintf(fell + strlen(fell), n > 1 ? "(%s)" : "%s", some);
        }
        bool dies[NODES] = {false};
        double load[NODES], lost;
        struct cascade_end end;
        dies[first] = true;
        ring_of_256(NULL, dies, load, &lost, why);
        must(cascade_run(&(struct cascade){NODES, fair, capacity, ring_of_256, NULL, NULL, NULL}, dies, load, lost, &end, why), why);
        ok(!strcmp(fell, order[first]) && end.survivors == 0 && end.lost == 1, "1.25: after %c fall %s", 'A' + first, fell);
    }
}

/* -- through placements -- */

static struct table *run_on(const char *spec_text, char *nodes, const struct failure_wish *wish, uint64_t placements, unsigned threads)
{
    char why[WHY] = "";
    struct table *t = NULL;
    struct spec *spec = spec_of(spec_text);
    struct study s = {.registry = registry_create(), .spec = &spec, .specs = 1, .nodes = &nodes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1,
                      .workload = "user:count=20k", .threads = threads, .placements = placements};
    must(failure_run(&s, wish, &t, why), why);
    registry_destroy(s.registry);
    spec_destroy(spec);
    return t;
}

static double real(const struct table *t, size_t row, const struct column *c)
{
    return table_get_real(t, row, c);
}

static const double four[] = {1.1, 1.25, 1.5, 2};

/* A figure known to some digits against the mean of n independent ones, each at most 1. */
static bool holds(double has, double known, double digits, double n)
{
    double p = known < .01 ? .01 : known > .99 ? .99 : known; /* near 0 and 1 the normal law is too narrow */
    return near(has, known, digits + 6 * sqrt(p * (1 - p) / n));
}

/* 100 nodes, every first victim, from capacity number k on. The fates of victims of one placement hang together: its hundred count as ten tries. V=1
 * with its own load: a node's load and its successor's are alike, so nobody else fails with 1 - 1/c; only neighbours' fates hang together there. */
static void collapse(unsigned vnodes, bool own, uint64_t placements, size_t k, size_t end, const double known[4], const double over[4])
{
    char nodes[] = "100", spec[32];
    if (SANITIZED && vnodes > 10)
        return;
    /* copies on all nodes are the same, and quicker for long cascades: see ways() */
    struct failure_wish wish = {.capacity = four + k, .capacities = end - k, .own = own, .replicas = vnodes == 1 ? 100 : 0};
    snprintf(spec, sizeof spec, "ring:vnodes=%u", vnodes);
    struct table *t = run_on(spec, nodes, &wish, placements, 2);
    for (size_t row = 0; k < end; k++, row++) {
        double has = real(t, row, COL(collapse_chance)), before = real(t, row, COL(over_before_chance)), stable = real(t, row, COL(stable_chance));
        bool right = known[k] >= 1 ? has >= 1 : holds(has, known[k], .005, 10 * (double)placements);
        // cppcheck-suppress nullPointer ; own capacities need no `over`
        ok(right && (own ? before <= 0 : over[k] >= 1 ? before >= 1 : holds(before, over[k], .0005, (double)placements)),
           "%s, %g x %s: all fail in %.4f (known %.4f); some over before in %.3f (%.3f)", spec, four[k], own ? "own" : "fair", has, known[k], before,
           own ? 0 : over[k]);
        if (own && vnodes == 1)
            ok(holds(stable, 1 - 1 / four[k], 0, 100 * (double)placements / 3), "nobody else fails in %.4f (exactly %.4f)", stable, 1 - 1 / four[k]);
    }
    table_destroy(t);
}

static void heirs(void)
{
    static const int vnodes[] = {1, 4, 16, 100, 160, 256};
    static const struct { char nodes[8]; double gain[6]; uint64_t placements; } row[] = {{"10", {1, .593, .332, .190, .173, .159}, 50},
                                                                                      {"100", {1, .526, .224, .070, .0535, .042}, 5}};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 6; k++) {
            char spec[32], nodes[8];
            double big = 1e6;
            struct failure_wish wish = {.capacity = &big, .capacities = 1};
            snprintf(spec, sizeof spec, "ring:vnodes=%d", vnodes[k]);
            strcpy(nodes, row[i].nodes);
            struct table *t = run_on(spec, nodes, &wish, row[i].placements, 2);
            double gain = real(t, 0, COL(worst_gain)), has = real(t, 0, COL(receivers)), n = real(t, 0, COL(theory_receivers)), tries = 500;
            /* a gain's standard deviation is at most half of it; one of receivers at most that of as many fair coins */
            ok(near(gain, row[i].gain[k], .0006 + 6 * .5 * (k ? row[i].gain[k] : 0) / sqrt(tries)), "%s on %s: the worst survivor gains %.4f (known %.4f)", spec, nodes,
               gain, row[i].gain[k]);
            ok(near(has, n, 1e-3 + 6 * sqrt(n * fmax(0, 1 - n / (atof(nodes) - 1)) / tries)), "%s on %s: %.3f receivers (theory %.3f)", spec, nodes, has, n);
            ok(real(t, 0, COL(stable_chance)) >= 1 && near(real(t, 0, COL(survivors)), atof(nodes) - 1, 1e-9), "who bears all outlives one");
            table_destroy(t);
        }
}

/* Copies on all nodes, in the ring's order, are what a ring does by itself. */
static void ways(void)
{
    static const char *const specs[] = {"ring:vnodes=5", "ring:vnodes=5,seek=le", "dynamo:strategy=1,tokens=6"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        char nodes[] = "9";
        bool right = true;
        struct table *t[2];
        for (uint32_t k = 0; k < 2; k++)
            t[k] = run_on(specs[i], nodes, &(struct failure_wish){.capacity = four, .capacities = 4, .replicas = 9 * k, .own = i == 1}, 8, 1);
        for (size_t k = 0; k < 4; k++) {
            static const struct column *const all[] = {COL(stable_chance), COL(collapse_chance), COL(survivors), COL(steps), COL(peak_over_fair),
                                                       COL(peak_over_fair_max), COL(lost_share), COL(receivers), COL(worst_gain)};
            for (size_t c = 0; c < sizeof all / sizeof *all; c++)
                right &= near(real(t[0], k, all[c]), real(t[1], k, all[c]), 1e-9);
        }
        ok(right && real(t[0], 0, COL(collapse_chance)) > 0, "%s: the first living of all copies is who takes over", specs[i]);
        table_destroy(t[0]);
        table_destroy(t[1]);
    }
}

static void assigned(void)
{
    char ten[] = "10";
    struct failure_wish wish = {.capacity = four + 1, .capacities = 2};
    struct table *t = run_on("slots", ten, &wish, 1, 1);
    ok(near(real(t, 0, COL(lost_share)), .1, 1e-4) && real(t, 0, COL(receivers)) <= 0 && real(t, 0, COL(stable_chance)) >= 1, "slots without copies lose a tenth, and nobody else fails");
    table_destroy(t);
    wish.replicas = 2;
    t = run_on("slots", ten, &wish, 1, 1);
    ok(real(t, 0, COL(receivers)) <= 1 && real(t, 1, COL(collapse_chance)) >= 1, "runs of slots with a copy on the next: two in one, and the cluster goes down");
    table_destroy(t);
    wish.victim = "3";
    wish.kill = 3;
    wish.capacity = (const double[]){1e6};
    wish.capacities = 1;
    t = run_on("ring:vnodes=4", ten, &wish, 1, 1);
    ok(table_get_count(t, 0, COL(cascades)) == 120 && real(t, 0, COL(lost_share)) > 0 && near(real(t, 0, COL(lost_share)), 3. * 2 / 90, 1e-9),
       "three of ten dead, two copies: C(8,1)/C(10,3) of the load lost, over all 120 sets");
    table_destroy(t);
}

/* Loads counted from keys; a strategy whose bound is above what the nodes bear, and one below. */
static void counted(void)
{
    char twenty[] = "20";
    struct failure_wish wish = {.capacity = four + 1, .capacities = 1};
    struct table *t = run_on("bounded:over=ring,eps=0.1", twenty, &wish, 1, 1), *same = run_on("bounded:over=ring,eps=0.1", twenty, &wish, 1, 2);
    ok(!strcmp(table_get_text(t, 0, COL(method)), "sampled") && table_get_count(t, 0, COL(keys)) == 20000 && real(t, 0, COL(stable_chance)) >= 1,
       "bounded loads at 1.1 of the mean survive where nodes bear 1.25");
    ok(real(t, 0, COL(peak_over_fair)) > 1.1 && real(t, 0, COL(peak_over_fair)) <= 1.1 * 20 / 19 + .001, "the fullest holds at most 1.1 of the mean of those left: %.4f", real(t, 0, COL(peak_over_fair)));
    ok(near(real(t, 0, COL(worst_gain)), real(same, 0, COL(worst_gain)), 0), "the number of threads does not show");
    table_destroy(t);
    table_destroy(same);
    t = run_on("rendezvous", twenty, &wish, 1, 1);
    ok(near(real(t, 0, COL(peak_over_fair)), 20. / 19, 1e-9) && near(real(t, 0, COL(worst_gain)), 1. / 19, 1e-9), "rendezvous spreads a node over all others");
    table_destroy(t);
    t = run_on("memento", twenty, &wish, 3, 1);
    ok(near(real(t, 0, COL(peak_over_fair)), 20. / 19, 1e-9) && real(t, 0, COL(collapse_chance)) <= 0, "memento, which remembers, too: each death from its first state");
    table_destroy(t);
}

/* Sets at random: an interval, the same whatever the threads. */
static void sampling(void)
{
    char nodes[] = "40";
    struct failure_wish wish = {.capacity = four + 3, .capacities = 1, .victim = "4", .kill = 4};
    struct table *t = run_on("ring:vnodes=6", nodes, &wish, 2, 1), *same = run_on("ring:vnodes=6", nodes, &wish, 2, 2);
    double low = real(t, 0, COL(collapse_chance_low)), high = real(t, 0, COL(collapse_chance_high)), has = real(t, 0, COL(collapse_chance));
    ok(!strcmp(table_get_text(t, 0, COL(method)), "sampled") && low <= has && has <= high && high - low < .02, "four of 40: %.4f .. %.4f", low, high);
    ok(near(has, real(same, 0, COL(collapse_chance)), 0) && near(real(t, 0, COL(lost_share)), real(same, 0, COL(lost_share)), 0) &&
           near(real(t, 0, COL(peak_over_fair)), real(same, 0, COL(peak_over_fair)), 0),
       "the number of threads does not show");
    table_destroy(t);
    table_destroy(same);
}

static uint32_t hungry_copies;
static int hungry(const struct study *s, struct table **t, char why[WHY])
{
    struct failure_wish wish = {.capacity = four + 1, .capacities = 2, .replicas = hungry_copies};
    return failure_run(s, &wish, t, why);
}

static void starved(const char *text, uint32_t replicas)
{
    char nodes[] = "4", *sizes = nodes;
    struct spec *spec = spec_of(text);
    struct study s = {.spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1, .workload = "user:count=100",
                      .threads = 1, .placements = 2};
    hungry_copies = replicas;
    starve(&s, hungry, text);
    spec_destroy(spec);
}

/* The needed capacity is the least that nobody else fails with; of an even strategy it is what the dead node's load adds to the others. */
static void enough(const char *text, bool own, uint32_t replicas)
{
    char nodes[] = "12";
    double capacity[] = {1.25, 0, 0};
    struct failure_wish wish = {.capacity = capacity, .capacities = 1, .own = own, .replicas = replicas};
    struct table *t = run_on(text, nodes, &wish, 1, 1);
    double needed = real(t, 0, COL(needed_capacity));
    table_destroy(t);
    capacity[1] = needed;
    capacity[2] = needed * .9999;
    wish.capacities = 3;
    t = run_on(text, nodes, &wish, 1, 2);
    ok(real(t, 1, COL(stable_chance)) >= 1 && real(t, 2, COL(stable_chance)) < 1 && real(t, 0, COL(needed_capacity)) == needed,
       "%s needs %.4f: with that nobody else fails, with a little less somebody", text, needed);
    ok(needed >= (own ? 1 : 12 / 11.) - 1e-9, "no less than even dealing after a death");
    table_destroy(t);
}

int main(void)
{
    uint64_t live = mem_live();
    worked();
    all_fall();
    const double *one = (const double[]){1, 1, 1, 1};
    collapse(1, false, 12, 0, 4, one, one);
    collapse(10, false, 30, 0, 4, (const double[]){1, 1, .9993, .022}, (const double[]){1, 1, 1, .388});
    collapse(150, false, 2, 0, 1, one, one);
    collapse(150, false, 20, 1, 4, (const double[]){1, .002, 0, 0}, (const double[]){1, .182, 0, 0});
    collapse(1, true, 40, 0, 4, (const double[]){.90, .76, .56, .29}, NULL);
    collapse(10, true, 20, 0, 4, (const double[]){.993, .64, .066, .0003}, NULL);
    collapse(150, true, 8, 0, 4, (const double[]){.001, 0, 0, 0}, NULL);
    heirs();
    ways();
    assigned();
    counted();
    sampling();
    enough("ring:vnodes=1", false, 0);
    enough("ring:vnodes=10", true, 0);
    enough("ring:vnodes=150", false, 3);
    enough("rendezvous", false, 0);
    enough("slots", false, 2);
    starved("ring:vnodes=2", 0);
    starved("ring:vnodes=2", 2);
    starved("memento", 0);
    starved("multi-probe", 0);
    ok(mem_live() == live, "nothing is left");
    return tap_done();
}
