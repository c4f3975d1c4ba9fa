/* keysim ranges: who owns what. */
#include "commands/inner.h"
#include "commands/keys.h"
#include "commands/request.h"
#include "commands/suggest.h"

#include "base/mem.h"
#include "base/text.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether the first and the last range are one arc that runs over zero. */
static bool over_zero(const struct placement *p, const struct map *m)
{
    if (!is_ring(p) || m->count < 2 || m->range[0].id != m->range[m->count - 1].id)
        return false;
    struct spot first, last;
    p->engine->spot(p->state, m->range[0].first, &first);
    p->engine->spot(p->state, m->range[m->count - 1].last, &last);
    return first.kind == SPOT_POINT && last.kind == SPOT_POINT && first.point == last.point && first.point == 0;
}

static void write_ranges(const struct study *s, const struct placement *p, const struct map *m, struct rows *rows)
{
    bool wrapped = over_zero(p, m);
    for (size_t i = 0; i + wrapped < m->count; i++) {
        const struct range *r = &m->range[i];
        const char *name = r->id == NO_NODE ? "-" : registry_name(s->registry, r->id);
        char first[24], last[24];
        int a = snprintf(first, sizeof first, "%" PRIu64, i == 0 && wrapped ? m->range[m->count - 1].first : r->first);
        int b = snprintf(last, sizeof last, "%" PRIu64, r->last);
        rows_write(rows, (struct field[]){{name, strlen(name), r->id != NO_NODE}, {first, (size_t)a, false}, {last, (size_t)b, false}});
    }
}

/* The answer, the table, and what to ask next. */
static int words(const struct args *a, const struct study *s, const struct placement *p, const struct map *m, struct rows *rows, char why[WHY])
{
    FILE *to = rows->out.file;
    size_t runs = m->count - over_zero(p, m);
    if (m->cells)
        fprintf(to, "%" PRIu64 " slots", m->cells);
    else
        fputs("all digests", to);
    fprintf(to, " lie in %zu range%s on %" PRIu32 " node%s; a range reaches from first to last, both included\n", runs, runs == 1 ? "" : "s",
            p->cluster->size, p->cluster->size == 1 ? "" : "s");
    write_ranges(s, p, m, rows);
    int e = rows_table(rows, why);
    if (over_zero(p, m))
        fputs("where first > last, the range runs over zero\n", to);
    struct abilities can;
    if (!e)
        e = request_abilities(s, &can, why);
    if (!e)
        e = suggest(a, to, why, "balance", a->specs.count ? a->specs.item[0] : s->spec[0]->name, s->nodes[0], "--per-node", can.shares ? "--exact" : NULL, NULL);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    static const char *const heading[] = {"node", "first", "last"};
    struct study s;
    const struct cluster *c;
    struct placement *p = NULL;
    struct map map = {0};
    struct rows rows;
    int e = request_open(&s, a, "ranges", why);
    if (e)
        return e;
    e = request_single(&s, "ranges", why);
    if (!e)
        e = study_cluster(&s, 0, 0, &c, why);
    if (!e)
        e = study_open(&s, s.spec[0], c, &p, why);
    if (!e)
        e = placement_map(p, is_ring(p), &map, why);
    if (!e)
        e = rows_open(&rows, a, heading, 3, false, why);
    if (!e) {
        e = rows_align(&rows, why);
        if (!e && rows.aligned)
            e = words(a, &s, p, &map, &rows, why);
        else if (!e)
            write_ranges(&s, p, &map, &rows);
        if (e)
            rows_abandon(&rows);
        else
            e = rows_close(&rows, why);
    }
    map_release(&map);
    placement_close(p);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'H', FLAG_PERCENT, 0};

const struct command command_ranges = {
    .name = "ranges",
    .summary = "who owns what: slots, arcs of a ring, runs of a table",
    .usage = "-s SPEC -n NODES",
    .takes = takes,
    .run = run,
    .details = "Prints node,first,last, both inclusive: slots or buckets for tables, digests for rings, an arc a row in ring order; first > last\n"
               "runs over zero.\n\n"
               "  keysim ranges -s slots -n 3\n"
               "  keysim ranges -s ring:vnodes=1 -n 10\n",
};
