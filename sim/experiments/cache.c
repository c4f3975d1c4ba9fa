/* The run: from one cut to the next, a batch of requests at a time, with a change of the nodes where a stretch begins.
 *
 * Cuts are where totals are taken: at the end of each row's window, in the middle of each stretch (the second half is what a change is compared with),
 * and after a change at slices of the time since, each an eighth of it and 500 requests at least, from which the recovery is read. Everything is a
 * difference of totals. Memory grows with rows, not with requests. */
#include "experiments/cache_parts.h"

#include "base/mem.h"
#include "base/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { FIRST_WINDOW = 1000, SLICE_LEAST = 500, SLICE_PART = 8 };

/* Ends of windows since a stretch began: 1000, 10,000 .. and the window's own multiples; with --window only these. */
static uint64_t window_after(const struct cache *c, uint64_t since)
{
    uint64_t next = since ? 10 * since : FIRST_WINDOW;
    if (c->wish->window || since >= c->window || next >= c->window)
        return since < c->window ? c->window : since + c->window;
    return next;
}

static uint64_t slice_after(uint64_t since)
{
    uint64_t step = since / SLICE_PART;
    return since + (step > SLICE_LEAST ? step : SLICE_LEAST);
}

/* The next cut, and what is wanted there. */
struct ahead {
    uint64_t window, slice, half, end;
};

static void ahead_start(const struct cache *c, struct ahead *a)
{
    uint64_t first = c->stretch[c->current].first;
    bool last = c->current + 1 == c->stretches;
    a->end = !last ? c->stretch[c->current + 1].first : c->total ? c->total : UINT64_MAX;
    a->window = first + window_after(c, 0);
    a->slice = c->current ? first + slice_after(0) : UINT64_MAX;
    a->half = last ? UINT64_MAX : first + (a->end - first) / 2;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void take_mark(const struct cache *c, struct site *site, bool window)
{
    const struct cluster *now = site->cluster[c->current];
    struct mark *m = &site->mark[site->marks++];
    double weight = (double)cluster_weight(now), most = 0, all = (double)site->node[site->ids].asked - (double)site->node[site->ids].asked_then;
    *m = (struct mark){0};
    for (uint32_t id = 0; id < site->ids; id++) {
        const struct cache_node *n = &site->node[id];
        m->hits += n->hits;
        m->waited += n->waited;
        all += (double)(n->asked - n->asked_then);
        m->dead += n->alive ? 0 : n->asked - n->asked_then;
    }
    for (uint32_t i = 0; window && i < now->size; i++) {
        struct cache_node *n = &site->node[now->node[i].id];
        double load = (double)(n->asked - n->asked_then) * weight / now->node[i].weight;
        most = load > most ? load : most;
        if (c->wish->per_node)
            site->part[site->parts++] = (struct part){now->node[i].id, n->asked - n->asked_then, n->hits - n->hits_then};
    }
    m->max_over_mean = all > 0 ? most / all : 0;
    for (uint32_t id = 0; window && id <= site->ids; id++) {
        site->node[id].asked_then = site->node[id].asked;
        site->node[id].hits_then = site->node[id].hits;
    }
}

/* Totals of all strategies, now. */
static int take_cut(struct cache *c, const struct cut cut, char why[WHY])
{
    int e = mem_grow(&c->cut, &c->cut_room, c->cuts + 1, sizeof *c->cut);
    for (size_t i = 0; i < c->sites && !e; i++) {
        struct site *site = &c->site[i];
        e = mem_grow(&site->mark, &site->mark_room, site->marks + 1, sizeof *site->mark);
        if (!e && c->wish->per_node)
            e = mem_grow(&site->part, &site->part_room, site->parts + site->cluster[c->current]->size, sizeof *site->part);
        if (!e)
            take_mark(c, site, cut.window);
    }
    if (e)
        return fail(why, ENOMEM, "no memory for another window");
    c->cut[c->cuts++] = cut;
    return 0;
}

static int next_stretch(struct cache *c, char why[WHY])
{
    int e = 0;
    c->current++;
    for (size_t i = 0; i < c->sites && !e; i++) {
        struct site *site = &c->site[i];
        if (site->was)
            e = placement_change(site->was, site->cluster[c->current - 1], why);
        if (!e)
            e = placement_change(site->now, site->cluster[c->current], why);
        if (!e)
            e = nodes_enter(c, site, c->current, why);
        if (site->load)
            memset(site->load, 0, site->ids * sizeof *site->load);
        site->total = 0;
    }
    return e;
}

/* Serves requests up to the next cut or as many as a batch has; *over: there are no more. */
static int advance(struct cache *c, const struct ahead *a, bool *over, bool *cut, char why[WHY])
{
    uint64_t stop = least(least(a->window, a->slice), least(a->half > c->done ? a->half : UINT64_MAX, a->end));
    size_t want = stop - c->done < BATCH ? (size_t)(stop - c->done) : BATCH;
    int e = batch_next(c, want, why);
    if (e)
        return e;
    batch_serve(c);
    c->done += c->count;
    progress_add(c->count);
    *over = c->count < want || c->done == c->total;
    *cut = c->done == stop || *over;
    return 0;
}

static int stream(struct cache *c, char why[WHY])
{
    struct ahead a;
    bool over = false, cut;
    int e = 0;
    for (ahead_start(c, &a); !e && !over;) {
        e = advance(c, &a, &over, &cut, why);
        uint64_t first = c->stretch[c->current].first, since = c->done - first;
        bool end = over || c->done == a.end, window = end || c->done == a.window;
        if (e || !cut || !since)
            continue;
        if (!c->cuts || c->cut[c->cuts - 1].at < c->done || !c->cut[c->cuts - 1].window)
            e = take_cut(c, (struct cut){c->done, c->current, window, c->done == a.slice, c->done == a.half}, why);
        a.window = c->done == a.window ? first + window_after(c, since) : a.window;
        a.slice = c->done == a.slice ? first + slice_after(since) : a.slice;
        if (!e && end && !over) {
            e = next_stretch(c, why);
            ahead_start(c, &a);
        }
    }
    const struct stretch *beyond = &c->stretch[c->current + (c->done > c->stretch[c->current].first)];
    if (!e && beyond < c->stretch + c->stretches)
        e = fail(why, EINVAL, "--at %" PRIu64 ":%s: the stream ends after %" PRIu64 " requests", beyond->first, beyond->change, c->done);
    return e;
}

int cache_run(const struct study *s, const struct cache_wish *wish, struct table **out, char why[WHY])
{
    struct cache c;
    int e = cache_open(&c, s, wish, why);
    if (!e) {
        progress_start("cache", "requests", c.total);
        e = stream(&c, why);
        progress_end();
    }
    progress_start("cache, expected", "bands of keys", c.sites * c.stretches * c.popular.bands);
    for (size_t i = 0; i < c.sites && !e; i++)
        e = forecast_make(&c, &c.site[i], why);
    progress_end();
    *out = e ? NULL : columns_table(wish->per_node ? columns_cache_nodes : columns_cache);
    if (!e)
        e = *out ? cache_rows(&c, *out, why) : fail(why, ENOMEM, "no memory for the rows");
    cache_close(&c);
    return e;
}
