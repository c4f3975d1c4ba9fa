#include "metrics/availability.h"

#include "base/mem.h"
#include "base/rng.h"
#include "metrics/subsets.h"

#include <errno.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define STEPS 4e9 /* of one placement's subsets that are still waited for */
enum { ALL_MOST = 1000000, SAMPLE_MOST = 100000, LEAST = 1000, CHUNKS = 256 };

void copysets_init(struct copysets *c, uint32_t nodes, uint32_t replicas)
{
    *c = (struct copysets){.nodes = nodes, .replicas = replicas};
}

void copysets_release(struct copysets *c)
{
    mem_free(c->node);
    mem_free(c->share);
    mem_free(c->first);
    mem_free(c->of);
    mem_free(c->slot);
    *c = (struct copysets){0};
}

static void sort_few(uint32_t *x, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k > 0 && x[k - 1] > x[k]; k--) {
            uint32_t swap = x[k];
            x[k] = x[k - 1];
            x[k - 1] = swap;
        }
}

/* The slot that holds the set, or the free one where it would stand. */
static uint32_t *find_slot(const struct copysets *c, const uint32_t *node)
{
    uint64_t hash = c->replicas;
    for (uint32_t i = 0; i < c->replicas; i++)
        hash = rng_mix((hash ^ node[i]) + RNG_GOLDEN);
    size_t at = hash & (c->slots - 1);
    while (c->slot[at] && memcmp(c->node + (size_t)(c->slot[at] - 1) * c->replicas, node, c->replicas * sizeof *node))
        at = (at + 1) & (c->slots - 1);
    return &c->slot[at];
}

static int grow_slots(struct copysets *c)
{
    size_t slots = c->slots ? 2 * c->slots : 1024;
    uint32_t *slot = mem_alloc(slots, sizeof *slot);
    if (!slot)
        return -ENOMEM;
    mem_free(c->slot);
    c->slot = slot;
    c->slots = slots;
    for (size_t i = 0; i < c->count; i++)
        *find_slot(c, c->node + i * c->replicas) = (uint32_t)i + 1;
    return 0;
}

int copysets_add(struct copysets *c, uint32_t *node, uint32_t *index)
{
    sort_few(node, c->replicas);
    if (2 * c->count >= c->slots && grow_slots(c))
        return -ENOMEM;
    uint32_t *slot = find_slot(c, node);
    if (!*slot) {
        if (mem_grow(&c->node, &c->capacity, (c->count + 1) * c->replicas, sizeof *c->node))
            return -ENOMEM;
        memcpy(c->node + c->count * c->replicas, node, c->replicas * sizeof *node);
        *slot = (uint32_t)++c->count;
    }
    *index = *slot - 1;
    return 0;
}

int copysets_index(struct copysets *c)
{
    size_t all = c->count * c->replicas;
    c->share = mem_alloc(c->count, sizeof *c->share);
    c->first = mem_alloc(c->nodes + (size_t)2, sizeof *c->first);
    c->of = mem_alloc(all, sizeof *c->of);
    if (!c->share || !c->first || !c->of)
        return -ENOMEM;
    for (size_t i = 0; i < all; i++)
        c->first[c->node[i] + 2]++;
    for (uint32_t i = 0; i < c->nodes; i++)
        c->first[i + 2] += c->first[i + 1];
    for (size_t i = 0; i < all; i++)
        c->of[c->first[c->node[i] + 1]++] = (uint32_t)(i / c->replicas);
    return 0;
}

int copysets_neighbours(const struct copysets *c, double *mean, uint32_t *max)
{
    uint32_t *met = mem_alloc(c->nodes, sizeof *met);
    uint64_t all = 0;
    *max = 0;
    if (!met)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->nodes; i++) {
        uint32_t count = 0;
        for (uint32_t s = c->first[i]; s < c->first[i + 1]; s++) {
            const uint32_t *set = c->node + (size_t)c->of[s] * c->replicas;
            for (uint32_t k = 0; k < c->replicas; k++) {
                if (set[k] == i || met[set[k]] == i + 1)
                    continue;
                met[set[k]] = i + 1;
                count++;
            }
        }
        all += count;
        *max = count > *max ? count : *max;
    }
    *mean = (double)all / c->nodes;
    mem_free(met);
    return 0;
}

/* -- failures -- */

/* What one thread counts with. */
struct desk {
    uint32_t *subset, *dead; /* dead[set]: its dead copies, all 0 between subsets */
    bool *taken;
};

static void desk_release(struct desk *d)
{
    mem_free(d->subset);
    mem_free(d->dead);
    mem_free(d->taken);
}

static void fail_subset(const struct copysets *c, uint32_t fail, struct desk *d, struct failures *out)
{
    double below = 0, lost = 0;
    bool broken = false, gone = false;
    uint32_t enough = quorum_losers(c->replicas);
    for (uint32_t i = 0; i < fail; i++)
        for (uint32_t s = c->first[d->subset[i]]; s < c->first[d->subset[i] + 1]; s++) {
            uint32_t set = c->of[s], dead = ++d->dead[set];
            if (dead == enough) {
                below += c->share[set];
                broken = true;
            }
            if (dead == c->replicas) {
                lost += c->share[set];
                gone = true;
            }
        }
    for (uint32_t i = 0; i < fail; i++)
        for (uint32_t s = c->first[d->subset[i]]; s < c->first[d->subset[i] + 1]; s++)
            d->dead[c->of[s]] = 0;
    out->below_quorum += below;
    out->lost += lost;
    out->worst = fmax(out->worst, below);
    out->subsets++;
    out->broken += broken;
    out->gone += gone;
}

/* Subsets from .. to-1, summed in their order. */
static int fail_chunk(const struct copysets *c, uint32_t fail, uint64_t stream, uint64_t from, uint64_t to, struct failures *out)
{
    struct desk d = {mem_alloc(fail, sizeof *d.subset), mem_alloc(c->count, sizeof *d.dead), mem_alloc(c->nodes, sizeof *d.taken)};
    int e = d.subset && d.dead && d.taken ? 0 : -ENOMEM;
    for (uint64_t i = from; i < to && !e; i++) {
        if (out->sampled)
            subset_random(rng_at(stream, i), c->nodes, fail, d.taken, d.subset);
        else if (i == from)
            subset_at(i, c->nodes, fail, d.subset);
        else
            subset_next(c->nodes, fail, d.subset);
        fail_subset(c, fail, &d, out);
    }
    desk_release(&d);
    return e;
}

int copysets_fail(const struct copysets *c, uint32_t fail, uint64_t stream, unsigned threads, struct failures *out)
{
    double steps = STEPS / (fail * ((double)c->count * c->replicas / c->nodes)); /* a set of each that fails: a step */
    uint64_t most = steps > ALL_MOST ? ALL_MOST : steps < LEAST ? LEAST : (uint64_t)steps;
    uint64_t all = subsets_count(c->nodes, fail, ALL_MOST + 1);
    bool sampled = all > most;
    uint64_t n = !sampled ? all : most < SAMPLE_MOST ? most : SAMPLE_MOST;
    struct failures *part = mem_alloc(CHUNKS, sizeof *part);
    int failed = part ? 0 : -ENOMEM;
    (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(min : failed) if (n > CHUNKS)
    for (uint64_t i = 0; i < CHUNKS; i++) {
        if (!part)
            continue;
        part[i].sampled = sampled;
        int e = fail_chunk(c, fail, stream, n * i / CHUNKS, n * (i + 1) / CHUNKS, &part[i]);
        failed = e < failed ? e : failed;
    }
    *out = (struct failures){.sampled = sampled};
    for (uint64_t i = 0; i < CHUNKS && !failed; i++) {
        out->below_quorum += part[i].below_quorum / (double)n;
        out->lost += part[i].lost / (double)n;
        out->worst = fmax(out->worst, part[i].worst);
        out->subsets += part[i].subsets;
        out->broken += part[i].broken;
        out->gone += part[i].gone;
    }
    mem_free(part);
    return failed;
}

/* -- theory -- */

uint32_t quorum_losers(uint32_t replicas)
{
    return replicas - replicas / 2;
}

double theory_dead_share(uint32_t nodes, uint32_t replicas, uint32_t fail, uint32_t dead)
{
    double sum = 0, all = gsl_sf_lnchoose(nodes, replicas);
    uint32_t most = fail < replicas ? fail : replicas, left = nodes - fail;
    for (uint32_t k = dead; k <= most; k++)
        if (replicas - k <= left)
            sum += exp(gsl_sf_lnchoose(fail, k) + gsl_sf_lnchoose(left, replicas - k) - all);
    return sum;
}

double theory_neighbours(double others, double points, uint32_t replicas)
{
    return others > 1 ? others * (1 - pow(1 - 1 / others, 2 * points * (replicas - 1.0))) : others;
}
