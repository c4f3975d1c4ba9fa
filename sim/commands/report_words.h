/* What the report's sentences and tables share. */
#ifndef COMMANDS_REPORT_WORDS_H
#define COMMANDS_REPORT_WORDS_H

#include "commands/report.h"

char *percent(double share, char out[32]);    /* "9.1 %" */
char *nanoseconds(double ns, char out[32]);   /* "8.5 ns" */

/* A cell by strategy, swept value ("" for none) and nodes; NaN when there is none. */
double sheet_at(const struct sheet *s, const char *strategy, const char *value, double nodes, const char *column);

/* Places in remap_rows. */
enum { ROW_MODULO = 0, ROW_RING_150 = 3, ROW_SLOTS = 4, ROW_CONTIGUOUS = 6 };
double grow_at(const struct sheet *s, size_t k, double before); /* share moved by strategy k when one node joins */

void print_tradeoffs(const struct report *r, FILE *to); /* rows of the trade-offs table */
void print_incidents(const struct report *r, FILE *to); /* rows: what was reported, seen and computed, cause, cure */
void say_incidents(const struct report *r, FILE *to);
void print_commands(const struct report *r, FILE *to);  /* rows: result, kind, command */

#endif
