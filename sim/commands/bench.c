/* keysim bench: how fast is fast? */
#include "experiments/bench.h"
#include "experiments/timing.h"

#include "commands/bench_words.h"
#include "commands/request.h"

#include <errno.h>
#include <string.h>

static void pass_on(void *of, const char *text)
{
    warn(of, "%s", text);
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    (void)s;
    int e = bench_words(t, to, why);
    fputs(a->quick ? "Next: keysim bench (more turns, larger rings)\n" : "Next: keysim latency -s ring:vnodes=150 -n 10..10000x10 --cache both\n", to);
    return e;
}

static int write_csv(const struct table *t, const char *path, char why[WHY])
{
    struct output out;
    int e = output_open(&out, path, why);
    if (e)
        return e;
    table_write_csv(t, out.file);
    return output_close(&out, why);
}

static int run(struct args *a, char why[WHY])
{
    struct study s = {.warn = pass_on, .warn_to = a};
    struct bench b = {.study = &s, .quick = a->quick};
    int e = output_check(a->output, why);
    if (a->csv && a->output && !strcmp(a->csv, a->output))
        e = fail(why, EINVAL, "--csv %s: -o names the same file: one of the two is enough", a->csv);
    if (!e && a->csv)
        e = output_check(a->csv, why);
    if (!e)
        e = bench_run(&b, bench_figures, bench_figures_count, a->rest, a->rest_count, why);
    if (!e)
        e = request_write(a, &s, b.table, words, why);
    if (!e && a->csv)
        e = write_csv(b.table, a->csv, why);
    if (!e && b.spread > TIMING_NOISY)
        warn(a, "the machine is noisy: '%s' took %.0f %% longer in the median than at its fastest; ratios are those of the fastest turns", b.noisiest,
             100 * b.spread);
    if (!e && b.differ && args_format(a) != FORMAT_TABLE)
        fputs("keysim: bench: the two sides of a figure give different answers; see the column answers\n", stderr);
    table_destroy(b.table);
    return e ? e : b.differ;
}

static const int takes[] = {FLAG_QUICK, FLAG_CSV, 0};

const struct command command_bench = {
    .name = "bench",
    .summary = "how fast is fast: beside plain code, and beside what the machine allows",
    .usage = "[--quick] [--csv FILE] [FIGURE...]",
    .takes = takes,
    .run = run,
    .details = "Each figure has two sides that do the same work in turns, in one run on one core; the ratio is that of the fastest turns, and their answers\n"
               "are compared. Measured with plain instructions and with the best that this processor has (--cpu: no better ones than these).\n\n"
               "  ring, single        look-ups on a ring, the digest ready: in batches, one call a key\n"
               "  whole, slots        number to text to hash to node to count\n"
               "  jump, rendezvous, multi-probe   look-ups in batches\n"
               "  build, add, shares, memory      a ring of 150 points a node\n"
               "  threads, growth     two threads; more keys, more nodes\n"
               "  points              a look-up on rings of 1000 to 100 million points, as far as memory goes\n"
               "  machine             loads from memory, the clock, a cycle\n\n"
               "Exit 1 when two sides differ in an answer; a target that is missed is said and is no failure.\n\n"
               "  keysim bench\n"
               "  keysim bench jump rendezvous --cpu avx2\n",
};
