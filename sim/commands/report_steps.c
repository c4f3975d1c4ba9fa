/* The commands behind the page, in one table. Each is run in this process by command_line(), with the words that the page shows
 * above its charts and, added to them, where the output goes: what the page says was run is what ran. */
#include "commands/inner.h"
#include "commands/report.h"

#include "base/mem.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define POINTS_MAX 500000 /* points of the largest ring of the sweep, which is built fifty times */
#define LEAVERS_MAX 200    /* nodes that leave in turn */
#define CAPACITIES "1.05/1.1/1.25/1.5/1.75/2/2.5/3" /* of a node, over its fair share */
#define SAMPLED_MAX 500000 /* keys where only keys can tell: 1.4 % of what moves from 100 to 101 nodes is chance */
#define SAMPLED_QUICK 50000

/* $NODES, $KEYS: as given. $SWEEP: vnodes. $LEAVE: the changes that take a node away. $COUNT: keys where only keys can tell. Other
 * marks: strategies of the field (report_field.c); a command that is left without any is not run; how much is asked for (report_pace.c). */
static const struct {
    const char *file, *words;
    const char *kind; /* NULL: as the rows say */
} steps[STEPS] = {
    [STEP_RING_1] = {"ring-1.csv", "ranges -s ring:vnodes=1 -n $NODES", NULL},
    [STEP_RING_10] = {"ring-10.csv", "ranges -s ring:vnodes=10 -n $NODES", NULL},
    [STEP_RING_150] = {"ring-150.csv", "ranges -s ring:vnodes=150 -n $NODES", NULL},
    [STEP_NODES] = {"load.csv", "balance -s modulo -s ring:vnodes=1/10/150 -s slots -n $NODES -k $KEYS --per-node", NULL},
    [STEP_BAND] = {"vnodes-placements.csv", "balance -s ring:vnodes=$SWEEP -n $NODES --exact --placements 50", NULL},
    [STEP_KEYS] = {"vnodes-keys.csv", "balance -s modulo -s ring:vnodes=$SWEEP -s slots -n $NODES -k $KEYS", NULL},
    [STEP_GROW] = {"remap-grow.csv",
                   "remap -s modulo -s ring:vnodes=1/10/150 -s slots:rebalance=minimal/contiguous/redis -n 3/10/100 --change +1 --exact", NULL},
    [STEP_LEAVE] = {"remap-leave.csv",
                    "remap -s modulo -s ring:vnodes=1/10/150 -s slots:rebalance=minimal/contiguous/redis -n 10 --change each --exact", NULL},
    [STEP_YOURS] = {"remap-yours.csv",
                    "remap -s modulo -s ring:vnodes=1/10/150 -s slots:rebalance=minimal/contiguous/redis -n $NODES --change +1 $LEAVE --exact", NULL},
    [STEP_EVEN] = {"field-even.csv", "balance $EXACT -n 10/100/1000 --exact --placements $DRAWS", NULL},
    [STEP_EVEN_KEYS] = {"field-even-keys.csv", "balance $DRAWN -n 10/100 -k user:count=$COUNT", NULL},
    [STEP_MOVES] = {"field-moves.csv", "remap $MAPPED -n 10/100 --change +1 --exact", NULL},
    [STEP_MOVES_KEYS] = {"field-moves-keys.csv", "remap $UNMAPPED -n 10/100 -k user:count=$COUNT --change +1", NULL},
    [STEP_VICTIMS] = {"field-victims.csv", "remap $MAPPED_LEAVERS -n 10 --change each --exact", NULL},
    [STEP_VICTIMS_KEYS] = {"field-victims-keys.csv", "remap $UNMAPPED_LEAVERS -n 10 -k user:count=$COUNT --change each", NULL},
    [STEP_TUNE] = {"tune.csv", "tune -s ring:vnodes=$TUNED -n $NODES --target max/mean<=" CHOOSE_TARGET " --confidence " CHOOSE_CONFIDENCE, NULL},
    [STEP_TUNE_TIME] = {"tune-time.csv", "latency -s ring:vnodes=$TIMED -n $NODES -k $KEYS $PATIENCE", "timed"},
    [STEP_FAIL] = {"availability.csv", "availability -s ring:vnodes=$FAILED -n $NODES", NULL},
    [STEP_NAMES] = {"names.csv", "names -n $NAMES $SETS", NULL},
    [STEP_RESIZE] = {"resize-ring.csv", "plan -s ring:vnodes=150 -n $NODES --change +1", NULL},
    [STEP_RESIZE_MODULO] = {"resize-modulo.csv", "plan -s modulo -n $NODES --change +1", NULL},
    [STEP_DIE] = {"failure.csv", "failure -s ring:vnodes=1/10/150 -s slots -n $NODES --capacity " CAPACITIES " --trials $TRIALS", NULL},
    [STEP_DIE_COPIES] = {"failure-copies.csv", "failure -s slots -n $NODES --replicas 2 --capacity " CAPACITIES " --trials $TRIALS", NULL},
    [STEP_DIE_LOADED] = {"failure-bounded.csv", "failure -s bounded:over=ring:vnodes=150 -n $NODES -k user:count=20k --capacity " CAPACITIES, NULL},
    [STEP_CASCADE_1] = {"cascade-1.csv", "failure -s ring:vnodes=1 -n $NODES --capacity " TROUBLE_CAPACITY " --kill $VICTIM --per-node", NULL},
    [STEP_CASCADE_150] = {"cascade-150.csv", "failure -s ring:vnodes=150 -n $NODES --capacity " TROUBLE_CAPACITY " --kill $VICTIM --per-node", NULL},
    [STEP_RECEIVERS] = {"receivers.csv", "failure -s ring:vnodes=1/4/16/64/150/256/1024 -n $NODES --capacity 2 --trials $TRIALS", NULL},
    [STEP_COLD] = {"cache.csv", "cache -s modulo -s ring:vnodes=1/150 -s slots -n 3 -k $STREAM --cache-items $HELD --at $JOIN",
                   NULL},
    [STEP_TRACE] = {"cache-trace.csv",
                    "cache -s modulo -s ring:vnodes=1/150 -s slots -n 3 -k $TRACE --cache-items $ITEMS --at $AT --window $WINDOW", NULL},
    [STEP_HOT] = {"hot.csv",
                  "balance -s ring:vnodes=150 -s slots -s bounded:over=ring:vnodes=150 -s choices:over=ring:vnodes=150 -n 3/10/30/100/300 -k $POPULAR,requests=$COUNT",
                  NULL},
    [STEP_HOT_SPLIT] = {"hot-split.csv",
                        "balance -s ring:vnodes=150 -n 3/10/30/100/300 -k $POPULAR,hottest=10,copies=16,requests=$COUNT", NULL},
    [STEP_INCIDENTS] = {"incidents.csv", "incidents $REPORTS", NULL},
    [STEP_VERIFY] = {"verify.csv", "verify -n $VERIFIED $PATIENCE", "checked"},
    [STEP_LATENCY] = {"latency.csv", "latency -s null -s modulo -s ring:vnodes=1/150 -s slots $OTHERS $SCANNERS -n $SIZES -k $KEYS $PATIENCE", "timed"},
    [STEP_NEIGHBOUR] = {"latency-neighbour.csv", "latency -s ring:vnodes=150 -s jump -n 10/1000 --cache neighbour -k $KEYS $PATIENCE", "timed"},
    [STEP_COST] = {"cost.csv", "cost -s null -s modulo -s ring:vnodes=1/150 -s slots $OTHERS $SCANNERS -n $SIZES $PATIENCE", "timed"},
    [STEP_HASHES] = {"hashes.csv", "latency -s ring:vnodes=150,hash=xxh3/xxh64/fnv1a-64/murmur2-64a/murmur3-128/md5-64 -n 10 -k $KEYS $PATIENCE", "timed"},
    [STEP_BENCH] = {"bench.csv", "bench --quick $FIGURES", "timed"},
};

const char *step_file(enum report_step step) { return steps[step].file; }
bool step_is_run(const struct report *r, enum report_step step) { return r->word[step].count > 0; }

const char *step_kind(const struct report *r, enum report_step step)
{
    const char *method = r->sheet[step]->rows ? sheet_text(r->sheet[step], 0, "method") : "";
    return steps[step].kind ? steps[step].kind : *method ? method : "exact";
}

bool step_find(const char *file, enum report_step *step)
{
    for (size_t i = 0; i < STEPS; i++)
        if (!strncmp(file, steps[i].file, strlen(file)) && !strcmp(steps[i].file + strlen(file), ".csv")) {
            *step = (enum report_step)i;
            return true;
        }
    return false;
}

/* "1/2/5/.../1000", as far as the ring stays of a sensible size; 150 is the page's example and stays. */
static char *sweep_text(uint64_t weight)
{
    static const uint64_t vnodes[] = {1, 2, 5, 10, 20, 50, 100, 150, 200, 500, 1000};
    char text[96] = "", one[24];
    for (size_t i = 0; i < sizeof vnodes / sizeof *vnodes; i++) {
        if (vnodes[i] > 150 && weight > POINTS_MAX / vnodes[i])
            break;
        snprintf(one, sizeof one, "%s%" PRIu64, i ? "/" : "", vnodes[i]);
        strcat(text, one);
    }
    return mem_copy(text, strlen(text));
}

const char *mark_text(const struct mark *all, size_t n, const char *mark, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(all[i].mark) == len && !strncmp(all[i].mark, mark, len))
            return all[i].text;
    return NULL;
}

static int add_word(const struct report *r, struct texts *t, const char *word, size_t len)
{
    char text[256];
    const char *mark = memchr(word, '$', len);
    if (!mark)
        return inner_add(t, word, len);
    size_t head = (size_t)(mark - word), which;
    if (field_mark(mark, len - head, &which))
        return field_add(&r->field, which, t);
    if (!strncmp(mark, "$NODES", 6))
        return inner_add(t, r->nodes, strlen(r->nodes));
    if (!strncmp(mark, "$KEYS", 5))
        return inner_add(t, r->a->workload, strlen(r->a->workload));
    if (!strncmp(mark, "$LEAVE", 6))
        return r->size < 2 ? 0 : inner_add(t, "--change", 8) || inner_add(t, r->size > LEAVERS_MAX ? "-1" : "each", r->size > LEAVERS_MAX ? 2 : 4) ? -ENOMEM : 0;
    const char *chosen = choose_mark(&r->choose, mark, len - head);
    if (!chosen)
        chosen = trouble_mark(&r->trouble, mark, len - head);
    if (chosen && !head)
        return inner_add(t, chosen, strlen(chosen));
    snprintf(text, sizeof text, "%.*s%s", (int)head, word, chosen ? chosen : !strncmp(mark, "$COUNT", 6) ? r->count : r->sweep);
    return inner_add(t, text, strlen(text));
}

/* The options of the report that belong to each of its commands; a command that names its clusters itself takes none of them. */
static int add_common(const struct report *r, struct texts *t, const struct command *c)
{
    struct args a = *r->a;
    if (!command_takes(c, 'n'))
        return 0;
    if (!strcmp(c->name, "verify")) /* papers speak of ideal hashes */
        a.hash = HASH_DEFAULT;
    int e = inner_common(t, &a);
    return !e && a.nul && command_takes(c, '0') ? inner_add(t, "-0", 2) : e;
}

/* Whether a command that wants strategies has none. */
static bool is_idle(const char *words, const struct texts *t)
{
    size_t which;
    const char *mark = strchr(words, '$');
    for (size_t i = 0; i < t->count; i++)
        if (!strcmp(t->item[i], "-s"))
            return false;
    return mark && field_mark(mark, strcspn(mark, " "), &which);
}

static int step_open(struct report *r, size_t i)
{
    int e = 0;
    if (choose_skips(r, (enum report_step)i) || trouble_skips(r, (enum report_step)i))
        return 0;
    char *words = pace_words(r, steps[i].words);
    if (!words)
        return -ENOMEM;
    for (const char *at = words; *at && !e;) {
        size_t len = strcspn(at, " ");
        e = add_word(r, &r->word[i], at, len);
        at += len + (at[len] == ' ');
    }
    mem_free(words);
    if (!e && is_idle(steps[i].words, &r->word[i]))
        inner_release(&r->word[i]);
    else if (!e)
        e = add_common(r, &r->word[i], command_find(r->word[i].item[0]));
    return e;
}

int steps_open(struct report *r, char why[WHY])
{
    r->sweep = sweep_text(r->weight);
    choose_open(r);
    uint64_t sampled = r->a->quick ? SAMPLED_QUICK : SAMPLED_MAX;
    if (r->requests && r->requests < sampled)
        snprintf(r->count, sizeof r->count, "%" PRIu64, r->requests);
    else
        snprintf(r->count, sizeof r->count, "%" PRIu64 "k", sampled / 1000);
    int e = r->sweep ? 0 : -ENOMEM;
    for (size_t i = 0; i < STEPS && !e; i++)
        e = step_open(r, i);
    return e ? fail(why, ENOMEM, "no memory for the report") : 0;
}

void steps_close(struct report *r)
{
    for (size_t i = 0; i < STEPS; i++) {
        inner_release(&r->word[i]);
        sheet_destroy(r->sheet[i]);
        mem_free(r->refused[i]);
    }
    mem_free(r->sweep);
}

static int step_run(struct report *r, size_t i, char why[WHY])
{
    if (!r->word[i].count) /* no rows */
        return (r->sheet[i] = mem_alloc(1, sizeof *r->sheet[i])) ? 0 : fail(why, ENOMEM, "no memory for the report");
    char *path = files_path(r, steps[i].file, "");
    int e = path ? inner_run(&r->word[i], r->a, path, why) : fail(why, ENOMEM, "no memory for the report");
    if (e == -EINVAL && (choose_may_refuse((enum report_step)i) || trouble_may_refuse((enum report_step)i))) { /* the page says so in its place */
        output_unguard(path);
        mem_free(path);
        inner_release(&r->word[i]);
        r->refused[i] = mem_copy(why, strlen(why));
        return r->refused[i] ? step_run(r, i, why) : fail(why, ENOMEM, "no memory for the report");
    }
    if (e >= 0) /* 1: an incident that does not come out as it did, or a check that fails, is for the page to say */
        e = sheet_read(&r->sheet[i], path, why);
    mem_free(path);
    return e;
}

int steps_run(struct report *r, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; i < STEPS && !e; i++)
        e = step_run(r, i, why);
    return e;
}

char *step_text(const struct report *r, enum report_step step) { return inner_text(&r->word[step]); }

double ring_value(const struct report *r, enum report_step step, const char *vnodes, const char *column)
{
    const struct sheet *s = r->sheet[step];
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", "ring") && sheet_is(s, i, "value", vnodes))
            return sheet_real(s, i, column);
    return sheet_real(s, s->rows, column);
}

double strategy_value(const struct report *r, enum report_step step, const char *strategy, const char *column)
{
    const struct sheet *s = r->sheet[step];
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy))
            return sheet_real(s, i, column);
    return sheet_real(s, s->rows, column);
}

double sheet_at(const struct sheet *s, const char *strategy, const char *value, double nodes, const char *column)
{
    for (size_t i = 0; i < s->rows; i++)
        if (sheet_is(s, i, "strategy", strategy) && sheet_is(s, i, "value", value) && sheet_real(s, i, "nodes") == nodes)
            return sheet_real(s, i, column);
    return NAN;
}
