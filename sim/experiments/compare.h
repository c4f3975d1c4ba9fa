/* Do several strategies, clients or settings put keys on the same nodes? */
#ifndef EXPERIMENTS_COMPARE_H
#define EXPERIMENTS_COMPARE_H

#include "experiments/study.h"

/* A row for each cluster and pair of strategies (columns_compare), pairs in the order (0,1), (0,2) .. (1,2) .. . At least two
 * strategies. */
int compare_run(const struct study *s, struct table **out, char why[WHY]);

/* Why two placements of the same nodes differ, in words, or "" where that is not known. */
void compare_reason(const struct placement *a, const struct placement *b, char text[WHY]);

#endif
