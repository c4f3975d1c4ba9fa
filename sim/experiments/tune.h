/* How large must an option be (points a node, cells of a table, slots) for a target to hold, with what confidence over clusters of such nodes? */
#ifndef EXPERIMENTS_TUNE_H
#define EXPERIMENTS_TUNE_H

#include "experiments/study.h"

/* What must hold, as it is written: max/mean<=1.10, min/mean>=0.9, cv<=0.05, max-share<=0.12, moved<=0.1. */
struct target {
    enum target_what { TARGET_MAX, TARGET_MIN, TARGET_CV, TARGET_SHARE, TARGET_MOVED } what;
    double bound;
};
int target_parse(const char *text, struct target *out, char why[WHY]); /* 0 or -EINVAL */

enum { TARGETS_MOST = 8 };

struct tune {
    const char *const *target; /* each must hold */
    size_t targets;
    double confidence;
    const char *later;    /* NODES: sizes at which it must hold too; NULL */
    uint64_t survive;     /* nodes that may be dead */
    uint64_t replicas;    /* copies of a key whose load counts; 0: one */
    uint64_t keys;        /* 0: so many that only shares count */
    uint64_t placements;  /* clusters drawn; 0: as many as are quick */
};

/* How the figures over placements were found. */
enum tune_method {
    TUNE_EXACT, /* an ideal ring: the answer and upper quantiles by the Beta distribution, the rest from drawn arcs */
    TUNE_DRAWN, /* an ideal ring: all from drawn arcs */
    TUNE_FIXED, /* the rule fixes the shares, whatever the names */
    TUNE_PLACED, /* real placements with names drawn anew */
};

struct tune_answer {
    struct target target[TARGETS_MOST];
    size_t targets, binding; /* the one that needs most; what is said of placements is said of it */
    enum tune_method method;
    char option[32];       /* what was tuned */
    char spec[512];        /* the strategy with the value in it */
    bool met;
    uint64_t value;        /* the smallest that holds; where none does, the best found */
    double kept;           /* where none does: the quantity that the best found keeps to */
    uint64_t low, high;    /* between these the smallest lies with 95 % certainty, as placements are but a sample; 0: not known, 0 and 0: no sample */
    bool lasting;          /* where shares rise and fall with every remainder: all values up to twice it hold too, and the law tightens further up */
    uint64_t first, tried; /* the values looked at */
    uint64_t names_from;   /* the user's own names hold from there up to value; 0: not looked for */
    bool names_pass;       /* they hold at the value */
    double yours[TARGETS_MOST]; /* what they give there: the targets' quantities; NaN: too many points to look */
    size_t draws;          /* of keys on them, of which the confidence's part keeps to that; 0: exact shares */
    uint32_t nodes;        /* that were given */
    bool weighted;         /* not all of one weight */
    size_t lead;           /* the size that needs most, which the rows are about: 0 is the cluster given, then the sizes to come */
    uint32_t worst_nodes;  /* its nodes; 0: only one size was asked for */
    struct tune_stall {    /* where the search gave up as the spread had stopped falling: at two values, a quantity's mean distance from even */
        uint64_t from, to; /* 0: it had not */
        double before, after;
    } stall;
    size_t row;            /* of the value; the number of rows where there is none */
    size_t unopened;       /* rows whose own figures were left out: too many points in all */
};

/* s: one strategy, whose swept option is tuned (or the one that counts most), on one cluster. *out: a row a candidate (columns_tune). 0, -EINVAL,
 * -ENOMEM. Results do not depend on the number of threads. */
int tune_run(const struct study *s, const struct tune *ask, struct table **out, struct tune_answer *answer, char why[WHY]);

/* The timed figures of the answer and of two candidates on either side, warm, and of the answer cold: a row each (columns_tune_cost), by the code of latency
 * and cost. *out stays as it was where there are no candidates. */
int tune_cost(const struct study *s, const struct tune_answer *answer, const struct table *candidates, struct table **out, char why[WHY]);

#endif
