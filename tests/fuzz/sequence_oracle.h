/* What the sequences of sequence_fuzz.c look at: answers of a placement, which must agree with one another, and naive oracles for them. */
#ifndef TESTS_FUZZ_SEQUENCE_ORACLE_H
#define TESTS_FUZZ_SEQUENCE_ORACLE_H

#include "strategies/engines/jump.h"
#include "strategies/engines/names.h"
#include "strategies/engines/ring_parts.h"
#include "tests/contract/trial.h"
#include "tests/fuzz/fuzz.h"
#include "tests/ring_oracle.h"

enum { NODES = 16, DIGESTS = 40, KEYS = 8, ANSWERS = DIGESTS + KEYS, POINTS = 2000, WALKED = 64, COPIES = 4, LOADED = 16 };

struct run {
    const struct spec *spec;
    struct keyed_hash hash;
    struct registry *registry;
    const struct cluster *cluster, *earlier;
    struct placement *p, *twin; /* twin: of those that remember, else NULL */
    bool addresses, forgets;
    uint64_t digest[DIGESTS];
    uint32_t owner[ANSWERS]; /* as last seen */
    uint64_t most;           /* bytes that one opened anew ever took: room for as much may stay */
};

/* -- answers -- */

static inline void answers(const struct run *r, const struct placement *p, uint32_t owner[ANSWERS])
{
    char text[KEYS][64];
    const void *key[KEYS];
    uint32_t len[KEYS];
    uint64_t digest[KEYS], one;
    uint8_t verdict[KEYS];
    bool plain;
    int kind = key_kind(p);
    p->engine->lookup_many(p->state, r->digest, DIGESTS, owner);
    for (size_t i = 0; i < DIGESTS; i++)
        HOLD(owner[i] == p->engine->lookup(p->state, r->digest[i]));
    for (uint32_t i = 0; i < KEYS; i++) {
        len[i] = key_text(kind, i, text[i]);
        key[i] = text[i];
    }
    placement_digests(p, key, len, KEYS, digest, verdict, &plain);
    placement_owners(p, key, len, KEYS, digest, verdict, plain, owner + DIGESTS);
    for (size_t i = 0; i < KEYS; i++) {
        HOLD(placement_digest(p, text[i], len[i], &one) == (enum key_verdict)verdict[i] && one == digest[i]);
        HOLD(owner[DIGESTS + i] == (verdict[i] == KEY_HASHED ? placement_owner(p, text[i], len[i], one) : NO_NODE));
    }
}

/* One of the published rings forgets no node. */
static inline bool departed_stay(const struct run *r)
{
    return !strcmp(r->spec->name, "tutorial-java-fnv");
}

static inline bool may_own(const struct run *r, uint32_t id)
{
    bool knows_down = r->p->caps & CAP_DOWN;
    const struct node *n = cluster_by_id(r->cluster, id);
    if (id == NO_NODE)
        return knows_down && any_down(r->cluster);
    return n ? !(knows_down && n->down) : departed_stay(r) && id < r->p->cluster->ids;
}

static inline void same_answers(const struct run *r, const struct placement *p)
{
    uint32_t owner[ANSWERS];
    answers(r, p, owner);
    HOLD(!memcmp(owner, r->owner, sizeof owner));
}

/* Keys one after another where loads are looked at: nobody beyond what it may hold. */
static inline void loads(const struct run *r, const struct placement *p, uint32_t owner[LOADED])
{
    uint64_t load[4 * NODES] = {0}, total = 0;
    const struct engine *engine = p->engine;
    HOLD(p->cluster->ids <= 4 * NODES);
    for (size_t i = 0; i < LOADED; i++) {
        uint32_t id = owner[i] = engine->lookup_loaded(p->state, r->digest[i], load, total);
        HOLD(may_own(r, id) && (id == NO_NODE) == (r->owner[i] == NO_NODE));
        if (id == NO_NODE)
            continue;
        HOLD(!engine->capacity || load[id] < engine->capacity(p->state, id, total));
        load[id]++;
        total++;
    }
}

static inline void same_loads(const struct run *r, const struct placement *p)
{
    uint32_t mine[LOADED], theirs[LOADED];
    loads(r, r->p, mine);
    loads(r, p, theirs);
    HOLD(!memcmp(mine, theirs, sizeof mine));
}

/* Salted look-ups agree where look-ups do. */
static inline void same_copies(const struct run *r, const struct placement *p)
{
    uint32_t mine[COPIES], theirs[COPIES], k = r->cluster->size < COPIES ? r->cluster->size : COPIES; /* more than there are take the longest walk */
    if (!p->engine->replicas)
        return;
    for (size_t i = 0; i < 5; i++) {
        size_t n = p->engine->replicas(p->state, r->digest[i], theirs, k);
        HOLD(r->p->engine->replicas(r->p->state, r->digest[i], mine, k) == n && !memcmp(mine, theirs, n * sizeof *mine));
    }
}

/* As another placement of the same nodes; whole: all that is owned, which takes long. */
static inline void as_if(const struct run *r, const struct placement *other, bool whole)
{
    size_t points[2], distinct[2];
    HOLD(r->p->engine == other->engine && r->p->caps == other->caps && r->p->law == other->law && r->p->law_count == other->law_count);
    same_answers(r, other);
    same_copies(r, other);
    if (other->engine->lookup_loaded)
        same_loads(r, other);
    placement_points(r->p, &points[0], &distinct[0], NULL);
    placement_points(other, &points[1], &distinct[1], NULL);
    HOLD(points[0] == points[1] && distinct[0] == distinct[1]);
    HOLD(!whole || !has_map(other) || same_map(r->p, other));
}

/* -- oracles -- */

static inline uint32_t ring_naive(const struct placement *p, uint64_t digest, uint32_t *walk, size_t k, size_t *walked)
{
    static struct emitted all;
    const struct ring_rule *rule = &((const struct ring *)p->state)->rule;
    size_t distinct;
    *walked = SIZE_MAX; /* not known */
    if (!p->strategy->points || p->caps & CAP_HISTORY || ring_points(p, &distinct) > POINTS || rule->both_sides || ((const struct ring *)p->state)->down)
        return p->engine->lookup(p->state, digest);
    all.n = 0;
    HOLD(!p->strategy->points(p, NULL, collect, &all));
    HOLD(all.n == ring_points(p, &distinct));
    size_t at = oracle(&all, rule, rule->size ? digest % rule->size : digest >> rule->key_shift);
    if (at < all.n && all.n <= WALKED && !((const struct ring *)p->state)->zones)
        *walked = oracle_walk(&all, rule, at, walk, k);
    return at < all.n ? all.at[at].id : NO_NODE;
}

static inline uint32_t modulo_naive(const struct cluster *c, uint64_t digest)
{
    uint64_t left = digest % cluster_weight(c);
    for (uint32_t i = 0;; i++) {
        if (left < c->node[i].weight)
            return c->node[i].id;
        left -= c->node[i].weight;
    }
}

/* Lamping and Veach, as they print it. */
static inline uint32_t jump_naive(const struct cluster *c, uint64_t key)
{
    int64_t b = -1, j = 0;
    while (j < c->size) {
        b = j;
        key = key * UINT64_C(2862933555777941757) + 1;
        j = (int64_t)((double)(b + 1) * ((double)(INT64_C(1) << 31) / (double)((key >> 33) + 1)));
    }
    return c->node[b].id;
}

/* -ln(u) / w, with the library's logarithm. */
static inline double rendezvous_cost(const struct node *n, uint64_t digest)
{
    uint64_t word = rng_mix(digest ^ name_word(n));
    double u = ((double)word + 1) * 0x1p-64;
    return (word >> 63 ? -log1p(-(double)~word * 0x1p-64) : -log(u)) / n->weight;
}

static inline bool rendezvous_wins(const struct cluster *c, uint64_t digest, uint32_t id)
{
    double cost = rendezvous_cost(cluster_by_id(c, id), digest);
    for (uint32_t i = 0; i < c->size; i++)
        if (rendezvous_cost(&c->node[i], digest) < cost * (1 - 1e-9))
            return false;
    return true;
}

/* The owner, and where the ring says so, the copies. */
static inline void against_naive(const struct run *r, uint64_t digest)
{
    const char *name = r->spec->name;
    uint32_t owner = r->p->engine->lookup(r->p->state, digest), walk[COPIES], copy[COPIES];
    size_t walked;
    HOLD(may_own(r, owner));
    if (is_ring(r->p)) {
        HOLD(owner == ring_naive(r->p, digest, walk, COPIES, &walked));
        if (walked != SIZE_MAX)
            HOLD(r->p->engine->replicas(r->p->state, digest, copy, COPIES) == walked && !memcmp(walk, copy, walked * sizeof *walk));
    } else if (!strcmp(name, "modulo")) {
        HOLD(owner == modulo_naive(r->cluster, digest));
    } else if (!strcmp(name, "jump")) {
        HOLD(owner == jump_naive(r->cluster, digest));
    } else if (!strcmp(name, "rendezvous") && r->p->caps & CAP_SCANS) {
        HOLD(rendezvous_wins(r->cluster, digest, owner));
    } else if (!strcmp(name, "null")) {
        HOLD(owner == r->cluster->node[0].id);
    }
}

static inline void replicas(const struct run *r, uint64_t digest, size_t k)
{
    uint32_t id[2 * NODES], owner = r->p->engine->lookup(r->p->state, digest);
    bool salted;
    size_t n = placement_replicas(r->p, digest, id, k, &salted);
    HOLD(owner == NO_NODE ? n == 0 : n > 0 && n <= k && id[0] == owner);
    for (size_t a = 0; a < n; a++) {
        HOLD(id[a] != NO_NODE && may_own(r, id[a]));
        for (size_t b = 0; b < a; b++)
            HOLD(id[a] != id[b]);
    }
}

static inline void map(const struct run *r)
{
    struct map m;
    char why[WHY] = "";
    int e = placement_map(r->p, false, &m, why);
    if (e == -EINVAL)
        return;
    HOLD(!e && m.count > 0 && m.range[0].first == 0);
    for (size_t i = 0; i < m.count; i++)
        HOLD(m.range[i].last >= m.range[i].first && (i == 0 || m.range[i].first == m.range[i - 1].last + 1));
    for (size_t i = 0, at; i < DIGESTS; i++) {
        uint64_t cell = m.cells ? r->digest[i] % m.cells : r->digest[i];
        for (at = 0; m.range[at].last < cell; at++)
            HOLD(at + 1 < m.count);
        HOLD(m.range[at].id == r->owner[i]);
    }
    map_release(&m);
}

#endif
