/* keysim churn: many changes, one after the other. */
#include "experiments/churn.h"

#include "commands/cells.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { EVENTS_DEFAULT = 200 };
#define KEYS_DEFAULT "user:count=100k" /* they are placed after each change */

/* The rows of one strategy on one cluster, and what they sum to. */
struct course {
    size_t first, last;
    double times;     /* moved over what an ideal balancer moves; NAN: that is nothing */
    double bystander; /* of what moved */
};

static double real_at(const struct table *t, size_t row, const struct column *c)
{
    return table_get_real(t, row, c);
}

/* How many there are. */
static size_t courses(const struct table *t, struct course *c)
{
    size_t n = 0;
    double bystander = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        bool first = table_get_count(t, r, COL(event)) == 0;
        n += first;
        bystander = first ? 0 : bystander + real_at(t, r, COL(bystander_share));
        double moved = real_at(t, r, COL(sum_share)), optimum = real_at(t, r, COL(optimum_sum_share));
        c[n - 1] = (struct course){first ? r : c[n - 1].first, r, optimum > 0 ? moved / optimum : (double)NAN, moved > 0 ? bystander / moved : 0};
    }
    return n;
}

static void name_course(const struct table *t, const struct course *c, bool sizes, FILE *to)
{
    char spec[512];
    row_spec(t, c->last, spec, sizeof spec);
    fputs(spec, to);
    if (sizes)
        fprintf(to, " on %" PRIu64 " nodes", table_get_count(t, c->first, COL(nodes)));
}

/* "ring moved 1.02 times what an ideal balancer moves, maglev 1.1 times"; of many only those that moved least and most. */
static void answer_moved(const struct table *t, const struct course *c, size_t n, bool sizes, FILE *to)
{
    size_t least = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = c[i].times < c[least].times ? i : least;
        most = c[i].times > c[most].times ? i : most;
    }
    for (size_t i = 0; i < (n > 4 ? 2 : n); i++) {
        const struct course *now = &c[n <= 4 ? i : i ? most : least];
        fputs(i ? ", " : "", to);
        name_course(t, now, sizes, to);
        fprintf(to, i ? " %.2f times" : " moved %.2f times what an ideal balancer moves", now->times);
    }
}

/* How much fuller the fullest node is than it would be afresh; NAN where no node has anything. */
static double fuller(const struct table *t, const struct course *c)
{
    return real_at(t, c->last, COL(max_over_mean)) / real_at(t, c->last, COL(fresh_max_over_mean)) - 1;
}

/* Whose fullest node has most, in the end. */
static const struct course *fullest_now(const struct table *t, const struct course *c, size_t n)
{
    const struct course *most = c;
    for (size_t i = 1; i < n; i++)
        most = real_at(t, c[i].last, COL(max_over_mean)) > real_at(t, most->last, COL(max_over_mean)) ? &c[i] : most;
    return most;
}

/* What history did to balance and place, where it did most. */
static void answer_history(const struct table *t, const struct course *c, size_t n, bool sizes, FILE *to)
{
    const struct course *fullest = c, *farthest = c, *heaviest = fullest_now(t, c, n);
    char elsewhere[64], now[64], before[64];
    for (size_t i = 0; i < n; i++) {
        fullest = isnan(fuller(t, fullest)) || fuller(t, &c[i]) > fuller(t, fullest) ? &c[i] : fullest;
        farthest = real_at(t, c[i].last, COL(differs_share)) > real_at(t, farthest->last, COL(differs_share)) ? &c[i] : farthest;
    }
    cell_percent(t, farthest->last, COL(differs_share), elsewhere);
    if (isnan(fuller(t, fullest))) {
        fputs("; in the end no node answers", to);
    } else {
        cell_real(t, heaviest->first, COL(max_over_mean), before);
        cell_real(t, heaviest->last, COL(max_over_mean), now);
        fprintf(to, ";\nthe fullest node now has %s times its fair share", now);
        if (n > 1) {
            fputs(" with ", to);
            name_course(t, heaviest, sizes, to);
        }
        fprintf(to, " (at first %s)", before);
    }
    if (fuller(t, fullest) < 0.01) {
        fputs(n > 1 ? "; all are as even as if set up afresh" : ", as if set up afresh", to);
    } else if (!isnan(fuller(t, fullest))) {
        fputs(n > 1 ? "; with " : "", to);
        if (n > 1)
            name_course(t, fullest, sizes, to);
        fprintf(to, "%s %.3g %% more than if set up afresh", n > 1 ? " it has" : ", which is", 100 * fuller(t, fullest));
    }
    if (real_at(t, farthest->last, COL(differs_share)) > 0) {
        fputs(",\nbut", to);
        if (n > 1) {
            fputs(" with ", to);
            name_course(t, farthest, sizes, to);
        }
        fprintf(to, " %s of the keys lie on another node than they then would", elsewhere);
    }
}

static void answer(const struct table *t, const struct course *c, size_t n, bool sizes, FILE *to)
{
    uint64_t events = table_get_count(t, c->last, COL(event));
    fprintf(to, "after %" PRIu64 " random change%s of ", events, events == 1 ? "" : "s");
    if (sizes)
        fputs("the nodes: ", to);
    else
        fprintf(to, "%" PRIu64 " nodes: ", table_get_count(t, 0, COL(nodes)));
    answer_moved(t, c, n, sizes, to);
    answer_history(t, c, n, sizes, to);
    fputc('\n', to);
}

static void bytes(const struct table *t, size_t row, const struct column *c, char text[64])
{
    text_bytes((double)table_get_count(t, row, c), text);
}

enum { CELLS = 14 };

static void course_cells(const struct table *t, const struct course *c, char text[CELLS][64])
{
    double events = (double)table_get_count(t, c->last, COL(event));
    cell_spec(t, c->last, text[0]);
    snprintf(text[1], 64, "%" PRIu64 " -> %" PRIu64, table_get_count(t, c->first, COL(nodes)), table_get_count(t, c->last, COL(nodes_after)));
    snprintf(text[2], 64, "%.2f %%", 100 * real_at(t, c->last, COL(sum_share)) / events);
    snprintf(text[3], 64, "%.2f %%", 100 * real_at(t, c->last, COL(optimum_sum_share)) / events);
    snprintf(text[4], 64, "%.2f", c->times);
    snprintf(text[5], 64, "%.3g %%", 100 * c->bystander);
    cell_real(t, c->first, COL(max_over_mean), text[6]);
    cell_real(t, c->last, COL(max_over_mean), text[7]);
    cell_real(t, c->last, COL(fresh_max_over_mean), text[8]);
    cell_percent(t, c->last, COL(differs_share), text[9]);
    bytes(t, c->first, COL(memory_bytes), text[10]);
    bytes(t, c->last, COL(memory_bytes), text[11]);
    bytes(t, c->last, COL(fresh_memory_bytes), text[12]);
    cell_method(t, c->last, text[13]);
}

static int courses_write(const struct table *t, const struct course *c, size_t n, FILE *to, char why[WHY])
{
    static const char *const heading[CELLS] = {"strategy", "nodes",   "moved",     "(optimum)", "times",  "bystanders", "max/mean",
                                               "at last",  "(afresh)", "elsewhere", "memory",    "at last", "(afresh)",     "method"};
    char(*text)[CELLS][64] = mem_alloc(n, sizeof *text);
    const char **cell = mem_alloc(n + 1, sizeof heading);
    int e = text && cell ? 0 : fail(why, ENOMEM, "no memory for the table");
    if (!e) {
        memcpy(cell, heading, sizeof heading);
        for (size_t i = 0; i < n; i++) {
            course_cells(t, &c[i], text[i]);
            for (size_t k = 0; k < CELLS; k++)
                cell[(i + 1) * CELLS + k] = text[i][k];
        }
        words_write(cell, n + 1, CELLS, to);
    }
    mem_free(text);
    mem_free(cell);
    return e;
}

static int closing(const struct args *a, const struct table *t, const struct study *s, const struct course *c, size_t n, FILE *to, char why[WHY])
{
    char keys_of[256];
    const struct course *sampled = NULL;
    size_t exact = 0;
    fputs("moved: keys that changed their node, a change (optimum: with an ideal balancer; times: how many times that);\n"
          "bystanders: of them, between two nodes that did not change. max/mean: the fullest node over its fair share, at first;\n"
          "at last: on the nodes that there are then; afresh: set up on these, without the changes before.\n"
          "elsewhere: keys that lie on another node than if the cluster had been set up afresh.\n", to);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(table_get_text(t, c[i].first, COL(method)), "exact"))
            exact++;
        else if (!sampled || real_at(t, c[i].last, COL(sum_share)) < real_at(t, sampled->last, COL(sum_share)))
            sampled = &c[i];
    fprintf(to, "The changes are drawn from seed %" PRIu64 ". ", s->seed);
    if (exact)
        fputs("exact: from the ownership maps.\n", to);
    if (sampled) { /* a sum of rare moves scatters as its root */
        double keys = (double)table_get_count(t, sampled->first, COL(keys)), moves = keys * real_at(t, sampled->last, COL(sum_share));
        fprintf(to, "sampled: %.0f %s of %s; ", keys, table_get_text(t, sampled->first, COL(load)), text_printable(s->workload, strlen(s->workload), keys_of, sizeof keys_of));
        if (moves > 0)
            fprintf(to, "what moved is right to within %.2g %%, 19 times in 20.\n", 196 / sqrt(moves));
        else
            fputs("too few to see any of them move.\n", to);
    }
    const struct course *mover = c;
    for (size_t i = 1; i < n; i++)
        mover = c[i].times > mover->times ? &c[i] : mover;
    bool moves = mover->times > 1.05; /* more than it must: which change does it? else how even is it? */
    if (moves)
        return suggest_row(a, to, why, "remap", t, mover->last, s->nodes[0], "--change", "each", NULL);
    return suggest_row(a, to, why, "balance", t, fullest_now(t, c, n)->last, s->nodes[0], NULL);
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    struct course *c = mem_alloc(table_rows(t), sizeof *c);
    if (!c)
        return fail(why, ENOMEM, "no memory for the table");
    size_t n = courses(t, c);
    answer(t, c, n, s->sizes > 1, to);
    int e = courses_write(t, c, n, to, why);
    if (!e)
        e = closing(a, t, s, c, n, to, why);
    mem_free(c);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int e = request_open(&s, a, "churn", why);
    if (e)
        return e;
    if (!a->workload)
        s.workload = KEYS_DEFAULT;
    e = churn_run(&s, a->events ? a->events : EVENTS_DEFAULT, a->workload && !a->exact, &t, why);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_EXACT, FLAG_EVENTS, '0', FLAG_PERCENT, 0};

const struct command command_churn = {
    .name = "churn",
    .summary = "many changes, one after the other: movement, balance, memory",
    .usage = "-s SPEC... -n NODES... [--events E] [-k WORKLOAD] [--exact]",
    .takes = takes,
    .run = run,
    .details = "E random changes (default 200): a node leaves, one comes (half of the time one that was there before), and, if all strategies follow\n"
               "weights, one change of eight gives a node another weight. The number of nodes stays between half and twice the first. All strategies\n"
               "see the same changes; those of which only the last node can leave are skipped.\n\n"
               "  moved      share of the keys that changed their node; optimum: what an ideal balancer would move\n"
               "  max/mean   the fullest node over its fair share, at first and at last; memory likewise\n"
               "  afresh     the same strategy set up on the last nodes, without history\n"
               "  elsewhere  keys that lie on another node than if the cluster had been set up afresh\n\n"
               "CSV has a row an event. Exact from ownership maps where a strategy has one, else (or with -k) from keys, by default " KEYS_DEFAULT ";\n"
               "where that takes long, most rows leave out what is set up afresh.\n\n"
               "  keysim churn -s ring:vnodes=150 -s slots -s anchor -n 10\n"
               "  keysim churn -s maglev -s slots:rebalance=minimal -n 50 --events 1000 -o churn.csv\n",
};
