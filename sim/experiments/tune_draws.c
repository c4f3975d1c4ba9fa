/* Arcs of an ideal ring without its points: V points of T own a Gamma(V) over the sum of all. Every V uses the same normals, so that one V differs from
 * the next by no more than it must. Cost: a few nanoseconds a node and placement. */
#include "experiments/tune_parts.h"

#include "base/mem.h"
#include "base/ranks.h"

#include <errno.h>

static uint64_t stream_of(const struct draws *d, uint64_t placement)
{
    return rng_stream(d->seed, "tune arcs", "", placement);
}

static struct rng sequence(uint64_t stream, uint32_t node)
{
    return rng_start(rng_at(stream, node));
}

int draws_init(struct draws *d, uint64_t seed, uint32_t nodes, uint64_t placements, char why[WHY])
{
    *d = (struct draws){mem_alloc(placements * nodes, sizeof *d->normal), seed, placements, nodes};
    if (!d->normal)
        return fail(why, ENOMEM, "no memory for arcs of %u nodes", nodes);
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < placements; i++) {
        uint64_t stream = stream_of(d, i);
        for (uint32_t k = 0; k < nodes && ranks_mine(i); k++) {
            struct rng r = sequence(stream, k);
            double x = draw_normal(&r), u = 1 - rng_real(&r);
            d->normal[i * nodes + k] = gamma_accepts(x, u) ? x : NAN;
        }
    }
    return 0;
}

void draws_release(struct draws *d)
{
    mem_free(d->normal);
    *d = (struct draws){0};
}

static void draw_arcs(const struct draws *d, uint64_t placement, const double *fair, double points, const struct gamma_shape *shape, double *arc)
{
    double sum = 0;
    uint64_t stream = stream_of(d, placement);
    for (uint32_t k = 0; k < d->nodes; k++) {
        double g = gamma_of_normal(d->normal[placement * d->nodes + k], shape[k]);
        if (!(g > 0)) { /* NaN too */
            struct rng r = sequence(stream, k);
            g = draw_gamma(&r, fair[k] * points);
        }
        arc[k] = g;
        sum += g;
    }
    double scale = 1 / sum;
    for (uint32_t k = 0; k < d->nodes; k++)
        arc[k] *= scale;
}

static struct sample sample_of(const double *share, const double *per_fair, uint32_t n)
{
    struct sample s = {.min = INFINITY};
    for (uint32_t k = 0; k < n; k++) {
        double load = share[k] * per_fair[k];
        s.max = load > s.max ? load : s.max;
        s.min = load < s.min ? load : s.min;
        s.square += (load - 1) * (load - 1);
        s.top = share[k] > s.top ? share[k] : s.top;
    }
    s.square /= n;
    return s;
}

int draws_samples(const struct draws *d, const struct study *s, const double *fair, double total, double v, uint64_t keys, bool moved,
                  struct sample *out, char why[WHY])
{
    unsigned threads = study_threads(s);
    struct gamma_shape *shape = mem_alloc(d->nodes, sizeof *shape);
    double *per_fair = mem_alloc(d->nodes, sizeof *per_fair);
    bool ready = shape && per_fair, broken = !ready;
    (void)threads;
    for (uint32_t k = 0; ready && k < d->nodes; k++) {
        shape[k] = gamma_shape(fair[k] * total * v);
        per_fair[k] = 1 / fair[k];
    }
#pragma omp parallel num_threads(threads)
    {
        double *share = mem_alloc(d->nodes, sizeof *share);
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < d->placements; i++) {
            if (!share || !ready) {
#pragma omp atomic write
                broken = true;
                continue;
            }
            if (!ranks_mine(i))
                continue;
            draw_arcs(d, i, fair, total * v, shape, share);
            if (keys) {
                struct rng r = rng_start(rng_stream(d->seed, "tune keys", "", i));
                draw_multinomial(&r, keys, share, d->nodes, share);
                for (uint32_t k = 0; k < d->nodes; k++)
                    share[k] /= (double)keys;
            }
            out[i] = sample_of(share, per_fair, d->nodes);
            if (moved) { /* by one node of weight 1 more */
                struct rng r = sequence(stream_of(d, i), d->nodes);
                double own = draw_gamma(&r, v), others = draw_gamma(&r, total * v);
                out[i].moved = own / (own + others);
            }
        }
        mem_free(share);
    }
    mem_free(shape);
    mem_free(per_fair);
    return broken ? fail(why, ENOMEM, "no memory for arcs of %u nodes", d->nodes) : ranks_gather(out, sizeof *out, 0, d->placements, why);
}
