/* What keysim cache says to people. */
#include "commands/cache_words.h"

#include "commands/cells.h"
#include "commands/suggest.h"
#include "experiments/cache.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SHOWN = 4 }; /* windows after a change that people see; and the last before the next */

static double real(const struct table *t, size_t row, const struct column *c)
{
    return table_get_real(t, row, c);
}

static bool begins_stretch(const struct table *t, size_t row)
{
    return table_get_count(t, row, COL(window)) == 1 || !table_is_empty(t, row, COL(change));
}

static bool ends_stretch(const struct table *t, size_t row)
{
    return row + 1 == table_rows(t) || begins_stretch(t, row + 1);
}

/* The first change of each strategy, the deepest fall and the least. */
static void extremes(const struct table *t, size_t *worst, size_t *best)
{
    bool seen = false;
    *worst = *best = table_rows(t);
    for (size_t r = 0; r < table_rows(t); r++) {
        seen = seen && table_get_count(t, r, COL(window)) > 1;
        if (seen || table_is_empty(t, r, COL(change)))
            continue;
        seen = true;
        *worst = *worst == table_rows(t) || real(t, r, COL(hit_ratio)) < real(t, *worst, COL(hit_ratio)) ? r : *worst;
        *best = *best == table_rows(t) || real(t, r, COL(hit_ratio)) > real(t, *best, COL(hit_ratio)) ? r : *best;
    }
}

/* The requests that it took to recover, to two digits: more are not known. */
static const char *recovered(const struct table *t, size_t row, char text[32])
{
    return text_about((double)table_get_count(t, row, COL(recovery_requests)), text);
}

/* Recorded requests come in waves: there may be more hits after a change than before. */
static bool fell(const struct table *t, size_t row)
{
    return table_is_empty(t, row, COL(hit_ratio_before)) || real(t, row, COL(hit_ratio)) < real(t, row, COL(hit_ratio_before));
}

/* Of the row that fell most: not at all. */
static void tell_calm(const struct table *t, size_t row, size_t best, FILE *to)
{
    char spec[512], number[32];
    row_spec(t, row, spec, sizeof spec);
    fprintf(to, "the hit ratio does not fall: %s answers %.0f %% of the first %s requests, and %.0f %% of those before", spec, 100 * real(t, row, COL(hit_ratio)),
            text_short((double)table_get_count(t, row, COL(requests)), number), 100 * real(t, row, COL(hit_ratio_before)));
    row_spec(t, best, spec, sizeof spec);
    if (best != row)
        fprintf(to, ";\n%s answers %.0f %%", spec, 100 * real(t, best, COL(hit_ratio)));
}

static void tell_fall(const struct table *t, size_t row, bool first, FILE *to)
{
    char spec[512], number[32];
    row_spec(t, row, spec, sizeof spec);
    fprintf(to, first ? "%s takes the hit ratio" : ";\n%s", spec);
    if (first && !table_is_empty(t, row, COL(hit_ratio_before)))
        fprintf(to, " from %.0f %%", 100 * real(t, row, COL(hit_ratio_before)));
    fprintf(to, " to %.0f %%", 100 * real(t, row, COL(hit_ratio)));
    if (first)
        fprintf(to, " for the first %s requests", text_short((double)table_get_count(t, row, COL(requests)), number));
    if (!table_is_empty(t, row, COL(database_over_before)))
        fprintf(to, first ? "\n(the database gets %.3g times as many queries)" : " (%.3g times)", real(t, row, COL(database_over_before)));
    if (table_is_empty(t, row, COL(hit_ratio_before)))
        return;
    if (table_is_empty(t, row, COL(recovery_requests)))
        fputs(first ? ", and it does not come back before the next change or the end" : ", and does not come back", to);
    else if (table_get_count(t, row, COL(recovery_requests)) == 0)
        fputs(first ? ", and it is soon back" : ", soon back", to);
    else
        fprintf(to, first ? ", and it is back after about %s requests" : ", back after about %s", recovered(t, row, number));
}

static void answer(const struct table *t, const struct args *a, FILE *to)
{
    size_t worst, best, last = table_rows(t) - 1;
    char spec[512], number[32];
    extremes(t, &worst, &best);
    if (worst <= last) {
        uint64_t from = table_get_count(t, worst - 1, COL(nodes_after)), now = table_get_count(t, worst, COL(nodes_after));
        if (from != now)
            fprintf(to, "going from %" PRIu64 " to %" PRIu64 " nodes, ", from, now);
        else
            fprintf(to, "with the change %s, ", table_get_text(t, worst, COL(change)));
        if (fell(t, worst))
            tell_fall(t, worst, true, to);
        else
            tell_calm(t, worst, best, to);
        if (best != worst && fell(t, worst))
            tell_fall(t, best, false, to);
        fputc('\n', to);
        return;
    }
    for (size_t r = 0; r <= last; r++)
        if (r == last || table_get_count(t, r + 1, COL(window)) == 1)
            worst = worst > last || real(t, r, COL(hit_ratio)) < real(t, worst, COL(hit_ratio)) ? r : worst;
    row_spec(t, worst, spec, sizeof spec);
    fprintf(to, "with %s, caches of %s items on %" PRIu64 " nodes answer %.1f %% of the requests in the end", spec, text_short((double)a->cache_items, number),
            table_get_count(t, worst, COL(nodes_after)), 100 * real(t, worst, COL(hit_ratio)));
    if (!table_is_empty(t, worst, COL(theory_hit_ratio)))
        fprintf(to, " (expected: %.1f %%)", 100 * real(t, worst, COL(theory_hit_ratio)));
    fputs("; the database gets the others\n", to);
}

/* Adds a row like that one. 0 or -ENOMEM. */
static int copy_row(const struct table *from, size_t row, struct table *to)
{
    int e = table_row(to);
    for (size_t i = 0; i < table_columns(from) && !e; i++) {
        const struct column *c = table_column(from, i);
        if (table_is_empty(from, row, c))
            continue;
        if (c->type == COLUMN_COUNT)
            table_count(to, c, table_get_count(from, row, c));
        else if (c->type == COLUMN_REAL)
            table_real(to, c, table_get_real(from, row, c));
        else
            e = table_text(to, c, table_get_text(from, row, c));
    }
    return e;
}

/* The rows that people see: windows after each change, and the last before the next. */
static struct table *shorten(const struct table *t, bool changes)
{
    struct table *few = columns_table(columns_cache);
    size_t since = 0;
    for (size_t r = 0; few && r < table_rows(t); r++) {
        since = begins_stretch(t, r) ? 0 : since + 1;
        bool first_fill = changes && table_get_text(t, r, COL(change))[0] == 0 && table_get_count(t, r, COL(window)) == since + 1;
        if (!ends_stretch(t, r) && (since >= SHOWN || first_fill))
            continue;
        if (copy_row(t, r, few)) {
            table_destroy(few);
            return NULL;
        }
    }
    return few;
}

static void cell_count(const struct table *t, size_t row, const struct column *c, char text[64])
{
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else
        text_short((double)table_get_count(t, row, c), text);
}

static void cell_recovered(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(recovery_requests)))
        strcpy(text, "-");
    else
        recovered(t, row, text);
}

static void cell_change(const struct table *t, size_t row, char text[64])
{
    const char *change = table_get_text(t, row, COL(change));
    text_printable(*change ? change : "-", strlen(*change ? change : "-"), text, 40);
}

static void cell_times(const struct table *t, size_t row, const struct column *c, char text[64])
{
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else
        snprintf(text, 64, "x %.2f", table_get_real(t, row, c));
}

/* "modulo: 120 of 800 queries spared": what waiting for others' queries does, of each strategy. */
static void tell_spared(const struct table *t, FILE *to)
{
    char spec[512], number[2][32];
    double waited = 0, queries = 0;
    fputs("waited: misses that wait for a query under way and make none. In all,", to);
    for (size_t r = 0; r < table_rows(t); r++) {
        waited += (double)table_get_count(t, r, COL(coalesced));
        queries += (double)table_get_count(t, r, COL(database_queries));
        if (r + 1 < table_rows(t) && table_get_count(t, r + 1, COL(window)) > 1)
            continue;
        row_spec(t, r, spec, sizeof spec);
        fprintf(to, " %s spares %s of %s queries (%.3g %%)%s", spec, text_short(waited, number[0]), text_short(waited + queries, number[1]),
                waited > 0 ? 100 * waited / (waited + queries) : 0, r + 1 < table_rows(t) ? "," : ".\n");
        waited = queries = 0;
    }
}

/* Clients that do not learn of a dead node go on asking it. */
static void tell_dead(const struct table *t, FILE *to)
{
    char spec[512];
    size_t most = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        most = real(t, r, COL(down_share)) > real(t, most, COL(down_share)) ? r : most;
    if (real(t, most, COL(down_share)) <= 0)
        return;
    row_spec(t, most, spec, sizeof spec);
    fprintf(to, "With %s, %.1f %% of the requests go to a node that is down, as its clients have not learnt of it: none is a hit.\n", spec,
            100 * real(t, most, COL(down_share)));
}

/* A log without column= has whole lines for keys, which come once. */
static void tell_strangers(const struct study *s, const struct table *t, FILE *to)
{
    double hits = 0, requests = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        requests += (double)table_get_count(t, r, COL(requests));
        hits += real(t, r, COL(hit_ratio)) * (double)table_get_count(t, r, COL(requests));
    }
    if (hits < 0.02 * requests && !strncmp(s->workload, "file:", 5))
        fprintf(to, "Hardly a request finds its item in a cache, as if each were for another key%s.\n",
                strstr(s->workload, "column=") ? ": is it the right column=?" : ": whole lines are the keys; in a log, column= says where the key is");
}

static int closing(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    char items[24], half[32], shown[256];
    size_t last = table_rows(t) - 1;
    const char *change = "";
    for (size_t r = 0; r < table_rows(t) && !*change; r++)
        change = table_get_text(t, r, COL(change));
    const char *workload = table_get_text(t, 0, COL(workload));
    snprintf(items, sizeof items, "%" PRIu64, a->cache_items);
    snprintf(half, sizeof half, "%" PRIu64 ":+1", (table_get_count(t, 0, COL(keys)) + 1) / 2);
    if (*change && !a->per_node)
        fputs("hits: requests that a cache answers. database: queries per request, against those before the change (x 2: twice as many).\n"
              "stay: requests whose node is the same as before. recovered after: requests until hits are 95 % of those before. busiest node: over its fair share.\n", to);
    if (!a->per_node) {
        tell_dead(t, to);
        tell_strangers(s, t, to);
    }
    if (!a->per_node && a->coalesce)
        tell_spared(t, to);
    if (a->fetch)
        fprintf(to, "--fetch: the database answers %" PRIu64 " request%s later, and until then no cache does.\n", a->fetch, a->fetch == 1 ? "" : "s");
    fprintf(to, "sampled: %" PRIu64 " requests of %s, seed %" PRIu64 ";\nchance alone moves a hit ratio over 1000 requests by 3 points, over 100k by 0.3%s.\n",
            table_get_count(t, 0, COL(keys)), text_printable(workload, strlen(workload), shown, sizeof shown), a->seed,
            *change && strstr(s->workload, "path=") ? "; recorded ones come in waves: compare strategies" : "");
    if (*change)
        return suggest_row(a, to, why, "remap", t, last, s->nodes[0], "--change", change, NULL);
    return suggest_row(a, to, why, "cache", t, last, s->nodes[0], "-k", s->workload, "--cache-items", items, "--at", half, NULL);
}

int cache_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"after request", ALWAYS, .value = cell_count, .of = COL(request)},
        {"requests", ALWAYS, .value = cell_count, .of = COL(requests)},
        {"change", UNLESS_EMPTY, .cell = cell_change},
        {"nodes", ALWAYS, .value = cell_count, .of = COL(nodes_after)},
        {"hits", ALWAYS, .value = cell_percent, .of = COL(hit_ratio)},
        {"(expected)", UNLESS_EMPTY, .value = cell_percent, .of = COL(theory_hit_ratio)},
        {"database", UNLESS_EMPTY, .value = cell_times, .of = COL(database_over_before)},
        {"stay", UNLESS_EMPTY, .value = cell_percent, .of = COL(kept_share)},
        {"recovered after", UNLESS_EMPTY, .cell = cell_recovered},
        {"busiest node", ALWAYS, .value = cell_real, .of = COL(max_over_mean)},
        {"waited", UNLESS_SAME, .value = cell_count, .of = COL(coalesced)},
    };
    struct table *few = shorten(t, a->at.count > 0);
    if (!few)
        return fail(why, ENOMEM, "no memory for the table");
    answer(t, a, to);
    int e = request_words(all, sizeof all / sizeof *all, few, to, why);
    table_destroy(few);
    return e ? e : closing(a, s, t, to, why);
}

/* Of each strategy the last window. */
int cache_words_nodes(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"node", ALWAYS, .cell = cell_node},
        {"requests", ALWAYS, .value = cell_count, .of = COL(requests)},
        {"hits", ALWAYS, .value = cell_percent, .of = COL(hit_ratio)},
    };
    struct table *few = columns_table(columns_cache_nodes);
    double low = 1, high = 0;
    uint64_t end = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        end = table_get_count(t, r, COL(window)) > end ? table_get_count(t, r, COL(window)) : end;
    for (size_t r = 0; few && r < table_rows(t); r++) {
        if (table_get_count(t, r, COL(window)) != end)
            continue;
        if (copy_row(t, r, few)) {
            table_destroy(few);
            few = NULL;
            break;
        }
        if (!table_is_empty(t, r, COL(hit_ratio))) {
            low = fmin(low, real(t, r, COL(hit_ratio)));
            high = fmax(high, real(t, r, COL(hit_ratio)));
        }
    }
    if (!few)
        return fail(why, ENOMEM, "no memory for the table");
    if (low <= high)
        fprintf(to, "in the last window, the nodes' own hit ratios lie between %.1f %% and %.1f %%\n", 100 * low, 100 * high);
    else
        fputs("in the last window, no node that answers got any request\n", to);
    int e = request_words(all, sizeof all / sizeof *all, few, to, why);
    table_destroy(few);
    return e ? e : closing(a, s, t, to, why);
}
