/* The figures, and what is wanted of each. */
#include "experiments/bench_parts.h"

#define RING "ring:vnodes=150"
#define WANT(plain, avx2, best) .wanted = {[CPU_PLAIN] = plain, [CPU_AVX2] = avx2, [CPU_AVX512] = best}
#define RING_MANY(n, many, plain, best)                                                                                                        \
    {.name = "ring", .quantity = "ring look-up, digest ready, in batches", .against = "branchy binary search, a key at a time", .unit = "ns/key", \
     .nodes = n, .keys = many, WANT(plain, 0, best), .run = bench_lookups, .spec = RING, .one_side = lookups_many, .other_side = plain_ring_side}

const struct figure bench_figures[] = {
    /* More keys where the ring is larger than the caches: what a repetition reads must not lie there from the one before. */
    RING_MANY(10, 1 << 17, 20, 25), RING_MANY(100, 1 << 17, 25, 30), RING_MANY(1000, 1 << 17, 30, 40), RING_MANY(10000, 1 << 20, 20, 25),
    {.name = "single", .quantity = "ring look-up, digest ready, one call a key", .against = "branchy binary search", .unit = "ns/key", .nodes = 100,
     .keys = 1 << 17, WANT(15, 0, 18), .run = bench_lookups, .spec = RING, .one_side = lookups_single, .other_side = plain_ring_side},
    {.name = "whole", .quantity = "number, text, XXH3, ring, count", .against = "snprintf, XXH3, branchy binary search, count", .unit = "ns/key",
     .nodes = 1000, .keys = 1000000, WANT(14, 0, 20), .run = bench_whole, .spec = RING},
    {.name = "slots", .quantity = "number, text, CRC16, slot, count", .against = "snprintf, CRC16 a byte at a time, count", .unit = "ns/key", .nodes = 10,
     .keys = 1000000, WANT(6, 0, 7), .run = bench_whole, .spec = "slots:hash=crc16"},
    {.name = "jump", .quantity = "jump, digest ready, in batches", .against = "the published loop", .unit = "ns/key", .nodes = 1000, .keys = 1 << 18,
     WANT(2, 5, 14), .run = bench_lookups, .spec = "jump", .one_side = lookups_many, .other_side = plain_jump_side},
    {.name = "rendezvous", .quantity = "rendezvous, digest ready, in batches", .against = "a loop over all nodes", .unit = "ns/key", .nodes = 1000,
     .keys = 1 << 12, WANT(1, 5, 7), .run = bench_lookups, .spec = "rendezvous", .one_side = lookups_many, .other_side = plain_rendezvous_side},
    {.name = "multi-probe", .quantity = "multi-probe with 21 probes, in batches", .against = "21 binary searches", .unit = "ns/key", .nodes = 1000,
     .keys = 1 << 14, WANT(6, 0, 7), .run = bench_lookups, .spec = "multi-probe:probes=21", .one_side = lookups_many, .other_side = plain_probe_side},
    {.name = "build", .quantity = "names to ring and index", .against = "snprintf, XXH3, qsort", .unit = "ns", .nodes = 1000, WANT(0, 0, 6),
     .run = bench_build, .spec = RING},
    {.name = "build", .quantity = "names to ring and index", .against = "snprintf, XXH3, qsort", .unit = "ns", .nodes = 10000, WANT(0, 0, 6),
     .run = bench_build, .spec = RING},
    {.name = "add", .quantity = "a node joins the ring", .against = "building the ring anew", .unit = "ns", .nodes = 1000, WANT(0, 0, 500),
     .run = bench_add, .spec = RING},
    {.name = "shares", .quantity = "names to exact shares", .against = "names to shares of 1M keys, plainly", .unit = "ns", .nodes = 1000,
     .keys = 1000000, WANT(0, 0, 50), .run = bench_shares, .spec = RING},
    {.name = "memory", .quantity = "ring and index", .against = "", .unit = "bytes", .nodes = 1000, .at_most = 6 << 20, .run = bench_memory, .spec = RING},
    {.name = "threads", .quantity = "the whole simulation on two threads", .against = "one thread", .unit = "ns/key", .nodes = 1000, .keys = 8000000,
     WANT(0, 0, 1.85), .run = bench_threads, .spec = RING},
    {.name = "growth", .quantity = "time a key, ten times the keys", .against = "1M keys", .unit = "ns/key", .nodes = 1000, .keys = 1000000, .at_most = 1.1,
     .run = bench_linear, .spec = RING},
    {.name = "growth", .quantity = "most memory held, ten times the keys", .against = "1M keys", .unit = "bytes", .nodes = 1000, .keys = 1000000,
     .at_most = 1.01, .run = bench_level, .spec = RING},
    {.name = "growth", .quantity = "ring look-up, digest ready, in batches", .against = "on 10 nodes", .unit = "ns/key", .nodes = 10000,
     .keys = 1 << 20, .at_most = 5, .run = bench_flat, .spec = RING},
    {.name = "points", .quantity = "ring look-up, by its points", .against = "branchy binary search, a key at a time", .unit = "ns/key", .keys = 1 << 20,
     .run = bench_knees, .one_side = lookups_many, .other_side = plain_ring_side},
    {.name = "machine", .quantity = "a load that waits for the one before", .against = "", .unit = "ns", .run = bench_loads},
    {.name = "machine", .quantity = "asking the clock", .against = "", .unit = "ns", .run = bench_clock},
    {.name = "machine", .quantity = "a cycle: additions in a chain", .against = "", .unit = "ns", .run = bench_cycle},
};
const size_t bench_figures_count = sizeof bench_figures / sizeof *bench_figures;
