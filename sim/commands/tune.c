/* keysim tune: how many virtual nodes, cells or slots for these nodes? */
#include "commands/tune_words.h"

#include "base/ranks.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

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

/* How many keys: a number, or a workload of distinct keys. */
static int read_keys(const char *text, uint64_t seed, uint64_t *keys, char why[WHY])
{
    const uint64_t most = 1000000000000000;
    bool number = text_count(text, strlen(text), keys) == 0, alike = true;
    struct workload *w = NULL;
    int e = number || strspn(text, "-.0123456789") ? 0 : workload_open_text(&w, text, seed, why);
    if (e)
        return e;
    if (w) {
        *keys = workload_requests(w);
        alike = !strcmp(workload_load(w), "keys");
        number = *keys > 0;
        workload_close(w);
    }
    if (number && !alike)
        return fail(why, EINVAL, "tune: -k '%s': keys are drawn alike here, none more popular: say how many there are, like user:count=10M; "
                                 "keysim balance measures popular ones", text);
    if (!number || *keys == 0 || *keys > most)
        return fail(why, EINVAL, "tune: -k '%s': must be how many keys there are, 1 to %" PRIu64 ", like 10M or user:count=10M; left out: shares alone count", text, most);
    return 0;
}

static int read_ask(const struct args *a, char why[WHY])
{
    tune_told.ask = (struct tune){.target = (const char *const *)a->targets.item, .targets = a->targets.count, .confidence = a->confidence, .later = a->nodes_later,
                             .survive = a->survive, .replicas = a->replicas, .placements = a->placements > 1 ? a->placements : 0};
    if (!a->targets.count)
        return fail(why, EINVAL, "tune: what must hold? e.g. --target 'max/mean<=1.10': no node more than 10 %% above its fair share");
    return a->workload ? read_keys(a->workload, a->seed, &tune_told.ask.keys, why) : 0;
}

/* The table; and times, by the first process, whose file is opened first: it would be a pity to find out last that it cannot be. */
static int answer_all(const struct args *a, const struct study *s, struct table **t, char why[WHY])
{
    struct output cost;
    bool timed = a->cost && ranks_own() == 0;
    int e = timed ? output_open(&cost, a->cost, why) : 0;
    if (e)
        return e;
    e = tune_run(s, &tune_told.ask, t, &tune_told.answer, why);
    if (!timed)
        return e;
    if (!e)
        e = tune_cost(s, &tune_told.answer, *t, &tune_told.timed, why);
    if (e) {
        output_abandon(&cost);
        return e;
    }
    if (tune_told.timed)
        table_write_csv(tune_told.timed, cost.file);
    return output_close(&cost, why);
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    tune_told.timed = NULL;
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
        e = answer_all(a, &s, &t, why);
    if (!e && a->verbose)
        tune_method_line(t, a->seed, stderr);
    if (!e)
        e = request_write(a, &s, t, tune_words, why);
    if (!e && !tune_told.answer.met && args_format(a) != FORMAT_TABLE)
        warn(a, "tune: no %s from %" PRIu64 " to %" PRIu64 " meets --target '%s'; the best found is %" PRIu64, tune_told.answer.option, tune_told.answer.first,
             tune_told.answer.tried, a->targets.item[tune_told.answer.binding], tune_told.answer.value);
    table_destroy(tune_told.timed);
    table_destroy(t);
    request_close(&s);
    return e ? e : !tune_told.answer.met;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_TARGET, FLAG_CONFIDENCE, FLAG_NODES_LATER, FLAG_SURVIVE, FLAG_REPLICAS, FLAG_PLACEMENTS, FLAG_COST,
                            FLAG_PERCENT, 0};

const struct command command_tune = {
    .name = "tune",
    .summary = "how many virtual nodes, cells or slots a target needs",
    .usage = "-n NODES [-s SPEC] --target TARGET... [--confidence P] [--nodes-later NODES] [--survive K] [--replicas R] [-k KEYS] [--cost FILE]",
    .takes = takes,
    .run = run,
    .shared = true,
    .details = "Names of nodes are one throw of the dice: the answer is the smallest value that holds in 95 of 100 clusters of such nodes\n"
               "(--confidence), with what your own names give beside it. What is tuned is the option that is swept, which also says where to look;\n"
               "else the number that the strategy's shares depend on: ring's vnodes (the default), maglev's table, slots' count ...\n"
               "A ring of random points is answered exactly; weak hashes, narrow rings, tables and real systems by placements with drawn names.\n"
               "What is sampled comes with the range in which the answer lies with 95 % certainty. With --nodes-later the rows are about the size that\n"
               "needs most, yours and memory about -n. -k takes how many keys there are, like 10M: few keys\n"
               "are uneven on any placement. With --survive and --replicas the figures are those of the worst death, where fair shares are\n"
               "those among the nodes that live, and of all copies. Of several targets each must hold. --cost writes times of the rows about\n"
               "the answer to a file. Exit status 1: no value is enough.\n\n"
               "  keysim tune -n 10 --target 'max/mean<=1.10'\n"
               "  keysim tune -s maglev -n 100 --target 'max/mean<=1.01' --nodes-later 100..120\n"
               "  keysim tune -s ring:vnodes=1..4096x2 -n a=1,b=2,c=2 --target 'cv<=0.05' --confidence 0.99 --format csv\n",
};
