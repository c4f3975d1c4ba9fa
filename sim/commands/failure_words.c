#include "commands/failure_words.h"

#include "commands/cells.h"
#include "commands/suggest.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void failure_bears(const struct table *t, size_t row, FILE *to)
{
    char text[32];
    fprintf(to, "%s times its %s", text_number(table_get_real(t, row, COL(capacity)), text),
            strcmp(table_get_text(t, row, COL(capacity_of)), "own") ? "fair share" : "usual load");
}

int failure_again(const struct args *a, const struct study *s, const struct table *t, size_t row, FILE *to, char why[WHY], const char *flag, const char *value, const char *last)
{
    char capacity[32], copies[24];
    const char *word[10];
    size_t n = 0;
    if (!strcmp(table_get_text(t, row, COL(capacity_of)), "own")) {
        word[n++] = "--capacity-of";
        word[n++] = "own";
    }
    if (a->replicas) {
        snprintf(copies, sizeof copies, "%" PRIu64, a->replicas);
        word[n++] = "--replicas";
        word[n++] = copies;
    }
    if (!table_is_empty(t, row, COL(keys)) && a->workload) {
        word[n++] = "-k";
        word[n++] = a->workload;
    }
    word[n++] = flag;
    word[n++] = value;
    word[n++] = last;
    word[n] = NULL; /* an argument behind the first NULL is not looked at */
    for (size_t i = n; i < sizeof word / sizeof *word; i++)
        word[i] = NULL;
    return suggest_row(a, to, why, "failure", t, row, s->nodes[0], "--capacity", text_number(table_get_real(t, row, COL(capacity)), capacity), word[0], word[1],
                word[2], word[3], word[4], word[5], word[6], word[7], word[8], NULL);
}

/* "with ring:vnodes=150, nobody else fails in 60 of 100 cases, and all fail in 15 of 100 cases" */
static void outcome(const struct table *t, size_t row, bool nodes, bool capacity, FILE *to)
{
    char spec[512], text[64];
    uint64_t cases = table_get_count(t, row, COL(cascades));
    double stable = table_get_real(t, row, COL(stable_chance)), down = table_get_real(t, row, COL(collapse_chance));
    row_spec(t, row, spec, sizeof spec);
    fprintf(to, "with %s", spec);
    if (nodes)
        fprintf(to, " on %" PRIu64 " nodes", table_get_count(t, row, COL(nodes)));
    if (capacity) {
        fputs(" where each bears ", to);
        failure_bears(t, row, to);
    }
    if (down >= 1)
        fputs(", the whole cluster goes down", to);
    else if (stable <= 0)
        fputs(", others fail too", to);
    else
        fprintf(to, ", nobody else fails%s%s", stable < 1 ? " " : "", stable < 1 ? text_often_of(stable, cases, text) : "");
    if (down > 0 && down < 1)
        fprintf(to, ", and all fail %s", text_often_of(down, cases, text));
    if (down < 1 && table_get_real(t, row, COL(lost_share)) > down + 1e-3) /* what goes down takes its load along */
        fprintf(to, " (on average %.3g %% of the load is lost)", 100 * table_get_real(t, row, COL(lost_share)));
}

/* Whether two rows read the same. */
static bool alike(const struct table *t, const struct column *of, size_t a, size_t b)
{
    return of->type == COLUMN_COUNT ? table_get_count(t, a, of) == table_get_count(t, b, of)
                                    : !(table_get_real(t, a, of) < table_get_real(t, b, of)) && !(table_get_real(t, a, of) > table_get_real(t, b, of));
}

static bool same(const struct table *t, const struct column *of)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (!alike(t, of, 0, r))
            return false;
    return true;
}

/* Fewer left, then more often a further failure. */
static bool worse(const struct table *t, size_t a, size_t b)
{
    double x = table_get_real(t, a, COL(collapse_chance)), y = table_get_real(t, b, COL(collapse_chance));
    if (x > y || x < y)
        return x > y;
    x = table_get_real(t, a, COL(stable_chance)) - table_get_real(t, a, COL(lost_share));
    y = table_get_real(t, b, COL(stable_chance)) - table_get_real(t, b, COL(lost_share));
    return x < y;
}

/* The best and the worst row; with several strategies or clusters, at the one capacity where they differ most. */
static void extremes(const struct table *t, bool several, size_t *best, size_t *worst)
{
    double most = -1;
    for (size_t at = 0; at < table_rows(t); at++) {
        size_t good = at, bad = at;
        for (size_t r = 0; r < table_rows(t); r++) {
            if (several && !alike(t, COL(capacity), at, r))
                continue;
            good = worse(t, good, r) ? r : good;
            bad = worse(t, r, bad) ? r : bad;
        }
        double apart = table_get_real(t, bad, COL(collapse_chance)) - table_get_real(t, good, COL(collapse_chance));
        if (apart <= most)
            continue;
        most = apart;
        *best = good;
        *worst = bad;
    }
}

/* The victim by its name, if --kill gives one. */
static bool named_victim(const struct table *t, const struct args *a, char *name, size_t size)
{
    bool named = a->kill && table_get_count(t, 0, COL(failed)) == 1 && table_get_count(t, 0, COL(cascades)) == table_get_count(t, 0, COL(placements));
    text_printable(named ? a->kill : "one", named ? strlen(a->kill) : 3, name, size);
    return named;
}

/* Rounded up, for it has to suffice. */
static const char *needed_text(const struct table *t, size_t row, char text[32])
{
    if (table_is_empty(t, row, COL(needed_capacity)))
        return strcpy(text, "-");
    snprintf(text, 32, "%.2f", ceil(100 * table_get_real(t, row, COL(needed_capacity)) - 1e-6) / 100);
    return text;
}

/* More before less; none that is enough before all. */
static bool needs_more(const struct table *t, size_t a, size_t b)
{
    bool never = table_is_empty(t, a, COL(needed_capacity)), neither = table_is_empty(t, b, COL(needed_capacity));
    return never || neither ? never && !neither : table_get_real(t, a, COL(needed_capacity)) > table_get_real(t, b, COL(needed_capacity));
}

static void needs_one(const struct table *t, size_t row, bool sizes, bool first, FILE *to)
{
    char spec[512], text[32];
    row_spec(t, row, spec, sizeof spec);
    fputs(first ? " " : ", ", to);
    if (table_is_empty(t, row, COL(needed_capacity)))
        fputs("more than any number of times", to);
    else
        fprintf(to, first ? "%s times" : "%s", needed_text(t, row, text));
    if (first)
        fprintf(to, " their %s", strcmp(table_get_text(t, row, COL(capacity_of)), "own") ? "fair share" : "usual load");
    fprintf(to, " with %s", spec);
    if (sizes)
        fprintf(to, " on %" PRIu64 " nodes", table_get_count(t, row, COL(nodes)));
}

/* "nodes must bear 2.64 times their fair share with ring:vnodes=10, 1.34 with ring:vnodes=150"; of many only the least and the most. */
static void needs(const struct table *t, const struct args *a, bool sizes, FILE *to)
{
    char name[256];
    size_t least = 0, most = 0, rows = 0, told = 0;
    uint64_t clusters = table_get_count(t, 0, COL(placements)), fail = table_get_count(t, 0, COL(failed));
    bool sampled = false;
    for (size_t r = 0; r < table_rows(t); r++) {
        rows += alike(t, COL(capacity), 0, r);
        most = needs_more(t, r, most) ? r : most;
        least = needs_more(t, least, r) ? r : least;
        sampled |= !table_is_empty(t, r, COL(collapse_chance_low));
    }
    if (named_victim(t, a, name, sizeof name))
        fprintf(to, "For no other node to fail when %s dies,", name);
    else if (fail == 1)
        fputs("For no other node to fail, whichever dies first,", to);
    else
        fprintf(to, "For no other node to fail, whichever %" PRIu64 " die first,", fail);
    fputs(" nodes must bear", to);
    for (size_t r = 0; r < table_rows(t) && rows <= 4; r++)
        if (alike(t, COL(capacity), 0, r))
            needs_one(t, r, sizes, !told++, to);
    if (rows > 4)
        needs_one(t, least, sizes, true, to);
    if (rows > 4 && most != least)
        needs_one(t, most, sizes, false, to);
    if (clusters > 1)
        fprintf(to, "\n(that is enough in %" PRIu64 " of %" PRIu64 " clusters)", (95 * clusters + 99) / 100, clusters);
    fputs(sampled ? ", as far as was looked at.\n" : ".\n", to);
}

static void answer(const struct table *t, const struct args *a, bool several, size_t *worst, FILE *to)
{
    char name[256];
    size_t best = 0;
    uint64_t fail = table_get_count(t, 0, COL(failed));
    extremes(t, several, &best, worst);
    bool named = named_victim(t, a, name, sizeof name), swept = !same(t, COL(capacity));
    bool nodes = same(t, COL(nodes)), capacity = alike(t, COL(capacity), best, *worst);
    if (fail == 1)
        fprintf(to, "If %s", name);
    else
        fprintf(to, "If %" PRIu64, fail);
    if (nodes)
        fprintf(to, " of %" PRIu64 " nodes", table_get_count(t, 0, COL(nodes)));
    else if (!named)
        fprintf(to, " node%s", fail == 1 ? "" : "s");
    fprintf(to, " %s", fail == 1 ? "dies" : "die at once");
    if (capacity) {
        fputs(" and each other bears ", to);
        failure_bears(t, best, to);
        fputs(!a->capacity ? " (the default)" : swept ? ", where these differ most" : "", to);
    }
    fputs(": ", to);
    outcome(t, best, !nodes, !capacity, to);
    if (worse(t, *worst, best)) {
        fputs(";\n", to);
        outcome(t, *worst, !nodes, !capacity, to);
    } else if (table_rows(t) > 1) {
        fputs(", as in all rows", to);
    }
    fputs(".\n", to);
}

static void cell_capacity(const struct table *t, size_t row, char text[64])
{
    text_number(table_get_real(t, row, COL(capacity)), text);
}

static void cell_needs(const struct table *t, size_t row, char text[64])
{
    needed_text(t, row, text);
}

static void cell_sure(const struct table *t, size_t row, char text[64])
{
    if (table_is_empty(t, row, COL(collapse_chance_low)))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.4g .. %.4g %%", 100 * table_get_real(t, row, COL(collapse_chance_low)), 100 * table_get_real(t, row, COL(collapse_chance_high)));
}

static void cell_few(const struct table *t, size_t row, const struct column *c, char text[64])
{
    if (table_is_empty(t, row, c))
        strcpy(text, "-");
    else
        snprintf(text, 64, "%.2f", table_get_real(t, row, c));
}

/* A victim for the next command, if a shell takes its name as it is: the one given, or the first node; else *victim is NULL, as it is where a file of
 * nodes cannot be read again. 0 or -ENOMEM. */
static int plain_victim(const struct args *a, const struct study *s, const char *strategy, const char **victim, char why[WHY])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
    const struct cluster *c;
    int e = cluster_read(s->registry, s->nodes[0], catalog_find(strategy)->addresses, &c, why);
    *victim = NULL;
    if (e)
        return e == -ENOMEM ? e : 0;
    const char *name = a->kill && cluster_by_name(c, a->kill) ? a->kill : c->node[0].name;
    if (name[0] != '-' && !name[strspn(name, plain)])
        *victim = name;
    return 0;
}

static int closing(const struct table *t, const struct args *a, const struct study *s, size_t row, FILE *to, char why[WHY])
{
    char text[32];
    uint64_t cascades = table_get_count(t, row, COL(cascades)) / s->placements, fail = table_get_count(t, row, COL(failed));
    bool own = !strcmp(table_get_text(t, row, COL(capacity_of)), "own");
    const char *victim;
    int e = plain_victim(a, s, table_get_text(t, row, COL(strategy)), &victim, why);
    if (e)
        return e;
    uint64_t nodes = table_get_count(t, row, COL(nodes));
    fprintf(to, "fair share: what even dealing, by weight, gives a node before anything fails (dealt evenly, %" PRIu64 " equal nodes have %.2f of it\n"
                "after that). needs: the least that nodes must bear for no other to fail. over before: nodes that have too much before anything fails\n"
                "(%s). peak: the largest load that a living node saw, over its fair share.\n"
                "receivers: nodes that get load of the first dead; worst gain: the most that one of them gets, over the average load.\n",
            nodes - fail, (double)nodes / (double)(nodes - fail), own ? "none: it is their own load that counts" : "they fail with the first step");
    fprintf(to, "%s: %s%s%" PRIu64 " first death%s", table_get_text(t, row, COL(method)), table_get_count(t, row, COL(cascades)) > 1 ? "means over " : "",
            table_is_empty(t, row, COL(collapse_chance_low)) && cascades > 1 ? "all " : "", cascades, cascades == 1 ? "" : "s");
    if (fail > 1)
        fprintf(to, " of %" PRIu64 " nodes", fail);
    if (s->placements > 1)
        fprintf(to, " in each of %" PRIu64 " placements", s->placements);
    if (!table_is_empty(t, row, COL(keys)))
        fprintf(to, ", loads counted from %s keys", text_short((double)table_get_count(t, row, COL(keys)), text));
    if (s->placements > 1 || !strcmp(table_get_text(t, row, COL(method)), "sampled"))
        fprintf(to, ", seed %" PRIu64, s->seed);
    fputs(".\n", to);
    return victim ? failure_again(a, s, t, row, to, why, "--kill", victim, "--per-node") : failure_again(a, s, t, row, to, why, "--trials", "100", NULL);
}

int failure_words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const struct words_column all[] = {
        {"strategy", ALWAYS, .cell = cell_spec},
        {"nodes", UNLESS_SAME, .cell = cell_nodes},
        {"method", UNLESS_SAME, .cell = cell_method},
        {"bears", UNLESS_SAME, .cell = cell_capacity},
        {"needs", ALWAYS, .cell = cell_needs},
        {"over before", ALWAYS, .value = cell_few, .of = COL(over_before)},
        {"nobody else fails", ALWAYS, .value = cell_percent, .of = COL(stable_chance)},
        {"all fail", ALWAYS, .value = cell_percent, .of = COL(collapse_chance)},
        {"95 % sure", UNLESS_EMPTY, .cell = cell_sure},
        {"left", ALWAYS, .value = cell_few, .of = COL(survivors)},
        {"steps", ALWAYS, .value = cell_few, .of = COL(steps)},
        {"peak", ALWAYS, .value = cell_few, .of = COL(peak_over_fair)},
        {"load lost", ALWAYS, .value = cell_percent, .of = COL(lost_share)},
        {"receivers", ALWAYS, .value = cell_few, .of = COL(receivers)},
        {"(expected)", UNLESS_EMPTY, .value = cell_few, .of = COL(theory_receivers)},
        {"worst gain", ALWAYS, .value = cell_percent, .of = COL(worst_gain)},
    };
    size_t worst;
    bool swept = !same(t, COL(capacity)); /* then it is the question what they should be */
    if (swept)
        needs(t, a, s->sizes > 1, to);
    answer(t, a, s->specs * s->sizes > 1, &worst, to);
    if (!swept)
        needs(t, a, s->sizes > 1, to);
    int e = request_words(all, sizeof all / sizeof *all, t, to, why);
    return e ? e : closing(t, a, s, worst, to, why);
}
