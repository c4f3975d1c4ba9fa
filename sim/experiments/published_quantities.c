/* The quantities of published figures, each measured on one placement as its paper measured it. */
#include "experiments/published_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "metrics/balance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static struct balance balance_of(const struct sight *s)
{
    struct balance b;
    balance_measure(s->share, s->fair, s->p->cluster->ids, 0, &b);
    return b;
}

static int measure_square(const struct sight *s, double *sample, char why[WHY])
{
    (void)why;
    double cv = balance_of(s).cv;
    *sample = cv * cv;
    return 0;
}

static int measure_max(const struct sight *s, double *sample, char why[WHY])
{
    (void)why;
    *sample = balance_of(s).max_over_mean;
    return 0;
}

static int measure_nodes(const struct sight *s, double *sample, char why[WHY])
{
    (void)why;
    for (uint32_t i = 0; i < s->p->cluster->size; i++) {
        uint32_t id = s->p->cluster->node[i].id;
        sample[i] = s->share[id] / s->fair[id];
    }
    return 0;
}

static double max_over_mean(const double *load, const struct cluster *c)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        double x = load[c->node[i].id];
        sum += x;
        most = x > most ? x : most;
    }
    return most * c->size / sum;
}

/* Dynamo's: mean over maximum of what nodes hold when each key has three copies. */
static int measure_efficiency(const struct sight *s, double *sample, char why[WHY])
{
    enum { COPIES = 3 };
    const struct placement *p = s->p;
    if (!p->engine->ranges || !p->engine->replicas)
        return fail(why, EINVAL, "%s has no map of copies", p->strategy->name);
    double *load = mem_alloc(p->cluster->ids, sizeof *load);
    struct range block[256];
    if (!load)
        return fail(why, ENOMEM, "no memory for the loads of %u nodes", p->cluster->size);
    for (size_t from = 0, n; (n = p->engine->ranges(p->state, from, block, 256)) > 0; from += n)
        for (size_t i = 0; i < n; i++) {
            uint32_t id[COPIES];
            size_t copies = p->engine->replicas(p->state, block[i].last, id, COPIES);
            for (size_t k = 0; k < copies; k++)
                load[id[k]] += (double)(block[i].last - block[i].first) + 1;
        }
    *sample = 1 / max_over_mean(load, p->cluster);
    mem_free(load);
    return 0;
}

struct collected {
    uint64_t *position;
    size_t count, capacity;
};

static int collect(void *to, const struct point *point)
{
    struct collected *c = to;
    if (mem_grow(&c->position, &c->capacity, c->count + 1, sizeof *c->position))
        return -ENOMEM;
    c->position[c->count++] = point->position;
    return 0;
}

/* Writes the points into the table's places in turns, a point a node: who comes first to a place keeps it. Empty places inherit the next one's. */
static void write_in_turns(const struct cluster *c, const struct collected *all, uint32_t *owner, uint64_t places)
{
    size_t each = all->count / c->size;
    memset(owner, 0xff, places * sizeof *owner);
    for (size_t k = 0; k < each; k++)
        for (uint32_t i = 0; i < c->size; i++) {
            uint64_t place = rng_upto(all->position[i * each + k], places - 1);
            if (owner[place] == NO_NODE)
                owner[place] = c->node[i].id;
        }
    uint32_t next = NO_NODE;
    for (uint64_t at = 2 * places; at-- > 0;) { /* twice around, since the end inherits the beginning */
        next = owner[at % places] == NO_NODE ? next : owner[at % places];
        owner[at % places] = next;
    }
}

/* Maglev's way to put a ring into a table of so many places. */
static int measure_table(const struct sight *s, double *sample, char why[WHY])
{
    const struct placement *p = s->p;
    const struct cluster *c = p->cluster;
    uint64_t places = (uint64_t)s->value;
    struct collected all = {0};
    if (!p->strategy->points || p->key.hash.hash->last != UINT64_MAX)
        return fail(why, EINVAL, "%s has no points of 64 bits", p->strategy->name);
    uint32_t *owner = mem_alloc(places, sizeof *owner);
    double *load = mem_alloc(c->ids, sizeof *load);
    int e = owner && load ? p->strategy->points(p, NULL, collect, &all) : -ENOMEM;
    if (!e) {
        write_in_turns(c, &all, owner, places);
        for (uint64_t i = 0; i < places; i++)
            load[owner[i]]++;
        *sample = max_over_mean(load, c);
    }
    mem_free(all.position);
    mem_free(owner);
    mem_free(load);
    return e ? fail(why, -e, "no memory for a table of %.0f places", s->value) : 0;
}

const struct quantity *quantity_find(const char *name)
{
    static const struct quantity all[] = {
        {"cv", ROOT_MEAN, 0, false, measure_square},
        {"share_q005", QUANTILE, 0.005, true, measure_nodes},
        {"share_q995", QUANTILE, 0.995, true, measure_nodes},
        {"max_over_mean", MEAN, 0, false, measure_max},
        {"max_over_mean_q95", QUANTILE, 0.95, false, measure_max},
        {"efficiency", MEAN, 0, false, measure_efficiency},
        {"table_max_over_mean", MEAN, 0, false, measure_table},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name))
            return &all[i];
    return NULL;
}

double quantity_figure(const struct quantity *q, double *sample, size_t n, double *error, double *freedom)
{
    double mean = stats_mean(sample, n), squares = 0;
    if (q->from == QUANTILE) { /* as uncertain as its rank, which hangs on the samples beyond it */
        double rank = sqrt(q->quantile * (1 - q->quantile) / (double)n), beyond = fmin(q->quantile, 1 - q->quantile) * (double)n;
        stats_sort(sample, n);
        *error = (stats_quantile(sample, n, fmin(q->quantile + rank, 1)) - stats_quantile(sample, n, fmax(q->quantile - rank, 0))) / 2;
        *freedom = fmax(beyond - 1, 0);
        return stats_quantile(sample, n, q->quantile);
    }
    for (size_t i = 0; i < n; i++)
        squares += (sample[i] - mean) * (sample[i] - mean);
    *freedom = (double)n - 1;
    *error = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0;
    if (q->from == MEAN)
        return mean;
    *error /= 2 * sqrt(mean);
    return sqrt(mean);
}
