/* How fast is fast? keysim beside the same work written plainly, and beside what the machine allows.
 *
 * A figure has two sides that do the same work in one run, in turns, each many times; compared are the fastest of them, since what disturbs
 * only ever adds. Where both compute the same thing their answers are compared first: a fast wrong answer is no figure. Each figure is
 * measured with the instructions that any processor has and with the best of this one. Timed results; one core, unless a figure says otherwise. */
#ifndef EXPERIMENTS_BENCH_H
#define EXPERIMENTS_BENCH_H

#include "base/cpu.h"
#include "experiments/study.h"

struct bench {
    const struct study *study; /* whom to warn */
    bool quick;                /* less patience, smaller work */
    struct table *table;       /* columns_bench */
    enum cpu_level best;       /* how far the figures may go */
    bool differ;               /* some answers did */
    double spread;             /* the worst of a figure's, and whose it was */
    const char *noisiest;
};

enum bench_answers { ANSWERS_NONE, ANSWERS_SAME, ANSWERS_DIFFER };

/* What came out. */
struct outcome {
    double ours, theirs;   /* in the figure's unit, the fastest; theirs 0: there is no other side */
    double limit;          /* what the machine allows, where it can be told; else 0 */
    double spread;         /* how much slower than the fastest the median is, of the worse side */
    uint64_t points, keys, bytes, reps;
    enum bench_answers answers;
};

struct figure {
    const char *name, *quantity, *against, *unit;
    uint32_t nodes;             /* 0: does not apply */
    size_t keys;                /* a repetition */
    double wanted[CPU_LEVELS];  /* theirs over ours, at least; 0: not measured with these instructions */
    double at_most;             /* not 0: ours (over theirs, where there is another side) must not be more; measured with the best alone */
    int (*run)(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]); /* 1: cannot be measured here, as why says */
    /* Of those of lookups: */
    const char *spec;
    double (*one_side)(void *of), (*other_side)(void *of);
};

/* The figures whose names are given (none: all), a row each. 0, -EINVAL, -ENOMEM or what a figure gave. */
int bench_run(struct bench *b, const struct figure *figures, size_t n, char *const *name, int names, char why[WHY]);

extern const struct figure bench_figures[]; /* the program's own */
extern const size_t bench_figures_count;

#endif
