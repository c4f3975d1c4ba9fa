/* keysim balance: how evenly do strategies spread keys over nodes? */
#include "experiments/balance.h"

#include "commands/balance_words.h"
#include "commands/cells.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void cell_load(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(load)));
}

static void cell_points(const struct table *t, size_t row, char text[64])
{
    double points = (double)table_get_count(t, row, COL(points)) / (double)table_get_count(t, row, COL(nodes));
    if (table_is_empty(t, row, COL(points)))
        strcpy(text, "-");
    else
        text_short(points, text);
}

static void cell_empty(const struct table *t, size_t row, char text[64])
{
    double empty = table_get_real(t, row, COL(empty_nodes));
    snprintf(text, 64, empty == floor(empty) ? "%.0f" : "%.2f", empty);
}

static void cell_band(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(max_over_mean_q05)))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.3f .. %.3f", table_get_real(t, row, COL(max_over_mean_q05)), table_get_real(t, row, COL(max_over_mean_q95)));
}

/* "-" where the hottest key fits into a fair share. */
static void cell_floor(const struct table *t, size_t row, char text[64])
{
    if (table_get_real(t, row, COL(floor_max_over_mean)) > 1)
        cell_real(t, row, COL(floor_max_over_mean), text);
    else
        strcpy(text, "-");
}

static bool is_even(const struct table *t, size_t row)
{
    return table_get_real(t, row, COL(cv)) <= 3 * table_get_real(t, row, COL(noise_cv)) + 0.002;
}

/* What each reaches, where keys are so few or so unequal that "as even as chance allows" says little. */
static bool answer_chance(const struct table *t, FILE *to)
{
    double chance = table_get_real(t, 0, COL(noise_cv));
    bool by_load = false;
    for (size_t r = 0; r < table_rows(t); r++)
        by_load |= is_main(t, r) && !table_is_empty(t, r, COL(spilled_share));
    if (chance <= 0.05 || !(by_load || is_popularity(t)))
        return false;
    say_fullest(t, is_popularity(t) ? "keys differ in their requests: " : "keys are few: ", to);
    fputc('\n', to);
    return true;
}

/* The answer: who is even, and how far the least even one goes; of the requests, where keys and bytes are counted too. */
static void answer(const struct table *t, FILE *to)
{
    size_t worst = 0, even = 0, named = 0, rows = 0;
    const char *how = table_get_real(t, 0, COL(noise_cv)) > 0.01 ? "as even as chance allows with these keys" : "even";
    char spec[512];
    for (size_t r = 0; r < table_rows(t); r++) {
        if (!is_main(t, r))
            continue;
        rows++;
        even += is_even(t, r);
        if (table_get_real(t, r, COL(max_over_mean)) > table_get_real(t, worst, COL(max_over_mean)))
            worst = r;
    }
    for (size_t r = 0; r < table_rows(t) && even <= 4; r++) {
        if (!is_main(t, r) || !is_even(t, r))
            continue;
        row_spec(t, r, spec, sizeof spec);
        fprintf(to, "%s%s", named == 0 ? "" : named + 1 == even ? " and " : ", ", spec);
        named++;
    }
    if (even > 4)
        fprintf(to, "%zu of %zu are %s", even, rows, how);
    else if (even)
        fprintf(to, " %s %s", even == 1 ? "is" : "are", how);
    if (even < rows || table_get_real(t, worst, COL(max_over_mean)) > 1.25) {
        row_spec(t, worst, spec, sizeof spec);
        fprintf(to, "%s%s puts %.0f %% more than fair on its fullest node", even == rows ? "; still, " : even ? "; " : "", spec,
                100 * (table_get_real(t, worst, COL(max_over_mean)) - 1));
    }
    fputc('\n', to);
}

/* What the headings mean. */
static void say_terms(const struct table *t, FILE *to)
{
    bool by_load = false;
    for (size_t r = 0; r < table_rows(t); r++)
        by_load |= !table_is_empty(t, r, COL(spilled_share));
    fputs("cv: how far nodes lie from their fair share (root mean square); (theory): the cv to be expected\n", to);
    if (by_load)
        fputs("spilled: what another node than the key's first takes; more asked: further nodes asked, a request\n", to);
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"counted", UNLESS_SAME, .cell = cell_load},
        {"nodes", UNLESS_SAME, .cell = cell_nodes},
        {"points/node", UNLESS_EMPTY, .cell = cell_points},
        {"max/mean", ALWAYS, .value = cell_real, .of = COL(max_over_mean)},
        {"(at least)", UNLESS_EMPTY, .cell = cell_floor},
        {"(expected)", ALWAYS, .value = cell_real, .of = COL(theory_max_over_mean)},
        {"min/mean", ALWAYS, .value = cell_real, .of = COL(min_over_mean)},
        {"cv", ALWAYS, .value = cell_real, .of = COL(cv)},
        {"(theory)", ALWAYS, .value = cell_real, .of = COL(theory_cv)},
        {"empty", ALWAYS, .cell = cell_empty},
        {"spilled", UNLESS_EMPTY, .value = cell_percent, .of = COL(spilled_share)},
        {"more asked", UNLESS_EMPTY, .value = cell_real, .of = COL(extra_lookups)},
        {"5..95 %", UNLESS_EMPTY, .cell = cell_band},
    };
    if (is_hot(t))
        say_hot(t, to);
    else if (!answer_chance(t, to))
        answer(t, to);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    say_terms(t, to);
    char keys[32], shown[256];
    if (s->exact && s->placements > 1)
        fprintf(to, "exact: from ownership, no sampling noise; %" PRIu64 " sets of names, seed %" PRIu64 ".", s->placements, s->seed);
    else if (s->exact)
        fputs("exact: from ownership, no sampling noise.", to);
    else
        fprintf(to, "%s %s of %s, seed %" PRIu64 "; %s alone gives cv %.4f.", text_short((double)table_get_count(t, 0, COL(keys)), keys),
                table_get_text(t, 0, COL(load)), text_printable(s->workload, strlen(s->workload), shown, sizeof shown), a->seed, is_popularity(t) ? "dealing keys so unequal at random" : "sampling",
                table_get_real(t, 0, COL(noise_cv)));
    if ((is_hot(t) || is_lopsided(t)) && suggest_cure(a, s, t, to))
        return e;
    struct abilities can;
    if (!e)
        e = request_abilities(s, &can, why);
    if (e)
        return e;
    fputc('\n', to);
    return e ? e : suggest_row(a, to, why, "remap", t, table_rows(t) - 1, s->nodes[0], "--change", can.any_removal ? "each" : "+1", can.map ? "--exact" : NULL, NULL);
}

static void cell_over(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%.3f", table_get_real(t, row, COL(share)) / table_get_real(t, row, COL(fair_share)));
}

static int words_per_node(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"node", ALWAYS, .cell = cell_node},
        {"strategy", ALWAYS, .cell = cell_spec},
        {"counted", UNLESS_SAME, .cell = cell_load},
        {"share", ALWAYS, .value = cell_percent, .of = COL(share)},
        {"fair", ALWAYS, .value = cell_percent, .of = COL(fair_share)},
        {"load/fair", ALWAYS, .cell = cell_over},
    };
    size_t worst = 0;
    char spec[512], node[64], over[64];
    for (size_t r = 0; r < table_rows(t); r++)
        if (is_main(t, r) && table_get_real(t, r, COL(share)) / table_get_real(t, r, COL(fair_share)) >
            table_get_real(t, worst, COL(share)) / table_get_real(t, worst, COL(fair_share)))
            worst = r;
    row_spec(t, worst, spec, sizeof spec);
    cell_node(t, worst, node);
    cell_over(t, worst, over);
    fprintf(to, "the fullest is %s under %s: %s of its fair share\n", node, spec, over);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    struct abilities can;
    if (!e)
        e = request_abilities(s, &can, why);
    if (!e)
        e = suggest_row(a, to, why, "balance", t, worst, s->nodes[0], "--placements", "100", can.shares ? "--exact" : NULL, NULL);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int e = request_open(&s, a, "balance", why);
    if (e)
        return e;
    e = a->per_node ? balance_per_node(&s, &t, why) : balance_run(&s, &t, why);
    if (!e)
        e = request_write(a, &s, t, a->per_node ? words_per_node : words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_EXACT, FLAG_PLACEMENTS, FLAG_PER_NODE, '0', FLAG_PERCENT, 0};

const struct command command_balance = {
    .name = "balance",
    .summary = "how evenly keys spread over the nodes",
    .usage = "-s SPEC... -n NODES... [-k WORKLOAD] [--exact] [--placements P] [--per-node]",
    .takes = takes,
    .run = run,
    .shared = true,
    .details = "Load is measured against each node's fair share (its weight over all weights). Beside each figure stands\n"
               "what theory expects. With --placements the nodes' names are drawn anew P times, since one set of names\n"
               "is one throw of the dice: the row holds means and 5/50/95 % quantiles.\n\n"
               "Where keys are asked for again and again, requests are counted, then the keys each once, and with size-column= the bytes.\n"
               "A hot key is one node's, wherever that is: max/mean cannot go below its share over a fair share (\"at least\"). What helps is to\n"
               "let several nodes serve it (bounded, choices) or to give it several names (hottest=10,copies=8).\n\n"
               "  keysim balance -s modulo -s ring:vnodes=1/150/1000 -s slots -n 10\n"
               "  keysim balance -s ring:vnodes=1..1024x2 -n 10 --exact --placements 100 --format csv\n"
               "  keysim balance -s ring -n a,b=2,c -k file:path=keys.txt --per-node\n"
               "  keysim balance -s ring -s bounded:over=ring -s choices:over=ring -n 20 -k user:count=1M,zipf=1\n",
};
