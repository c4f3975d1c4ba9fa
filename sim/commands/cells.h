/* How the cells of results read to people; shared by the commands' tables. */
#ifndef COMMANDS_CELLS_H
#define COMMANDS_CELLS_H

#include "experiments/columns.h"

void cell_spec(const struct table *t, size_t row, char text[64]);  /* "ring:vnodes=150" */
void cell_nodes(const struct table *t, size_t row, char text[64]);
void cell_node(const struct table *t, size_t row, char text[64]);   /* its name, printable */
void cell_method(const struct table *t, size_t row, char text[64]);
void cell_memory(const struct table *t, size_t row, char text[64]); /* memory_bytes as kB, MB ...; "-" when empty */

/* A real, three significant digits or so; "-" when empty. */
void cell_real(const struct table *t, size_t row, const struct column *c, char text[64]);
/* A share as percent. */
void cell_percent(const struct table *t, size_t row, const struct column *c, char text[64]);
/* Nanoseconds as ns, us, ms or s. */
void cell_time(const struct table *t, size_t row, const struct column *c, char text[64]);

/* "in 68 of 100 cases", "in 3 of 10000 cases", "in no case", "in all cases". Returns text. */
const char *text_often(double chance, char text[64]);
/* The same where it is known of how many: up to 100 of them are told as they are, "in 1 of 12 cases". */
const char *text_often_of(double chance, uint64_t cases, char text[64]);

/* The strategy of a row as a person would type it, into text: printable, and cut to fit. */
void row_spec(const struct table *t, size_t row, char *text, size_t size);

#endif
