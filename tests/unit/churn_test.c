/* Many changes one after the other: the sequence itself, what moves in it, and what history leaves behind. */
#include "experiments/churn.h"
#include "experiments/turmoil.h"
#include "tests/starve.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool near(double a, double b, double off)
{
    return fabs(a - b) <= off;
}

static char warned[WHY];

static void keep_warning(void *to, const char *text)
{
    (void)to;
    snprintf(warned + strlen(warned), sizeof warned - strlen(warned), "%s. ", text);
}

struct asked {
    const char *nodes, *workload;
    uint64_t events, seed;
    unsigned threads;
};

/* The strategies of a text, split at blanks; what churn_run says, and its table. */
static int run_on(const char *specs, const struct asked *a, struct table **t, char why[WHY])
{
    struct spec *spec[16];
    char text[512], nodes[256], *sizes = nodes, *at = text, *word;
    size_t n = 0;
    snprintf(text, sizeof text, "%s", specs);
    snprintf(nodes, sizeof nodes, "%s", a->nodes);
    while ((word = strsep(&at, " ")))
        spec[n++] = spec_of(word);
    struct study s = {.registry = registry_create(), .spec = spec, .specs = n, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = a->seed,
                      .workload = a->workload ? a->workload : "user:count=20k", .threads = a->threads, .placements = 1, .warn = keep_warning};
    *warned = 0;
    int e = churn_run(&s, a->events, a->workload != NULL, t, why);
    registry_destroy(s.registry);
    for (size_t i = 0; i < n; i++)
        spec_destroy(spec[i]);
    return e;
}

static struct table *table_of(const char *specs, const char *nodes, uint64_t events)
{
    char why[WHY] = "";
    struct table *t = NULL;
    must(run_on(specs, &(struct asked){.nodes = nodes, .events = events, .seed = 1, .threads = 2}, &t, why), why);
    return t;
}

static double real(const struct table *t, size_t row, const struct column *c)
{
    return table_get_real(t, row, c);
}

/* -- the sequence -- */

static void bounds(const char *nodes, uint32_t least, uint32_t most, bool weights)
{
    struct registry *r = registry_create();
    struct turmoil t;
    const struct cluster *start = cluster_of(r, nodes), *pool = changed(r, start, "+5000");
    const struct turmoil_rules rules = {.least = least, .most = most, .together = 1, .leaving = 3, .weights = weights};
    uint64_t kinds[3] = {0}, back = 0;
    bool right = true, low = false, high = false;
    must(turmoil_init(&t, pool, start->size, &rules, 7), "memory");
    for (int i = 0; i < 5000; i++) {
        const struct cluster *before = turmoil_now(&t), *after = turmoil_next(&t);
        const struct node *was = cluster_by_id(before, t.node.id), *is = cluster_by_id(after, t.node.id);
        kinds[t.kind]++;
        back += t.kind == TURMOIL_CAME && t.node.id < before->ids;
        right &= after->size >= least && after->size <= most && (t.kind == TURMOIL_CAME ? !was && is : t.kind == TURMOIL_LEFT ? was && !is : was->weight != is->weight);
        right &= after->size == before->size + (t.kind == TURMOIL_CAME) - (t.kind == TURMOIL_LEFT) && after->ids <= pool->ids;
        right &= t.leaving == (t.kind == TURMOIL_LEFT || (t.kind == TURMOIL_REWEIGHED && is->weight < was->weight));
        low |= after->size == least;
        high |= after->size == most;
    }
    ok(right, "%s nodes: each of 5000 changes is what it says, between %u and %u nodes", nodes, least, most);
    ok(low && high, "both bounds are met");
    double came = (double)kinds[TURMOIL_CAME]; /* half of those come back, less where nobody is away: binomial, 1e-9 is 6 of its deviations */
    ok(near((double)back / came, 0.5, 6 * 0.5 / sqrt(came) + 0.05), "%.3f of those that come were there before", (double)back / came);
    ok(weights ? near((double)kinds[TURMOIL_REWEIGHED] / 5000, 0.125, 0.029) : !kinds[TURMOIL_REWEIGHED], "%" PRIu64 " of 5000 are reweighed",
       kinds[TURMOIL_REWEIGHED]);
    turmoil_release(&t);
    registry_destroy(r);
}

/* The changes as written, one by one on a placement of our own: the same moves. */
static void replayed(const char *text)
{
    struct table *t = table_of(text, "a,b=2,c,d=3,e", 60);
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    const struct cluster *c = cluster_of(r, "a,b=2,c,d=3,e");
    struct placement *p = open_on_hash(spec, c, "xxh3");
    struct map before = map_of(p), after;
    bool right = true;
    for (size_t e = 1; e <= 60; e++) {
        char why[WHY];
        struct moves moves;
        bool standing[64] = {false};
        c = changed(r, c, table_get_text(t, e, COL(change)));
        change_to(p, c);
        after = map_of(p);
        must(map_compare(&before, &after, standing, 64, &moves, why), why);
        right &= near(moves.moved, real(t, e, COL(moved_share)), 1e-12) && c->size == table_get_count(t, e, COL(nodes_after));
        map_release(&before);
        before = after;
    }
    ok(right, "%s: its changes, given one by one, move the same", text);
    map_release(&before);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
    table_destroy(t);
}

static void same_sequence(void)
{
    struct table *t = table_of("ring slots modulo", "7", 50);
    bool right = table_rows(t) == 3 * 51;
    for (size_t r = 0; r < table_rows(t); r++)
        right &= table_get_count(t, r, COL(event)) == r % 51 && !strcmp(table_get_text(t, r, COL(change)), table_get_text(t, r % 51, COL(change)));
    ok(right, "all strategies see the same changes, a row an event");
    table_destroy(t);
}

/* -- what moves -- */

static void sums(const char *text)
{
    struct table *t = table_of(text, "10", 100);
    double moved = 0, optimum = 0;
    bool right = true;
    for (size_t e = 0; e <= 100; e++) {
        if (e) {
            moved += real(t, e, COL(moved_share));
            optimum += real(t, e, COL(optimum_share));
            right &= table_get_count(t, e, COL(nodes_before)) == table_get_count(t, e - 1, COL(nodes_after));
        }
        right &= near(real(t, e, COL(sum_share)), moved, 1e-12) && near(real(t, e, COL(optimum_sum_share)), optimum, 1e-12) && table_get_count(t, e, COL(nodes)) == 10;
    }
    ok(right, "%s: sums are the sums (%.3f moved, %.3f at least), each event starts where the last ended", text, moved, optimum);
    table_destroy(t);
}

static void minimal(const char *text)
{
    struct table *t = table_of(text, "12", 120);
    bool right = true;
    for (size_t e = 1; e <= 120; e++)
        right &= near(real(t, e, COL(moved_share)), real(t, e, COL(needed_share)), 1e-9) && real(t, e, COL(bystander_share)) == 0 &&
                 near(real(t, e, COL(unplaced_share)), 0, 1e-12);
    ok(right, "%s: every event moves what it needs and no more, and nothing between others (%s)", text, table_get_text(t, 0, COL(method)));
    table_destroy(t);
}

static void wasteful(const char *text)
{
    struct table *t = table_of(text, "12", 120);
    double bystander = 0;
    for (size_t e = 1; e <= 120; e++)
        bystander += real(t, e, COL(bystander_share));
    ok(bystander > 0.1 && real(t, 120, COL(sum_share)) > 1.02 * real(t, 120, COL(optimum_sum_share)), "%s: not so: %.3f moved for nothing", text, bystander);
    table_destroy(t);
}

/* Equal nodes: one that joins N brings 1 / (N + 1), and under modulo all keys move but 1 / (N + 1): those whose number mod N (N + 1) is below N. */
static void known(void)
{
    struct table *t = table_of("modulo anchor", "6", 80);
    bool optimum = true, modulo = true;
    for (size_t e = 1; e <= 80; e++) {
        double before = (double)table_get_count(t, e, COL(nodes_before)), after = (double)table_get_count(t, e, COL(nodes_after));
        optimum &= near(real(t, e, COL(optimum_share)), 1 / fmax(before, after), 1e-12);
        modulo &= after < before || near(real(t, e, COL(moved_share)), 1 - 1 / after, 1e-9);
    }
    ok(optimum && strstr(warned, "anchor does not follow weights"), "without weights the optimum is one node's share");
    ok(modulo, "a node that joins N moves N / (N + 1) under modulo");
    table_destroy(t);
}

/* -- what history leaves -- */

static void history(const char *text, bool remembers)
{
    struct table *t = table_of(text, "10", 60);
    double last = real(t, 60, COL(differs_share));
    bool never = true;
    for (size_t e = 0; e <= 60; e++)
        never &= !table_is_empty(t, e, COL(differs_share)) && real(t, e, COL(differs_share)) == 0 &&
                 real(t, e, COL(fresh_max_over_mean)) == real(t, e, COL(max_over_mean));
    ok(remembers ? last > 0.1 && real(t, 0, COL(differs_share)) == 0 : never, "%s: %.3f of the keys elsewhere than if set up afresh", text, last);
    table_destroy(t);
}

/* -- how it is run -- */

static char *csv_of(const char *specs, const struct asked *a)
{
    char why[WHY] = "", *text = NULL;
    size_t size;
    struct table *t = NULL;
    FILE *to = open_memstream(&text, &size);
    must(run_on(specs, a, &t, why), why);
    table_write_csv(t, to);
    fclose(to);
    table_destroy(t);
    return text;
}

static void repeatable(void)
{
    const char *specs = "ring:vnodes=9 anchor rendezvous bounded";
    struct asked a = {"8", "user:count=30k", 20, 1, 1};
    char *one = csv_of(specs, &a), *two, *other;
    a.threads = 2;
    two = csv_of(specs, &a);
    a.seed = 2;
    other = csv_of(specs, &a);
    ok(!strcmp(one, two), "the number of threads does not show");
    ok(strcmp(one, other), "another seed, another sequence");
    free(one);
    free(two);
    free(other);
}

/* Keys agree with the maps: each share is a mean over K keys. */
static void agree(void)
{
    char why[WHY] = "";
    struct table *exact = table_of("ring:vnodes=20", "10", 30), *keys = NULL;
    must(run_on("ring:vnodes=20", &(struct asked){"10", "user:count=40k", 30, 1, 2}, &keys, why), why);
    bool right = !strcmp(table_get_text(keys, 0, COL(method)), "sampled") && !strcmp(table_get_text(exact, 0, COL(method)), "exact");
    for (size_t e = 1; e <= 30; e++)
        right &= near(real(keys, e, COL(moved_share)), real(exact, e, COL(moved_share)), 6.5 * sqrt(real(exact, e, COL(moved_share)) / 40000)) &&
                 table_get_count(keys, e, COL(memory_bytes)) == table_get_count(exact, e, COL(memory_bytes));
    ok(right, "keys move as the maps say");
    table_destroy(exact);
    table_destroy(keys);
}

static void refused(void)
{
    char why[WHY] = "";
    struct table *t = NULL;
    struct asked a = {"5", NULL, 10, 1, 1};
    ok(run_on("jump flip", &a, &t, why) == -EINVAL && strstr(why, "jump, flip"), "nobody is left: %s", why);
    ok(run_on("jump ring flip jump", &a, &t, why) == 0 && table_rows(t) == 11 && strstr(warned, "last node can leave: jump, flip. "), "some are skipped: %s", warned);
    table_destroy(t);
    a.nodes = "1";
    ok(run_on("ring", &a, &t, why) == -EINVAL && strstr(why, "one node only"), "one node: %s", why);
    a.nodes = "2";
    ok(run_on("ring", &a, &t, why) == 0, "two are enough");
    table_destroy(t);
    a.nodes = "20";
    a.events = 100;
    ok(run_on("anchor:capacity=21", &a, &t, why) == -EINVAL && !strncmp(why, "change ", 7), "what a strategy cannot do is said with the change: %s", why);
}

static int hungry(const struct study *s, struct table **t, char why[WHY])
{
    return churn_run(s, 2, false, t, why);
}

static void starved(const char *text)
{
    char nodes[] = "3", *sizes = nodes;
    struct spec *spec = spec_of(text);
    struct study s = {.spec = &spec, .specs = 1, .nodes = &sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0}, .seed = 1, .workload = "user:count=100",
                      .threads = 1, .placements = 1};
    starve(&s, hungry, text);
    spec_destroy(spec);
}

int main(void)
{
    uint64_t live = mem_live();
    bounds("10", 5, 20, true);
    bounds("2", 1, 4, false);
    replayed("ring:vnodes=12");
    replayed("slots:count=500");
    same_sequence();
    sums("ring");
    sums("anchor");
    static const char *const frugal[] = {"ring", "slots", "slots:rebalance=rendezvous", "dynamo", "dynamo:strategy=1", "cassandra", "anchor", "memento", "dx",
                                         "rendezvous", "multi-probe"},
                             *const lavish[] = {"modulo", "maglev:table=251", "slots:rebalance=contiguous", "libketama"},
                             *const forgetful[] = {"ring", "rendezvous", "maglev:table=251", "modulo", "slots:rebalance=contiguous", "libketama"},
                             *const mindful[] = {"slots", "slots:rebalance=redis", "anchor", "memento", "dx", "dynamo"};
    for (size_t i = 0; i < sizeof frugal / sizeof *frugal; i++)
        minimal(frugal[i]);
    for (size_t i = 0; i < sizeof lavish / sizeof *lavish; i++)
        wasteful(lavish[i]);
    known();
    for (size_t i = 0; i < sizeof forgetful / sizeof *forgetful; i++)
        history(forgetful[i], false);
    for (size_t i = 0; i < sizeof mindful / sizeof *mindful; i++)
        history(mindful[i], true);
    repeatable();
    agree();
    refused();
    starved("ring:vnodes=3");
    starved("anchor");
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
