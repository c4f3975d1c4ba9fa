/* One strategy on its way through the events: each by placement_change, and after each what it has is measured, and held against the strategy opened anew.
 * Cost: an event is a change, a map (or a look-up of each key) and a comparison; as much again where it is opened anew. */
#include "experiments/churn_parts.h"

#include "base/mem.h"
#include "base/progress.h"
#include "experiments/balance.h"
#include "experiments/remap_parts.h"
#include "metrics/balance.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANEW_BYTES 1e9   /* of state built for comparison, in all: above, not after every event */
#define ANEW_LOOKUPS 1e8 /* the same of look-ups */

/* One strategy on its way through the events. */
struct journey {
    const struct study *s;
    const struct spec *spec;
    struct identity identity;
    struct placement *p;
    struct turmoil turmoil;
    struct viewer viewer;
    struct view was, now, anew;
    double *fair_was, *fair; /* by id */
    bool *standing;
    uint32_t *place;
    uint64_t stride; /* opened anew after every so many events */
    double moved, optimum; /* so far */
};

/* What one event came to. */
struct figures {
    enum turmoil_kind kind;
    struct node node;
    uint32_t before, after;
    struct moves moves;
    double needed, optimum, moved_sum, optimum_sum, lost, theory_cv;
    struct balance balance;
    uint64_t memory, anew_memory;
    double anew_max, differs; /* NAN: not opened anew */
};

static void journey_release(struct journey *j)
{
    identity_release(&j->identity);
    placement_close(j->p);
    turmoil_release(&j->turmoil);
    viewer_release(&j->viewer);
    view_release(&j->was);
    view_release(&j->now);
    view_release(&j->anew);
    mem_free(j->fair_was);
    mem_free(j->fair);
    mem_free(j->standing);
    mem_free(j->place);
}

/* As many names that are new as there are events, so that they never run out. */
static int pool_of(const struct study *s, const struct spec *spec, const struct cluster *start, uint64_t events, const struct cluster **pool, char why[WHY])
{
    char change[32];
    snprintf(change, sizeof change, "+%" PRIu64, events);
    return cluster_change(s->registry, start, change, catalog_find(spec->name)->addresses, pool, why);
}

/* A pure function of the command line: nothing is timed. */
static uint64_t stride(const struct journey *j, uint64_t events)
{
    double bytes = (double)placement_memory(j->p) * (double)events, lookups = viewer_lookups(&j->viewer, j->p) * (double)events;
    return 1 + (uint64_t)fmax(bytes / ANEW_BYTES, lookups / ANEW_LOOKUPS);
}

static int journey_init(struct journey *j, const struct study *s, const struct spec *spec, const struct cluster *start, const struct churn_plan *plan,
                        bool keys, char why[WHY])
{
    const struct turmoil_rules rules = {.least = (start->size + 1) / 2, .most = 2 * start->size, .together = 1, .leaving = 3, .weights = plan->weights};
    const struct cluster *pool;
    *j = (struct journey){.s = s, .spec = spec};
    int e = pool_of(s, spec, start, plan->events, &pool, why);
    if (e)
        return e;
    uint32_t ids = pool->ids;
    j->fair_was = mem_alloc(ids, sizeof *j->fair_was);
    j->fair = mem_alloc(ids, sizeof *j->fair);
    j->standing = mem_alloc(ids, sizeof *j->standing);
    j->place = mem_alloc(ids, sizeof *j->place);
    if (!j->fair_was || !j->fair || !j->standing || !j->place || turmoil_init(&j->turmoil, pool, start->size, &rules, rng_stream(s->seed, "churn", "", start->size)))
        return fail(why, ENOMEM, "no memory to change %u nodes", start->size);
    e = study_open(s, spec, turmoil_now(&j->turmoil), &j->p, why);
    if (!e)
        e = viewer_init(&j->viewer, s, keys, ids, j->p, why);
    if (!e && (view_init(&j->was, &j->viewer) || view_init(&j->now, &j->viewer) || view_init(&j->anew, &j->viewer) || identity_take(&j->identity, j->p, spec)))
        e = fail(why, ENOMEM, "no memory to change %u nodes", start->size);
    if (!e)
        j->stride = stride(j, plan->events);
    return e;
}

static int open_anew(struct journey *j, struct figures *f, char why[WHY])
{
    struct placement *p;
    struct balance b;
    struct moves moves = {0};
    int e = placement_open(&p, j->spec, j->p->cluster, &j->s->hash, why);
    if (e)
        return e;
    e = view_take(&j->anew, &j->viewer, p, why);
    if (!e)
        e = view_moves(&j->viewer, &j->now, &j->anew, j->standing, &moves, why);
    if (!e) {
        balance_measure(j->anew.share, j->fair, j->viewer.ids, j->anew.unplaced, &b);
        f->anew_max = b.max_over_mean;
        f->differs = moves.moved;
        f->anew_memory = placement_memory(p);
    }
    placement_close(p);
    return e;
}

/* The cluster as it is; with the event that led there, unless it is the first look. */
static int look(struct journey *j, const struct cluster *before, struct figures *f, bool anew, char why[WHY])
{
    const struct cluster *c = turmoil_now(&j->turmoil);
    uint32_t ids = j->viewer.ids;
    double theory_max;
    *f = (struct figures){.kind = j->turmoil.kind, .node = j->turmoil.node, .before = before ? before->size : c->size, .after = c->size,
                          .memory = placement_memory(j->p), .anew_max = (double)NAN, .differs = (double)NAN};
    memset(j->fair, 0, ids * sizeof *j->fair);
    cluster_fair_shares(c, j->fair);
    int e = view_take(&j->now, &j->viewer, j->p, why);
    if (!e && before) {
        mark_standing(before, c, j->standing, ids, j->place);
        e = view_moves(&j->viewer, &j->was, &j->now, j->standing, &f->moves, why);
        f->needed = share_distance(j->was.share, j->now.share, ids);
        f->optimum = share_distance(j->fair_was, j->fair, ids);
    }
    if (!e)
        e = balance_theory(j->p, j->viewer.w, &f->theory_cv, &theory_max, why);
    if (!e && anew)
        e = open_anew(j, f, why);
    balance_measure(j->now.share, j->fair, ids, j->now.unplaced, &f->balance);
    f->lost = j->now.unplaced;
    for (uint32_t id = 0; id < ids; id++)
        f->lost += j->fair[id] > 0 ? 0 : j->now.share[id];
    f->moved_sum = j->moved += f->moves.moved;
    f->optimum_sum = j->optimum += f->optimum;
    return e;
}

static void change_text(const struct figures *f, char *text, size_t size)
{
    const char *sign = f->kind == TURMOIL_CAME ? "+" : f->kind == TURMOIL_LEFT ? "-" : "";
    if (f->kind == TURMOIL_LEFT || (f->kind == TURMOIL_CAME && f->node.weight == 1))
        snprintf(text, size, "%s%s", sign, f->node.name);
    else
        snprintf(text, size, "%s%s=%u", sign, f->node.name, f->node.weight);
}

static int travel(struct journey *j, uint64_t events, struct figures *f, char why[WHY])
{
    char inner[WHY], text[80];
    int e = look(j, NULL, &f[0], true, why);
    for (uint64_t k = 1; k <= events && !e; k++) {
        const struct cluster *before = turmoil_now(&j->turmoil);
        struct view view = j->was;
        double *fair = j->fair_was;
        j->was = j->now;
        j->now = view;
        j->fair_was = j->fair;
        j->fair = fair;
        if ((e = placement_change(j->p, turmoil_next(&j->turmoil), inner))) {
            change_text(&(struct figures){.kind = j->turmoil.kind, .node = j->turmoil.node}, text, sizeof text);
            return fail(why, -e, "change %" PRIu64 " (%s, from %u nodes): %s", k, text, before->size, inner);
        }
        e = look(j, before, &f[k], k % j->stride == 0 || k == events, why);
        progress_add(1);
    }
    return e;
}

static int event_row(const struct journey *j, const struct figures *f, uint64_t event, struct table *t, char why[WHY])
{
    const struct workload *w = j->viewer.w;
    size_t room = strlen(event ? f->node.name : "") + 16;
    char *text = mem_alloc(room, 1);
    int e = text ? study_row_of(j->s, t, &j->identity, j->spec, w, j->viewer.keys, why) : fail(why, ENOMEM, "no memory for another row");
    if (e) {
        mem_free(text);
        return e;
    }
    table_count(t, COL(event), event);
    table_count(t, COL(nodes_before), f->before);
    table_count(t, COL(nodes_after), f->after);
    if (event) {
        change_text(f, text, room);
        table_real(t, COL(moved_share), f->moves.moved);
        table_real(t, COL(needed_share), f->needed);
        table_real(t, COL(optimum_share), f->optimum);
        table_real(t, COL(excess), f->optimum > 0 ? f->moves.moved / f->optimum : (double)NAN);
        table_real(t, COL(bystander_share), f->moves.bystander);
    }
    table_real(t, COL(unplaced_share), f->lost);
    table_real(t, COL(sum_share), f->moved_sum);
    table_real(t, COL(optimum_sum_share), f->optimum_sum);
    table_real(t, COL(max_over_mean), f->balance.max_over_mean);
    table_real(t, COL(cv), f->balance.cv);
    table_real(t, COL(theory_cv), f->theory_cv);
    table_real(t, COL(fresh_max_over_mean), f->anew_max);
    table_real(t, COL(differs_share), f->differs);
    table_count(t, COL(memory_bytes), f->memory);
    if (!isnan(f->differs))
        table_count(t, COL(fresh_memory_bytes), f->anew_memory);
    if ((event && table_text(t, COL(change), text)) || table_text(t, COL(load), w ? workload_load(w) : "share") ||
        table_text(t, COL(method), w ? "sampled" : "exact"))
        e = fail(why, ENOMEM, "no memory for another row");
    mem_free(text);
    return e;
}

int churn_one(const struct study *s, const struct spec *spec, const struct cluster *start, const struct churn_plan *plan, bool keys, struct table *t,
              char why[WHY])
{
    struct journey j = {0};
    uint64_t events = plan->events;
    struct figures *f = mem_alloc(events + 1, sizeof *f);
    int e = f ? journey_init(&j, s, spec, start, plan, keys, why) : fail(why, ENOMEM, "no memory for %" PRIu64 " events", events);
    if (!e)
        e = travel(&j, events, f, why);
    for (uint64_t k = 0; k <= events && !e; k++)
        e = event_row(&j, &f[k], k, t, why);
    journey_release(&j);
    mem_free(f);
    return e;
}
