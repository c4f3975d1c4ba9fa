/* Che's approximation of LRU (Che, Tung, Wang 2002): an item that nobody asks for leaves after T requests, nearly the same T for all, for which
 *     sum over the cache's keys of (1 - exp(-p T)) = items,
 * since so many different keys come by in T requests; and a request is a hit when its key came within the last T, with chance 1 - exp(-p T).
 * Keys are summed by bands of nearly the same p: 128 ranks alone, then 64 bands to each octave, within which p varies by 1.6 % at Zipf 1; the error
 * of a band's mean is of second order, below 1e-5 of the whole.
 * Cost: a million keys are 1000 bands; a time is some 20 sums over them, by Newton's rule, 0.2 ms. */
#include "metrics/che.h"

#include "base/mem.h"
#include "model/zipf.h"

#include <errno.h>
#include <math.h>

enum { ALONE = 128 }; /* ranks that are a band each */

int popularity_init(struct popularity *p, uint64_t keys, double zipf)
{
    double total = zipf_sum(keys, zipf), before = 0;
    size_t capacity = 0;
    *p = (struct popularity){.keys = (double)keys};
    for (uint64_t first = 0, width = 1; first < keys; first += width) {
        if (first >= ALONE && (first & (first - 1)) == 0)
            width = first / 64;
        width = width < keys - first ? width : keys - first;
        if (mem_grow(&p->band, &capacity, p->bands + 1, sizeof *p->band)) {
            popularity_release(p);
            return -ENOMEM;
        }
        double sum = width == 1 ? before + pow((double)first + 1, -zipf) : zipf_sum(first + width, zipf), all = (sum - before) / total;
        p->band[p->bands++] = (struct band){first, width, all, all / (double)width};
        before = sum;
    }
    return 0;
}

void popularity_release(struct popularity *p)
{
    mem_free(p->band);
    *p = (struct popularity){0};
}

/* Newton's rule from the left, where the concave sum's tangent never leads beyond the root. */
double che_time(const struct popularity *p, const double *part, size_t stride, double items)
{
    double keys = 0, time = items;
    for (size_t b = 0; b < p->bands; b++)
        keys += part[b * stride] * (double)p->band[b].keys;
    if (keys <= items)
        return INFINITY;
    for (int turn = 0; turn < 200; turn++) {
        double sum = 0, slope = 0;
        for (size_t b = 0; b < p->bands; b++) {
            double here = part[b * stride], gone = here > 0 ? exp(-p->band[b].each * time) : 0;
            sum += here * (double)p->band[b].keys * (1 - gone);
            slope += here * p->band[b].all * gone;
        }
        double step = (items - sum) / slope;
        time += step;
        if (!(step > time * 1e-12))
            break;
    }
    return time;
}

struct che_times che_hits(const struct popularity *p, const double *part, uint32_t n, double items, double age, double *hit, double *roomy)
{
    struct che_times times = {INFINITY, 0, 0};
    for (uint32_t i = 0; i < n; i++) {
        double all = 0;
        for (size_t b = 0; b < p->bands; b++)
            all += part[b * n + i];
        if (all <= 0)
            continue;
        double time = che_time(p, part + i, n, items), since = fmin(time, age);
        for (size_t b = 0; b < p->bands; b++) {
            double here = part[b * n + i];
            hit[b] += here > 0 ? here * -expm1(-p->band[b].each * since) : 0;
            if (roomy && isinf(time))
                roomy[b] += here;
        }
        times.least = fmin(times.least, time);
        times.most = fmax(times.most, time);
        times.most_finite = isinf(time) ? times.most_finite : fmax(times.most_finite, time);
    }
    return times;
}

double che_cold(double each, double from, double to)
{
    double span = each * (to - from);
    return 1 - exp(-each * from) * (span > 0 ? -expm1(-span) / span : 1);
}
