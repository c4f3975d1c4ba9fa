/* Pieces of the charts' data that the sentences speak of too. */
#ifndef COMMANDS_REPORT_DATA_H
#define COMMANDS_REPORT_DATA_H

#include "commands/report.h"

/* The strategies of the remap charts, in their order. */
enum { REMAP_ROWS = 7 };
extern const struct remap_row {
    const char *strategy, *value, *title;
} remap_rows[REMAP_ROWS];

/* Least and most moved, and the optimum of the most, by strategy k from `before` nodes: of `+` changes or of the others. */
void remap_span(const struct sheet *s, size_t k, double before, bool grows, double *least, double *most, double *optimum);

/* A name as gnuplot takes it for nothing but text: n:NAME, cut. */
void label_print(const char *name, FILE *to);

/* Two public reports, node by node. 0 or -ENOMEM. */
int incidents_data(const struct report *r, FILE *to);

/* The rings as coloured arcs, as points of polylines. 0 or -ENOMEM. */
int rings_data(const struct report *r, FILE *to);

#endif
