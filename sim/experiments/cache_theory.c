/* What theory says of the hit ratio, from the popularity of the keys and from who owns them before and after each change.
 *
 * The keys are walked in order of popularity: all of them where a band has at most KEYS_MOST, so that the share of the requests that stays where it
 * was is exact; of larger bands (more than 4 million keys) every second, third .. key stands for its neighbours.
 * After a change, keys that stay are hit as before it, keys that moved are cold, and t requests later in their new cache with chance 1 - exp(-p t):
 *     kept * hit before + (1 - kept) * mean of (1 - exp(-p t))
 * summed by bands, while that holds: in windows that end before half of Che's time T, at the node where it is shortest before or after. Later, nodes
 * with fewer keys than before still hold old ones, and nodes with more drop theirs sooner. The same formula with nothing kept holds for the caches'
 * first fill up to T. Windows that begin when the longest T is over, when the caches have forgotten the change, have the steady hit ratio, but for
 * nodes that have room for all their keys: these fill up for ever, and never forget a change. Keys that stay in caches that were not full yet are hit
 * more and more: there the formula holds for a fiftieth of the time before.
 * No theory: for a file, whose keys' popularity is not known; where owners depend on loads; with --fetch; and after a stretch that was too short for
 * the caches to forget the change before it (a key that moves back may meet its old copy).
 * Cost: a look-up or two a key and stretch. */
#include "experiments/cache_parts.h"

#include "base/mem.h"
#include "base/progress.h"

#include <errno.h>
#include <math.h>

#define KEYS_MOST ((uint64_t)1 << 15)

struct walk {
    const struct cache *c;
    const struct placement *was, *now; /* was NULL: nothing is kept */
    const struct cluster *before, *after;
    uint32_t ids;
    bool *stands; /* [2 * ids]: now; before and now */
    double *part;         /* [bands][ids]: of each band's requests, what goes to each node that stands */
    double *kept;         /* [bands], or NULL */
};

struct walker {
    struct key_block block;
    uint64_t digest[KEY_BLOCK];
    uint8_t verdict[KEY_BLOCK];
    uint32_t owner[2][KEY_BLOCK];
};

/* One block of a band's keys, each standing for `step`: adds their k^-s to their nodes' part, and returns the sum of all; *kept: of those that stay. */
static double walk_block(const struct walk *w, struct walker *l, uint64_t step, double zipf, double *part, double *kept)
{
    const struct key_block *b = &l->block;
    double all = 0;
    bool plain;
    placement_digests(w->now, b->text, b->len, b->count, l->digest, l->verdict, &plain);
    placement_owners(w->now, b->text, b->len, b->count, l->digest, l->verdict, plain, l->owner[1]);
    if (w->was)
        placement_owners(w->was, b->text, b->len, b->count, l->digest, l->verdict, plain, l->owner[0]);
    for (size_t i = 0; i < b->count; i++) {
        uint32_t id = l->owner[1][i];
        double popular = pow((double)(b->first + i * step) + 1, -zipf);
        all += popular;
        if (id >= w->ids || !w->stands[id])
            continue;
        part[id] += popular;
        *kept += w->was && l->owner[0][i] == id && w->stands[w->ids + id] ? popular : 0;
    }
    return all;
}

static bool walk_band(const struct walk *w, struct walker *l, size_t band)
{
    const struct band *b = &w->c->popular.band[band];
    uint64_t step = (b->keys + KEYS_MOST - 1) / KEYS_MOST, left = b->keys / step + (b->keys % step > 0), count;
    double zipf = 0, kept = 0, all = 0, *part = w->part + band * w->ids;
    workload_is_drawn(w->c->w, &count, &zipf);
    for (uint64_t first = b->first; left; first += KEY_BLOCK * step) {
        size_t n = left < KEY_BLOCK ? (size_t)left : KEY_BLOCK;
        if (workload_keys(w->c->w, first, step, n, &l->block))
            return false;
        all += walk_block(w, l, step, zipf, part, &kept);
        left -= n;
    }
    for (uint32_t id = 0; id < w->ids; id++)
        part[id] /= all;
    if (w->kept)
        w->kept[band] = b->all * (kept / all);
    progress_add(1);
    return true;
}

/* Bands dealt to threads; each band's sums are one thread's. */
static bool walk_all(struct walk *w)
{
    bool failed = false;
#pragma omp parallel num_threads(w->c->threads)
    {
        struct walker *l = mem_alloc(1, sizeof *l);
        bool good = l && key_block_init(&l->block) == 0;
#pragma omp for schedule(dynamic)
        for (size_t b = 0; b < w->c->popular.bands; b++)
            good = good && walk_band(w, l, b);
        if (l)
            key_block_release(&l->block);
        mem_free(l);
#pragma omp critical(cache_walk)
        failed |= !good;
    }
    return !failed;
}

static void mark_stands(struct walk *w)
{
    for (uint32_t i = 0; i < w->after->size; i++)
        w->stands[w->after->node[i].id] = !w->after->node[i].down;
    for (uint32_t i = 0; w->before && i < w->before->size; i++)
        w->stands[w->ids + w->before->node[i].id] = !w->before->node[i].down;
}

static int forecast_stretch(const struct cache *c, struct site *site, struct placement *const p[2], size_t k, char why[WHY])
{
    size_t bands = c->popular.bands;
    struct forecast *f = &site->forecast[k];
    struct walk w = {.c = c, .was = k ? p[0] : NULL, .now = p[1], .before = k ? site->cluster[k - 1] : NULL, .after = site->cluster[k], .ids = site->ids};
    w.stands = mem_alloc(2 * (size_t)site->ids, sizeof *w.stands);
    w.part = mem_alloc(bands * site->ids, sizeof *w.part);
    f->cached = mem_alloc(bands, sizeof *f->cached);
    f->hit = mem_alloc(bands, sizeof *f->hit);
    f->steady = mem_alloc(bands, sizeof *f->steady);
    f->roomy = mem_alloc(bands, sizeof *f->roomy);
    f->kept = w.kept = k ? mem_alloc(bands, sizeof *f->kept) : NULL;
    bool good = w.stands && w.part && f->cached && f->hit && f->steady && f->roomy && (!k || f->kept);
    if (good)
        mark_stands(&w);
    good = good && walk_all(&w);
    if (good) {
        uint64_t end = k + 1 < c->stretches ? c->stretch[k + 1].first : c->done;
        double age = (double)(end - c->stretch[k].first), items = (double)c->wish->items;
        che_hits(&c->popular, w.part, site->ids, items, age, f->hit, NULL);
        f->times = che_hits(&c->popular, w.part, site->ids, items, INFINITY, f->steady, f->roomy);
        for (size_t b = 0; b < bands; b++)
            for (uint32_t id = 0; id < site->ids; id++)
                f->cached[b] += c->popular.band[b].all * w.part[b * site->ids + id];
        f->kept_share = k ? 0 : NAN;
        for (size_t b = 0; k && b < bands; b++)
            f->kept_share += f->kept[b];
        const struct forecast *before = k ? f - 1 : f;
        double aged = k ? (double)(c->stretch[k].first - c->stretch[k - 1].first) : 0;
        f->known = !c->wish->fetch && (k < 2 || (before->known && aged >= before->times.most));
    }
    mem_free(w.stands);
    mem_free(w.part);
    return good ? 0 : fail(why, ENOMEM, "no memory for the theory of the caches");
}

/* Of a file: the requests since the change that went where they would have gone. */
static void count_kept(const struct cache *c, struct site *site)
{
    for (size_t k = 0; k < c->stretches; k++) {
        uint64_t end = k + 1 < c->stretches ? c->stretch[k + 1].first : c->done;
        site->forecast[k].kept_share = k && !site->load && site->was ? (double)site->kept[k] / (double)(end - c->stretch[k].first) : NAN;
    }
}

int forecast_make(const struct cache *c, struct site *site, char why[WHY])
{
    struct placement *p[2] = {NULL, NULL}; /* before the last change, after it */
    count_kept(c, site);
    if (!c->popular.bands || site->load)
        return 0;
    int e = 0;
    for (size_t i = 0; i < 2 && !e; i++)
        e = placement_open(&p[i], site->spec, site->cluster[0], &c->s->hash, why);
    for (size_t k = 0; k < c->stretches && !e; k++) {
        for (size_t i = 0; i < 2 && !e && k; i++)
            if (i || k > 1)
                e = placement_change(p[i], site->cluster[k - 1 + i], why);
        if (!e)
            e = forecast_stretch(c, site, p, k, why);
    }
    placement_close(p[0]);
    placement_close(p[1]);
    return e;
}

void forecast_release(const struct cache *c, struct site *site)
{
    for (size_t k = 0; site->forecast && k < c->stretches; k++) {
        mem_free(site->forecast[k].kept);
        mem_free(site->forecast[k].cached);
        mem_free(site->forecast[k].hit);
        mem_free(site->forecast[k].steady);
        mem_free(site->forecast[k].roomy);
    }
    mem_free(site->forecast);
}

double forecast_ratio(const struct cache *c, const struct site *site, size_t k, double a, double b)
{
    const struct forecast *f = &site->forecast[k];
    double sum = 0, until = k ? fmin(f->times.least, f[-1].times.least) / 2 : f->times.least;
    double before = k ? (double)(c->stretch[k].first - c->stretch[k - 1].first) : 0;
    if (k && before < f[-1].times.most)
        until = fmin(until, before / 50);
    bool early = b <= until;
    if (!f->known || (!early && a < (k ? f->times.most : f->times.most_finite)))
        return NAN;
    for (size_t i = 0; i < c->popular.bands; i++) {
        const struct band *band = &c->popular.band[i];
        double cold = che_cold(band->each, a, b), kept = k ? f->kept[i] : 0;
        if (early)
            sum += kept * (k ? f[-1].hit[i] : 0) + (f->cached[i] - kept) * cold;
        else
            sum += band->all * (f->steady[i] - f->roomy[i] * (1 - cold));
    }
    return sum;
}
