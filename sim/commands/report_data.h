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

/* A name as gnuplot takes it for nothing but text: "n:NAME", printable and cut; for `with labels`, and for xtic() and ytic(). */
void label_print(const char *name, FILE *to);
void tic_print(const char *name, FILE *to);
size_t longest_label(const struct sheet *s); /* characters of the longest of the column "node", as they are cut */

/* Of one of the field, a cell of the results that hold it; ring stands for 150 points a node. NaN: not measured. */
double field_even(const struct report *r, size_t row, double nodes, const char *column);   /* balance */
double field_moves(const struct report *r, size_t row, double nodes, const char *column);  /* remap, one node more */
double field_victim(const struct report *r, size_t row, const char *column);               /* remap, the worst of ten nodes leaves */
double field_time(const struct report *r, size_t row, double nodes, const char *column);   /* latency */
double field_cost(const struct report *r, size_t row, double nodes, const char *column);   /* cost */
bool field_is_sampled(const struct report *r, size_t row); /* its balance comes from keys, whose noise stands in it */

/* The field's charts. 0 or -ENOMEM. */
int even_data(const struct report *r, FILE *to);
int moves_data(const struct report *r, FILE *to);
int price_data(const struct report *r, FILE *to);

/* The trade-off: dots with their labels laid out. 0 or -ENOMEM. */
int pareto_data(const struct report *r, FILE *to);

/* What papers say beside what came out here. */
int published_data(const struct report *r, FILE *to);

/* Choosing a replica count (report_choose_data.c). 0 or -ENOMEM. */
int tune_data(const struct report *r, FILE *to);
int failures_data(const struct report *r, FILE *to);
int names_data(const struct report *r, FILE *to);
int resize_data(const struct report *r, FILE *to);

/* Trouble (report_trouble_data.c). 0 or -ENOMEM. */
int survivors_data(const struct report *r, FILE *to);
int cascade_data(const struct report *r, FILE *to);
int receivers_data(const struct report *r, FILE *to);
int cold_data(const struct report *r, FILE *to);
int trace_data(const struct report *r, FILE *to);
int hot_data(const struct report *r, FILE *to);
size_t trouble_event(const struct sheet *s, const char *strategy, const char *value); /* the row in which a node joins its caches; s->rows: none */
double trouble_before(const struct sheet *s, const char *strategy, const char *value); /* the hit ratio just before */

/* How fast is fast (report_fast.c). 0. */
int fast_data(const struct report *r, FILE *to);

/* Spread over that of an ideal hash, at worst, where the hash is to blame; 0: nowhere. Among rows with that text in the column. */
double names_over(const struct sheet *s, const char *hash, const char *column, const char *text);

/* Two public reports, node by node. 0 or -ENOMEM. */
int incidents_data(const struct report *r, FILE *to);

/* The rings as coloured arcs, as points of polylines. 0 or -ENOMEM. */
int rings_data(const struct report *r, FILE *to);

#endif
