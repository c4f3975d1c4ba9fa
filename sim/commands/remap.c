/* keysim remap: what moves when nodes change? */
#include "experiments/remap.h"

#include "commands/cells.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void cell_nodes_after(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%" PRIu64 " -> %" PRIu64, table_get_count(t, row, COL(nodes_before)), table_get_count(t, row, COL(nodes_after)));
}

static void cell_change(const struct table *t, size_t row, char text[64])
{
    const char *change = table_get_text(t, row, COL(change));
    text_printable(change, strlen(change), text, 40);
    if (table_get_count(t, row, COL(worst_victim)))
        strcat(text, " (worst)");
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"nodes", UNLESS_SAME, .cell = cell_nodes_after},
        {"change", ALWAYS, .cell = cell_change},
        {"moved", ALWAYS, .value = cell_percent, .of = COL(moved_share)},
        {"needed", ALWAYS, .value = cell_percent, .of = COL(needed_share)},
        {"(optimum)", ALWAYS, .value = cell_percent, .of = COL(optimum_share)},
        {"bystanders", ALWAYS, .value = cell_percent, .of = COL(bystander_share)},
        {"", UNLESS_SAME, .cell = cell_method},
    };
    size_t least = table_rows(t), most = least;
    char spec[512], moved[64], optimum[64];
    for (size_t r = 0; r < table_rows(t); r++) {
        double share = table_get_real(t, r, COL(moved_share));
        if (!table_is_empty(t, r, COL(worst_victim)) && !table_get_count(t, r, COL(worst_victim)))
            continue; /* of `each`, the worst victim speaks */
        least = least == table_rows(t) || share < table_get_real(t, least, COL(moved_share)) ? r : least;
        most = most == table_rows(t) || share > table_get_real(t, most, COL(moved_share)) ? r : most;
    }
    row_spec(t, least, spec, sizeof spec);
    cell_percent(t, least, COL(moved_share), moved);
    cell_percent(t, least, COL(optimum_share), optimum);
    fprintf(to, "%s of keys move under %s (an ideal balancer moves %s)", moved, spec, optimum);
    if (most != least) {
        row_spec(t, most, spec, sizeof spec);
        cell_percent(t, most, COL(moved_share), moved);
        fprintf(to, "; %s under %s", moved, spec);
    }
    fputc('\n', to);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    if (s->exact)
        fputs("exact: from the ownership maps before and after.", to);
    else
        fprintf(to, "sampled: %" PRIu64 " %s of %s, seed %" PRIu64 ".", table_get_count(t, 0, COL(keys)), table_get_text(t, 0, COL(load)),
                text_printable(s->workload, strlen(s->workload), spec, sizeof spec), a->seed);
    fputc('\n', to);
    return e ? e : suggest_row(a, to, why, "cost", t, least, s->nodes[0], NULL);
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int ways = (a->changes.count > 0) + (a->to != NULL) + (a->to_spec != NULL);
    if (ways != 1)
        return fail(why, EINVAL, "remap: what changes? give one of --change CHANGE (e.g. +1, or each), --to NODES, --to-spec SPEC");
    int e = request_open(&s, a, "remap", why);
    if (e)
        return e;
    e = remap_run(&s, &t, why);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_EXACT, FLAG_CHANGE, FLAG_TO, FLAG_TO_SPEC, '0', FLAG_PERCENT, 0};

const struct command command_remap = {
    .name = "remap",
    .summary = "what moves when nodes change",
    .usage = "-s SPEC... -n NODES... (--change CHANGE... | --to NODES | --to-spec SPEC) [-k WORKLOAD] [--exact]",
    .takes = takes,
    .run = run,
    .shared = true,
    .details = "moved: share of keys whose node changed. needed: what these two placements cannot do without. optimum: what an\n"
               "ideal balancer would move. bystanders: keys that moved between two nodes that did not change.\n"
               "Under choices a request that another copy of its key serves counts as moved, though no data moves.\n\n"
               "  keysim remap -s modulo -s ring -s slots -n 3 --change +1\n"
               "  keysim remap -s ring:vnodes=1/150 -n 10 --change each --exact\n"
               "  keysim remap -s slots:rebalance=contiguous -n 10 --to 20\n",
};
