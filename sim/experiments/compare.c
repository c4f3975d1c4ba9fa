#include "experiments/compare.h"

#include "base/mem.h"
#include "base/text.h"
#include "experiments/counts.h"
#include "experiments/feed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 5, KEY_SHOWN = 64 };

/* A key on which two differ. */
struct example {
    uint64_t request;
    uint32_t owner[2];
    char key[KEY_SHOWN];
};

/* What one thread counts for one pair. */
struct tally {
    uint64_t same, unplaced;
    uint32_t shown;
    struct example example[SHOWN]; /* the first that this thread met: blocks come to it in ascending order */
};

struct comparison {
    const struct study *s;
    struct placement **placement;
    struct counts counts;
    size_t sides, pairs, threads;
    struct tally *tally; /* [threads][pairs] */
};

static void compare_pair(struct tally *t, const uint32_t *a, const uint32_t *b, const struct key_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        if (a[i] == NO_NODE || b[i] == NO_NODE)
            t->unplaced++;
        else if (a[i] == b[i])
            t->same++;
        if (a[i] == b[i] || t->shown == SHOWN)
            continue;
        struct example *x = &t->example[t->shown++];
        *x = (struct example){.request = block->first + i, .owner = {a[i], b[i]}};
        text_printable(block->text[i], block->len[i], x->key, sizeof x->key);
    }
}

static void compare_block(void *comparison, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    struct comparison *c = comparison;
    struct tally *t = c->tally + thread * c->pairs;
    counts_block(&c->counts, thread, owner, block);
    for (size_t a = 0; a < c->sides; a++)
        for (size_t b = a + 1; b < c->sides; b++)
            compare_pair(t++, owner[a], owner[b], block);
}

/* Joins all threads' counts of a pair into the first's, its examples those of the first keys. */
static void join(const struct comparison *c, size_t pair)
{
    struct tally *all = &c->tally[pair];
    for (size_t t = 1; t < c->threads; t++) {
        const struct tally *one = &c->tally[t * c->pairs + pair];
        all->same += one->same;
        all->unplaced += one->unplaced;
        struct example merged[SHOWN] = {{0}};
        uint32_t n = 0;
        for (uint32_t i = 0, k = 0; n < SHOWN && (i < all->shown || k < one->shown); n++)
            merged[n] = k == one->shown || (i < all->shown && all->example[i].request < one->example[k].request) ? all->example[i++] : one->example[k++];
        memcpy(all->example, merged, n * sizeof *merged);
        all->shown = n;
    }
}

static const char *printable(const struct comparison *c, uint32_t id, char out[KEY_SHOWN])
{
    const char *name = id == NO_NODE ? "-" : registry_name(c->s->registry, id);
    return text_printable(name, strlen(name), out, KEY_SHOWN);
}

static void examples_text(const struct comparison *c, const struct tally *t, char text[WHY])
{
    size_t at = 0;
    *text = 0;
    for (uint32_t i = 0; i < t->shown; i++) {
        char a[KEY_SHOWN], b[KEY_SHOWN];
        const struct example *x = &t->example[i];
        at += (size_t)snprintf(text + at, WHY - at, "%s%s: %s, %s", i ? "; " : "", x->key, printable(c, x->owner[0], a), printable(c, x->owner[1], b));
    }
}

static double chance(const struct comparison *c, size_t a, size_t b)
{
    const uint64_t *x = counts_row(&c->counts, 0, a), *y = counts_row(&c->counts, 0, b);
    double sum = 0, keys = (double)c->counts.keys;
    for (uint32_t id = 0; id < c->counts.ids; id++)
        sum += (double)x[id] / keys * ((double)y[id] / keys);
    return sum;
}

static int pair_row(const struct comparison *c, size_t a, size_t b, size_t pair, const struct workload *w, struct table *t, char why[WHY])
{
    const struct placement *other = c->placement[b];
    char examples[WHY], reason[WHY] = "", *options = placement_options(other, c->s->spec[b]), *hash = placement_hash(other);
    join(c, pair);
    const struct tally *tally = &c->tally[pair];
    int e = options && hash ? study_row(c->s, t, c->placement[a], c->s->spec[a], w, c->counts.keys, why) : fail(why, ENOMEM, "no memory for another row");
    if (!e) {
        double keys = (double)c->counts.keys;
        examples_text(c, tally, examples);
        if (tally->shown)
            compare_reason(c->placement[a], other, reason);
        table_real(t, COL(same_share), (double)tally->same / keys);
        table_real(t, COL(chance_share), chance(c, a, b));
        table_real(t, COL(unplaced_share), (double)tally->unplaced / keys);
        if (table_text(t, COL(other_strategy), other->strategy->name) || table_text(t, COL(other_options), options) ||
            table_text(t, COL(other_hash), hash) || table_text(t, COL(load), workload_load(w)) || table_text(t, COL(method), "sampled") ||
            table_text(t, COL(differing), examples) || table_text(t, COL(reason), reason))
            e = fail(why, ENOMEM, "no memory for another row");
    }
    mem_free(options);
    mem_free(hash);
    return e;
}

/* All strategies on the same nodes: addresses, where one of them wants these. */
static int open_sides(struct comparison *c, size_t size, char why[WHY])
{
    const struct study *s = c->s;
    const struct cluster *nodes;
    size_t asks = 0;
    for (size_t i = s->specs; i-- > 0;)
        if (catalog_find(s->spec[i]->name)->addresses)
            asks = i;
    int e = study_cluster(s, asks, size, &nodes, why);
    for (size_t i = 0; i < s->specs && !e; i++)
        e = study_open(s, s->spec[i], nodes, &c->placement[i], why);
    if (!e && counts_init(&c->counts, c->sides, c->threads, nodes->ids))
        e = fail(why, ENOMEM, "no memory to count keys on %u nodes", nodes->ids);
    return e;
}

static int compare_cluster(const struct study *s, size_t size, struct table *t, char why[WHY])
{
    struct comparison c = {.s = s, .sides = s->specs, .pairs = s->specs * (s->specs - 1) / 2, .threads = study_threads(s)};
    struct workload *w = NULL;
    c.placement = mem_alloc(c.sides, sizeof *c.placement);
    c.tally = mem_alloc(c.threads * c.pairs, sizeof *c.tally);
    int e = c.placement && c.tally ? open_sides(&c, size, why) : fail(why, ENOMEM, "no memory to compare %zu strategies", c.sides);
    if (!e)
        e = study_workload(s, &w, why);
    if (!e)
        e = feed(s, w, (const struct placement *const *)c.placement, c.sides, compare_block, &c, "compare", &c.counts.keys, why);
    if (!e && c.counts.keys == 0)
        e = fail(why, EINVAL, "%s holds no keys", s->workload);
    if (!e)
        e = counts_join(&c.counts, why);
    for (size_t a = 0, pair = 0; a < c.sides; a++)
        for (size_t b = a + 1; b < c.sides && !e; b++)
            e = pair_row(&c, a, b, pair++, w, t, why);
    workload_close(w);
    for (size_t i = 0; c.placement && i < c.sides; i++)
        placement_close(c.placement[i]);
    mem_free(c.placement);
    mem_free(c.tally);
    counts_release(&c.counts);
    return e;
}

int compare_run(const struct study *s, struct table **out, char why[WHY])
{
    if (s->specs < 2)
        return fail(why, EINVAL, "compare: with what? give -s twice, e.g. -s libmemcached -s twemproxy, or a sweep");
    struct table *t = columns_table(columns_compare);
    int e = t ? 0 : fail(why, ENOMEM, "no memory for a table");
    for (size_t k = 0; k < s->sizes && !e; k++)
        e = compare_cluster(s, k, t, why);
    if (e)
        table_destroy(t);
    else
        *out = t;
    return e;
}
