/* keysim failure: a node dies, the others take its load, and who cannot bear it dies too. */
#include "experiments/failure.h"

#include "commands/failure_words.h"

#include "base/mem.h"
#include "base/spec.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>

#define CAPACITY_DEFAULT "1.25"
#define MANY 10 /* times: likely meant as percent */

/* --capacity and --kill. wish->capacity is to be mem_freed. */
static int read_wish(const struct args *a, struct failure_wish *wish, double **capacity, char why[WHY])
{
    const char *text = a->capacity ? a->capacity : CAPACITY_DEFAULT;
    const char *share = a->capacity_of ? "own load" : "fair share";
    uint64_t kill = 0;
    double head;
    char number[32];
    int e = sweep_reals(text, capacity, &wish->capacities, why);
    size_t percent = strcspn(text, "%");
    if (e && text[percent] && !text[percent + 1] && !text_real(text, percent, &head) && head > 0)
        return fail(why, EINVAL, "--capacity '%s': a factor is wanted: %s means %.4g %% more than its %s", text, text_number(head >= 100 ? head / 100 : 1 + head / 100, number), head >= 100 ? head - 100 : head, share);
    if (e)
        return fail(why, -e, "--capacity '%s': %s", text, why);
    wish->capacity = *capacity;
    for (size_t k = 0; k < wish->capacities; k++)
        if (!((*capacity)[k] > 1 && (*capacity)[k] <= 1e6))
            return fail(why, EINVAL, "--capacity '%s': must be above 1, like " CAPACITY_DEFAULT ": a node that bears no more than its %s has no room for anybody else's load",
                        text, share);
    for (size_t k = wish->capacities; k-- > 0;)
        if ((*capacity)[k] >= MANY) {
            warn(a, "--capacity %s: each node bears %s times its %s; 30 %% headroom is 1.3", text, text_number((*capacity)[k], number), share);
            break;
        }
    if (a->kill && !text_count(a->kill, strlen(a->kill), &kill) && kill == 0)
        return fail(why, EINVAL, "--kill %s: nothing fails then; give 1 or more, or a node's name", a->kill);
    if (a->per_node && !a->kill)
        return fail(why, EINVAL, "--per-node shows one cascade, step by step: say who dies first, with --kill NAME");
    if (a->per_node && a->placements > 1)
        return fail(why, EINVAL, "--per-node shows one cascade, step by step: leave out --trials");
    wish->own = a->capacity_of;
    wish->replicas = (uint32_t)a->replicas;
    wish->victim = a->kill;
    wish->kill = kill > UINT32_MAX ? UINT32_MAX : (uint32_t)kill;
    wish->per_node = a->per_node;
    return 0;
}

/* Whether some row was sampled from keys. */
static bool counts_keys(const struct table *t)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (!table_is_empty(t, r, COL(keys)))
            return true;
    return false;
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    struct failure_wish wish = {0};
    double *capacity = NULL;
    int e = request_open(&s, a, "failure", why);
    if (e)
        return e;
    e = read_wish(a, &wish, &capacity, why);
    if (!e)
        e = failure_run(&s, &wish, &t, why);
    if (!e && a->workload && !counts_keys(t))
        warn(a, "shares are exact here: the keys of -k %s are not used", a->workload);
    if (!e)
        e = request_write(a, &s, t, a->per_node ? failure_steps_words : failure_words, why);
    table_destroy(t);
    mem_free(capacity);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_CAPACITY, FLAG_CAPACITY_OF, FLAG_REPLICAS, FLAG_KILL, FLAG_TRIALS, FLAG_PER_NODE, FLAG_PERCENT, 0};

const struct command command_failure = {
    .name = "failure",
    .summary = "what one dead node brings down: load handed on until nobody fails any more",
    .usage = "-s SPEC... -n NODES... [--capacity FACTOR] [--kill NAME|K] [--trials T]",
    .takes = takes,
    .run = run,
    .shared = true,
    .details = "A node dies, and its load goes to others as the strategy has it. All that are above capacity then fail at once, and hand on in turn,\n"
               "until nobody fails any more. Every node dies first in turn, in every placement; --kill picks one, or how many at once.\n\n"
               "  bears        the load that a node can take, over its fair share (what even dealing, by weight, gives it before the\n"
               "               death: of 12 equal nodes, 11 have 12/11 = 1.09 of it after one); --capacity, default 1.25;\n"
               "               with --capacity-of own, over its own load before\n"
               "  needs        the headroom: the least that nodes must bear for no other to fail; with --trials, in 95 % of clusters\n"
               "  over before  nodes that have more than that before anything fails\n"
               "  left         nodes that still live in the end; steps: rounds in which some failed after the first\n"
               "  peak         the largest load that a living node saw, over its fair share\n"
               "  receivers    nodes that take over some load of the first dead\n"
               "  worst gain   the most that one of them takes, over the average load\n\n"
               "With --replicas R each range has R copies, and the first of them that lives has its load; all R dead, it is lost. Where a node's load stays\n"
               "its own until somebody deals it anew (slots, redis-cluster, cassandra), it is lost at once without --replicas. Strategies whose shares\n"
               "are not known exactly are sampled with the keys of -k. --per-node shows one cascade, step by step.\n\n"
               "  keysim failure -s ring:vnodes=1/10/150 -n 100 --capacity 1.1/1.25/1.5/2 --trials 100\n"
               "  keysim failure -s slots -n 20 --capacity 1.5 --replicas 2\n"
               "  keysim failure -s ring:vnodes=4 -n 12 --capacity 1.5 --kill node-3 --per-node\n",
};
