/* What the figures share. */
#ifndef EXPERIMENTS_BENCH_PARTS_H
#define EXPERIMENTS_BENCH_PARTS_H

#include "base/clock.h"
#include "experiments/bench.h"
#include "experiments/bench_plain.h"
#include "experiments/timing.h"
#include "strategies/engines/ring.h"

/* A side: does its work once and says how long it took, a unit. */
typedef double bench_side(void *of);

/* Both sides in turns until there is enough of it; fills ours, theirs, spread and reps. theirs may be NULL. */
void bench_race(const struct bench *b, bench_side *ours, bench_side *theirs, void *of, struct outcome *o);

/* Adds a row. 0 or -ENOMEM. */
int bench_row(struct bench *b, const struct figure *f, const struct outcome *o, char why[WHY]);

/* A strategy opened on a cluster of node-0 .. . */
struct ground {
    struct registry *registry;
    const struct cluster *cluster;
    struct spec *spec;
    struct placement *placement;
};
int ground_open(struct ground *g, const char *spec, uint32_t nodes, char why[WHY]);
int ground_build(const struct ground *g, struct placement **out, char why[WHY]); /* once more */
void ground_close(struct ground *g);

int bench_lookups(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_flat(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_knees(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
bench_side lookups_many, lookups_single, plain_ring_side, plain_jump_side, plain_rendezvous_side, plain_probe_side;

int bench_whole(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_threads(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_linear(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_level(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);

int bench_build(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_add(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_shares(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_memory(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);

/* The machine (bench_machine.c): ns of a load from memory of so many bytes at a random place, each waiting for the one before or none for another.
 * NaN: no memory. */
double machine_load(const struct bench *b, size_t bytes, bool dependent);
int bench_loads(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_clock(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int bench_cycle(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);

#endif
