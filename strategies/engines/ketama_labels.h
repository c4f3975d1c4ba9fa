/* How many labels a server has in the C clients' rings, and by which name: what libmemcached and twemproxy share. */
#ifndef STRATEGIES_ENGINES_KETAMA_LABELS_H
#define STRATEGIES_ENGINES_KETAMA_LABELS_H

#include "model/cluster.h"

/* 40 for an average weight, floored in single precision: rounding loses one at 25, 47, 50 .. equal servers. total: of all weights. */
uint32_t ketama_labels(uint32_t weight, uint64_t total, uint32_t servers);
uint64_t ketama_labels_of_all(const struct cluster *c);

/* The part of "host:port" that names a server: without ":11211", memcached's own port. */
size_t ketama_name_length(const char *name);

#endif
