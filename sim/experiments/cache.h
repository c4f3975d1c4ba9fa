/* Nodes as LRU caches before one database, and changes of the nodes in mid-stream: what the hit ratio does. */
#ifndef EXPERIMENTS_CACHE_H
#define EXPERIMENTS_CACHE_H

#include "experiments/study.h"

#define CACHE_WORKLOAD "user:count=1M,zipf=0.9,requests=10M"

struct cache_wish {
    uint64_t items;         /* that each node's cache holds */
    uint64_t window;        /* requests a row; 0: by rule */
    uint64_t fetch;         /* requests until the database has answered */
    bool coalesce, per_node;
    const char *const *at;  /* N:CHANGE texts */
    size_t changes;
};

/* A row a strategy and window; with per_node a row a node too. 0, -EINVAL, -ENOMEM, -EIO. */
int cache_run(const struct study *s, const struct cache_wish *wish, struct table **out, char why[WHY]);

#endif
