/* What the files of latency share. */
#ifndef EXPERIMENTS_LATENCY_PARTS_H
#define EXPERIMENTS_LATENCY_PARTS_H

#include "base/clock.h"
#include "base/counters.h"
#include "experiments/study.h"

enum {
    BATCH = 64,           /* look-ups of a batch at most: so many hide no tail, and are long enough for the clock */
    TIMED_KEYS = 1 << 17, /* keys a repetition; fewer of a slow strategy */
};

/* What other programs do to the caches before look-ups. */
enum cache_state {
    CACHE_WARM,      /* nothing */
    CACHE_COLD,      /* the caches are swept before each batch */
    CACHE_NEIGHBOUR, /* for each look-up of a batch: 16 bytes and a block of 64 KB at random, of an array larger than any cache (Lamping and Veach 2014) */
    CACHE_STATES
};
extern const char *const cache_names[CACHE_STATES];

/* Which of them --cache asks for: bits 1 << state. */
unsigned cache_states(const struct study *s);

/* Keys ready to be hashed, and room for what comes of them. */
struct rig {
    struct key_block block; /* the first keys of the workload */
    uint64_t *digest;       /* TIMED_KEYS random digests: look-ups of one block over and over would live in the caches */
    uint32_t *owner;
    size_t keys;            /* of them a repetition */
    uint8_t *verdict;
    unsigned char *array;   /* read to empty the caches; NULL: only warm is asked for */
    size_t array_bytes;     /* a power of two */
    uint64_t visits;        /* of the neighbour, so far */
    double key_bytes;
    size_t reps;
    struct clock_facts clock;
    const struct counter_event *event; /* COUNTERS of them, to be counted */
};

int rig_init(struct rig *b, const struct study *s, struct workload *w, char why[WHY]);
void rig_release(struct rig *b);

/* Does to the caches what comes before so many look-ups. */
void rig_disturb(struct rig *b, enum cache_state state, size_t lookups);

/* Fill the last row's columns. */
int latency_hashing(struct rig *b, const struct placement *p, const struct workload *w, struct table *t, char why[WHY]);
int latency_lookups(struct rig *b, const struct placement *p, enum cache_state state, struct table *t, char why[WHY]);
void latency_counts(struct rig *b, const struct placement *p, enum cache_state state, struct table *t);

#endif
