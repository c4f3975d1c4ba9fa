/* Nodes and their weights, in configuration order, and changes to them.
 *
 * The core owns members, weights and names; a strategy is told. A node keeps its
 * id for the whole run, through every change, so that owners before and after a
 * change can be compared as numbers. */
#ifndef MODEL_CLUSTER_H
#define MODEL_CLUSTER_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_NODE UINT32_MAX      /* the system itself names no node */
#define WEIGHT_MAX 2147483647u  /* 2^31 - 1 */

struct node {
    uint32_t id, weight;    /* weight 1 .. WEIGHT_MAX */
    bool down;              /* configured but not answering */
    const char *name;       /* bytes, NUL-terminated */
    const char *attributes; /* "dc=dc1 rack=r0" as written, or "" */
};

/* A view: arrays of nodes in configuration order. All ids are below `ids`. */
struct cluster {
    const struct node *node;
    uint32_t size, ids;
};

/* Owns the names and the clusters that were made from one another. */
struct registry;
struct registry *registry_create(void); /* NULL when memory is out */
void registry_destroy(struct registry *r);
void registry_percent(struct registry *r, bool percent); /* names are percent-encoded wherever read */

/* Reads NODES: a number, a list `a,b=2,c`, @FILE, @FORMAT:FILE#PART. `addresses`: default names are 10.0.0.1 ..
 * instead of node-0 .. . *out is owned by the registry. 0, -EINVAL, -ENOMEM.
 * Duplicate or empty names, weights outside 1 .. WEIGHT_MAX and attributes that no
 * system knows are refused with file and line. */
int cluster_read(struct registry *r, const char *nodes, bool addresses, const struct cluster **out, char why[WHY]);
int cluster_read_as(struct registry *r, const char *option, const char *nodes, bool addresses, const struct cluster **out, char why[WHY]); /* given by another option than -n */

/* What a real configuration (@FORMAT:FILE#PART) brings along: the strategy that it implies ("nginx:method=consistent"), and in
 * *warning what it says that cannot be told here, or NULL. Both belong to the registry. *spec NULL: NODES is no such thing. */
int cluster_import(struct registry *r, const char *nodes, const char **spec, const char **warning, char why[WHY]);

/* The k-th FORMAT from 0, and in *part what its PART names ("upstream"; NULL: the file is one cluster). NULL: no more. */
const char *cluster_format(size_t k, const char **part);

/* Expands a sweep of numbers in NODES ("10..1000x10", "3/10/100") into one text each;
 * anything else is one text, itself. Array and texts are mem_freed by the caller. */
int cluster_sweep(const char *nodes, char ***out, size_t *n, char why[WHY]);

/* n nodes with random names 10.x.y.z:port drawn from the stream, weights as in like. */
int cluster_random(struct registry *r, const struct cluster *like, uint64_t stream, const struct cluster **out, char why[WHY]);

/* Applies CHANGE (`+2`, `-2`, `+NAME[=WEIGHT]`, `-NAME`, `NAME=WEIGHT`, `NAME=down|up`,
 * joined by ';') to before. Names that come back get their old id. 0, -EINVAL (unknown
 * node, nothing left, nothing changed), -ENOMEM. */
int cluster_change(struct registry *r, const struct cluster *before, const char *change, bool addresses,
                   const struct cluster **out, char why[WHY]);

/* The value of attribute `name` of a node ("tokens"), its length in *len; NULL: not given. */
const char *node_attribute(const struct node *n, const char *name, size_t *len);

const struct node *cluster_by_id(const struct cluster *c, uint32_t id); /* NULL: not a member */
const struct node *cluster_by_name(const struct cluster *c, const char *name);
uint64_t cluster_weight(const struct cluster *c); /* sum of weights */

/* fair[id] = weight / sum for members, 0 for others; c->ids values. */
void cluster_fair_shares(const struct cluster *c, double *fair);

/* Frees a cluster that nobody looks at any more, for programs that change without end: all others live as long as the registry.
 * Names that no cluster holds then are forgotten, and their ids given again. NULL, or one released before: nothing. Cost: the
 * clusters made since, and its nodes. */
void cluster_release(struct registry *r, const struct cluster *c);

/* The name of an id of some cluster of this registry. */
const char *registry_name(const struct registry *r, uint32_t id);

#endif
