/* libkeysim: which node does a key go to? For clients that route keys as keysim, or a real system that it follows, does.
 *
 *     struct keysim *k;
 *     char why[256];
 *     if (keysim_open(&k, "libmemcached:distribution=ketama", "10.0.0.1:11211,10.0.0.2:11211", why, sizeof why))
 *         ...                                        // why says what is wrong, and what would be right
 *     int node = keysim_where(k, "user:1001", 9);
 *     puts(node >= 0 ? keysim_name(k, node) : "none");
 *     keysim_change(k, "-10.0.0.2:11211", why, sizeof why);
 *     keysim_close(k);
 *
 * Nodes have numbers: small ones from 0, below keysim_numbers(), so that connections can stand in an array. A node keeps its number as
 * long as it is there. The number of one that left is given to a later newcomer, but never to one that comes in the same change; so after
 * each change drop what you keep for nodes that left.
 *
 * Threads: any number may look up at once (all functions that take a const struct keysim *). keysim_change() and keysim_close() want the
 * handle for themselves: hold a lock for writing there and for reading at look-ups. Different handles are independent.
 *
 * The library prints nothing, never ends the program, handles no signal and keeps no state but the handle's. Memory is that of the nodes
 * there are, however many came and left (but for tutorial-java-fnv, which never forgets one). Look-ups allocate nothing and cannot fail.
 *
 * Functions that can fail return 0, or a negative errno: -EINVAL is the caller's mistake, all else (-ENOMEM ...) the machine's failure. They write one
 * sentence of at most `size` bytes, the NUL included, to why; NULL and 0: none. */
#ifndef KEYSIM_H
#define KEYSIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KEYSIM_NOWHERE (-1) /* the system itself names no node (all are down; an empty key), or there is none of that name */
#define KEYSIM_NO_KEY (-2)  /* the system takes other keys only (such as addresses) */

struct keysim;

/* "1.0" */
const char *keysim_version(void);

/* Opens a strategy or system on nodes, both written as keysim's -s and -n take them: spec "ring:vnodes=150", nodes "3" (node-0 ..), "a,b=2,c" with
 * weights, "@FILE", or the configuration of a real system, "@twemproxy:nutcracker.yml#pool". spec NULL: the one that such a configuration means.
 * On failure *out is NULL. Cost: that of building, up to milliseconds for a thousand nodes. */
int keysim_open(struct keysim **out, const char *spec, const char *nodes, char *why, size_t size);
void keysim_close(struct keysim *k); /* NULL is allowed */

/* What the caller should know of this spec on these nodes ("jump knows no weights: they are ignored"), or "". Valid until the next change, after which
 * it tells of nodes that are down, but of weights that came only where the strategy builds all anew. */
const char *keysim_warning(const struct keysim *k);

/* Another set of nodes: "+NAME", "+NAME=WEIGHT", "-NAME", "NAME=WEIGHT", "NAME=down", "NAME=up", or several joined by ';'. A number instead of NAME, "+2",
 * "-1", is how many: of new names, or the last of all; so give nodes names that are no numbers, "n7" instead of "7". On failure all is as it
 * was. -EINVAL too: nothing changes, no node is left, or this strategy cannot do it (jump loses only its last node). */
int keysim_change(struct keysim *k, const char *change, char *why, size_t size);

/* The number of the key's node, or one of the two above. A key is any len bytes. Of bounded and choices, which look at loads: the first choice. */
int keysim_where(const struct keysim *k, const void *key, size_t len);

/* The same for n keys at once, which is faster: several are on their way through the memory together. */
void keysim_where_many(const struct keysim *k, const void *const *key, const uint32_t *len, size_t n, int *node);

/* The numbers of up to `most` different nodes for the copies of a key, the owner first. How many: fewer where there are not so many nodes, 0 where
 * the key goes nowhere; or KEYSIM_NO_KEY. Strategies without a rule for copies look up again with a changed digest. */
int keysim_replicas(const struct keysim *k, const void *key, size_t len, int *node, int most);

/* The nodes that are there, in the order of the configuration. */
size_t keysim_nodes(const struct keysim *k);               /* how many */
int keysim_node(const struct keysim *k, size_t position);  /* the number of the one at position 0 .. nodes-1; KEYSIM_NOWHERE beyond */
int keysim_find(const struct keysim *k, const char *name); /* the number of the one so named, or KEYSIM_NOWHERE; looks at all of them */
int keysim_numbers(const struct keysim *k);                /* all numbers are below this */

/* Of a node by its number; valid until the next change. NULL and 0 for a number that no node has. */
const char *keysim_name(const struct keysim *k, int node);
uint32_t keysim_weight(const struct keysim *k, int node); /* 1 for those that were given none; looks at all nodes */

#ifdef __cplusplus
}
#endif

#endif
