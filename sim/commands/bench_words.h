/* How figures of keysim bench read to people. */
#ifndef COMMANDS_BENCH_WORDS_H
#define COMMANDS_BENCH_WORDS_H

#include "base/why.h"
#include "experiments/columns.h"

#include <stdio.h>

/* A block of rows for each kind. Also what bench/peers.c prints. */
int bench_words(const struct table *t, FILE *to, char why[WHY]);

#endif
