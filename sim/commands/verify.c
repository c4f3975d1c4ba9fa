/* keysim verify: are the strategies what they claim to be? */
#include "experiments/verify.h"

#include "commands/cells.h"
#include "commands/inner.h"
#include "commands/request.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* What stands beside the strategies as they come. */
static char more[][64] = {"ring:vnodes=1",           "rendezvous:tree",           "slots:rebalance=rendezvous", "dynamo:strategy=1,tokens=150",
                          "dynamo:strategy=2,tokens=16", "bounded:over=jump", "bounded:over=rendezvous",
                          "choices:over=jump"};

static char sizes[] = "3/24/1000/10000/100000";

/* Every algorithm, where none is named. The names are the catalog's own texts: nothing writes to them. */
static int name_all(struct args *a, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; catalog[i] && !e; i++)
        if (!catalog[i]->version)
            e = texts_add(&a->specs, (char *)(uintptr_t)catalog[i]->name, why);
    for (size_t i = 0; i < sizeof more / sizeof *more && !e; i++)
        e = texts_add(&a->specs, more[i], why);
    return e;
}

static bool is_figure(const struct table *t, size_t row)
{
    return !strcmp(table_get_text(t, row, COL(check)), "published");
}

static bool same_spec(const struct table *t, size_t a, size_t b)
{
    return is_figure(t, a) == is_figure(t, b) && !strcmp(table_get_text(t, a, COL(strategy)), table_get_text(t, b, COL(strategy))) &&
           !strcmp(table_get_text(t, a, COL(options)), table_get_text(t, b, COL(options)));
}

/* What is said of one strategy over all sizes. */
struct summary {
    uint64_t nodes, checks, failed, skipped;
    double p; /* the smallest */
};

static struct summary summary_of(const struct table *t, size_t row)
{
    struct summary s = {.p = 1};
    for (size_t r = 0; r < table_rows(t); r++) {
        if (!same_spec(t, row, r))
            continue;
        const char *verdict = table_get_text(t, r, COL(verdict));
        uint64_t nodes = table_get_count(t, r, COL(nodes));
        double p = table_get_real(t, r, COL(p_value));
        s.checks++;
        s.failed += !strcmp(verdict, "failed");
        s.skipped += !strcmp(verdict, "skipped");
        s.nodes = nodes > s.nodes ? nodes : s.nodes;
        s.p = !table_is_empty(t, r, COL(p_value)) && p < s.p ? p : s.p;
    }
    return s;
}

static bool is_first(const struct table *t, size_t row)
{
    for (size_t r = 0; r < row; r++)
        if (same_spec(t, r, row))
            return false;
    return true;
}

static int summary_words(const struct table *t, FILE *to, char why[WHY])
{
    enum { WIDTH = 6, CELL = 64 };
    static const char *const headings[WIDTH] = {"strategy", "nodes up to", "checks", "failed", "skipped", "smallest p"};
    size_t rows = table_rows(t), n = 1;
    char(*text)[CELL] = mem_alloc((rows + 1) * WIDTH, sizeof *text);
    const char **cell = mem_alloc((rows + 1) * WIDTH, sizeof *cell);
    if (!text || !cell) {
        mem_free(text);
        mem_free(cell);
        return fail(why, ENOMEM, "no memory for the table");
    }
    memcpy(cell, headings, sizeof headings);
    for (size_t r = 0; r < rows; r++) {
        if (is_figure(t, r) || !is_first(t, r))
            continue;
        struct summary s = summary_of(t, r);
        const uint64_t number[] = {s.nodes, s.checks, s.failed, s.skipped};
        cell_spec(t, r, text[n * WIDTH]);
        for (size_t k = 0; k < 4; k++)
            snprintf(text[n * WIDTH + 1 + k], CELL, "%" PRIu64, number[k]);
        snprintf(text[n * WIDTH + 5], CELL, "%.2g", s.p);
        for (size_t k = 0; k < WIDTH; k++)
            cell[n * WIDTH + k] = text[n * WIDTH + k];
        n++;
    }
    words_write(cell, n, WIDTH, to);
    mem_free(text);
    mem_free(cell);
    return 0;
}

/* How many published figures there are, and how many are not what we get. */
static void figures_words(const struct table *t, FILE *to)
{
    uint64_t all = 0, failed = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        all += is_figure(t, r);
        failed += is_figure(t, r) && !strcmp(table_get_text(t, r, COL(verdict)), "failed");
    }
    if (all)
        fprintf(to, "%" PRIu64 " figures of papers computed anew: %" PRIu64 " as published, %" PRIu64 " not.\n", all, all - failed, failed);
}

/* A line for each row with this verdict. */
static uint64_t list_verdicts(const struct table *t, const char *verdict, FILE *to)
{
    uint64_t n = 0;
    char spec[512];
    for (size_t r = 0; r < table_rows(t); r++) {
        if (strcmp(table_get_text(t, r, COL(verdict)), verdict))
            continue;
        row_spec(t, r, spec, sizeof spec);
        n++;
        if (!to)
            continue;
        fprintf(to, "%s: %s, %" PRIu64 " nodes, %s: ", verdict, spec, table_get_count(t, r, COL(nodes)), table_get_text(t, r, COL(check)));
        if (!table_is_empty(t, r, COL(statistic)))
            fprintf(to, "%g", table_get_real(t, r, COL(statistic)));
        if (!table_is_empty(t, r, COL(p_value)))
            fprintf(to, " (p %.2g)", table_get_real(t, r, COL(p_value)));
        fprintf(to, "%s%s\n", table_is_empty(t, r, COL(statistic)) ? "" : ": ", table_get_text(t, r, COL(detail)));
    }
    return n;
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    uint64_t failed = list_verdicts(t, "failed", NULL), skipped = list_verdicts(t, "skipped", NULL), all = table_rows(t) - skipped;
    (void)s;
    if (failed)
        fprintf(to, "%" PRIu64 " of %" PRIu64 " checks FAIL\n", failed, all);
    else if (all == 0)
        fputs("nothing could be checked\n", to);
    else
        fprintf(to, "all %" PRIu64 " checks pass: the strategies are what they claim to be, as far as these numbers can tell\n", all);
    list_verdicts(t, "failed", to);
    int e = summary_words(t, to, why);
    figures_words(t, to);
    if (a->verbose || all == 0)
        list_verdicts(t, "skipped", to);
    fprintf(to, "p: the chance that a right program strays as far; a check fails below one in a million over all of them. Seed %" PRIu64 ".\n"
                "Next: keysim verify --deep --format csv -o verify.csv\n",
            a->seed);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    uint64_t failed = 0;
    struct verify v = {.deep = a->deep, .figures = a->specs.count == 0, .reach = a->nodes.count == 0};
    char *published;
    int e = a->specs.count ? 0 : name_all(a, why);
    if (!e && !a->nodes.count)
        e = texts_add(&a->nodes, sizes, why);
    if (!e)
        e = inner_data(&published, "data/published", why);
    if (e)
        return e;
    v.published = published;
    e = request_open(&s, a, "verify", why);
    if (!e) {
        e = verify_run(&s, &v, &t, &failed, why);
        if (!e)
            e = request_write(a, &s, t, words, why);
        table_destroy(t);
        request_close(&s);
    }
    mem_free(published);
    return e ? e : failed > 0;
}

static const int takes[] = {'s', 'n', 'H', FLAG_DEEP, FLAG_QUICK, FLAG_PERCENT, 0};

const struct command command_verify = {
    .name = "verify",
    .summary = "hold strategies to their theory and their promises",
    .usage = "[-s SPEC...] [-n NODES...] [--deep|--quick]",
    .takes = takes,
    .run = run,
    .shared = true,
    .details = "Without -s every algorithm is tried as it comes, and a few of their options; without -n at 3, 24, 1000, 10,000 and 100,000 nodes:\n"
               "look-ups that visit every node up to 1000, rings up to 10,000 (there 24 nodes leave in turn; all under vnodes=1, and with --deep).\n"
               "And the figures that papers publish are computed anew. The checks:\n\n"
               "  batch      keys looked up together go where they go one by one\n"
               "  owners     no key without a live owner, no node without its keys\n"
               "  keys       random keys fall on the nodes as the exact shares say (chi-square):\n"
               "             neither less evenly than chance allows, nor more\n"
               "  replicas   copies lie on distinct live nodes, the owner first\n"
               "  bounded    key after key, no node above its capacity, and each key on the first node of its list with room\n"
               "  least      key after key, each on the least loaded of its first copies\n"
               "  minimal    every node leaves and comes back in turn: only its own keys move\n"
               "             (-exact: by the ownership maps; -churned: when many changes follow one another, of one node or three, or of a weight)\n"
               "  restored   and then all is as it was, unless the strategy remembers\n"
               "  anew       and after those all is as if opened on the nodes that are left, unless it remembers\n"
               "  moved      growth moves what the shares need; less is impossible\n"
               "  scatter    the spread of shares over many placements is the law's\n"
               "  weights    load follows the weights\n"
               "  answers    single keys lie where the authors' own programs put them\n"
               "  published  figures of papers, within what their text or drawing leaves open\n"
               "\n-grown, -churned, -weighted: the same after half as many nodes more, after many leave and come back, with weights 1 to 5.\n"
               "--quick tries fewer keys and placements, and of the published figures those whose clusters are small.\n"
               "Exit status 1 when a check fails. A chance check fails below one in a million over the whole run: no seed cries wolf.\n\n"
               "  keysim verify\n"
               "  keysim verify -s ring:vnodes=1/150 -s anchor -n 24 --deep\n",
};
