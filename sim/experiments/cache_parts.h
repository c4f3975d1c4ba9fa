/* What the files of the cache experiment share among themselves; others include cache.h. */
#ifndef EXPERIMENTS_CACHE_PARTS_H
#define EXPERIMENTS_CACHE_PARTS_H

#include "experiments/cache.h"
#include "metrics/che.h"
#include "metrics/lru.h"

/* The requests between two changes; number 0: before the first. */
struct stretch {
    uint64_t first;     /* request */
    const char *change; /* that it begins with; NULL: none */
};

/* Where totals are taken. */
struct cut {
    uint64_t at;
    size_t stretch;
    bool window, slice, half; /* ends a row's window; a slice of the time since a change; the first half of a stretch */
};

/* What a site has counted up to a cut. */
struct mark {
    uint64_t hits, waited;
    uint64_t dead;        /* of the window that ends here: requests of nodes that are down */
    double max_over_mean; /* of that window */
};

struct part { /* of a window, on one node */
    uint32_t id;
    uint64_t asked, hits;
};

struct cache_node {
    struct lru lru;
    uint64_t *ready; /* of each place: the request from which on the item is there; NULL: at once */
    bool alive;
    uint64_t asked, hits, waited;     /* in all */
    uint64_t asked_then, hits_then;   /* when the window began */
    char apart[64];                   /* from what another thread counts */
};

/* What theory says of a stretch. */
struct forecast {
    bool known;
    double kept_share;  /* NAN: not known */
    struct che_times times;
    double *kept;       /* of each band: the share of all requests that go to the same node as before the change; NULL in stretch 0 */
    double *cached;     /* of each band: the share of all requests that go to a node which stands */
    double *hit;        /* of each band: when the stretch ends */
    double *steady;     /* of each band: after a long time */
    double *roomy;      /* of each band: the part at nodes with room for all their keys, which no time makes steady */
};

/* A strategy and its nodes. */
struct site {
    const struct spec *spec;
    const struct cluster **cluster; /* of each stretch */
    struct placement *now, *was;    /* was: before the last change; NULL where it need not be known */
    struct identity of;
    uint32_t ids;
    size_t same_as;                 /* the first site that hashes keys like this one */
    struct cache_node *node;        /* by id; the last is nobody: requests without a cache */
    uint32_t *owner;                /* [BATCH] */
    uint64_t *digest;               /* [BATCH], where loads are looked at */
    uint64_t *load, total;          /* requests since the last change */
    uint64_t *kept;                 /* of each stretch: requests that go to the same node as before its change */
    struct mark *mark;              /* of each cut */
    size_t marks, mark_room;
    struct part *part;              /* window by window, the members of the stretch */
    size_t parts, part_room;
    struct forecast *forecast;      /* of each stretch */
};

enum { SLOTS = 64, BATCH = SLOTS * KEY_BLOCK };

struct slot { /* some requests of a batch */
    struct key_block block;
    size_t from, count; /* of the block */
    size_t at;          /* in the batch */
};

struct lane { /* a thread's */
    uint64_t *digest; /* [sites][KEY_BLOCK] */
    uint8_t *verdict;
    uint32_t *owner;
};

struct cache {
    const struct study *s;
    const struct cache_wish *wish;
    struct workload *w;
    uint64_t total;       /* requests; 0: not known before the end */
    uint64_t window;      /* requests a row in the end */
    struct stretch *stretch;
    size_t stretches;
    struct site *site;
    size_t sites;
    struct cut *cut;
    size_t cuts, cut_room;
    uint64_t done;        /* requests served */
    size_t current;       /* stretch */
    unsigned threads;
    struct lane *lane;
    struct slot *slot;
    size_t slots;
    bool left;            /* the last slot's block has requests for the next batch */
    uint64_t *key;        /* [BATCH]: who is asked for */
    size_t count;         /* requests of the batch */
    struct popularity popular;
};

/* -- cache_open.c -- */
int cache_open(struct cache *c, const struct study *s, const struct cache_wish *wish, char why[WHY]);
void cache_close(struct cache *c);

/* -- cache_batch.c: who owns the next requests -- */
int batch_open(struct cache *c, char why[WHY]);
void batch_close(struct cache *c);
int batch_next(struct cache *c, size_t want, char why[WHY]); /* want: 1 to BATCH; c->count: how many there were */

/* -- cache_serve.c: the requests of a batch at the nodes -- */
int nodes_enter(const struct cache *c, struct site *site, size_t stretch, char why[WHY]); /* members get a cache, those that leave lose it */
void nodes_release(struct site *site);
void batch_serve(struct cache *c);

/* -- cache_theory.c -- */
int forecast_make(const struct cache *c, struct site *site, char why[WHY]);
void forecast_release(const struct cache *c, struct site *site);
/* Hit ratio from the a-th to the b-th request since stretch k began; NAN: not known. */
double forecast_ratio(const struct cache *c, const struct site *site, size_t k, double a, double b);

/* -- cache_rows.c -- */
int cache_rows(const struct cache *c, struct table *t, char why[WHY]);

#endif
