/* The parts of verify; nothing else includes this. */
#ifndef EXPERIMENTS_VERIFY_PARTS_H
#define EXPERIMENTS_VERIFY_PARTS_H

#include "experiments/turmoil.h"
#include "experiments/verify.h"

#include <math.h>

#define RUN_ALPHA 1e-6    /* of a whole run to cry wolf */
#define TEST_ALPHA 5e-10  /* what one test of it is planned for */
#define MISS 1e-6         /* of a test to overlook what its detail says it finds */

/* The outcome of one check. */
struct verdict {
    char check[32];
    uint64_t samples;
    double statistic;
    double low, high; /* what is allowed; NaN: no bound of its own */
    double p;         /* NaN: no matter of chance */
    bool skipped;
    char detail[240];
};

/* One strategy at one size: what the checks share. */
struct bench {
    const struct study *s;
    const struct verify *v;
    const struct spec *spec;
    const char *nodes;
    struct registry *registry;
    const struct cluster *cluster;
    struct placement *p;  /* on the cluster */
    bool system;          /* a real system: its hash and rounding are what they are */
    bool scans;           /* look-ups visit every node: fewer of them */
    uint64_t stream;      /* of everything random here */
    uint64_t *digest;     /* a sample */
    uint32_t *owner;
    size_t samples;
    struct verdict *verdict;
    size_t verdicts, capacity;
    struct identity identity; /* of its rows */
    int error;
    uint32_t size;
};

/* A new verdict with nothing to say yet, or NULL when memory is out. */
struct verdict *verdict_new(struct bench *b, const char *check);
int verdict_skip(struct bench *b, const char *check, const char *reason); /* 0 or -ENOMEM */

/* Digests i of n of the bench's stream, and their owners under p; counts by id (ids values), and what no node owns. */
void bench_digests(struct bench *b, size_t n);
void bench_owners(const struct placement *p, const uint64_t *digest, size_t n, uint32_t *owner);
void bench_counts(const uint32_t *owner, size_t n, uint64_t *count, uint32_t ids);

double bench_points(const struct placement *p); /* points that the strategy's rule names in all: what a change of a ring costs; 0 for others */

/* The checks: each adds its verdicts. 0 or a negative errno with a sentence. */
int verify_lookups(struct bench *b, char why[WHY]);  /* batch, owners, keys against shares, replicas, bounded loads, least load */
enum when { AS_OPENED, GROWN, CHURNED, WEIGHTED };
int verify_keys(struct bench *b, const struct placement *p, enum when when, char why[WHY]); /* owners and keys of p */
int verify_victims(struct bench *b, char why[WHY]);  /* every node leaves and comes back */
int verify_growth(struct bench *b, char why[WHY]);   /* grown, and after many leaving and coming */
int verify_churn(struct bench *b, struct placement *p, const struct cluster *c, char why[WHY]); /* p, on c, through many changes */
int verify_scatter(struct bench *b, char why[WHY]);  /* the spread over placements against the law */
int verify_weights(struct bench *b, char why[WHY]);  /* weights asked against weights got */
int verify_answers(struct bench *b, char why[WHY]);  /* published placements of single keys */

#endif
