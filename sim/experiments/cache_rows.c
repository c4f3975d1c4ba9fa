/* Rows from the totals at the cuts. */
#include "experiments/cache_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>

enum { SMOOTH = 9 }; /* slices in the mean from which the recovery is read */
#define RECOVERED 0.95

/* Of a stretch: its first cut, and the one after its last. */
static void cuts_of(const struct cache *c, size_t k, size_t *first, size_t *end)
{
    for (*first = 0; c->cut[*first].stretch < k;)
        ++*first;
    for (*end = *first; *end < c->cuts && c->cut[*end].stretch == k;)
        ++*end;
}

/* Totals of the second half of stretch k; queries may be NULL. The hit ratio; NAN where it is too short to have one. */
static double late_ratio(const struct cache *c, const struct site *site, size_t k, double *queries)
{
    size_t first, end;
    cuts_of(c, k, &first, &end);
    for (size_t i = first; i + 1 < end; i++) {
        if (!c->cut[i].half)
            continue;
        const struct mark *a = &site->mark[i], *b = &site->mark[end - 1];
        double requests = (double)(c->cut[end - 1].at - c->cut[i].at), hits = (double)(b->hits - a->hits);
        if (queries)
            *queries = 1 - (hits + (double)(b->waited - a->waited)) / requests;
        return hits / requests;
    }
    return NAN;
}

/* Requests from the start of stretch k to the middle of the first SMOOTH slices whose mean is good; 0 where the first are; false: none. */
static bool recovery(const struct cache *c, const struct site *site, size_t k, uint64_t *requests)
{
    double good = RECOVERED * late_ratio(c, site, k - 1, NULL);
    size_t first, end, n = 1;
    if (isnan(good))
        return false;
    cuts_of(c, k, &first, &end);
    size_t cut[SMOOTH + 1] = {first - 1}; /* the last slices' ends, n of them; the cut before the first is the stretch's start */
    for (size_t i = first; i < end; i++) {
        if (!c->cut[i].slice)
            continue;
        if (n == SMOOTH + 1) {
            for (size_t j = 0; j < SMOOTH; j++)
                cut[j] = cut[j + 1];
            n--;
        }
        cut[n++] = i;
        if (n < SMOOTH + 1)
            continue;
        double hits = (double)(site->mark[i].hits - site->mark[cut[0]].hits), asked = (double)(c->cut[i].at - c->cut[cut[0]].at);
        if (hits < good * asked)
            continue;
        uint64_t middle = (c->cut[cut[SMOOTH / 2]].at + c->cut[cut[SMOOTH / 2 + 1]].at) / 2;
        *requests = cut[0] == first - 1 ? 0 : middle - c->stretch[k].first;
        return true;
    }
    return false;
}

static int begin_row(const struct cache *c, const struct site *site, struct table *t, uint64_t number, const struct cut *cut, uint64_t from, char why[WHY])
{
    const struct stretch *stretch = &c->stretch[cut->stretch];
    int e = study_row_of(c->s, t, &site->of, site->spec, c->w, c->done, why);
    if (e)
        return e;
    table_count(t, COL(cache_items), c->wish->items);
    table_count(t, COL(window), number);
    table_count(t, COL(request), from);
    table_count(t, COL(nodes_after), site->cluster[cut->stretch]->size);
    bool full = table_text(t, COL(method), "sampled") || (stretch->change && from == stretch->first && table_text(t, COL(change), stretch->change));
    return full ? fail(why, ENOMEM, "no memory for another row") : 0;
}

/* The windows of a strategy. */
static int window_rows(const struct cache *c, const struct site *site, struct table *t, char why[WHY])
{
    const struct mark none = {0}, *before = &none;
    uint64_t from = 0, number = 0, requests;
    double calm = NAN;
    if (c->stretches > 1)
        late_ratio(c, site, 0, &calm);
    for (size_t i = 0; i < c->cuts; i++) {
        const struct cut *cut = &c->cut[i];
        const struct mark *m = &site->mark[i];
        size_t k = cut->stretch;
        if (!cut->window || cut->at == from)
            continue;
        int e = begin_row(c, site, t, ++number, cut, from, why);
        if (e)
            return e;
        uint64_t asked = cut->at - from, first = c->stretch[k].first, queries = asked - (m->hits - before->hits) - (m->waited - before->waited);
        table_count(t, COL(requests), asked);
        table_real(t, COL(hit_ratio), (double)(m->hits - before->hits) / (double)asked);
        table_real(t, COL(theory_hit_ratio), forecast_ratio(c, site, k, (double)(from - first), (double)(cut->at - first)));
        table_count(t, COL(database_queries), queries);
        table_count(t, COL(coalesced), m->waited - before->waited);
        table_real(t, COL(down_share), (double)m->dead / (double)asked);
        table_real(t, COL(max_over_mean), asked < site->cluster[k]->size ? (double)NAN : m->max_over_mean); /* nothing to speak of */
        if (k)
            table_real(t, COL(database_over_before), (double)queries / (double)asked / calm);
        if (k && from == first) {
            table_real(t, COL(hit_ratio_before), late_ratio(c, site, k - 1, NULL));
            table_real(t, COL(kept_share), site->forecast[k].kept_share);
            if (recovery(c, site, k, &requests))
                table_count(t, COL(recovery_requests), requests);
        }
        before = m;
        from = cut->at;
    }
    return 0;
}

static int node_rows(const struct cache *c, const struct site *site, struct table *t, char why[WHY])
{
    const struct part *part = site->part;
    uint64_t from = 0, number = 0;
    for (size_t i = 0; i < c->cuts; i++) {
        const struct cut *cut = &c->cut[i];
        if (!cut->window)
            continue;
        number += cut->at > from;
        for (uint32_t k = 0; k < site->cluster[cut->stretch]->size; k++, part++) {
            if (cut->at == from)
                continue;
            int e = begin_row(c, site, t, number, cut, from, why);
            if (!e && table_text(t, COL(node), registry_name(c->s->registry, part->id)))
                e = fail(why, ENOMEM, "no memory for another row");
            if (e)
                return e;
            table_count(t, COL(requests), part->asked);
            table_real(t, COL(hit_ratio), part->asked ? (double)part->hits / (double)part->asked : (double)NAN);
        }
        from = cut->at;
    }
    return 0;
}

int cache_rows(const struct cache *c, struct table *t, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; i < c->sites && !e; i++)
        e = c->wish->per_node ? node_rows(c, &c->site[i], t, why) : window_rows(c, &c->site[i], t, why);
    return e;
}
