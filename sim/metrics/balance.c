#include "metrics/balance.h"

#include <math.h>

void balance_measure(const double *share, const double *fair, uint32_t ids, double unplaced, struct balance *out)
{
    double max = 0, min = INFINITY, squares = 0;
    uint32_t members = 0, empty = 0;
    for (uint32_t id = 0; id < ids; id++) {
        if (fair[id] <= 0)
            continue;
        double load = share[id] / fair[id];
        max = load > max ? load : max;
        min = load < min ? load : min;
        squares += (load - 1) * (load - 1);
        empty += share[id] <= 0;
        members++;
    }
    *out = (struct balance){max, min, sqrt(squares / members), empty, unplaced};
}

double share_distance(const double *a, const double *b, uint32_t ids)
{
    double sum = 0;
    for (uint32_t id = 0; id < ids; id++)
        sum += fabs(b[id] - a[id]);
    return sum / 2;
}

double balance_noise(const double *fair, uint32_t ids, double sum_p2)
{
    double sum = 0;
    uint32_t members = 0;
    for (uint32_t id = 0; id < ids; id++)
        if (fair[id] > 0) {
            sum += (1 - fair[id]) / fair[id];
            members++;
        }
    return sqrt(sum * sum_p2 / members);
}
