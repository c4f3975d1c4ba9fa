/* What the report's sentences and tables share. */
#ifndef COMMANDS_REPORT_WORDS_H
#define COMMANDS_REPORT_WORDS_H

#include "commands/report.h"

char *percent(double share, char out[32]);    /* "9.1 %" */
char *nanoseconds(double ns, char out[32]);   /* "8.5 ns" */

/* Places in remap_rows. */
enum { ROW_MODULO = 0, ROW_RING_150 = 3, ROW_SLOTS = 4, ROW_CONTIGUOUS = 6 };
double grow_at(const struct sheet *s, size_t k, double before); /* share moved by strategy k when one node joins */

void print_tradeoffs(const struct report *r, FILE *to); /* rows of the trade-offs table */
void print_incidents(const struct report *r, FILE *to); /* rows: what was reported, seen and computed, cause, cure */
void say_incidents(const struct report *r, FILE *to);
void print_commands(const struct report *r, FILE *to);  /* rows: result, kind, command */

/* The whole field (report_field_words.c, report_pareto.c). */
void say_field(const struct report *r, FILE *to);
void say_field_even(const struct report *r, FILE *to);
void say_field_moves(const struct report *r, FILE *to);
void say_field_cost(const struct report *r, FILE *to);
void say_pareto(const struct report *r, FILE *to);
void print_field(const struct report *r, FILE *to); /* rows: evenness, movement, who can leave, look-up, memory */

/* Choosing a replica count (report_choose_words.c). */
void say_tune(const struct report *r, FILE *to);
void say_availability(const struct report *r, FILE *to);
void say_names(const struct report *r, FILE *to);
void say_resize(const struct report *r, FILE *to);

bool say_refused(const struct report *r, enum report_step step, FILE *to); /* why there is no picture; false: there is one */

/* Trouble (report_trouble_words.c). */
void say_survivors(const struct report *r, FILE *to);
void say_cascade(const struct report *r, FILE *to);
void say_receivers(const struct report *r, FILE *to);
void say_cold(const struct report *r, FILE *to);
void say_trace(const struct report *r, FILE *to);
void say_hot_keys(const struct report *r, FILE *to);

/* How fast is fast (report_fast.c). */
void print_quick(const struct report *r, FILE *to); /* that it is one (report_pace.c) */
void say_fast(const struct report *r, FILE *to);
void say_peers(const struct report *r, FILE *to);
void print_fast(const struct report *r, FILE *to);  /* rows: what, beside what, ours, theirs, ratio */
void print_peers(const struct report *r, FILE *to); /* the same */

/* Checks (report_published.c). */
void say_verify(const struct report *r, FILE *to);
void say_published(const struct report *r, FILE *to);
void print_checks(const struct report *r, FILE *to);   /* rows: strategy, checks, figures of papers, failed, smallest p */
void print_failures(const struct report *r, FILE *to); /* a paragraph each */

#endif
