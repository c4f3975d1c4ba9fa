/* What to try: inside the experiment of names only. */
#ifndef EXPERIMENTS_NAMES_PARTS_H
#define EXPERIMENTS_NAMES_PARTS_H

#include "experiments/names.h"

struct pattern {
    const char *name;
    const char *format; /* {7} counts from 7, {007} with leading zeros; {ip} and {uuid} are different ones each time */
};

/* One row: a ring over names, and what came out. */
struct naming {
    const struct spec *spec;
    const struct pattern *pattern; /* NULL: the names given */
    const struct cluster *given;   /* these; of a pattern, as many */
    const char *label;
    uint64_t vnodes;
    bool extra;   /* more points than were asked for, to see what they would do */
    bool run_together; /* labels of different nodes are the same text (10.0.0.1 and 11, 10.0.0.11 and 1) */
    bool skipped; /* these would crowd the ring, so that chance is another matter */
    struct identity identity;
    char names[208];
    double seen, mean, variance; /* sums over placements of the sum of squared shares, and what it should be */
    double max, min, theory_cv, *cv;
    int error;
};

struct names_plan {
    struct spec **spec;
    struct naming *row;
    uint64_t own; /* points a node of the ring asked for, where there are rows of more; else 0 */
    uint64_t sets; /* of names, each row */
    size_t specs, rows, spec_capacity, row_capacity;
};

int names_plan(const struct study *s, bool everything, struct names_plan *plan, char why[WHY]); /* released in any case */
void names_plan_release(struct names_plan *plan);

/* Set `placement` of n names of a pattern: no two sets have a name in common. */
int pattern_cluster(struct registry *r, const struct pattern *pattern, uint32_t n, size_t placement, uint64_t seed, const struct cluster **out,
                    char why[WHY]);

#endif
