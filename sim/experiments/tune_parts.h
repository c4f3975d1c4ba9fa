/* The parts of tune; nothing else includes this. */
#ifndef EXPERIMENTS_TUNE_PARTS_H
#define EXPERIMENTS_TUNE_PARTS_H

#include "experiments/tune.h"
#include "metrics/dirichlet.h"
#include "metrics/draws.h"

/* What one placement gives; where nodes may die, at worst. */
struct sample {
    double max, min, square; /* of load over fair share: the largest, the smallest, the mean square off 1 */
    double top;              /* the largest load itself */
    double moved;            /* by one node more */
};
double sample_value(const struct sample *s, enum target_what what); /* the target's quantity */
bool target_holds(const struct target *t, double value);

/* -- tune_option.c: which option, and specs with it set -- */

struct knob {
    const struct spec *base;
    const struct option *option;
    uint64_t *listed; /* the values of a sweep, or of an option with a choice of numbers; else NULL */
    size_t count;
    bool only;        /* no others are possible */
    bool primes;
    uint64_t low, high;
};
int knob_find(const struct study *s, const struct cluster *c, struct knob *out, char why[WHY]); /* released in any case */
void knob_release(struct knob *k);
uint64_t knob_valid(const struct knob *k, uint64_t value); /* the first possible value from there on; above k->high: none */
int knob_spec(const struct knob *k, uint64_t value, struct spec **out, char why[WHY]);

/* -- tune_measure.c: one placement -- */

/* Measures p, opened from spec; it may be changed. r: where clusters are made. keys: where counts are drawn, one sample each; NULL: one of exact shares. */
int measure(const struct tune *ask, bool moved, const struct study *s, const struct spec *spec, struct placement *p,
            struct registry *r, struct rng *keys, size_t draws, struct sample *out, char why[WHY]);

/* Checks that p can be measured so. 0 or -EINVAL. */
int measure_check(const struct tune *ask, enum target_what what, const struct placement *p, char why[WHY]);

/* -- tune_copies.c -- */

enum { DEATHS_PAIRS = 2000, DEATHS_MOST = 1000 }; /* ways to die that are tried: nodes of a single death; sets of more */
double deaths_ways(uint32_t n, uint64_t most);    /* sets of 1 .. most dead among n nodes; above 1e9 anything above */

double deaths_work(uint64_t copies, uint64_t most); /* what a piece of a ring costs then, in pieces without */

/* Shares of all copies together: ids values. */
int load_shares(const struct placement *p, uint64_t copies, double *share, char why[WHY]);
/* The worst of each figure over every set of so many dead nodes, of fewer, and of none. keys, of a ring without copies and one dead: where counts are
 * drawn, one sample each. */
int measure_deaths(const struct tune *ask, const struct study *s, const struct spec *spec, const struct placement *p, struct rng *keys, size_t draws,
                   struct sample *out, char why[WHY]);
void sample_worsen(struct sample *out, const double *share, const double *fair, uint32_t ids); /* adds one outcome: what is worse stays */

/* -- tune_receivers.c -- */

/* How many nodes get keys of one that leaves, on average over all that may; NaN where that would take long. */
int count_receivers(const struct study *s, const struct spec *spec, const struct cluster *c, double *out, char why[WHY]);

/* -- tune_draws.c: arcs of an ideal ring, drawn -- */

/* The normals behind the Gammas of n nodes in so many placements. */
struct draws {
    double *normal; /* NaN: the first was not accepted at once, so the sequence is read again */
    uint64_t seed, placements;
    uint32_t nodes;
};
int draws_init(struct draws *d, uint64_t seed, uint32_t nodes, uint64_t placements, char why[WHY]);
void draws_release(struct draws *d);
/* v points a unit of weight, fair[] of the nodes (d->nodes values), weight = fair * total; keys 0: exact shares. One sample a placement, with
 * what one node more moves where that is asked for. */
int draws_samples(const struct draws *d, const struct study *s, const double *fair, double total, double v, uint64_t keys, bool moved,
                  struct sample *out, char why[WHY]);

/* -- tune_stage.c: one cluster -- */

struct stage {
    const struct cluster *cluster;
    bool ideal;             /* a ring of random points, as theory has it */
    bool fixed;             /* the rule fixes the shares */
    struct dirichlet arcs;  /* ideal */
    struct draws draws;     /* ideal, drawn when first needed */
    double *fair;           /* by the cluster's order */
    bool arcs_drawn;        /* ideal, and asked for no more than its arcs tell */
    double pieces;          /* that a placement has for each unit of the value */
    double turns, deaths;   /* what a piece costs, as it is opened or listed for each set of dead; and what the sums over those cost: in pieces */
    struct sample *sample;  /* of the last value measured */
    uint64_t placements, room; /* so many now; at most */
    uint64_t filled;        /* samples, when placements were measured last */
};

struct tuner {
    const struct study *s;
    const struct tune *ask;
    struct target all[TARGETS_MOST], target; /* the one looked at */
    const char *text;                        /* as it was written */
    struct knob knob;
    bool exact; /* stages are ideal and the target has an exact condition */
    enum margin { AS_COUNTED, LENIENT, STRICT } margin; /* how many failures of a sample pass: so many; as many, as few as chance may make of them */
    struct stage *stage;
    size_t stages; /* [0]: the cluster given; then the sizes to come */
    size_t lead;   /* the one that decides, and that rows are about */
    bool led;      /* only that one is looked at; else the last one that failed becomes it */
    bool warned;   /* of what is odd about the strategy */
};

double stage_work(const struct stage *g, uint64_t value); /* of a placement, in pieces */
uint64_t stage_quick(const struct tuner *t, const struct stage *g, uint64_t value, uint64_t least); /* placements at a value, so many at least */
int stage_init(struct tuner *t, struct stage *g, const struct cluster *c, char why[WHY]);
void stage_release(struct stage *g);
int stage_holds(struct tuner *t, struct stage *g, uint64_t value, bool *holds, char why[WHY]);
int stage_samples(struct tuner *t, struct stage *g, uint64_t value, uint64_t allowed, uint64_t *failed, char why[WHY]); /* may stop above `allowed` */
int tuner_holds(struct tuner *t, uint64_t value, bool *holds, char why[WHY]); /* at every stage, or at the lead */
double stage_off(const struct tuner *t, const struct stage *g); /* of the first samples of the last value placed, the mean distance from even; NaN: none */
int stage_reach(struct tuner *t, struct stage *g, uint64_t value, double *reach, double *error, char why[WHY]); /* two deviations beyond the mean */

/* -- tune_search.c: the smallest value that holds, from first to tried -- */
int tune_search(struct tuner *t, struct tune_answer *a, char why[WHY]);

/* -- tune_rows.c: the candidates, and what the user's own names give -- */
int tune_rows(struct tuner *t, struct tune_answer *a, struct table *out, char why[WHY]);

/* -- tune_own.c: the names given -- */
size_t own_draws(const struct tuner *t, const struct stage *g);             /* of the keys on them; 0: exact shares */
bool own_pass(const struct tuner *t, const struct sample *own);              /* all targets */
int own_columns(struct tuner *t, uint64_t value, struct sample *own, struct table *out, char why[WHY]); /* of the row at the value */
int own_follow(struct tuner *t, struct tune_answer *a, char why[WHY]);       /* down from the answer, as long as they pass */

#endif
