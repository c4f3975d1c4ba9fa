/* From the words of the command line to strategies opened, changes read and tried, caches in place. */
#include "experiments/cache_parts.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FILE_WINDOW 10000 /* requests a row, where nobody knows how many there will be */
#define WINDOW_MOST ((uint64_t)1 << 62)

static int read_change(struct cache *c, const char *text, size_t k, char why[WHY])
{
    struct stretch *to = &c->stretch[k];
    const char *colon = strchr(text, ':');
    if (!colon || text_count(text, (size_t)(colon - text), &to->first) || !colon[1])
        return fail(why, EINVAL, "--at '%s': must be a request's number and a change, like 5M:+1 or 8M:-node-3", text);
    to->change = colon + 1;
    if (to->first == 0)
        return fail(why, EINVAL, "--at '%s': nothing has been requested yet; give the nodes to begin with by -n", text);
    if (to->first == to[-1].first)
        return fail(why, EINVAL, "--at '%s': there is a change at %" PRIu64 " already; join the two with ';'", text, to->first);
    if (to->first < to[-1].first)
        return fail(why, EINVAL, "--at '%s': comes after the change at %" PRIu64 "; give the changes in their order", text, to[-1].first);
    if (c->total && to->first >= c->total)
        return fail(why, EINVAL, "--at '%s': the stream ends after %" PRIu64 " requests", text, c->total);
    return 0;
}

static uint64_t nice_window(uint64_t most)
{
    uint64_t ten = 1;
    while (ten <= most / 10)
        ten *= 10;
    return most >= 5 * ten ? 5 * ten : most >= 2 * ten ? 2 * ten : ten;
}

static int open_stream(struct cache *c, char why[WHY])
{
    uint64_t keys;
    double zipf;
    int e = study_workload(c->s, &c->w, why);
    if (e)
        return e;
    c->total = workload_requests(c->w);
    c->window = c->wish->window ? (c->wish->window < WINDOW_MOST ? c->wish->window : WINDOW_MOST) : c->total ? nice_window(c->total / 50) : FILE_WINDOW;
    if (!strcmp(workload_load(c->w), "keys"))
        return fail(why, EINVAL, "-k %s requests each key once, so no cache can help: add zipf=0.9, or requests=10M", workload_text(c->w));
    return workload_is_drawn(c->w, &keys, &zipf) && popularity_init(&c->popular, keys, zipf) ? fail(why, ENOMEM, "no memory for the keys' popularity") : 0;
}

/* All changes before any request: a mistake is told at once. */
static int rehearse(const struct cache *c, struct site *site, char why[WHY])
{
    bool addresses = catalog_find(site->spec->name)->addresses;
    struct placement *p = NULL;
    char inner[WHY];
    int e = study_open(c->s, site->spec, site->cluster[0], &p, why);
    if (!e && identity_take(&site->of, p, site->spec))
        e = fail(why, ENOMEM, "no memory for another strategy");
    for (size_t k = 1; k < c->stretches && !e; k++) {
        const struct stretch *at = &c->stretch[k];
        e = cluster_change(c->s->registry, site->cluster[k - 1], at->change, addresses, &site->cluster[k], inner);
        if (!e)
            e = placement_change(p, site->cluster[k], inner);
        if (e)
            fail(why, -e, "--at %" PRIu64 ": %s", at->first, inner);
    }
    for (size_t k = 0; k < c->stretches && !e; k++)
        site->ids = site->cluster[k]->ids > site->ids ? site->cluster[k]->ids : site->ids;
    placement_close(p);
    return e;
}

static int open_site(const struct cache *c, struct site *site, char why[WHY])
{
    size_t n = c->stretches;
    site->cluster = mem_alloc(n, sizeof *site->cluster);
    site->kept = mem_alloc(n, sizeof *site->kept);
    site->owner = mem_alloc(BATCH, sizeof *site->owner);
    site->forecast = mem_alloc(n, sizeof *site->forecast);
    int e = site->cluster && site->kept && site->owner && site->forecast ? 0 : fail(why, ENOMEM, "no memory for another strategy");
    if (!e)
        e = study_cluster(c->s, (size_t)(site - c->site), 0, &site->cluster[0], why);
    if (!e)
        e = rehearse(c, site, why);
    if (!e)
        e = placement_open(&site->now, site->spec, site->cluster[0], &c->s->hash, why);
    if (!e && n > 1 && !c->popular.bands)
        e = placement_open(&site->was, site->spec, site->cluster[0], &c->s->hash, why);
    if (e)
        return e;
    site->node = mem_alloc((size_t)site->ids + 1, sizeof *site->node);
    bool loads = site->now->engine->lookup_loaded != NULL, good = site->node != NULL;
    if (loads)
        good = good && (site->digest = mem_alloc(BATCH, sizeof *site->digest)) && (site->load = mem_alloc(site->ids, sizeof *site->load));
    return good ? nodes_enter(c, site, 0, why) : fail(why, ENOMEM, "no memory for another strategy");
}

/* Caches that the machine cannot hold are refused before they are asked for. */
static int check_memory(const struct cache *c, char why[WHY])
{
    const struct cluster *first;
    int e = study_cluster(c->s, 0, 0, &first, why);
    if (e)
        return e;
    double items = (double)c->wish->items, keys = c->popular.keys;
    double bytes = (keys > 0 && keys < items ? keys : items) * 40 * first->size * (double)c->sites;
    char need[32], have[32];
    return bytes <= 0.9 * (double)mem_machine() ? 0
                                                : fail(why, EINVAL, "--cache-items %" PRIu64 " on %u nodes%s take %s, and this machine has %s; fewer items, or fewer -s at a time, fit",
                                                       c->wish->items, first->size, c->sites > 1 ? " for each strategy" : "", text_bytes(bytes, need),
                                                       text_bytes((double)mem_machine(), have));
}

int cache_open(struct cache *c, const struct study *s, const struct cache_wish *wish, char why[WHY])
{
    *c = (struct cache){.s = s, .wish = wish, .sites = s->specs, .stretches = wish->changes + 1, .threads = study_threads(s)};
    c->stretch = mem_alloc(c->stretches, sizeof *c->stretch);
    c->site = mem_alloc(c->sites, sizeof *c->site);
    int e = c->stretch && c->site ? open_stream(c, why) : fail(why, ENOMEM, "no memory for the changes");
    for (size_t k = 1; k < c->stretches && !e; k++)
        e = read_change(c, wish->at[k - 1], k, why);
    if (!e)
        e = check_memory(c, why);
    for (size_t i = 0; c->site && i < c->sites; i++)
        c->site[i].spec = s->spec[i];
    for (size_t i = 0; i < c->sites && !e; i++)
        e = open_site(c, &c->site[i], why);
    return e ? e : batch_open(c, why);
}

static void close_site(const struct cache *c, struct site *site)
{
    placement_close(site->now);
    placement_close(site->was);
    identity_release(&site->of);
    nodes_release(site);
    forecast_release(c, site);
    mem_free(site->cluster);
    mem_free(site->owner);
    mem_free(site->digest);
    mem_free(site->load);
    mem_free(site->kept);
    mem_free(site->mark);
    mem_free(site->part);
}

void cache_close(struct cache *c)
{
    for (size_t i = 0; c->site && i < c->sites; i++)
        close_site(c, &c->site[i]);
    batch_close(c);
    workload_close(c->w);
    popularity_release(&c->popular);
    mem_free(c->stretch);
    mem_free(c->site);
    mem_free(c->cut);
}
