/* What latency makes of times and counts, fed by hand: no test here depends on how long anything takes. */
#include "base/clock.h"
#include "base/counters.h"
#include "experiments/latency.h"
#include "experiments/latency_parts.h"
#include "experiments/timing.h"
#include "tests/stage.h"

#include <errno.h>
#include <math.h>
#include <sys/mman.h>

#ifdef __linux__
#include <linux/perf_event.h>
#endif

static void test_clock(void)
{
    static const uint64_t coarse[] = {1000, 1020, 1050, 1071, 1091, 1122, 1142}, fine[] = {0, 21, 43, 64, 88, 113, 131}, same[] = {7, 7},
                          ticks[] = {0, 0, 0, 500, 500, 500, 1000};
    struct clock_facts f = clock_facts(coarse, 7);
    ok(fabs(f.cost_ns - 142.0 / 6) < 1e-9, "a reading costs the time between the first and the last over their number");
    ok(f.step_ns == 10, "steps of 10 ns are seen through their rounding: %g", f.step_ns);
    ok(clock_facts(fine, 7).step_ns == 1, "distances of any length: no step is to be told");
    ok(clock_facts(ticks, 7).step_ns == 500, "a clock slower than its reading");
    ok(clock_facts(same, 2).cost_ns == 0, "a clock that stands");
    f = clock_measure();
    ok(f.cost_ns > 0 && isfinite(f.cost_ns) && f.step_ns >= 1, "this machine's clock costs something");
}

static double spread_of(const double *ns, size_t n)
{
    struct timing t = {.count = 0};
    for (size_t i = 0; i < n; i++)
        timing_add(&t, ns[i]);
    return timing_spread(&t);
}

static void test_spread(void)
{
    ok(spread_of(NULL, 0) == 0 && spread_of((double[]){5}, 1) == 0, "none, one: no spread");
    ok(spread_of((double[]){3, 3, 3}, 3) == 0 && spread_of((double[]){0, 0}, 2) == 0, "all alike, or nothing at all: no spread");
    ok(fabs(spread_of((double[]){14, 10, 12, 11, 13}, 5) - 2.0 / 12) < 1e-12, "10 .. 14: the middle half is 11 .. 13, the median 12, in whatever order");
    double ns[TIMING_REPS + 2];
    for (int i = 0; i < TIMING_REPS + 2; i++)
        ns[i] = 100 + i % 3;
    double calm = spread_of(ns, TIMING_REPS);
    ns[4] = 1e6;
    ok(calm < TIMING_NOISY && spread_of(ns, TIMING_REPS) < TIMING_NOISY, "one interruption is no noise");
    ok(spread_of(ns, TIMING_REPS + 2) == spread_of(ns, TIMING_REPS), "what does not fit is left out");
    for (int i = 0; i < TIMING_REPS; i++)
        ns[i] = i < 8 ? 100 : 130;
    ok(spread_of(ns, TIMING_REPS) > TIMING_NOISY, "two paces are");
    struct timing t = {.ns = {3, 1, 2}, .count = 3};
    timing_spread(&t);
    ok(t.ns[0] == 3, "and the repetitions keep their order");
}

static void add_row(struct table *t, const char *strategy, const char *options, const char *cache, double spread)
{
    must(table_row(t) || table_text(t, COL(strategy), strategy) || table_text(t, COL(options), options) || table_text(t, COL(cache), cache), "no memory");
    table_count(t, COL(nodes), 10);
    table_real(t, COL(lookup_spread), spread);
}

static void test_noise(void)
{
    char text[WHY] = "";
    struct table *t = columns_table(columns_latency);
    must(!t, "no memory");
    ok(latency_noise(t, text) == 0, "no rows, no noise");
    add_row(t, "modulo", "", "warm", 0.02);
    add_row(t, "slots", "", "warm", TIMING_NOISY);
    ok(latency_noise(t, text) == 0 && !*text, "10 %% exactly is no noise");
    add_row(t, "ring", "vnodes=150", "cold", 0.374);
    ok(latency_noise(t, text) == 1 && strstr(text, "up to 37 %") && strstr(text, "(ring:vnodes=150 on 10 nodes, cold)"), "a noisy row is named: %s", text);
    ok(strstr(text, "taskset") && strstr(text, "governor"), "with what helps");
    for (int i = 0; i < 4; i++)
        add_row(t, "jump", "", "warm", 0.2 + i);
    ok(latency_noise(t, text) == 5 && strstr(text, "; and 2 more)") && strstr(text, "320 %"), "of many the first three: %s", text);
    table_destroy(t);
}

static const struct counter_event none[COUNTERS] = {{999, 0}, {999, 1}, {999, 2}, {999, 3}}; /* no machine has them */

static void test_counters(void)
{
    struct counters c = COUNTERS_NONE;
    ok(!counters_any(&c) && isnan(counters_read(&c, COUNTER_CYCLES)), "none opened: nothing is counted");
    counters_close(&c);
    counters_open(&c, none);
    ok(!counters_any(&c) && c.error, "events that no machine has: an error, %d", c.error);
    counters_start(&c);
    counters_stop(&c);
    ok(isnan(counters_read(&c, COUNTER_INSTRUCTIONS)), "and no count");
    counters_close(&c);
    ok(strstr(counters_why(EACCES), "perf_event_paranoid") && strstr(counters_why(ENOENT), "virtual") && *counters_why(EMFILE), "each error has its words");
    ok(counters_scale(100, 10, 10) == 100 && counters_scale(100, 10, 5) == 200 && isnan(counters_scale(0, 10, 0)),
       "a count is brought to the whole time; one that never ran is none");
}

/* Hardware counters are not to be had everywhere; what the kernel itself counts stands in for them. */
static void test_software(void)
{
#ifdef __linux__
    static const struct counter_event faults[COUNTERS] = {
        {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}, {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN}, {999, 0}, {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ}};
    enum { PAGES = 64 };
    struct counters c;
    counters_open(&c, faults);
    if (c.file[0] < 0) {
        ok(true, "skipped: %s", counters_why(c.error));
        counters_close(&c);
        return;
    }
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int round = 1; round <= 2; round++) {
        volatile char *fresh = mmap(NULL, 2 * PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        must(fresh == MAP_FAILED, "no memory");
        madvise((void *)(uintptr_t)fresh, 2 * PAGES * page, MADV_NOHUGEPAGE);
        for (int i = 0; i < PAGES; i++)
            fresh[(size_t)i * page] = 1; /* not counted */
        counters_start(&c);
        for (int i = PAGES; i < 2 * PAGES; i++)
            fresh[(size_t)i * page] = 1;
        counters_stop(&c);
        munmap((void *)(uintptr_t)fresh, 2 * PAGES * page);
        double count = counters_read(&c, COUNTER_INSTRUCTIONS);
        ok(count >= round * PAGES && count < round * PAGES + PAGES / 2, "%d fresh pages are so many faults, and counts add up: %g", round * PAGES, count); // NOLINT(bugprone-integer-division): whole pages
    }
    ok(counters_any(&c) && c.error && isnan(counters_read(&c, COUNTER_CACHE_MISSES)) && counters_read(&c, COUNTER_BRANCH_MISSES) >= 0,
       "one that is not to be had leaves the others");
    counters_close(&c);
    ok(!counters_any(&c), "closed");
#endif
}

/* What is counted goes, by the look-up, to its column; what is not leaves its own empty. */
static void test_counts(void)
{
#ifdef __linux__
    static const struct counter_event clocks[COUNTERS] = {
        {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}, {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK}, {999, 0}, {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS}};
    static uint64_t digest[BATCH];
    static uint32_t owner[BATCH];
    struct rig b = {.digest = digest, .owner = owner, .keys = BATCH, .event = none};
    struct registry *r = registry_create();
    struct spec *spec = spec_of("modulo");
    struct placement *p = open_on_hash(spec, cluster_of(r, "3"), "xxh3");
    struct table *t = columns_table(columns_latency);
    must(!t || table_row(t), "no memory");
    latency_counts(&b, p, CACHE_WARM, t);
    ok(table_is_empty(t, 0, COL(instructions)) && table_is_empty(t, 0, COL(branch_misses)), "without counters the columns stay empty");
    b.event = clocks;
    latency_counts(&b, p, CACHE_WARM, t);
    struct counters c;
    counters_open(&c, clocks);
    ok(c.file[COUNTER_INSTRUCTIONS] < 0 || table_get_real(t, 0, COL(instructions)) > 0, "time, counted for instructions, has passed");
    counters_close(&c);
    ok(table_is_empty(t, 0, COL(cache_misses)), "and the counter that is not to be had stays empty");
    table_destroy(t);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
#endif
}

static void test_states(void)
{
    unsigned all = 0;
    for (uint32_t word = 0; word < 5; word++)
        all = all << 3 | cache_states(&(struct study){.cache = word});
    ok(all == 012347, "--cache warm, cold, both, neighbour, all: %o", all);
}

int main(void)
{
    test_clock();
    test_spread();
    test_noise();
    test_counters();
    test_software();
    test_counts();
    test_states();
    return tap_done();
}
