#include "experiments/bench_parts.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/stats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TURN_NS 1e6   /* a side's turn: its work again and again for so long, the fastest counts ... */
#define ALONE_NS 1e8  /* ... and twice at least, unless it takes so long: the caches are its own by then */
enum { TURNS_MIN = 3, TURNS_QUICK = 2, TURNS_MAX = 40 };

static double turn(bench_side *side, void *of)
{
    uint64_t from = clock_ns();
    double best = side(of), spent = (double)(clock_ns() - from);
    for (int runs = 1; spent < (runs == 1 ? ALONE_NS : TURN_NS); runs++) {
        double ns = side(of);
        best = ns < best ? ns : best;
        spent = (double)(clock_ns() - from);
    }
    return best;
}

/* The fastest turn; *spread grows to how much slower the median is. */
static double fastest(double *ns, size_t n, double *spread)
{
    stats_sort(ns, n);
    double slower = stats_quantile(ns, n, 0.5) / ns[0] - 1;
    *spread = slower > *spread ? slower : *spread;
    return ns[0];
}

void bench_race(const struct bench *b, bench_side *ours, bench_side *theirs, void *of, struct outcome *o)
{
    double our[TURNS_MAX], their[TURNS_MAX], patience = b->quick ? 1e7 : 4e8;
    uint64_t from = clock_ns();
    size_t n = 0, least = b->quick ? TURNS_QUICK : TURNS_MIN;
    while (n < TURNS_MAX && (n < least || (double)(clock_ns() - from) < patience)) {
        our[n] = turn(ours, of);
        if (theirs)
            their[n] = turn(theirs, of);
        n++;
    }
    o->reps = n;
    o->ours = fastest(our, n, &o->spread);
    o->theirs = theirs ? fastest(their, n, &o->spread) : 0;
}

int ground_build(const struct ground *g, struct placement **out, char why[WHY])
{
    return placement_open(out, g->spec, g->cluster, &(struct keyed_hash){hash_find("xxh3"), 0}, why);
}

int ground_open(struct ground *g, const char *spec, uint32_t nodes, char why[WHY])
{
    struct spec **all = NULL;
    char number[16];
    size_t n;
    snprintf(number, sizeof number, "%u", nodes);
    *g = (struct ground){.registry = registry_create()};
    int e = g->registry ? catalog_expand(spec, &all, &n, why) : fail(why, ENOMEM, "no memory for nodes");
    if (e)
        return e;
    g->spec = all[0]; /* of one: no sweep is asked for */
    mem_free(all);
    e = cluster_read(g->registry, number, catalog_find(g->spec->name)->addresses, &g->cluster, why);
    return e ? e : ground_build(g, &g->placement, why);
}

void ground_close(struct ground *g)
{
    placement_close(g->placement);
    spec_destroy(g->spec);
    registry_destroy(g->registry);
    *g = (struct ground){0};
}

/* What must hold for the figure, and whether it does. */
static void judge(struct table *t, const struct bench *b, const struct figure *f, double value)
{
    double wanted = f->at_most > 0 ? f->at_most : f->wanted[cpu_level()];
    if (wanted <= 0 && cpu_level() == b->best)
        wanted = f->wanted[CPU_AVX512]; /* the best of a processor that has less */
    if (wanted <= 0)
        return;
    bool met = f->at_most > 0 ? value <= wanted : value >= wanted;
    table_text(t, COL(wanted), f->at_most > 0 ? "at most" : "at least");
    table_real(t, COL(target), wanted);
    table_text(t, COL(verdict), met ? "met" : "missed");
}

int bench_row(struct bench *b, const struct figure *f, const struct outcome *o, char why[WHY])
{
    static const char *const answers[] = {"", "same", "differ"};
    struct table *t = b->table;
    if (table_row(t) || table_text(t, COL(figure), f->name) || table_text(t, COL(quantity), f->quantity) || table_text(t, COL(against), f->against) ||
        table_text(t, COL(cpu), cpu_name(cpu_level())) || table_text(t, COL(unit), f->unit) || table_text(t, COL(answers), answers[o->answers]))
        return fail(why, ENOMEM, "no memory for another row");
    table_count(t, COL(schema), 1);
    if (f->nodes)
        table_count(t, COL(nodes), f->nodes);
    if (o->points)
        table_count(t, COL(points), o->points);
    if (o->keys)
        table_count(t, COL(keys), o->keys);
    if (o->bytes)
        table_count(t, COL(memory_bytes), o->bytes);
    double ratio = f->at_most > 0 ? o->ours / o->theirs : o->theirs / o->ours;
    table_real(t, COL(ours), o->ours);
    if (o->theirs > 0) {
        table_real(t, COL(theirs), o->theirs);
        table_real(t, COL(ratio), ratio);
    }
    if (o->limit > 0)
        table_real(t, COL(limit), o->limit);
    judge(t, b, f, o->theirs > 0 ? ratio : o->ours);
    table_real(t, COL(spread), o->spread);
    table_count(t, COL(reps), o->reps);
    b->differ |= o->answers == ANSWERS_DIFFER;
    if (o->spread > b->spread) {
        b->spread = o->spread;
        b->noisiest = f->quantity;
    }
    return 0;
}

static bool is_asked(const struct figure *f, char *const *name, int names)
{
    bool asked = names == 0;
    for (int i = 0; i < names; i++)
        asked |= !strcmp(f->name, name[i]);
    return asked;
}

static int check_names(const struct figure *figures, size_t n, char *const *name, int names, char why[WHY])
{
    const char *known[64];
    size_t different = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || strcmp(figures[i].name, figures[i - 1].name))
            known[different++] = figures[i].name;
    for (int i = 0; i < names; i++) {
        bool found = false;
        for (size_t k = 0; k < n; k++)
            found |= is_asked(&figures[k], &name[i], 1);
        if (!found)
            return fail_unknown(why, "figure", name[i], known, different);
    }
    return 0;
}

static int figure_run(struct bench *b, const struct figure *f, enum cpu_level level, char why[WHY])
{
    struct outcome o = {0};
    bool once = f->at_most > 0 || (f->wanted[CPU_PLAIN] <= 0 && f->wanted[CPU_AVX512] <= 0);
    if (level < b->best && (once || f->wanted[level] <= 0))
        return 0;
    int e = cpu_use(cpu_name(level), why);
    if (!e)
        e = f->run(b, f, &o, why);
    if (e == 1 && b->study->warn)
        b->study->warn(b->study->warn_to, why);
    return e == 1 ? 0 : e ? e : o.reps ? bench_row(b, f, &o, why) : 0;
}

int bench_run(struct bench *b, const struct figure *figures, size_t n, char *const *name, int names, char why[WHY])
{
    b->best = cpu_level();
    b->table = columns_table(columns_bench);
    int e = b->table ? check_names(figures, n, name, names, why) : fail(why, ENOMEM, "no memory for a table");
    progress_start("bench", "figures", n);
    for (size_t i = 0; i < n && !e; i++) {
        for (enum cpu_level level = CPU_PLAIN; level <= b->best && !e; level++)
            e = is_asked(&figures[i], name, names) ? figure_run(b, &figures[i], level, why) : 0;
        progress_add(1);
    }
    progress_end();
    char none[WHY];
    cpu_use(cpu_name(b->best), none);
    return e;
}
