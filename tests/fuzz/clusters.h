/* Clusters written as NODES and as node files, and compared. */
#ifndef TESTS_FUZZ_CLUSTERS_H
#define TESTS_FUZZ_CLUSTERS_H

#include "base/text.h"
#include "model/cluster.h"
#include "tests/fuzz/fuzz.h"

enum { TOO_MANY = 300 }; /* nodes: more take long and show nothing new */

static inline void is_cluster(const struct cluster *c)
{
    HOLD(c->size > 0);
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        HOLD(*n->name && n->weight >= 1 && n->weight <= WEIGHT_MAX && n->id < c->ids);
        HOLD(cluster_by_name(c, n->name) == n && cluster_by_id(c, n->id) == n);
    }
}

/* Node for node. */
static inline bool same_nodes(const struct cluster *a, const struct cluster *b)
{
    if (a->size != b->size)
        return false;
    for (uint32_t i = 0; i < a->size; i++) {
        const struct node *x = &a->node[i], *y = &b->node[i];
        if (x->id != y->id || x->weight != y->weight || x->down != y->down || strcmp(x->name, y->name) || strcmp(x->attributes, y->attributes))
            return false;
    }
    return true;
}

/* A name as it must be written: percent-encoded, or with a backslash before what would end it. */
static inline char *put_name(char *to, const char *name, bool percent, const char *special)
{
    for (; *name; name++)
        if (percent) {
            to += sprintf(to, "%%%02X", (unsigned char)*name);
        } else {
            if (strchr(special, *name))
                *to++ = '\\';
            *to++ = *name;
        }
    *to = 0;
    return to;
}

static inline size_t names_room(const struct cluster *c)
{
    size_t room = 1;
    for (uint32_t i = 0; i < c->size; i++)
        room += 3 * strlen(c->node[i].name) + strlen(c->node[i].attributes) + 20;
    return room;
}

/* The cluster as a list a=1,b=2; to be mem_freed. */
static inline char *as_list(const struct cluster *c, bool percent)
{
    char *text = mem_alloc(names_room(c), 1), *to = text;
    HOLD(text);
    for (uint32_t i = 0; i < c->size; i++) {
        to = put_name(to, c->node[i].name, percent, ",=\\");
        to += sprintf(to, "=%u%s", c->node[i].weight, i + 1 < c->size ? "," : "");
    }
    return text;
}

/* As lines of a node file; to be mem_freed. Behind a byte order mark of its own, the first name may begin with one. */
static inline char *as_lines(const struct cluster *c, bool percent)
{
    static const char mark[] = "\xef\xbb\xbf";
    char *text = mem_alloc(names_room(c) + strlen(mark), 1), *to = text;
    HOLD(text);
    if (!strncmp(c->node[0].name, mark, strlen(mark)))
        to = stpcpy(to, mark);
    for (uint32_t i = 0; i < c->size; i++) {
        to = put_name(to, c->node[i].name, percent, "");
        to += sprintf(to, " %u %s\n", c->node[i].weight, c->node[i].attributes);
    }
    return text;
}

#endif
