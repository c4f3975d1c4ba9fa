/* What a person asked for, in the experiments' words: strategies x nodes, keys, seed. */
#ifndef EXPERIMENTS_STUDY_H
#define EXPERIMENTS_STUDY_H

#include "experiments/columns.h"
#include "model/workload.h"
#include "placement/placement.h"

struct study {
    struct registry *registry;
    struct spec **spec; /* expanded: no sweeps left */
    size_t specs;
    char **nodes;       /* NODES texts, one a size */
    size_t sizes;
    struct keyed_hash hash; /* the run's */
    const char *workload;
    bool nul;           /* a file's keys are NUL-separated */
    uint64_t seed;
    unsigned threads;   /* 0: all cores */
    bool exact;
    bool quick;         /* --quick: fewer repetitions, keys and placements; smaller arrays to fill the caches */
    uint64_t placements;
    const char *const *change; /* CHANGE texts */
    size_t changes;
    const char *to;     /* or the NODES afterwards */
    struct spec *to_spec; /* or another strategy, and its text */
    const char *to_spec_text;
    uint32_t cache;     /* latency: 0 warm, 1 cold, 2 both, 3 neighbour, 4 all three */
    void (*warn)(void *to, const char *text); /* something the user should know */
    void *warn_to;
};

/* The nodes of size k for a spec (addresses where its strategy wants them). */
int study_cluster(const struct study *s, size_t spec, size_t size, const struct cluster **out, char why[WHY]);

/* Opens spec on cluster and passes its warning on. */
int study_open(const struct study *s, const struct spec *spec, const struct cluster *c, struct placement **out, char why[WHY]);

int study_workload(const struct study *s, struct workload **out, char why[WHY]);
unsigned study_threads(const struct study *s); /* asked for; else this process's part of the machine */
unsigned study_cores(void); /* that this process may use */

/* What a row says of a placement, so that it need not stay open: texts to be mem_freed by identity_release. */
struct identity {
    const char *strategy;
    char *options, *hash;
    uint32_t nodes;
};
int identity_take(struct identity *of, const struct placement *p, const struct spec *spec); /* 0 or -ENOMEM */
void identity_release(struct identity *of);
int study_row_of(const struct study *s, struct table *t, const struct identity *of, const struct spec *spec, const struct workload *w,
                 uint64_t keys, char why[WHY]);

/* Starts a row: the columns that say what was run. w NULL: exact. keys 0: leave empty. */
int study_row(const struct study *s, struct table *t, const struct placement *p, const struct spec *spec, const struct workload *w,
              uint64_t keys, char why[WHY]);

#endif
