/* keysim availability: copies on several nodes, and several nodes failing at once. */
#include "experiments/availability.h"

#include "commands/cells.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/text.h"
#include "metrics/availability.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { REPLICAS_DEFAULT = 3, FAIL_DEFAULT = 2 };

/* The strategy of a row, and its nodes where there are several sizes. */
static void name_row(const struct table *t, size_t row, bool sizes, FILE *to)
{
    char spec[512];
    row_spec(t, row, spec, sizeof spec);
    fputs(spec, to);
    if (sizes)
        fprintf(to, " on %" PRIu64 " nodes", table_get_count(t, row, COL(nodes)));
}

static double real(const struct table *t, size_t row, const struct column *c)
{
    return table_get_real(t, row, c);
}

/* The rows with the most and the least of a column. */
static void extremes(const struct table *t, const struct column *c, size_t *most, size_t *least)
{
    *most = *least = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        *most = real(t, r, c) > real(t, *most, c) ? r : *most;
        *least = real(t, r, c) < real(t, *least, c) ? r : *least;
    }
}

static const char *often(const struct table *t, size_t row, const struct column *chance, char text[64])
{
    return text_often_of(real(t, row, chance), table_get_count(t, row, COL(subsets)), text);
}

/* Keys without any copy: none where fewer nodes fail than there are copies. */
static void answer_lost(const struct table *t, bool sizes, FILE *to)
{
    size_t most, least;
    char text[64];
    uint64_t copies = table_get_count(t, 0, COL(replicas)), fail = table_get_count(t, 0, COL(failed));
    extremes(t, COL(lost_chance), &most, &least);
    if (fail < copies)
        fprintf(to, "No key is lost: of its %" PRIu64 " copies at least %" PRIu64 " live%s.\n", copies, copies - fail, copies - fail == 1 ? "s" : "");
    else if (real(t, most, COL(lost_chance)) <= 0)
        fputs("No key lost all its copies in any of them.\n", to);
    else {
        fprintf(to, "Some keys lose all their copies %s", often(t, most, COL(lost_chance), text));
        if (table_rows(t) > 1) {
            fputs(real(t, least, COL(lost_chance)) < real(t, most, COL(lost_chance)) ? " with " : " at most", to);
            if (real(t, least, COL(lost_chance)) < real(t, most, COL(lost_chance)))
                name_row(t, most, sizes, to);
        }
        fputs(".\n", to);
    }
}

static void answer(const struct table *t, bool sizes, FILE *to)
{
    size_t most, least;
    char text[64];
    uint64_t copies = table_get_count(t, 0, COL(replicas)), fail = table_get_count(t, 0, COL(failed));
    extremes(t, COL(quorum_chance), &most, &least);
    bool differ = real(t, least, COL(quorum_chance)) < real(t, most, COL(quorum_chance));
    fputs("with ", to);
    if (differ || table_rows(t) == 1)
        name_row(t, most, sizes, to);
    else
        fputs("each of these", to);
    if (fail == 1)
        fputs(", a node that fails costs", to);
    else
        fprintf(to, ", %" PRIu64 " nodes that fail at once cost", fail);
    fprintf(to, " some keys their quorum (%" PRIu64 " of %" PRIu64 " copies) %s", copies / 2 + 1, copies,
            often(t, most, COL(quorum_chance), text));
    if (differ) {
        fputs("; with ", to);
        name_row(t, least, sizes, to);
        fprintf(to, ", %s", often(t, least, COL(quorum_chance), text));
    }
    fputs(".\n", to);
    answer_lost(t, sizes, to);
}

static void interval(const struct table *t, size_t row, const struct column *low, const struct column *high, char text[64])
{
    if (table_is_empty(t, row, low))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.3g .. %.3g %%", 100 * table_get_real(t, row, low), 100 * table_get_real(t, row, high));
}

static void cell_quorum_interval(const struct table *t, size_t row, char text[64])
{
    interval(t, row, COL(quorum_chance_low), COL(quorum_chance_high), text);
}

static void cell_lost_interval(const struct table *t, size_t row, char text[64])
{
    interval(t, row, COL(lost_chance_low), COL(lost_chance_high), text);
}

static void cell_lost(const struct table *t, size_t row, char text[64])
{
    if (table_get_count(t, row, COL(failed)) < table_get_count(t, row, COL(replicas)))
        strcpy(text, "-");
    else
        cell_percent(t, row, COL(lost_chance), text);
}

static void cell_sets(const struct table *t, size_t row, char text[64])
{
    text_short(table_get_real(t, row, COL(copysets)), text);
}

/* Whether more sets made outages more frequent and smaller here. */
static bool sets_tell(const struct table *t)
{
    size_t most, least;
    extremes(t, COL(copysets), &most, &least);
    return real(t, most, COL(copysets)) > 1.5 * real(t, least, COL(copysets)) &&
           real(t, most, COL(quorum_chance)) > 1.2 * real(t, least, COL(quorum_chance)) &&
           real(t, most, COL(worst_quorum_share)) < real(t, least, COL(worst_quorum_share));
}

/* Whether nodes name their racks. */
static bool has_racks(const struct study *s)
{
    char why[WHY];
    const struct cluster *c;
    size_t len;
    return !study_cluster(s, 0, 0, &c, why) && node_attribute(&c->node[0], "rack", &len);
}

static int closing(const struct args *a, const struct table *t, const struct study *s, FILE *to, char why[WHY])
{
    bool exact = !strcmp(table_get_text(t, 0, COL(method)), "exact");
    uint64_t racks = 0, fail = table_get_count(t, 0, COL(failed));
    size_t by_racks = 0;
    for (size_t r = 0; r < table_rows(t); r++)
        if (!table_is_empty(t, r, COL(racks))) {
            racks = table_get_count(t, r, COL(racks));
            by_racks++;
        }
    fputs("neighbours: others with which a node shares some key. sets: different sets of nodes that hold all copies of some key.\n"
          "worst hit: the share of the keys without a quorum in the worst such failure.\n", to);
    if (s->sizes == 1)
        fprintf(to, "On average %.3g %% of the keys are without a quorum then (expected: %.3g %%), whatever the strategy%s.\n",
                100 * real(t, 0, COL(quorum_share)), 100 * real(t, 0, COL(theory_quorum_share)),
                sets_tell(t) ? ":\nmore sets make outages more frequent and smaller" : "");
    fprintf(to, "%s: ", exact ? "exact" : "sampled");
    if (s->sizes == 1)
        fprintf(to, "%s%" PRIu64 " failures of %" PRIu64 " node%s", exact ? "all " : "", table_get_count(t, 0, COL(subsets)) / s->placements, fail, fail == 1 ? "" : "s");
    else
        fprintf(to, "%s", exact ? "all failures" : "random failures");
    if (s->placements > 1)
        fprintf(to, " in each of %" PRIu64 " placements", s->placements);
    if (s->placements > 1 || !exact)
        fprintf(to, ", seed %" PRIu64, s->seed);
    if (racks)
        fprintf(to, "; no two copies of a key on one of the %" PRIu64 " racks", racks);
    if (by_racks < table_rows(t) && has_racks(s))
        fprintf(to, "%s real systems go by their own rule", racks ? ", but" : "; racks:");
    fputs(".\n", to);
    return suggest_row(a, to, why, "balance", t, table_rows(t) - 1, s->nodes[0], "--exact", NULL);
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"nodes", UNLESS_SAME, .cell = cell_nodes},
        {"neighbours", ALWAYS, .value = cell_real, .of = COL(neighbours)},
        {"(expected)", UNLESS_EMPTY, .value = cell_real, .of = COL(theory_neighbours)},
        {"sets", ALWAYS, .cell = cell_sets},
        {"no quorum", ALWAYS, .value = cell_percent, .of = COL(quorum_chance)},
        {"(expected)", UNLESS_EMPTY, .value = cell_percent, .of = COL(theory_quorum_chance)},
        {"95 % sure", UNLESS_EMPTY, .cell = cell_quorum_interval},
        {"keys lost", UNLESS_EMPTY, .cell = cell_lost},
        {"95 % sure", UNLESS_EMPTY, .cell = cell_lost_interval},
        {"keys hit", UNLESS_SAME, .value = cell_percent, .of = COL(quorum_share)},
        {"worst hit", ALWAYS, .value = cell_percent, .of = COL(worst_quorum_share)},
    };
    answer(t, s->sizes > 1, to);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    return e ? e : closing(a, t, s, to, why);
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int e = request_open(&s, a, "availability", why);
    if (e)
        return e;
    e = availability_run(&s, a->replicas ? (uint32_t)a->replicas : REPLICAS_DEFAULT, a->fail ? (uint32_t)a->fail : FAIL_DEFAULT, &t, why);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'H', FLAG_REPLICAS, FLAG_FAIL, FLAG_PLACEMENTS, FLAG_PERCENT, 0};

const struct command command_availability = {
    .name = "availability",
    .summary = "what is lost when several nodes fail at once",
    .usage = "-s SPEC... -n NODES... [--replicas R] [--fail K] [--placements P]",
    .takes = takes,
    .run = run,
    .details = "Each key has R copies (default 3) on different nodes, and on different racks where the nodes have rack=; K nodes (default 2) fail\n"
               "at once. A key keeps its quorum while more than half of its copies live.\n\n"
               "  neighbours  with how many others a node shares some key\n"
               "  sets        different sets of nodes that hold all copies of some key\n"
               "  no quorum   how often such a failure leaves some key without a quorum\n"
               "  keys lost   how often it leaves some key without any copy\n"
               "  worst hit   the share of the keys without a quorum in the worst failure\n\n"
               "More virtual nodes spread load better, and make it likelier that some key is hit; how much is hit on average they do not change.\n"
               "All sets of K nodes are looked at where they are few enough, else a sample, with its confidence interval.\n\n"
               "  keysim availability -s ring:vnodes=1/4/16/256 -n 60\n"
               "  keysim availability -s ring:vnodes=4/256 -n @data/clusters/racks.txt --placements 20\n"
               "  keysim availability -s cassandra:num_tokens=16 -s slots -n 30 --replicas 5 --fail 3\n",
};
