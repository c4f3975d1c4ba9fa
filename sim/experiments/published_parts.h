/* What published.c measures with; nothing else includes this. */
#ifndef EXPERIMENTS_PUBLISHED_PARTS_H
#define EXPERIMENTS_PUBLISHED_PARTS_H

#include "placement/placement.h"

/* A placement and its exact shares, by id. */
struct sight {
    const struct placement *p;
    double *share, *fair;
    double value; /* the row's */
};

/* How a row's samples, one or one a node from each placement, become its figure. */
struct quantity {
    const char *name;
    enum { MEAN, ROOT_MEAN, QUANTILE } from;
    double quantile;
    bool each_node;
    int (*measure)(const struct sight *s, double *sample, char why[WHY]); /* 0, -EINVAL, -ENOMEM */
};
const struct quantity *quantity_find(const char *name); /* NULL: unknown */

/* The figure, its standard error (0 where all is one sample) and that one's degrees of freedom; sorts the samples. */
double quantity_figure(const struct quantity *q, double *sample, size_t n, double *error, double *freedom);

#endif
