/* Names of virtual nodes: "{node}#{i}" for each node and counter. */
#ifndef STRATEGIES_ENGINES_LABELS_H
#define STRATEGIES_ENGINES_LABELS_H

#include "strategies/strategy.h"

/* A template: {node} is the node's name, {i} a counter, all else stands for itself.
 * A system gives a constant; the ring's users give theirs. */
struct labels {
    const char *format;
    uint64_t first; /* the first counter */
    size_t name_len; /* so much of the node's name is meant by labels_emit(); 0: all */
};

/* 0, or -EINVAL when the template holds no {node} or an unknown {word}. *counts: whether {i} is in it. */
int labels_check(const char *format, bool *counts, char why[WHY]);

/* Writes the labels of counters first .. first+count-1, {node} standing for name, and gives them to `each` in blocks of at most LABEL_BLOCK,
 * in order; it may end the walk with a negative errno. 0, -ENOMEM or what each gives. */
enum { LABEL_BLOCK = 64 };
typedef int label_sink(void *to, const void *const *label, const uint32_t *len, size_t n);
int labels_each(const struct labels *l, const char *name, size_t name_len, uint64_t count, label_sink *each, void *to);

/* Hashes the labels of `count` points of node n (counters first .. first+count-1) and emits the points,
 * position = place(rule, digest), or the digest where place is NULL. 0, -ENOMEM or what emit gives. */
int labels_emit(const struct labels *l, const struct node *n, uint64_t count, const struct keyed_hash *hash,
                uint64_t (*place)(const void *rule, uint64_t digest), const void *rule, point_sink *emit, void *to);

#endif
