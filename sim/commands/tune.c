/* keysim tune: how many virtual nodes, cells or slots for these nodes? */
#include "experiments/tune.h"

#include "commands/cells.h"
#include "commands/request.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What the words need beside the table. */
static struct {
    struct tune ask;
    struct tune_answer answer;
    struct table *timed; /* NULL: no --cost */
} told;

/* -- the answer -- */

static void promise(FILE *to)
{
    double bound = told.answer.target.bound;
    switch (told.answer.target.what) {
    case TARGET_MAX: fprintf(to, "no node gets more than %.4g %% above its fair share", 100 * (bound - 1)); break;
    case TARGET_MIN: fprintf(to, "no node gets less than %.4g %% of its fair share", 100 * bound); break;
    case TARGET_CV: fprintf(to, "nodes are off their fair share by at most %.4g %% (root mean square)", 100 * bound); break;
    case TARGET_SHARE: fprintf(to, "no node gets more than %.4g %% of all keys", 100 * bound); break;
    case TARGET_MOVED: fprintf(to, "one node more moves at most %.4g %% of the keys", 100 * bound); break;
    }
}

static void yours(FILE *to)
{
    double x = told.answer.yours;
    fprintf(to, "; yours: %.3g %%%s", 100 * (told.answer.target.what == TARGET_MAX ? x - 1 : x), told.answer.target.what == TARGET_MAX ? " above" : "");
}

/* "95 of 100 clusters of 10 nodes", and what they are put to. */
static void clusters(const struct study *s, FILE *to)
{
    const struct tune *ask = &told.ask;
    double percent = 100 * ask->confidence;
    bool number = strspn(s->nodes[0], "0123456789") == strlen(s->nodes[0]);
    if (percent == floor(percent))
        fprintf(to, "%.0f of 100", percent);
    else
        fprintf(to, "%.6g %% of", percent);
    fprintf(to, number ? " clusters of %s node%s" : " clusters like %s", s->nodes[0], strcmp(s->nodes[0], "1") ? "s" : "");
    if (ask->later)
        fprintf(to, " (and of %s nodes later)", ask->later);
    if (ask->survive)
        fprintf(to, " with any %" PRIu64 " of them dead", ask->survive);
    if (ask->replicas > 1)
        fprintf(to, ", %" PRIu64 " copies of each key counted", ask->replicas);
    if (ask->keys)
        fprintf(to, ", %" PRIu64 " keys on them", ask->keys);
}

static void look_up(const struct table *t, FILE *to)
{
    const char *value = table_get_text(t, told.answer.row, COL(value));
    for (size_t r = 0; told.timed && r < table_rows(told.timed); r++)
        if (!strcmp(table_get_text(told.timed, r, COL(value)), value) && !strcmp(table_get_text(told.timed, r, COL(cache)), "warm"))
            fprintf(to, ", %.3g ns a look-up", table_get_real(told.timed, r, COL(lookup_ns)));
}

static void answer_line(const struct study *s, const struct table *t, FILE *to)
{
    const struct tune_answer *a = &told.answer;
    char memory[32];
    if (a->met) {
        fprintf(to, "use %s=%" PRIu64 ": in ", a->option, a->value);
        clusters(s, to);
        fputs(", ", to);
        promise(to);
        if (!isnan(a->yours)) {
            yours(to);
            fprintf(to, "; %s", text_bytes((double)table_get_count(t, a->row, COL(memory_bytes)), memory));
        }
        look_up(t, to);
    } else {
        fprintf(to, "no %s from %" PRIu64 " to %" PRIu64 " is enough that in ", a->option, a->first, a->tried);
        clusters(s, to);
        fputs(", ", to);
        promise(to);
        fprintf(to, "; the best found is %" PRIu64, a->value);
    }
    fputc('\n', to);
}

/* -- the table -- */

static void cell_value(const struct table *t, size_t row, char text[64])
{
    snprintf(text, 64, "%s", table_get_text(t, row, COL(value)));
}

static void cell_bytes(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(memory_bytes)))
        strcpy(text, "-");
    else
        text_bytes((double)table_get_count(t, row, COL(memory_bytes)), text);
}

static void cell_receivers(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(receivers)))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.1f", table_get_real(t, row, COL(receivers)));
}

static void cell_note(const struct table *t, size_t row, char text[64])
{
    const struct tune_answer *a = &told.answer;
    const char *value = table_get_text(t, row, COL(value));
    uint64_t v = 0;
    text_count(value, strlen(value), &v);
    if (!a->met)
        strcpy(text, v == a->value ? "the best found" : "");
    else if (v == a->value)
        strcpy(text, a->method != TUNE_FIXED ? "<- smallest that holds" : a->lasting ? "<- holds from here on" : "<- holds; larger ones may not");
    else if (a->method == TUNE_FIXED && a->target.what == TARGET_MAX && table_get_real(t, row, COL(max_over_mean)) > a->target.bound * (1 + 1e-12))
        strcpy(text, "misses the target"); /* by its own figure: shares rise and fall with every remainder */
    else if (a->method == TUNE_FIXED && a->target.what == TARGET_MAX && v < a->value)
        strcpy(text, told.ask.later ? "not for good" : "holds, but not for good");
    else
        strcpy(text, v > a->value ? "no need" : "misses the target");
}

static int table_words(const struct table *t, FILE *to, char why[WHY])
{
    const char *worse[] = {"1 in 20 worse than", "1 in 100 worse than"};
    bool rare = told.ask.confidence > 0.985, copies = told.ask.survive || told.ask.replicas > 1;
    const struct words_column all[] = {
        {told.answer.option, ALWAYS, .cell = cell_value},
        {"typical", ALWAYS, .value = cell_real, .of = COL(max_over_mean_q50)},
        {worse[rare], ALWAYS, .value = cell_real, .of = rare ? COL(max_over_mean_q99) : COL(max_over_mean_q95)},
        {"mean", ALWAYS, .value = cell_real, .of = COL(max_over_mean)},
        {"(expected)", UNLESS_EMPTY, .value = cell_real, .of = COL(theory_max_over_mean)},
        {"yours", ALWAYS, .value = cell_real, .of = COL(yours_max_over_mean)},
        {"cv", ALWAYS, .value = cell_real, .of = COL(cv)},
        {"(theory)", UNLESS_EMPTY, .value = cell_real, .of = COL(theory_cv)},
        {"memory", ALWAYS, .cell = cell_bytes},
        {"receivers", UNLESS_EMPTY, .cell = cell_receivers},
        {"", ALWAYS, .cell = cell_note},
    };
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    fprintf(to, "typical to yours: load of the fullest node over its fair share%s. receivers: nodes that share the keys of one that leaves.\n",
            copies ? told.ask.survive ? ", at the worst death" : ", copies counted" : "");
    return e;
}

/* -- why these numbers -- */

static void method_line(const struct table *t, uint64_t seed, FILE *to)
{
    uint64_t n = 0, least = UINT64_MAX; /* placements: fewer where they are large */
    for (size_t r = 0; r < table_rows(t); r++) {
        uint64_t here = table_get_count(t, r, COL(placements));
        n = here > n ? here : n;
        least = here < least ? here : least;
    }
    switch (told.answer.method) {
    case TUNE_EXACT: fprintf(to, "exact: the law of random points; typical and mean from %" PRIu64 " drawn rings, seed %" PRIu64 ".\n", n, seed); break;
    case TUNE_DRAWN: fprintf(to, "drawn: %" PRIu64 " rings of random points, seed %" PRIu64 "; the same ones for every row.\n", n, seed); break;
    case TUNE_FIXED: fputs("exact: the rule fixes the shares, whatever the names.\n", to); break;
    case TUNE_PLACED:
        fprintf(to, "sampled: %s%" PRIu64 " clusters with names drawn anew, seed %" PRIu64 "; the same ones for every row.\n", least < n ? "up to " : "", n, seed);
        break;
    }
}

static void names_line(FILE *to)
{
    const struct tune_answer *a = &told.answer;
    if (!a->met || a->method == TUNE_FIXED)
        return;
    if (a->names_from && a->names_from < a->value)
        fprintf(to, "Your present names happen to pass from %" PRIu64 " on; a new name may not.\n", a->names_from);
    else if (!a->names_from && !isnan(a->yours) && !a->names_pass)
        fprintf(to, "Your present names are among the few that do not pass: keysim names shows whether their hash is to blame.\n");
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    const struct tune_answer *answer = &told.answer;
    answer_line(s, t, to);
    int e = table_words(t, to, why);
    names_line(to);
    if (answer->met && answer->worst_nodes)
        fprintf(to, "The size that needs most has %" PRIu32 " nodes; the rows are about %s.\n", answer->worst_nodes, s->nodes[0]);
    if (answer->unopened)
        fprintf(to, "The names given were not placed in %zu rows: too many points in all.\n", answer->unopened);
    method_line(t, a->seed, to);
    fprintf(to, "Next: keysim balance -s %s -n %s --exact --placements 100\n", answer->spec, s->nodes[0]);
    return e;
}

/* -- the command -- */

/* A ring, unless -s or a real configuration says what. */
static int default_strategy(struct args *a, char why[WHY])
{
    static char ring[] = "ring";
    const char *spec = NULL, *warning;
    if (a->specs.count)
        return 0;
    if (a->nodes.count && *a->nodes.item[0] == '@') {
        struct registry *r = registry_create();
        int e = r ? cluster_import(r, a->nodes.item[0], &spec, &warning, why) : fail(why, ENOMEM, "no memory");
        bool brought = spec != NULL;
        registry_destroy(r);
        if (e || brought)
            return e;
    }
    return texts_add(&a->specs, ring, why);
}

static int read_ask(const struct args *a, char why[WHY])
{
    told.ask = (struct tune){.target = a->target, .confidence = a->confidence, .later = a->nodes_later, .survive = a->survive,
                             .replicas = a->replicas, .placements = a->placements > 1 ? a->placements : 0};
    if (!a->target)
        return fail(why, EINVAL, "tune: what must hold? e.g. --target 'max/mean<=1.10': no node more than 10 %% above its fair share");
    if (a->workload && (text_count(a->workload, strlen(a->workload), &told.ask.keys) || told.ask.keys == 0 || told.ask.keys > 1000000000000000))
        return fail(why, EINVAL, "tune: -k '%s': must be how many keys there are, 1 to 1000000000000000, like 10M; left out: shares alone count", a->workload);
    return 0;
}

static int write_cost(const struct args *a, const struct study *s, const struct table *t, char why[WHY])
{
    struct output out;
    int e = tune_cost(s, &told.answer, t, &told.timed, why);
    if (!e)
        e = output_open(&out, a->cost, why);
    if (e)
        return e;
    table_write_csv(told.timed, out.file);
    return output_close(&out, why);
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    told.timed = NULL;
    int e = read_ask(a, why);
    if (!e)
        e = default_strategy(a, why);
    if (!e)
        e = request_open(&s, a, "tune", why);
    if (e)
        return e;
    if (s.sizes != 1)
        e = fail(why, EINVAL, "tune: one cluster is wanted, and -n names %zu; sizes to come go to --nodes-later", s.sizes);
    if (!e)
        e = tune_run(&s, &told.ask, &t, &told.answer, why);
    if (!e && a->cost)
        e = write_cost(a, &s, t, why);
    if (!e && a->verbose)
        method_line(t, a->seed, stderr);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(told.timed);
    table_destroy(t);
    request_close(&s);
    return e ? e : !told.answer.met;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_TARGET, FLAG_CONFIDENCE, FLAG_NODES_LATER, FLAG_SURVIVE, FLAG_REPLICAS, FLAG_PLACEMENTS, FLAG_COST,
                            FLAG_PERCENT, 0};

const struct command command_tune = {
    .name = "tune",
    .summary = "how many virtual nodes, cells or slots a target needs",
    .usage = "-n NODES [-s SPEC] --target TARGET [--confidence P] [--nodes-later NODES] [--survive K] [--replicas R] [-k KEYS] [--cost FILE]",
    .takes = takes,
    .run = run,
    .details = "Names of nodes are one throw of the dice: the answer is the smallest value that holds in 95 of 100 clusters of such nodes\n"
               "(--confidence), with what your own names give beside it. What is tuned is the option that is swept, which also says where to look;\n"
               "else the number that the strategy's shares depend on: ring's vnodes (the default), maglev's table, slots' count ...\n"
               "A ring of random points is answered exactly; weak hashes, narrow rings, tables and real systems by placements with drawn names.\n"
               "-k takes how many keys there are: few keys are uneven on any placement. With --survive and --replicas the figures are\n"
               "those of the worst death, and of all copies. --cost writes times of each row to a file. Exit status 1: no value is enough.\n\n"
               "  keysim tune -n 10 --target 'max/mean<=1.10'\n"
               "  keysim tune -s maglev -n 100 --target 'max/mean<=1.01' --nodes-later 100..120\n"
               "  keysim tune -s ring:vnodes=1..4096x2 -n a=1,b=2,c=2 --target 'cv<=0.05' --confidence 0.99 --format csv\n",
};
