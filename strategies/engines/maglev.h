/* Maglev's way to fill a table: each node asks for cells in an order of its own, and all take turns. */
#ifndef STRATEGIES_ENGINES_MAGLEV_H
#define STRATEGIES_ENGINES_MAGLEV_H

#include "strategies/engines/table.h"

/* A node at the table: it asks for cell, cell + skip, cell + 2 skip .. modulo the table's size, which is prime. */
struct maglev_seat {
    uint32_t id;
    uint64_t cell, skip; /* below size; 1 .. size - 1 */
    double weight;       /* the heaviest has its turn in every round, others in proportion */
    uint64_t turns;      /* free cells taken when its turn comes, at least 1 */
    double target;       /* 0 at first */
};

/* Attaches a table of `size` cells filled by n seats, in their order in each round; they are used up. Warns where there are fewer cells
 * than seats. 0 or -ENOMEM. */
int maglev_attach(struct placement *p, uint64_t size, struct maglev_seat *seat, uint32_t n, char why[WHY]);

bool maglev_is_size(uint64_t n); /* prime. Cost: a division for each number up to its root */

/* The same for nodes by name: XXH64 with seed 0 gives the first cell and with seed 1 the skip; weights are divided by `sum`.
 * -EINVAL when size is not prime. */
int maglev_attach_names(struct placement *p, uint64_t size, const struct node *node, uint32_t n, double sum, char why[WHY]);

/* Option rows `table`, a field of type uint64_t. */
#define MAGLEV_TABLE(where, number, largest)                                                                                     \
    {                                                                                                                            \
        .name = "table", .type = OPTION_COUNT, .offset = (where), .fallback = number, .min = 2, .max = (largest), .always = true, \
        .help = "cells of the table, a prime number"                                                                             \
    }

#endif
