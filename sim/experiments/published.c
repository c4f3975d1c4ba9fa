/* Reads the published figures, opens what they speak of on clusters with drawn names, and measures. Rows with one spec and one number of
 * nodes share their placements. All placements of all rows are one loop over which threads share; each writes samples of its own. */
#include "experiments/published.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/rng.h"
#include "base/text.h"
#include "experiments/published_parts.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIGURE, STRATEGY, NODES, OPTION, VALUE, QUANTITY, PUBLISHED, LOW, HIGH, PLACEMENTS, SOURCE, REASON, COLUMNS };
static const char *const column[COLUMNS] = {"figure", "strategy", "nodes", "option", "value", "quantity", "published", "low", "high", "placements",
                                            "source", "why"};

/* -- reading -- */

struct rows {
    struct published *row;
    size_t count, capacity;
};

static void published_free(struct published *row)
{
    char *text[] = {row->figure, row->spec, row->option, row->quantity, row->source, row->why};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        mem_free(text[k]);
}

void published_release(struct published *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        published_free(&row[i]);
    mem_free(row);
}

static int no_memory(char why[WHY])
{
    return fail(why, ENOMEM, "no memory for published figures");
}

static int keep_row(struct rows *all, const struct reader_text *field, char why[WHY])
{
    if (mem_grow(&all->row, &all->capacity, all->count + 1, sizeof *all->row))
        return no_memory(why);
    struct published *r = &all->row[all->count++];
    *r = (struct published){0};
    char **text[] = {&r->figure, &r->spec, &r->option, &r->quantity, &r->source, &r->why};
    static const int from[] = {FIGURE, STRATEGY, OPTION, QUANTITY, SOURCE, REASON};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        if (!(*text[k] = mem_copy(field[from[k]].text, field[from[k]].len)))
            return no_memory(why);
    double *real[] = {&r->value, &r->published, &r->low, &r->high};
    static const int number[] = {VALUE, PUBLISHED, LOW, HIGH};
    for (size_t k = 0; k < sizeof real / sizeof *real; k++)
        if (text_real(field[number[k]].text, field[number[k]].len, real[k]))
            return fail(why, EINVAL, "%s '%.*s' is no number", column[number[k]], (int)field[number[k]].len, field[number[k]].text);
    uint64_t nodes = 0;
    if (text_count(field[NODES].text, field[NODES].len, &nodes) || text_count(field[PLACEMENTS].text, field[PLACEMENTS].len, &r->placements) ||
        nodes < 1 || nodes > 1000000 || r->placements < 1 || r->placements > 1000000)
        return fail(why, EINVAL, "nodes and placements must be 1 to 1000000");
    r->nodes = (uint32_t)nodes;
    if (!quantity_find(r->quantity))
        return fail(why, EINVAL, "unknown quantity '%s'", r->quantity);
    return r->low <= r->high ? 0 : fail(why, EINVAL, "low is above high");
}

static int read_file(struct rows *all, const char *path, char why[WHY])
{
    struct reader *in;
    struct reader_text field[COLUMNS];
    char inner[WHY];
    size_t count;
    int e = reader_open(&in, path, '\n', false, why);
    if (e)
        return e;
    for (bool head = true; (e = reader_record(in, ',', field, COLUMNS, &count, why)) == 1; head = false) {
        bool good = count == COLUMNS;
        for (size_t k = 0; good && head && k < COLUMNS; k++)
            good = field[k].len == strlen(column[k]) && !memcmp(field[k].text, column[k], field[k].len);
        e = !good ? fail(inner, EINVAL, "must have the columns figure to why, as data/published/README.md says") : head ? 0 : keep_row(all, field, inner);
        if (e) {
            e = fail(why, -e, "%s line %" PRIu64 ": %s", path, reader_line_number(in), inner);
            break;
        }
    }
    reader_close(in);
    return e;
}

static int read_all(struct rows *all, const char *folder, char why[WHY])
{
    static const char *const name[] = {"lamping-veach", "multi-probe", "maglev", "dynamo", "ring-theory"};
    char *path = mem_alloc(strlen(folder) + 32, 1);
    int e = path ? 0 : no_memory(why);
    for (size_t i = 0; i < sizeof name / sizeof *name && !e; i++) {
        sprintf(path, "%s/%s.csv", folder, name[i]);
        e = read_file(all, path, why);
    }
    mem_free(path);
    return e;
}

/* Those that take longest go: by points, probes or cells, of all nodes in all placements. */
static void leave_out_large(struct rows *all)
{
    const double large = 50000;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->row[i].nodes * all->row[i].value * (double)all->row[i].placements <= large) {
            struct published row = all->row[kept];
            all->row[kept++] = all->row[i];
            all->row[i] = row;
        }
    for (; all->count > kept; all->count--)
        published_free(&all->row[all->count - 1]);
}

/* -- measuring -- */

/* The placements that several rows share. */
struct group {
    size_t first;     /* row; the others are those with its group */
    struct spec *spec;
    uint64_t placements;
};

struct work {
    const struct study *s;
    struct rows rows;
    size_t *group_of;  /* each row's */
    double **sample;   /* each row's */
    struct group *group;
    size_t groups;
    struct { size_t group; uint64_t placement; } *task;
    size_t tasks;
    size_t failed_at;  /* of the failure that is reported: the first task's */
    int error;
    char why[WHY];
};

static size_t samples_of(const struct published *r, uint64_t placements)
{
    return quantity_find(r->quantity)->each_node ? placements * r->nodes : placements;
}

/* Finds or makes the row's group. */
static int join_group(struct work *w, size_t i, char why[WHY])
{
    const struct published *r = &w->rows.row[i];
    size_t g = 0, n = 0;
    struct spec **all = NULL;
    while (g < w->groups && (w->rows.row[w->group[g].first].nodes != r->nodes || strcmp(w->rows.row[w->group[g].first].spec, r->spec)))
        g++;
    w->group_of[i] = g;
    if (g == w->groups) {
        int e = catalog_expand(r->spec, &all, &n, why);
        if (e)
            return e;
        for (size_t k = 1; k < n; k++)
            spec_destroy(all[k]);
        w->group[w->groups++] = (struct group){.first = i, .spec = all[0]};
        mem_free(all);
        if (n > 1)
            return fail(why, EINVAL, "%s is a sweep", r->spec);
    }
    if (w->group[g].placements < r->placements)
        w->group[g].placements = r->placements;
    return 0;
}

static int plan(struct work *w, char why[WHY])
{
    size_t n = w->rows.count;
    w->group_of = mem_alloc(n, sizeof *w->group_of);
    w->sample = mem_alloc(n, sizeof *w->sample);
    w->group = mem_alloc(n, sizeof *w->group);
    int e = w->group_of && w->sample && w->group ? 0 : no_memory(why);
    for (size_t i = 0; i < n && !e; i++)
        e = join_group(w, i, why);
    for (size_t i = 0; i < n && !e; i++) {
        w->rows.row[i].placements = w->group[w->group_of[i]].placements;
        w->sample[i] = mem_alloc(samples_of(&w->rows.row[i], w->rows.row[i].placements), sizeof *w->sample[i]);
        e = w->sample[i] ? 0 : no_memory(why);
    }
    for (size_t g = 0; g < w->groups && !e; g++)
        w->tasks += w->group[g].placements;
    if (!e && !(w->task = mem_alloc(w->tasks, sizeof *w->task)))
        e = no_memory(why);
    for (size_t g = 0, t = 0; g < w->groups && !e; g++)
        for (uint64_t i = 0; i < w->group[g].placements; i++, t++) {
            w->task[t].group = g;
            w->task[t].placement = i;
        }
    return e;
}

static int measure_rows(const struct work *w, size_t group, uint64_t placement, const struct placement *p, char why[WHY])
{
    double unplaced;
    struct sight sight = {p, mem_alloc(p->cluster->ids, sizeof(double)), mem_alloc(p->cluster->ids, sizeof(double)), 0};
    int e = sight.share && sight.fair ? placement_shares(p, sight.share, &unplaced, why) : no_memory(why);
    if (!e)
        cluster_fair_shares(p->cluster, sight.fair);
    for (size_t i = w->group[group].first; i < w->rows.count && !e; i++) {
        const struct published *r = &w->rows.row[i];
        if (w->group_of[i] != group)
            continue;
        sight.value = r->value;
        e = quantity_find(r->quantity)->measure(&sight, w->sample[i] + samples_of(r, placement), why);
    }
    mem_free(sight.share);
    mem_free(sight.fair);
    return e;
}

static int place(const struct work *w, size_t group, uint64_t placement, char why[WHY])
{
    const struct group *g = &w->group[group];
    const struct cluster *like, *c;
    struct placement *p = NULL;
    struct registry *registry = registry_create();
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, w->rows.row[g->first].nodes);
    int e = registry ? cluster_read(registry, number, true, &like, why) : no_memory(why);
    if (!e)
        e = cluster_random(registry, like, rng_stream(w->s->seed, "published", "", placement), &c, why);
    if (!e)
        e = placement_open(&p, g->spec, c, &w->s->hash, why);
    if (!e)
        e = measure_rows(w, group, placement, p, why);
    placement_close(p);
    registry_destroy(registry);
    return e;
}

static void work_through(struct work *w)
{
    progress_start("published figures", "placements", w->tasks);
#pragma omp parallel for schedule(dynamic, 1) num_threads(study_threads(w->s))
    for (size_t t = 0; t < w->tasks; t++) {
        char why[WHY];
        int e = ranks_mine(w->task[t].placement) ? place(w, w->task[t].group, w->task[t].placement, why) : 0;
        progress_add(1);
        if (!e)
            continue;
#pragma omp critical(published)
        if (!w->error || t < w->failed_at) {
            w->error = e;
            w->failed_at = t;
            memcpy(w->why, why, WHY);
        }
    }
    progress_end();
}

int published_run(const struct study *s, const char *folder, struct published **out, size_t *n, char why[WHY])
{
    struct work w = {.s = s};
    int e = read_all(&w.rows, folder, why);
    if (!e && s->quick)
        leave_out_large(&w.rows);
    if (!e)
        e = plan(&w, why);
    if (!e) {
        work_through(&w);
        if (w.error)
            fail(why, -w.error, "%s", w.why);
        e = ranks_agree(w.error, w.failed_at, why);
    }
    for (size_t i = 0; i < w.rows.count && !e; i++)
        e = ranks_gather(w.sample[i], samples_of(&w.rows.row[i], 1) * sizeof *w.sample[i], 0, w.rows.row[i].placements, why);
    for (size_t i = 0; i < w.rows.count && !e; i++) {
        struct published *r = &w.rows.row[i];
        r->ours = quantity_figure(quantity_find(r->quantity), w.sample[i], samples_of(r, r->placements), &r->error, &r->freedom);
    }
    for (size_t i = 0; w.sample && i < w.rows.count; i++)
        mem_free(w.sample[i]);
    for (size_t g = 0; g < w.groups; g++)
        spec_destroy(w.group[g].spec);
    mem_free(w.group_of);
    mem_free(w.sample);
    mem_free(w.group);
    mem_free(w.task);
    if (e) {
        published_release(w.rows.row, w.rows.count);
    } else {
        *out = w.rows.row;
        *n = w.rows.count;
    }
    return e;
}

double published_odds(const struct published *r)
{
    double beyond = r->ours < r->low ? r->low - r->ours : r->ours - r->high;
    if (beyond <= 0)
        return 1;
    if (r->freedom <= 0 || r->error <= 0)
        return 0; /* of a single placement the bounds allow for the scatter of ours too; and where all agree there is none */
    return gsl_cdf_tdist_Q(beyond / r->error, r->freedom);
}
