/* The whole simulation as anybody would write it first: plain [NODES [VNODES [KEYS]]] prints how many of the keys user:0 .. each of node-0 .. gets.
 *
 *     cc -O2 -Isim -o plain bench/plain.c sim/experiments/bench_plain.c
 *     keysim balance -s ring:vnodes=150 -n 1000 -k user:count=10M --per-node      does the same */
#include "experiments/bench_plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    uint32_t nodes = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000, vnodes = argc > 2 ? (uint32_t)atoi(argv[2]) : 150;
    uint64_t keys = argc > 3 ? (uint64_t)atoll(argv[3]) : 10000000;
    if (!nodes || !vnodes)
        return 2;
    struct plain_point *ring = calloc((size_t)nodes * vnodes, sizeof *ring);
    uint64_t *count = calloc(nodes, sizeof *count);
    if (!ring || !count)
        return 3;
    plain_ring(ring, nodes, vnodes);
    plain_ring_keys(ring, (size_t)nodes * vnodes, keys, count);
    puts("node,keys");
    for (uint32_t k = 0; k < nodes; k++)
        printf("node-%u,%" PRIu64 "\n", k, count[k]);
    free(ring);
    free(count);
    return 0;
}
