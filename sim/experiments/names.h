/* Is it the hash or the count? Rings over look-alike names against what an ideal hash would give them.
 *
 * The scatter of an ideal hash falls with the points a node: CV = sqrt((N-1)/(NV+1)). A weak one keeps the likeness of its inputs, and its scatter stays
 * where it is, however many points. How unlikely that is under an ideal hash, the sum of squared shares tells (Dirichlet). */
#ifndef EXPERIMENTS_NAMES_H
#define EXPERIMENTS_NAMES_H

#include "experiments/study.h"

#define NAMES_PLACEMENTS 8 /* sets of names a pattern, unless asked otherwise or the clusters are large */
#define NAMES_GIVEN "given" /* the pattern of a user's own names */

/* On the study's one cluster: a row for each pattern of names (or the names given), hash, label and number of points, from ownership.
 * everything: all hashes and labels of the tables. Else the study's rings; a lone one at its own points and at 4 and 16 times as many, and on
 * given names all other hashes and labels after it. The study's placements are sets of names of each pattern; 0: as many as can be had soon. A large
 * cluster has fewer sets and fewer points a node, for its many arcs tell as much. A run blames a right hash once in a thousand. 0, -EINVAL (more
 * nodes than can be had soon, too), -ENOMEM. */
int names_run(const struct study *s, bool everything, struct table **out, char why[WHY]);

/* Of strategies other than the ring, which come with their own hash and labels: a row each, on the names given beside names drawn anew (the study's
 * placements, 1: a few hundred). 0, -EINVAL (shares that are not known exactly, too), -ENOMEM. */
int names_systems_run(const struct study *s, struct table **out, char why[WHY]);

/* Whether NODES is a number, that is names no nodes. */
bool names_are_patterns(const char *nodes);

#endif
