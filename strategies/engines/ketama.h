/* Four points a label: the words of its MD5, as libketama and all that follow it make them. */
#ifndef STRATEGIES_ENGINES_KETAMA_H
#define STRATEGIES_ENGINES_KETAMA_H

#include "strategies/engines/labels.h"

/* Emits 4 * count points for node id: the labels of counters first .. first+count-1, {node} standing for name, each giving the
 * MD5's words 0 .. 3, little-endian. 0, -ENOMEM or what emit gives. */
int ketama_emit(const struct labels *l, const char *name, size_t name_len, uint32_t id, uint64_t count, point_sink *emit, void *to);

#endif
