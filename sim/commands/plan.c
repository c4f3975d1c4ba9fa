/* keysim plan: what a resize will do. */
#include "commands/plan_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum emit { EMIT_PLAN, EMIT_SLOTS, EMIT_REDIS };

static int emit_of(const struct args *a, enum emit *emit, char why[WHY])
{
    *emit = !a->emit ? EMIT_PLAN : !strcmp(a->emit, "slots") ? EMIT_SLOTS : EMIT_REDIS;
    if (*emit == EMIT_REDIS && strcmp(a->emit, "redis-cli"))
        return fail(why, EINVAL, "--emit '%s': must be slots or redis-cli", a->emit);
    return *emit && (a->workload || a->rate)
               ? fail(why, EINVAL, "--emit %s: says which slots go where, not how much lies in them: without -k and --rate (--load chooses slots by their load)", a->emit)
               : 0;
}

static int read_wish(const struct args *a, struct plan_wish *wish, char why[WHY])
{
    *wish = (struct plan_wish){.keys = a->workload != NULL};
    int e = a->rate ? plan_rate(a->rate, &wish->rate, &wish->total, why) : 0;
    if (!e && a->exact && a->workload)
        e = fail(why, EINVAL, "plan: -k counts keys, --exact counts none: one of the two");
    if (!e && a->load && a->workload)
        e = fail(why, EINVAL, "plan: --load %s brings its own keys or slots: without -k", a->load);
    if (!e && a->load)
        e = plan_load_look(&wish->load, a->load, why);
    if (!e && a->load && !wish->load.by_slot)
        wish->keys = true;
    return e;
}

static int run_plan(const struct args *a, const struct study *s, const struct plan_wish *wish, enum emit emit, char why[WHY])
{
    struct plan p = {0};
    struct table *t = NULL;
    int e = plan_open(&p, s, why);
    if (!e)
        e = plan_level(&p, wish, why);
    if (!e && emit && wish->load.path && !p.levelled)
        e = fail(why, EINVAL, "--emit %s: which slots move here is the strategy's own rule, whatever their load: leave out --load, or take -s slots or redis-cluster, which deal them one by one", a->emit);
    if (!e && emit == EMIT_SLOTS)
        e = plan_emit_slots(a, &p, why);
    else if (!e && emit == EMIT_REDIS)
        e = plan_emit_redis(a, &p, why);
    else if (!e)
        e = plan_run(&p, wish, &t, why);
    if (!e && t && wish->rate > 0 && wish->total <= 0 && wish->load.path && !wish->load.bytes)
        warn(a, "--rate: the loads of %s are taken for bytes (name the column bytes to say so)", a->load);
    if (!e && t)
        e = request_write_of(a, &(struct plan_told){&p, wish}, t, plan_words, why);
    table_destroy(t);
    plan_close(&p);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct plan_wish wish;
    enum emit emit;
    char *loads = NULL;
    int ways = (a->changes.count > 0) + (a->to != NULL) + (a->to_spec != NULL);
    if (ways != 1)
        return fail(why, EINVAL, "plan: to what? give one of --to NODES (several steps: 4/6/10), --to-spec SPEC, --change CHANGE (each further one a step)");
    int e = emit_of(a, &emit, why);
    if (!e)
        e = read_wish(a, &wish, why);
    if (e)
        return e;
    e = request_open(&s, a, "plan", why);
    if (e)
        return e;
    e = request_single(&s, "plan", why);
    if (!e && wish.load.path && wish.keys && !(loads = plan_load_workload(&wish.load)))
        e = fail(why, ENOMEM, "no memory for the loads");
    if (loads)
        s.workload = loads;
    if (!e)
        e = run_plan(a, &s, &wish, emit, why);
    mem_free(loads);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_EXACT, FLAG_TO, FLAG_TO_SPEC, FLAG_CHANGE, FLAG_EMIT, FLAG_RATE, FLAG_LOAD, '0', FLAG_PERCENT, 0};

const struct command command_plan = {
    .name = "plan",
    .summary = "what a resize will do: who gives how much to whom",
    .usage = "-s SPEC -n BEFORE (--to AFTER | --to-spec SPEC | --change CHANGE...) [-k WORKLOAD | --load FILE] [--rate RATE] [--emit slots|redis-cli]",
    .takes = takes,
    .run = run,
    .details = "AFTER may be several sizes, 4/6/10: one step after the other, with what moved in all. Exact from the ownership maps; from keys with -k (their bytes\n"
               "too, where the file has a size-column), or where there is no map. --load goes by measured load: a CSV file whose first line names\n"
               "key,load or slot,load (bytes instead of load, where it is in bytes). Where slots are dealt one by one (slots, redis-cluster) those that move are\n"
               "chosen so that their load is level, also for --emit; elsewhere the placement decides, and what it moves is measured. --rate says how many hours each receiver takes.\n\n"
               "  keysim plan -s ring:vnodes=150 -n 10 --to 11 --rate 2TB@100MB/s\n"
               "  keysim plan -s slots -n 3 --to 4/6/10\n"
               "  keysim plan -s slots -n 3 --to 4 --load slots.csv --emit slots\n"
               "  keysim plan -s ring:vnodes=100 -n 10 --to-spec ring:vnodes=150\n"
               "  keysim plan -s ring -n @nodes.txt --change -db-3 -k file:path=keys.csv,column=1,size-column=2\n"
               "  keysim plan -n @redis-nodes:nodes.txt --change +10.0.7.17:6379 --emit redis-cli > move.sh\n",
};
