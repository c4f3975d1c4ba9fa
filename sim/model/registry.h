/* Inside the model: how clusters are made. Not for other layers. */
#ifndef MODEL_REGISTRY_H
#define MODEL_REGISTRY_H

#include "model/cluster.h"

/* A cluster under construction. */
struct draft {
    struct registry *registry;
    struct node *node;
    size_t count, capacity;
    uint32_t *member; /* member[id] = index + 1; 0: not in */
    size_t members;   /* length of member */
};

void draft_init(struct draft *d, struct registry *r);
void draft_release(struct draft *d);

/* The draft's index of the named node, or -1. */
long draft_find(const struct draft *d, const char *name);

/* Adds a node. 0, -EEXIST (a node of that name is in), -ENOMEM. attributes may be NULL. */
int draft_add(struct draft *d, const char *name, uint32_t weight, const char *attributes);
void draft_describe(struct draft *d, size_t index, char *attributes); /* of mem_alloc, which the draft takes over */
void draft_remove(struct draft *d, size_t index);

/* The next `more` default names that the draft does not have. */
int draft_add_defaults(struct draft *d, uint64_t more, bool addresses, char why[WHY]);

/* Adds the nodes of a cluster of the same registry. 0 or -ENOMEM. */
int draft_copy(struct draft *d, const struct cluster *from, char why[WHY]);

/* Copies the draft into a cluster that the registry owns. */
int draft_finish(struct draft *d, const struct cluster **out, char why[WHY]);

/* A real configuration that was read (model/import): kept, as standard input can be read only once. */
struct imported {
    struct imported *next;
    char *nodes, *spec, *warning;
    const struct cluster *cluster;
};
struct imported **registry_imported(struct registry *r); /* the list */
void imported_release(struct imported *i);               /* one of them; NULL is allowed */

bool registry_is_percent(const struct registry *r);

/* A weight 1 .. WEIGHT_MAX; 0 or -EINVAL with a sentence that names the node. */
int weight_parse(const char *text, const char *node, uint32_t *weight, char why[WHY]);

#endif
