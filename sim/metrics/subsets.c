#include "metrics/subsets.h"

#include "base/rng.h"

uint64_t subsets_count(uint64_t n, uint64_t k, uint64_t most)
{
    double c = 1;
    if (k > n)
        return 0;
    k = k < n - k ? k : n - k;
    for (uint64_t i = 1; i <= k && c < (double)most * 2; i++)
        c = c * (double)(n - k + i) / (double)i;
    return c < (double)most ? (uint64_t)(c + 0.5) : most;
}

void subset_at(uint64_t rank, uint32_t n, uint32_t k, uint32_t *subset)
{
    for (uint32_t i = 0, node = 0; i < k; node++) {
        uint64_t with = subsets_count(n - node - 1, k - i - 1, UINT32_MAX);
        if (rank < with)
            subset[i++] = node;
        else
            rank -= with;
    }
}

void subset_first(uint32_t k, uint32_t *subset)
{
    for (uint32_t i = 0; i < k; i++)
        subset[i] = i;
}

bool subset_next(uint32_t n, uint32_t k, uint32_t *subset)
{
    uint32_t i = k;
    while (i > 0 && subset[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return false;
    subset[i - 1]++;
    for (; i < k; i++)
        subset[i] = subset[i - 1] + 1;
    return true;
}

void subset_random(uint64_t stream, uint32_t n, uint32_t k, bool *taken, uint32_t *subset)
{
    struct rng r = rng_start(stream);
    for (uint32_t i = 0; i < k; i++) {
        uint32_t last = n - k + i, node = (uint32_t)rng_below(&r, last + (uint64_t)1);
        subset[i] = taken[node] ? last : node;
        taken[subset[i]] = true;
    }
    for (uint32_t i = 0; i < k; i++)
        taken[subset[i]] = false;
}
