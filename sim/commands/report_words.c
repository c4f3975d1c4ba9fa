/* The sentences under the charts, and the answer above all: computed from the sheets, what theory expects beside what was measured. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/text.h"
#include "experiments/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

char *percent(double share, char out[32])
{
    double x = 100 * share;
    if (isnan(x))
        return strcpy(out, "unknown");
    snprintf(out, 32, "%.*f\u00a0%%", fabs(x) >= 1 || x == 0 ? 1 : fabs(x) >= 0.1 ? 2 : 3, x);
    return out;
}

char *nanoseconds(double ns, char out[32])
{
    static const struct {
        double unit;
        const char *name;
    } scale[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
    size_t k = 0;
    while (k < 3 && ns < scale[k].unit)
        k++;
    if (isnan(ns))
        return strcpy(out, "unknown");
    double x = ns / scale[k].unit;
    snprintf(out, 32, "%.*f\u00a0%s", x >= 10 ? 0 : x >= 1 ? 1 : 2, x, scale[k].name);
    return out;
}

double grow_at(const struct sheet *s, size_t k, double before)
{
    double least = NAN, most = NAN, optimum = NAN;
    remap_span(s, k, before, true, &least, &most, &optimum);
    return most;
}

static double leave_at(const struct sheet *s, size_t k, double before)
{
    double least = NAN, most = NAN, optimum = NAN;
    remap_span(s, k, before, false, &least, &most, &optimum);
    return most;
}

/* The timed cluster size nearest to the person's own. */
static double timed_size(const struct report *r)
{
    double size = 10;
    while (size < pace_largest(r) && r->size > size * 3.163)
        size *= 10;
    return size;
}

static const char *largest(const struct report *r) { return pace_largest(r) < 10000 ? "1000" : "10,000"; }

static void card(const char *number, const char *unit, FILE *to)
{
    fprintf(to, "<p><strong class=\"number\">%s</strong> <span class=\"what\">%s</span>", number, unit);
}

static void answer(const struct report *r, FILE *to)
{
    const struct sheet *l = r->sheet[STEP_LATENCY];
    char a[32], b[32], c[32], d[32];
    double size = timed_size(r), optimum = NAN, least = NAN, most = NAN;
    remap_span(r->sheet[STEP_YOURS], ROW_RING_150, r->size, true, &least, &most, &optimum);

    percent(ring_value(r, STEP_KEYS, "150", "max_over_mean") - 1, a);
    card(a, "above fair", to);
    fprintf(to, " is what the fullest of your %u node%s holds under <code>ring:vnodes=150</code>. <small>With names drawn at random one expects %s.</small></p>\n",
            r->size, r->size == 1 ? "" : "s", percent(ring_value(r, STEP_BAND, "150", "theory_max_over_mean") - 1, b));
    card(percent(most, a), "of keys", to);
    fprintf(to, " move when one node joins that ring. <small>An ideal balancer moves %s, <code>slots</code> %s, <code>modulo</code> %s.</small></p>\n",
            percent(optimum, b), percent(grow_at(r->sheet[STEP_YOURS], ROW_SLOTS, r->size), c),
            percent(grow_at(r->sheet[STEP_YOURS], ROW_MODULO, r->size), d));
    card(nanoseconds(sheet_at(l, "ring", "150", size, "lookup_ns"), a), "a look-up", to);
    fprintf(to, " is its price on %.0f nodes. <small><code>slots</code> take %s, <code>modulo</code> %s. Hashing the key comes on top: %s.</small></p>\n", size,
            nanoseconds(sheet_at(l, "slots", "", size, "lookup_ns"), b), nanoseconds(sheet_at(l, "modulo", "", size, "lookup_ns"), c),
            nanoseconds(sheet_at(l, "ring", "150", size, "hash_ns"), d));
}

static void say_rings(const struct report *r, FILE *to)
{
    fprintf(to, "With one point a node the fullest node holds %.2f times its fair share and the emptiest %.2f; with 150 points it is %.2f and %.2f. "
                "Theory expects %.2f and %.2f for the fullest.",
            ring_value(r, STEP_KEYS, "1", "max_over_mean"), ring_value(r, STEP_KEYS, "1", "min_over_mean"),
            ring_value(r, STEP_KEYS, "150", "max_over_mean"), ring_value(r, STEP_KEYS, "150", "min_over_mean"),
            ring_value(r, STEP_BAND, "1", "theory_max_over_mean"), ring_value(r, STEP_BAND, "150", "theory_max_over_mean"));
}

static void say_load(const struct report *r, FILE *to)
{
    char a[32], b[32], c[32], d[32], e[32], count[32];
    const struct sheet *s = r->sheet[STEP_KEYS];
    double perfect = strategy_value(r, STEP_KEYS, "modulo", "theory_max_over_mean") - 1;
    fprintf(to, "The fullest node lies %s above fair under modulo, %s under slots and %s under a ring of 150 points a node. ",
            percent(strategy_value(r, STEP_KEYS, "modulo", "max_over_mean") - 1, a), percent(strategy_value(r, STEP_KEYS, "slots", "max_over_mean") - 1, b),
            percent(ring_value(r, STEP_KEYS, "150", "max_over_mean") - 1, c));
    if (isnan(perfect))
        fputs("What a perfect hash would show is not known for such keys.", to);
    else
        fprintf(to, "With %s %s even a perfect hash would show %s, and a ring of 150 points %s.", text_short(sheet_real(s, 0, "keys"), count),
                sheet_text(s, 0, "load"), percent(perfect, d), percent(ring_value(r, STEP_KEYS, "150", "theory_max_over_mean") - 1, e));
}

static void say_max(const struct report *r, FILE *to)
{
    char a[32], b[32], c[32], d[32], e[32], f[32];
    double perfect = strategy_value(r, STEP_KEYS, "modulo", "theory_max_over_mean") - 1;
    fprintf(to, "At 150 points a node theory expects the fullest node %s above its fair share. Fifty clusters with names drawn at random had %s on "
                "average, nine in ten between %s and %s; yours has %s.",
            percent(ring_value(r, STEP_BAND, "150", "theory_max_over_mean") - 1, a), percent(ring_value(r, STEP_BAND, "150", "max_over_mean") - 1, b),
            percent(ring_value(r, STEP_BAND, "150", "max_over_mean_q05") - 1, c), percent(ring_value(r, STEP_BAND, "150", "max_over_mean_q95") - 1, d),
            percent(ring_value(r, STEP_KEYS, "150", "max_over_mean") - 1, e));
    if (!isnan(perfect))
        fprintf(to, " Below %s no placement can be told from a perfect hash with these keys.", percent(perfect, f));
}

static void say_cv(const struct report *r, FILE *to)
{
    char a[32], b[32], c[32], d[32];
    fprintf(to, "At 150 points a node theory gives a spread of %s; fifty clusters had %s (root of the mean square), yours has %s. "
                "It falls as 1/√V, down to the noise that %s keys make by themselves: %s.",
            percent(ring_value(r, STEP_BAND, "150", "theory_cv"), a), percent(ring_value(r, STEP_BAND, "150", "cv"), b),
            percent(ring_value(r, STEP_KEYS, "150", "cv"), c), text_short(sheet_real(r->sheet[STEP_KEYS], 0, "keys"), (char[32]){0}),
            percent(strategy_value(r, STEP_KEYS, "modulo", "noise_cv"), d));
}

static void say_remap(const struct report *r, FILE *to)
{
    const struct sheet *grow = r->sheet[STEP_GROW], *leave = r->sheet[STEP_LEAVE];
    char a[32], b[32], c[32], d[32], e[32], f[32], g[32];
    fprintf(to, "From 10 to 11 nodes an ideal balancer moves %s of the keys. A ring of 150 points moved %s, slots %s, slots cut anew into equal runs (contiguous) %s (theory: 50 %%), modulo %s "
                "(theory: 10 of 11). When each of 10 nodes leaves in turn, the worst one costs the ring %s and modulo %s, where 10.0 %% would do.",
            percent(1.0 / 11, a), percent(grow_at(grow, ROW_RING_150, 10), b), percent(grow_at(grow, ROW_SLOTS, 10), c),
            percent(grow_at(grow, ROW_CONTIGUOUS, 10), d), percent(grow_at(grow, ROW_MODULO, 10), e), percent(leave_at(leave, ROW_RING_150, 10), f),
            percent(leave_at(leave, ROW_MODULO, 10), g));
}

static void say_lookup(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_LATENCY];
    char a[32], b[32], c[32], d[32], e[32];
    double most = pace_largest(r);
    fprintf(to, "A ring of 150 points a node takes %s on 10 nodes and %s on %s, where a binary search of its points would take %.0f and %.0f steps. "
                "Slots stay at %s and hashing the key at %s; null, which sends every key to the first node, shows the harness&#39;s own cost: %s.",
            nanoseconds(sheet_at(s, "ring", "150", 10, "lookup_ns"), a), nanoseconds(sheet_at(s, "ring", "150", most, "lookup_ns"), b), largest(r),
            ceil(log2(1500)), ceil(log2(150 * most)), nanoseconds(sheet_at(s, "slots", "", most, "lookup_ns"), c),
            nanoseconds(sheet_at(s, "slots", "", 10, "hash_ns"), d), nanoseconds(sheet_at(s, "null", "", 10, "lookup_ns"), e));
}

/* Who has the caches to himself, and who has not; how far to trust it. */
static void say_neighbour(const struct report *r, FILE *to)
{
    const struct sheet *alone = r->sheet[STEP_LATENCY], *beside = r->sheet[STEP_NEIGHBOUR];
    char a[32], b[32], c[32], d[32], e[32], f[32];
    double worst = 0;
    size_t noisy = 0;
    for (size_t i = 0; i < alone->rows; i++) {
        double spread = sheet_real(alone, i, "lookup_spread");
        noisy += spread > TIMING_NOISY;
        worst = fmax(worst, spread);
    }
    fprintf(to, "These look-ups had the caches to themselves. Beside a neighbour that reads 16 random bytes and 64 KB of a large array for each, one "
                "look-up after the other takes the ring %s on 10 nodes instead of %s, and %s on 1,000 instead of %s; jump, which has no memory, %s on "
                "1,000 instead of %s. ",
            nanoseconds(sheet_at(beside, "ring", "150", 10, "dependent_ns"), a), nanoseconds(sheet_at(alone, "ring", "150", 10, "dependent_ns"), b),
            nanoseconds(sheet_at(beside, "ring", "150", 1000, "dependent_ns"), c), nanoseconds(sheet_at(alone, "ring", "150", 1000, "dependent_ns"), d),
            nanoseconds(sheet_at(beside, "jump", "", 1000, "dependent_ns"), e), nanoseconds(sheet_at(alone, "jump", "", 1000, "dependent_ns"), f));
    if (noisy)
        fprintf(to, "The machine was noisy: of %zu rows %zu spread over more than %.0f %% of their median, the worst over %.0f %%.", alone->rows, noisy,
                100 * TIMING_NOISY, 100 * worst);
    else
        fprintf(to, "The middle half of no row&#39;s repetitions spreads over more than %.1f %% of their median.", 100 * worst);
}

static void say_memory(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_COST];
    char a[32], b[32], c[32];
    double most = pace_largest(r), big = sheet_at(s, "ring", "150", most, "memory_bytes");
    fprintf(to, "A ring of 150 points a node holds %s on 10 nodes and %s on %s, that is %.0f bytes a point; slots hold %s on any.",
            text_bytes(sheet_at(s, "ring", "150", 10, "memory_bytes"), a), text_bytes(big, b), largest(r), big / sheet_at(s, "ring", "150", most, "points"),
            text_bytes(sheet_at(s, "slots", "", 10, "memory_bytes"), c));
}

static void say_build(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_COST];
    char a[32], b[32], c[32], d[32];
    double most = pace_largest(r);
    fprintf(to, "Building that ring takes %s on 10 nodes and %s on %s; adding one node to it %s and %s.",
            nanoseconds(sheet_at(s, "ring", "150", 10, "build_ns"), a), nanoseconds(sheet_at(s, "ring", "150", most, "build_ns"), b), largest(r),
            nanoseconds(sheet_at(s, "ring", "150", 10, "change_ns"), c), nanoseconds(sheet_at(s, "ring", "150", most, "change_ns"), d));
}

static void say_hashes(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_HASHES];
    size_t fast = 0, slow = 0;
    char a[32], b[32];
    for (size_t i = 1; i < s->rows; i++) {
        fast = sheet_real(s, i, "hash_ns") < sheet_real(s, fast, "hash_ns") ? i : fast;
        slow = sheet_real(s, i, "hash_ns") > sheet_real(s, slow, "hash_ns") ? i : slow;
    }
    fprintf(to, "For keys of %.1f bytes on average %s takes %s and %s %s: often more than the look-up that follows.", sheet_real(s, 0, "key_bytes"),
            sheet_text(s, fast, "hash"), nanoseconds(sheet_real(s, fast, "hash_ns"), a), sheet_text(s, slow, "hash"),
            nanoseconds(sheet_real(s, slow, "hash_ns"), b));
}

static void nodes(const struct report *r, FILE *to) { fprintf(to, "%u node%s", r->size, r->size == 1 ? "" : "s"); }
static void keys(const struct report *r, FILE *to)
{
    char count[32];
    const struct sheet *s = r->sheet[STEP_KEYS];
    fprintf(to, "%s %s (<code>", text_short(sheet_real(s, 0, "keys"), count), sheet_text(s, 0, "load"));
    html_text(r->a->workload, to);
    fputs("</code>)", to);
}
static void hash(const struct report *r, FILE *to) { html_text(r->a->hash, to); }
static void seed(const struct report *r, FILE *to) { fprintf(to, "%" PRIu64, r->a->seed); }
static void draws(const struct report *r, FILE *to) { fputs(pace_draws(r), to); }
static void machine(const struct report *r, FILE *to)
{
    (void)r;
    machine_print(to);
}

bool words_print(const struct report *r, const char *mark, FILE *to)
{
    static const struct {
        const char *mark;
        void (*print)(const struct report *r, FILE *to);
    } all[] = {
        {"answer", answer},         {"say rings", say_rings},   {"say load", say_load},     {"say max", say_max},     {"say cv", say_cv},
        {"say remap", say_remap},   {"say lookup", say_lookup}, {"say neighbour", say_neighbour}, {"say memory", say_memory}, {"say build", say_build}, {"say hashes", say_hashes}, {"nodes", nodes},
        {"quick", print_quick},     {"draws", draws},
        {"keys", keys},             {"hash", hash},             {"seed", seed},             {"machine", machine},     {"tradeoffs", print_tradeoffs},
        {"commands", print_commands}, {"incidents", print_incidents}, {"say incidents", say_incidents},
        {"say field", say_field},     {"say field-even", say_field_even}, {"say field-moves", say_field_moves}, {"say field-cost", say_field_cost},
        {"say pareto", say_pareto},   {"field", print_field},         {"say verify", say_verify},   {"say published", say_published},
        {"say tune", say_tune}, {"say availability", say_availability}, {"say names", say_names}, {"say resize", say_resize},
        {"say survivors", say_survivors}, {"say cascade", say_cascade}, {"say receivers", say_receivers},
        {"say cold", say_cold}, {"say trace", say_trace}, {"say hot", say_hot_keys},
        {"say fast", say_fast},       {"say peers", say_peers},         {"fast", print_fast},         {"peers", print_peers},
        {"checks", print_checks},     {"failures", print_failures},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].mark, mark)) {
            all[i].print(r, to);
            return true;
        }
    return false;
}
