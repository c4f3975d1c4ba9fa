/* The parts of keysim plan. */
#ifndef COMMANDS_PLAN_PARTS_H
#define COMMANDS_PLAN_PARTS_H

#include "commands/request.h"
#include "experiments/plan.h"

/* "100MB/s", or with how much there is in all "2TB@100MB/s". 0 or -EINVAL. */
int plan_rate(const char *text, double *rate, double *total, char why[WHY]);

/* The plan for people: a words_writer_of a plan_told. */
struct plan_told {
    const struct plan *plan;
    const struct plan_wish *wish;
};
int plan_words(const struct args *a, const void *of, const struct table *t, FILE *to, char why[WHY]);

/* -- plan_tables.c: parts of that -- */

void plan_name_cell(const struct table *t, size_t row, const struct column *c, char text[64]);
int plan_flows_table(const struct table *t, FILE *to, char why[WHY]); /* the fullest flows */
/* What receivers get, the fullest first; receiver: the first rows of all n. */
int plan_receivers_table(const struct table *t, const struct plan_wish *wish, const size_t *receiver, size_t n, FILE *to, char why[WHY]);
int plan_slots_line(const struct plan *p, bool *any, FILE *to, char why[WHY]); /* the first slots to move; *any: there are slots */
int plan_slots_moving(const struct plan *p, uint64_t *moving, char why[WHY]); /* at the first step; 0 where there are no slots */
void plan_steps_table(const struct table *t, const struct plan_wish *wish, const size_t *first, size_t n, FILE *to); /* a row a step; first[k]: the step's first row */
void plan_hours(double hours, char text[64]);

/* The slots that change hands: rows first,last,from,to (step in front where there are several). */
int plan_emit_slots(const struct args *a, const struct plan *p, char why[WHY]);

/* A shell script that moves them in a Redis Cluster. */
int plan_emit_redis(const struct args *a, const struct plan *p, char why[WHY]);

#endif
