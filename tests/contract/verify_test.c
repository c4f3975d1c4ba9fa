/* verify can fail: strategies that are broken in ways seen in the wild are each caught by the check that is meant to catch them, while the right ones
 * pass, whatever the seed. */
#include "experiments/verify.h"
#include "strategies/engines/all.h"
#include "strategies/engines/jump.h"
#include "strategies/engines/modulo.h"
#include "strategies/engines/numbered.h"
#include "tests/stage.h"

#include "base/rng.h"

#include <inttypes.h>
#include <string.h>

/* Their states are written to. */
#define strategy_anchor right_anchor
#include "strategies/anchor.c"
#undef strategy_anchor
#define strategy_dx right_dx
#include "strategies/dx.c"
#undef strategy_dx

extern const struct strategy strategy_ring, strategy_modulo, strategy_jump;

/* Which checks fail, "check check .."; *rows: how many checks there were. */
static const char *failures(const char *spec_text, const char *nodes, uint64_t seed, uint64_t *rows)
{
    static char found[1024];
    char why[WHY] = "", size[32];
    struct spec *spec = spec_of(spec_text);
    char *sizes[] = {size};
    struct study s = {.registry = registry_create(), .spec = &spec, .specs = 1, .nodes = sizes, .sizes = 1, .hash = {hash_find("xxh3"), 0},
                      .seed = seed, .threads = 1, .placements = 1};
    struct verify v = {.published = "data/published"};
    struct table *t = NULL;
    uint64_t failed;
    snprintf(size, sizeof size, "%s", nodes);
    must(verify_run(&s, &v, &t, &failed, why), why);
    *found = 0;
    *rows = table_rows(t);
    for (size_t r = 0; r < table_rows(t); r++)
        if (!strcmp(table_get_text(t, r, COL(verdict)), "failed"))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", table_get_text(t, r, COL(check)));
    table_destroy(t);
    spec_destroy(spec);
    registry_destroy(s.registry);
    return found;
}

static void caught(const struct strategy *twin, const char *by, const char *nodes)
{
    char word[64];
    catalog_guest = twin;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 1 : 2); seed++) {
        uint64_t rows;
        const char *found = failures(twin->name, nodes, seed, &rows);
        snprintf(word, sizeof word, "%s ", by);
        ok(strstr(found, word), "%s: %s, %s nodes, seed %" PRIu64 ": caught by %s (failed: %s)", twin->name, twin->summary, nodes, seed, by, found);
    }
    catalog_guest = NULL;
}

static char *const *words; /* of the command line: strategies' names, or twins; none: all */

static void passes(const char *spec, const char *nodes, uint64_t seeds)
{
    if (!asked_for(spec, words) || (SANITIZED && !strcmp(nodes, "200")))
        return;
    if (SANITIZED)
        seeds = 1;
    uint64_t wolves = 0, rows = 0, all = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const char *found = failures(spec, nodes, seed, &rows);
        all += rows;
        if (*found && wolves++ == 0)
            note("%s, %s nodes, seed %" PRIu64 ": %s", spec, nodes, seed, found);
    }
    ok(wolves == 0 && rows > 0, "%s, %s nodes: all %" PRIu64 " checks of %" PRIu64 " seeds pass", spec, nodes, all, seeds);
}

/* -- a ring that loses every fourth point on its way -- */

struct leak {
    point_sink *emit;
    void *to;
    uint64_t seen;
};

static int emit_some(void *to, const struct point *point)
{
    struct leak *l = to;
    return l->seen++ % 4 == 3 ? 0 : l->emit(l->to, point);
}

static int leaking_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    struct leak l = {emit, to, 0};
    return strategy_ring.points(p, only, emit_some, &l);
}

static struct strategy leaking, leaking_ring;

static int leaking_open(struct placement *p, char why[WHY])
{
    p->strategy = &leaking;
    int e = strategy_ring.open(p, why);
    p->strategy = &leaking_ring; /* which says that all its points are there */
    return e;
}

/* -- anchors: sizes that are all the same -- */

static int anchor_of(struct placement *p, bool capacity, char why[WHY])
{
    int e = right_anchor.open(p, why);
    struct anchor *a = p->state;
    for (uint32_t b = a ? a->seats.nodes : 0; !e && b < a->seats.count; b++)
        a->A[b] = capacity ? a->seats.count : a->seats.nodes;
    return e;
}

static int anchor_capacity(struct placement *p, char why[WHY]) { return anchor_of(p, true, why); }
static int anchor_working(struct placement *p, char why[WHY]) { return anchor_of(p, false, why); }

/* -- a dx whose nodes sit where their names hash to, one upon another -- */

static int dx_colliding(struct placement *p, char why[WHY])
{
    int e = right_dx.open(p, why);
    struct dx *d = p->state;
    if (e)
        return e;
    memset(d->taken, 0, (d->seats.count + 63) / 64 * sizeof d->taken[0]);
    for (uint32_t i = 0; i < p->cluster->size; i++) {
        uint32_t seat = (uint32_t)(hash_find("xxh3")->one(p->cluster->node[i].name, strlen(p->cluster->node[i].name), 1) % d->seats.count);
        d->taken[seat / 64] |= 1ull << seat % 64;
        d->seats.id[seat] = p->cluster->node[i].id;
    }
    return 0;
}

/* -- a jump whose generator keeps 32 bits of the key -- */

NUMBERED_ENGINE(narrow, jump_bucket(digest & UINT32_MAX, nodes), numbered_shares)

/* -- modulo: said to be minimal; and one whose batch differs -- */

static int modulo_boasting(struct placement *p, char why[WHY])
{
    int e = strategy_modulo.open(p, why);
    p->caps |= CAP_MINIMAL;
    return e;
}

static struct engine odd_engine;
static uint64_t odd_digest; /* the one key; 0: the last of batches of 1001 keys */
static const struct engine *right_engine;

static void odd_many(const void *state, const uint64_t *digest, size_t n, uint32_t *id)
{
    right_engine->lookup_many(state, digest, n, id);
    for (size_t i = 0; i < n; i++)
        if (odd_digest ? digest[i] == odd_digest : n % 8 == 7 && i == n - 1)
            id[i] = id[i] ? 0 : 1;
}

static int odd_open(struct placement *p, char why[WHY])
{
    int e = strategy_modulo.open(p, why);
    right_engine = p->engine;
    odd_engine = *p->engine;
    odd_engine.lookup_many = odd_many;
    p->engine = &odd_engine;
    return e;
}

/* -- a ring that ignores weights; copies that repeat, or all go to one node; nodes that swap seats when several leave -- */

static int equal_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    for (uint32_t i = 0; i < (only ? 1 : p->cluster->size); i++) {
        struct node n = only ? *only : p->cluster->node[i];
        n.weight = 1;
        int e = strategy_ring.points(p, &n, emit, to);
        if (e)
            return e;
    }
    return 0;
}

static struct engine copying_engine;

static size_t repeating(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    size_t n = right_engine->replicas(state, digest, id, k);
    if (n > 3)
        id[3] = id[2];
    return n;
}

static size_t crowding(const void *state, uint64_t digest, uint32_t *id, size_t k)
{
    id[0] = right_engine->lookup(state, digest);
    for (size_t i = 1; i < k; i++)
        id[i] = id[0] >= i ? (uint32_t)i - 1 : (uint32_t)i; /* the first nodes of all */
    return k;
}

static size_t (*copies)(const void *, uint64_t, uint32_t *, size_t);

static int copying_open(struct placement *p, char why[WHY])
{
    int e = strategy_ring.open(p, why);
    right_engine = p->engine;
    copying_engine = *p->engine;
    copying_engine.replicas = copies;
    p->engine = &copying_engine;
    return e;
}

static int swapping_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    uint32_t before = p->cluster->size;
    int e = right_anchor.change(p, after, why);
    struct anchor *a = p->state;
    if (!e && after->size + 2 <= before) {
        uint32_t x = 0, y, id;
        while (a->A[x])
            x++;
        for (y = x + 1; a->A[y];)
            y++;
        id = a->seats.id[x];
        a->seats.id[x] = a->seats.id[y];
        a->seats.id[y] = id;
    }
    return e;
}

static struct strategy twin_of(const struct strategy *right, const char *name, const char *summary, int (*open)(struct placement *, char *))
{
    struct strategy s = *right;
    s.name = name;
    s.summary = summary;
    s.open = open;
    return s;
}

static void twins(void)
{
    leaking = strategy_ring;
    leaking.points = leaking_points;
    leaking_ring = twin_of(&strategy_ring, "ring-leaking", "every fourth point is lost", leaking_open);
    leaking_ring.change = NULL;
    const struct strategy at_capacity = twin_of(&right_anchor, "anchor-a", "A = capacity for every seat", anchor_capacity),
                          at_working = twin_of(&right_anchor, "anchor-w", "A = nodes for every seat", anchor_working),
                          colliding = twin_of(&right_dx, "dx-colliding", "seats by hash, one upon another", dx_colliding),
                          boasting = twin_of(&strategy_modulo, "modulo-minimal", "said to move only what it must", modulo_boasting),
                          odd = twin_of(&strategy_modulo, "modulo-odd", "a batch that differs", odd_open);
    struct strategy unweighted = twin_of(&strategy_ring, "ring-unweighted", "weights are ignored", strategy_ring.open),
                    swapping = twin_of(&right_anchor, "anchor-swapping", "two nodes swap seats when several leave", right_anchor.open);
    const struct strategy copying = twin_of(&strategy_ring, "ring-copying", "copies are wrong", copying_open);
    unweighted.points = equal_points;
    swapping.change = swapping_change;
    struct strategy narrow = strategy_jump;
    narrow.data = &narrow_engine;
    narrow.summary = "a 32-bit seed";
    static const char *const sizes[] = {"24", "100", "1000"};
    for (size_t i = 0; i < (SANITIZED ? 1 : sizeof sizes / sizeof *sizes); i++) {
        caught(&leaking_ring, "scatter", sizes[i]);
        caught(&at_capacity, "owners", sizes[i]);
        caught(&at_working, "keys-grown", sizes[i]);
        caught(&colliding, "owners", sizes[i]);
        caught(&narrow, "answers", sizes[i]);
        caught(&boasting, "minimal", sizes[i]);
        caught(&odd, "batch", sizes[i]);
        caught(&unweighted, "weights", sizes[i]);
        caught(&swapping, "minimal-churned", sizes[i]);
        copies = repeating;
        caught(&copying, "replicas", sizes[i]);
    }
    copies = crowding;
    caught(&copying, "replicas", "1000");
    uint64_t rows;
    catalog_guest = &at_working;
    ok(!strstr(failures("anchor-w", "100", 1, &rows), "keys "), "A = nodes is even until a node comes: nothing is found before");
    catalog_guest = &odd;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        odd_digest = rng_at(rng_stream(seed, "verify", "modulo-odd", 24), 1000 * seed); /* one key of the sample */
        ok(strstr(failures("modulo-odd", "24", seed, &rows), "batch "), "one key that differs in a batch is caught, seed %" PRIu64, seed);
    }
    catalog_guest = NULL;
}

int main(int argc, char **argv)
{
    uint64_t live = mem_live();
    (void)argc;
    words = argv + 1;
    if (asked_for("twins", words))
        twins();
    static const char *const options[] = {"rendezvous:tree", "slots:rebalance=rendezvous", "dynamo:strategy=1", "dynamo:strategy=2,tokens=16", "ring:bits=16",
                                          "ring:vnodes=1", "bounded:over=jump", "bounded:over=rendezvous,eps=0.1", "straw2:hash=crc16", "rendezvous:hash=crc16"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        passes(options[i], "24", 2);
        passes(options[i], "200", 1);
    }
    passes("slots:rebalance=rendezvous", "a,b=2,c=3", 2); /* clusters of weights */
    passes("rendezvous", "a=1,b=10000", 2);
    passes("straw2", "a=1,b=1000,c=30000", 2);
    for (size_t i = 0; catalog[i]; i++) {
        bool system = catalog[i]->version;
        passes(catalog[i]->name, "3", system ? 1 : 3);
        passes(catalog[i]->name, "24", system ? 1 : 3);
        if (!system)
            passes(catalog[i]->name, "200", 1);
    }
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
