#include "strategies/engines/ketama_labels.h"

#include <math.h>
#include <string.h>

uint32_t ketama_labels(uint32_t weight, uint64_t total, uint32_t servers)
{
    float share = (float)weight / (float)total;
    float many = share * 160 / 4 * (float)servers;
    return (uint32_t)floorf((float)((double)many + 1e-10)); /* the addend, meant against rounding, is too small to matter */
}

uint64_t ketama_labels_of_all(const struct cluster *c)
{
    uint64_t total = cluster_weight(c), sum = 0;
    for (uint32_t i = 0; i < c->size; i++)
        sum += ketama_labels(c->node[i].weight, total, c->size);
    return sum;
}

size_t ketama_name_length(const char *name)
{
    size_t len = strlen(name), port = strlen(":11211");
    return len > port && !strcmp(name + len - port, ":11211") ? len - port : len;
}
