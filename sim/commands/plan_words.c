/* A plan for people: the answer, the tables, the same resize under other strategies, and what to ask next. */
#include "commands/plan_parts.h"

#include "commands/cells.h"
#include "commands/inner.h"
#include "commands/suggest.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows by what a column says in them. */
struct named {
    const char *name;
    size_t row;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

/* first: the first row of each node in a column, *n of them. 0 or -ENOMEM. */
static int distinct(const struct table *t, const struct column *c, size_t *first, size_t *n)
{
    size_t rows = table_rows(t);
    struct named *all = mem_alloc(rows, sizeof *all);
    *n = 0;
    for (size_t r = 0; all && r < rows; r++)
        all[r] = (struct named){table_get_text(t, r, c), r};
    if (all)
        qsort(all, rows, sizeof *all, by_name);
    for (size_t r = 0; all && r < rows; r++)
        if (!r || strcmp(all[r].name, all[r - 1].name))
            first[(*n)++] = all[r].row;
    mem_free(all);
    return all ? 0 : -ENOMEM;
}

static const char *what_counts(const struct table *t)
{
    const char *load = table_get_text(t, 0, COL(load));
    return !strcmp(load, "load") ? "the load moves" : !strcmp(load, "bytes") ? "bytes move" : !strcmp(load, "requests") ? "requests move" : "keys move";
}

/* ", all to node-10; nothing moves between the nodes that stay as they are" */
static void direction(const struct plan *p, const struct table *t, const size_t *giver, size_t givers, const size_t *receiver, size_t receivers, FILE *to)
{
    char name[64], share[64];
    if (receivers == 1) {
        plan_name_cell(t, receiver[0], COL(to), name);
        fprintf(to, ", all to %s", name);
    } else if (givers == 1) {
        plan_name_cell(t, giver[0], COL(from), name);
        fprintf(to, ", all from %s, to %zu nodes", name, receivers);
    } else {
        fprintf(to, ", from %zu nodes to %zu", givers, receivers);
    }
    if (p->study->to_spec)
        return;
    bool grows = table_get_count(t, 0, COL(nodes_after)) > table_get_count(t, 0, COL(nodes_before));
    cell_percent(t, 0, COL(bystander_share), share);
    if (table_get_real(t, 0, COL(bystander_share)) > 0)
        fprintf(to, p->levelled ? "; %s to level nodes that did not change" : "; %s for nothing, between nodes that did not change", share);
    else
        fprintf(to, "; nothing moves between %s", grows ? "old nodes" : "nodes that did not change");
}

/* No key and no load moves; slots that hold none may. */
static int nothing(const struct plan *p, const struct plan_wish *wish, FILE *to, char why[WHY])
{
    uint64_t moving = 0;
    int e = wish->load.path ? plan_slots_moving(p, &moving, why) : 0;
    if (!e && moving)
        fprintf(to, "no load moves; %" PRIu64 " slots without load do\n", moving);
    else if (!e)
        fputs("nothing moves\n", to);
    return e;
}

static void answer(const struct plan *p, const struct table *t, const size_t *giver, size_t givers, const size_t *receiver, size_t receivers, FILE *to)
{
    char moved[64], best[64];
    cell_percent(t, 0, COL(moved_share), moved);
    cell_percent(t, 0, p->study->to_spec ? COL(needed_share) : COL(optimum_share), best);
    fprintf(to, "%s of %s (%s %s)", moved, what_counts(t), p->study->to_spec ? "the shares before and after need" : "an ideal balancer moves", best);
    direction(p, t, giver, givers, receiver, receivers, to);
    fputc('\n', to);
}

static int several(const struct table *t, const struct plan_wish *wish, size_t n, FILE *to, char why[WHY])
{
    size_t *first = mem_alloc(n, sizeof *first);
    char ever[64], all[64];
    double ideal = 0;
    if (!first)
        return fail(why, ENOMEM, "no memory for the plan");
    for (size_t r = 0, k = 0; r < table_rows(t); r++)
        if (table_get_count(t, r, COL(step)) == k + 1) {
            first[k++] = r;
            ideal += table_get_real(t, r, COL(optimum_share));
        }
    cell_percent(t, first[n - 1], COL(ever_share), ever);
    cell_percent(t, first[n - 1], COL(sum_share), all);
    fprintf(to, "in %zu steps %s of %s once or more, %s in all (ideal balancers move %.2f %%)\n", n, ever, what_counts(t), all, 100 * ideal);
    plan_steps_table(t, wish, first, n, to);
    mem_free(first);
    return 0;
}

static int single(const struct plan *p, const struct plan_wish *wish, const struct table *t, FILE *to, char why[WHY])
{
    size_t *giver = mem_alloc(table_rows(t), sizeof *giver), *receiver = mem_alloc(table_rows(t), sizeof *receiver), givers, receivers;
    int e = 0;
    if (!giver || !receiver || distinct(t, COL(from), giver, &givers) || distinct(t, COL(to), receiver, &receivers))
        e = fail(why, ENOMEM, "no memory for the plan");
    if (!e && !*table_get_text(t, 0, COL(from))) {
        e = nothing(p, wish, to, why);
    } else if (!e) {
        answer(p, t, giver, givers, receiver, receivers, to);
        e = plan_flows_table(t, to, why);
        if (!e)
            e = plan_receivers_table(t, wish, receiver, receivers, to, why);
    }
    mem_free(giver);
    mem_free(receiver);
    return e;
}

/* "the same with modulo 90.91 %, slots 9.09 %, slots re-cut 50.00 %" */
static int others(const struct plan *p, const struct table *t, FILE *to, char why[WHY])
{
    static const struct {
        const char *spec, *name;
    } other[] = {{"modulo", "modulo"}, {"ring:vnodes=150", "ring:vnodes=150"}, {"slots", "slots"}, {"slots:rebalance=contiguous", "slots re-cut"}};
    char own[512];
    const char *load = table_get_text(t, 0, COL(load)), *comma = strcmp(load, "share") && strcmp(load, "keys") ? "of keys alone, with " : "the same with ";
    bool none = true, recut = false;
    row_spec(t, 0, own, sizeof own);
    for (size_t i = 0; i < sizeof other / sizeof *other && !p->study->to_spec; i++) {
        double moved = (double)NAN;
        int e = strcmp(other[i].spec, own) ? plan_other(p, other[i].spec, &moved, why) : 0;
        if (e)
            return e;
        if (isnan(moved))
            continue;
        fprintf(to, "%s%s %.2f %%", comma, other[i].name, 100 * moved);
        comma = ", ";
        none = false;
        recut |= strcmp(other[i].spec, other[i].name) != 0;
    }
    if (!none)
        fputs(recut ? " (dealt out anew, as for a new cluster)\n" : "\n", to);
    return 0;
}

static void fullest(const struct table *t, FILE *to)
{
    char load[64], expected[64];
    cell_real(t, 0, COL(max_over_mean), load);
    cell_real(t, 0, COL(theory_max_over_mean), expected);
    fprintf(to, "afterwards the fullest node has %s times its fair share", load);
    if (!table_is_empty(t, 0, COL(theory_max_over_mean)))
        fprintf(to, " (expected %s)", expected);
    fputc('\n', to);
}

/* What dealing slots by number would do, where they are dealt by load. */
static void by_count(const struct table *t, FILE *to)
{
    char moved[64], load[64];
    size_t last = table_rows(t) - 1;
    double all = 0;
    for (size_t r = 0; r <= last; r++)
        all += r == 0 || table_get_count(t, r, COL(step)) != table_get_count(t, r - 1, COL(step)) ? table_get_real(t, r, COL(count_moved_share)) : 0;
    snprintf(moved, sizeof moved, "%.2f %%", 100 * all);
    cell_real(t, last, COL(count_max_over_mean), load);
    fprintf(to, "dealt by the number of slots instead, %s of the load would move, and the fullest node would have %s times its fair share\n", moved, load);
}

/* The command anew, for what is still to be asked. */
static int again(struct texts *words, const struct args *a, const struct plan *p, const struct table *t, bool slotted)
{
    bool emit = slotted && (!a->load || p->levelled), asked = a->rate || a->load || a->workload;
    const char *const name[] = {"--load", "-k", "--rate"}, *const value[] = {a->load, emit ? NULL : a->workload, emit ? NULL : a->rate};
    char *spec = suggest_spec(t, 0);
    int e = spec ? inner_words(words, "plan", "-s", spec, "-n", p->study->nodes[0], NULL) : -ENOMEM;
    mem_free(spec);
    if (!e && (a->to || a->to_spec))
        e = inner_words(words, a->to ? "--to" : "--to-spec", a->to ? a->to : a->to_spec, NULL);
    for (size_t i = 0; i < a->changes.count && !e; i++)
        e = inner_words(words, "--change", a->changes.item[i], NULL);
    for (size_t i = 0; i < sizeof name / sizeof *name && !e; i++)
        e = value[i] ? inner_words(words, name[i], value[i], NULL) : 0;
    if (!e)
        e = inner_common(words, a);
    if (e)
        return e;
    if (emit)
        return inner_words(words, "--emit", strcmp(table_get_text(t, 0, COL(strategy)), "redis-cluster") ? "slots" : "redis-cli", NULL);
    return asked ? inner_words(words, "--format", "csv", "-o", "plan.csv", NULL) : inner_words(words, "--rate", "1TB@100MB/s", NULL);
}

/* Where the figures come from, and how far chance may have led them astray. */
static void source(const struct args *a, const struct plan *p, const struct plan_wish *wish, const struct table *t, FILE *to)
{
    double moved = table_get_real(t, 0, COL(moved_share)), keys = (double)table_get_count(t, 0, COL(keys));
    char workload[256], load[256];
    const char *measured = p->study->to_spec ? "" : ": the placement decides what moves, whatever its load";
    text_printable(p->study->workload, strlen(p->study->workload), workload, sizeof workload);
    text_printable(a->load ? a->load : "", a->load ? strlen(a->load) : 0, load, sizeof load);
    if (p->levelled && wish->load.by_slot)
        fprintf(to, "exact: slots are chosen by their load in %s, the heaviest that fit first.\n", load);
    else if (p->levelled)
        fprintf(to, "exact: slots are chosen by the load of their keys, %.0f of %s, the heaviest that fit first.\n", keys, load);
    else if (!strcmp(table_get_text(t, 0, COL(method)), "exact"))
        fprintf(to, "exact: from the ownership maps%s%s.\n", wish->load.path ? ", slots counted by their load" : "", wish->load.path ? measured : "");
    else if (a->load)
        fprintf(to, "from %.0f keys of %s, each by its load%s.\n", keys, load, measured);
    else if (!strncmp(p->study->workload, "file:", 5))
        fprintf(to, "from %.0f keys of %s.\n", keys, workload);
    else
        fprintf(to, "sampled: %.0f keys of %s, seed %" PRIu64 "; what moves at first is known to %.2f %%.\n", keys, workload, a->seed,
                196 * sqrt(moved * (1 - moved) / keys));
}

int plan_words(const struct args *a, const void *of, const struct table *t, FILE *to, char why[WHY])
{
    const struct plan_told *told = of;
    const struct plan *p = told->plan;
    const struct plan_wish *wish = told->wish;
    bool slotted = false;
    int e = p->steps > 1 ? several(t, wish, p->steps, to, why) : single(p, wish, t, to, why);
    if (!e && p->steps == 1)
        e = plan_slots_line(p, &slotted, to, why);
    if (!e)
        e = others(p, t, to, why);
    if (e)
        return e;
    if (p->steps == 1)
        fullest(t, to);
    if (p->levelled)
        by_count(t, to);
    source(a, p, wish, t, to);
    struct texts words = {0};
    e = again(&words, a, p, t, slotted);
    return suggest_words(&words, e, to, why);
}
