/* anchor, dx and memento: held to their definition, to the number of hashes that their papers promise, to even shares whatever happened before,
 * and to what they refuse. */
#define strategy_anchor anchor_inside /* the files themselves, for a look inside */
#define strategy_dx dx_inside
#include "strategies/anchor.c"
#include "strategies/dx.c"

#include "strategies/engines/jump.h"
#include "tests/stage.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { DIGESTS = 20000, MANY = 200000, ROOM = 128 };
static const char *const strategies[] = {"anchor:capacity=128", "dx:capacity=128", "memento"};

static uint64_t digest_at(uint64_t i)
{
    return rng_at(4711, i);
}

/* A strategy on a cluster that changes. */
struct stand {
    struct registry *registry;
    struct spec *spec;
    const struct cluster *cluster;
    struct placement *p;
    struct rng rng;
    uint32_t came;
};

static struct stand stand_of(const char *spec, const char *nodes)
{
    struct stand s = {.registry = registry_create(), .spec = spec_of(spec), .rng = rng_start(rng_stream(1, "seats", spec, 0))};
    s.cluster = cluster_of(s.registry, nodes);
    s.p = open_on_hash(s.spec, s.cluster, "xxh3");
    return s;
}

static void stand_release(struct stand *s)
{
    placement_close(s->p);
    spec_destroy(s->spec);
    registry_destroy(s->registry);
}

static void stand_change(struct stand *s, const char *change)
{
    s->cluster = changed(s->registry, s->cluster, change);
    change_to(s->p, s->cluster);
}

/* The id of the node that left. */
static uint32_t leaves(struct stand *s)
{
    const struct node *n = &s->cluster->node[rng_below(&s->rng, s->cluster->size)];
    uint32_t id = n->id;
    char change[64];
    snprintf(change, sizeof change, "-%s", n->name);
    stand_change(s, change);
    return id;
}

static uint32_t comes(struct stand *s)
{
    char change[64];
    snprintf(change, sizeof change, "+x%u", s->came++);
    stand_change(s, change);
    return s->cluster->node[s->cluster->size - 1].id;
}

static void owners(const struct placement *p, uint32_t *id, size_t n)
{
    static uint64_t digest[MANY];
    for (size_t i = 0; i < n; i++)
        digest[i] = digest_at(i);
    p->engine->lookup_many(p->state, digest, n, id);
}

/* -- even shares -- */

static bool even(const struct placement *p)
{
    static uint32_t id[MANY];
    const struct cluster *c = p->cluster;
    double *count = mem_alloc(c->ids, sizeof *count), *share = mem_alloc(c->ids, sizeof *share), fair = 1.0 / c->size, sum = 0, shares = 0;
    bool good = p->law == LAW_FIXED;
    owners(p, id, MANY);
    for (size_t i = 0; i < MANY; i++)
        if (id[i] < c->ids && cluster_by_id(c, id[i]))
            count[id[i]]++;
        else
            good = false;
    p->engine->shares(p->state, share);
    for (uint32_t i = 0; i < c->ids; i++)
        shares += share[i];
    for (uint32_t i = 0; i < c->size; i++) {
        double off = count[c->node[i].id] - MANY * fair;
        sum += off * off / (MANY * fair);
        good &= share[c->node[i].id] == fair && count[c->node[i].id] > 0;
    }
    mem_free(count);
    mem_free(share);
    return good && fabs(shares - 1) < 1e-12 && (c->size == 1 || gsl_cdf_chisq_Q(sum, c->size - 1) > 1e-12);
}

static void shares(const char *spec)
{
    struct stand s = stand_of(spec, "100");
    bool good = even(s.p);
    for (int i = 0; i < 60; i++)
        leaves(&s);
    ok(good && even(s.p), "%s: even when opened, and after 60 of 100 nodes left in random order", spec);
    while (s.cluster->size > 1)
        leaves(&s);
    ok(even(s.p), "%s: the last has all", spec);
    while (s.cluster->size < ROOM)
        comes(&s);
    ok(even(s.p), "%s: even after growing to the capacity", spec);
    for (int i = 0; i < 200; i++)
        if (s.cluster->size > 1 && (s.cluster->size == ROOM || rng_below(&s.rng, 100) < 60))
            leaves(&s);
        else
            comes(&s);
    ok(even(s.p), "%s: even after 200 random events, with %u nodes", spec, s.cluster->size);
    stand_release(&s);
}

/* -- movement -- */

static bool same(const struct placement *p, const uint32_t *before)
{
    static uint32_t id[DIGESTS];
    owners(p, id, DIGESTS);
    return !memcmp(id, before, sizeof id);
}

/* Every node in turn leaves and comes back. */
static void victims(const char *spec, const char *nodes)
{
    static uint32_t before[DIGESTS], after[DIGESTS];
    struct stand s = stand_of(spec, nodes);
    const struct cluster *all = s.cluster;
    bool minimal = true, restored = true;
    owners(s.p, before, DIGESTS);
    for (uint32_t v = 0; v < all->size; v++) {
        char change[64];
        snprintf(change, sizeof change, "-%s", all->node[v].name);
        change_to(s.p, changed(s.registry, all, change));
        owners(s.p, after, DIGESTS);
        for (size_t i = 0; i < DIGESTS; i++)
            minimal &= before[i] == all->node[v].id ? after[i] != before[i] : after[i] == before[i];
        change_to(s.p, all);
        restored &= same(s.p, before);
    }
    ok(minimal && restored, "%s: of %s nodes each can leave, only its keys move, and they come back with it", spec, nodes);
    stand_release(&s);
}

static void last_in_first_out(const char *spec)
{
    enum { STEPS = 12 };
    static uint32_t before[STEPS + 1][DIGESTS];
    const struct cluster *was[STEPS + 1];
    struct stand s = stand_of(spec, "40");
    bool good = true;
    for (int i = 0; i < STEPS; i++) {
        owners(s.p, before[i], DIGESTS);
        was[i] = s.cluster;
        if (i % 4 == 2)
            comes(&s);
        else
            leaves(&s);
    }
    for (int i = STEPS; i-- > 0;) {
        change_to(s.p, was[i]);
        good &= same(s.p, before[i]);
    }
    ok(good, "%s: changes that are taken back one by one, the last first, leave no trace", spec);
    stand_release(&s);
}

static void at_once(const char *spec)
{
    static uint32_t before[DIGESTS];
    struct stand one = stand_of(spec, "40"), all = stand_of(spec, "40");
    stand_change(&one, "-node-39");
    stand_change(&one, "-node-7");
    stand_change(&one, "+x");
    stand_change(&one, "+y");
    stand_change(&one, "+z");
    stand_change(&all, "+x;-node-39;+y;-node-7;+z");
    owners(one.p, before, DIGESTS);
    ok(same(all.p, before), "%s: many at once: as if one by one, the last leaving first, then coming in order", spec);
    stand_release(&one);
    stand_release(&all);
}

static void starving(const char *spec)
{
    static uint32_t before[DIGESTS];
    char why[WHY];
    struct stand s = stand_of(spec, "40");
    for (int i = 0; i < 3; i++)
        leaves(&s);
    owners(s.p, before, DIGESTS);
    const struct cluster *twenty = cluster_of(s.registry, "20");
    const struct cluster *after = changed(s.registry, twenty, "+a;+b;+c;+d;+e;+f;+g;+h;+i;+j;+k;+l;+m;+n;+o;+p;+q;+r;+s;+t;+u;+v;+w;+x;+y;+z");
    uint64_t held = mem_live(), tries = 0;
    bool good = true;
    for (int e = -1; e; tries++) {
        mem_fail_at(tries + 1);
        e = placement_change(s.p, after, why);
        mem_fail_at(0);
        good &= !e || (e == -ENOMEM && mem_live() == held && same(s.p, before));
    }
    ok(good && tries > 1 && even(s.p), "%s: each of %d allocations failing leaves a change of many undone", spec, (int)tries - 1);
    stand_release(&s);
}

/* -- the definition, with every list written out -- */

struct model {
    bool shrinks; /* memento: the last seat just goes when none is empty */
    uint32_t count, nodes, lefts;
    uint32_t id[ROOM], place[ROOM], left[ROOM]; /* the node of each seat, taken seats by place, empty ones by when they were left */
    bool empty[ROOM];
    uint32_t before[ROOM][ROOM], after[ROOM][ROOM], size[ROOM]; /* place[] when a seat was left; how many stayed */
};

static void model_leave(struct model *m, uint32_t seat)
{
    uint32_t at = 0;
    while (m->place[at] != seat)
        at++;
    if (m->shrinks && m->lefts == 0 && seat == m->count - 1) {
        m->count--;
        m->nodes--;
        return;
    }
    memcpy(m->before[seat], m->place, sizeof m->place);
    m->place[at] = m->place[--m->nodes];
    memcpy(m->after[seat], m->place, sizeof m->place);
    m->size[seat] = m->nodes;
    m->empty[seat] = true;
    m->left[m->lefts++] = seat;
}

static void model_come(struct model *m, uint32_t id)
{
    if (m->lefts == 0) {
        m->place[m->count] = m->count;
        m->left[m->lefts++] = m->count++;
    } else {
        memcpy(m->place, m->before[m->left[m->lefts - 1]], sizeof m->place);
    }
    uint32_t seat = m->left[--m->lefts];
    m->empty[seat] = false;
    m->id[seat] = id;
    m->nodes++;
}

static void model_open(struct model *m, bool memento, const struct cluster *c)
{
    *m = (struct model){.count = memento ? c->size : ROOM};
    for (m->nodes = 0; m->nodes < m->count; m->nodes++)
        m->place[m->nodes] = m->nodes;
    for (uint32_t seat = m->count; seat-- > c->size;)
        model_leave(m, seat);
    for (uint32_t i = 0; i < c->size; i++)
        m->id[i] = c->node[i].id;
    m->shrinks = memento;
}

static uint32_t model_owner(const struct model *m, uint64_t digest)
{
    uint32_t b = m->shrinks ? jump_bucket(digest, m->count) : (uint32_t)rng_upto(rng_mix(digest), ROOM - 1);
    while (m->empty[b])
        b = m->after[b][rng_upto(rng_at(digest, b), m->size[b] - 1)];
    return m->id[b];
}

static void defined(const char *spec, bool memento)
{
    static struct model m;
    static uint32_t id[DIGESTS];
    struct stand s = stand_of(spec, "60");
    bool good = true;
    model_open(&m, memento, s.cluster);
    for (int event = 0; event < 400 && good; event++) {
        uint64_t chance = event / 100 % 2 ? 70 : 40; /* of a leaving: fewer, then more, and so on */
        if (s.cluster->size > 1 && (s.cluster->size == ROOM || rng_below(&s.rng, 100) < chance)) {
            uint32_t gone = leaves(&s), seat = 0;
            while (m.empty[seat] || m.id[seat] != gone)
                seat++;
            model_leave(&m, seat);
        } else {
            model_come(&m, comes(&s));
        }
        owners(s.p, id, event % 50 ? 200 : DIGESTS);
        for (uint64_t i = 0; i < (event % 50 ? 200 : DIGESTS); i++)
            good &= id[i] == model_owner(&m, digest_at(i));
    }
    ok(good, "%s: as the paper defines it, all through 400 random events", spec);
    stand_release(&s);
}

/* -- how many hashes -- */

static uint32_t anchor_hashes(const void *state, uint64_t digest)
{
    const struct anchor *a = state;
    uint32_t n = 1;
    for (uint32_t b = anchor_first(a, digest); a->A[b] > 0; n++)
        b = anchor_next(a, b, digest);
    return n;
}

static uint32_t dx_hashes(const void *state, uint64_t digest)
{
    uint32_t n = 0;
    while (!dx_taken(state, dx_try(state, digest, n++)))
        ;
    return n;
}

/* The mean over a million digests, against what is expected and seven of its standard errors. */
static void hashes(const struct stand *s, uint32_t (*count)(const void *, uint64_t), double expected, double deviation, const char *when)
{
    enum { N = 1000000 };
    double sum = 0;
    for (uint64_t i = 0; i < N; i++)
        sum += count(s->p->state, digest_at(i));
    ok(fabs(sum / N - expected) < 7 * deviation / sqrt(N), "%s %s: %.4f hashes, expected %.4f", s->spec->name, when, sum / N, expected);
}

static void costs(void)
{
    double harmonic = 0, variance = 0; /* a seat with A = j is met with probability 1 / (j + 1), whatever other seats are */
    for (int j = 501; j <= 1000; j++) {
        harmonic += 1.0 / j;
        variance += 1.0 / j - 1.0 / j / j;
    }
    struct stand s = stand_of("anchor:capacity=1000", "500");
    hashes(&s, anchor_hashes, 1 + harmonic, sqrt(variance), "of 1000 seats, 500 never taken");
    stand_release(&s);
    s = stand_of("anchor:capacity=1000", "1000");
    hashes(&s, anchor_hashes, 1, 0.01, "with all seats taken");
    while (s.cluster->size > 500)
        leaves(&s);
    hashes(&s, anchor_hashes, 1 + harmonic, sqrt(variance), "of 1000 seats, 500 left in random order");
    stand_release(&s);
    s = stand_of("dx:capacity=1024", "512");
    hashes(&s, dx_hashes, 2, sqrt(2), "half full");
    stand_release(&s);
    s = stand_of("dx:capacity=1024", "100");
    hashes(&s, dx_hashes, 10.24, sqrt(10.24 * 9.24), "a tenth full");
    stand_release(&s);
}

/* -- each one's own -- */

static void memento_is_jump(void)
{
    static uint32_t jump[DIGESTS];
    struct stand m = stand_of("memento", "1000"), j = stand_of("jump", "1000");
    uint64_t memory = placement_memory(m.p);
    owners(j.p, jump, DIGESTS);
    bool good = same(m.p, jump);
    stand_change(&m, "-node-999");
    stand_change(&j, "-node-999");
    owners(j.p, jump, DIGESTS);
    ok(good && same(m.p, jump), "memento is jump while only the last node leaves");
    for (int i = 0; i < 100; i++)
        leaves(&m);
    uint64_t table = placement_memory(m.p) - memory;
    ok(table >= 100 * 16 && table < 100 * 32 && memory < 4000 + 100, "memento remembers 100 removals in %d bytes", (int)table);
    stand_release(&m);
    stand_release(&j);
}

static void dx_ends(void)
{
    struct stand s = stand_of("dx:capacity=256", "1");
    struct dx *d = s.p->state;
    bool good = true;
    for (uint64_t i = 0; i < DIGESTS; i++)
        good &= s.p->engine->lookup(d, digest_at(i)) == s.cluster->node[0].id;
    ok(good, "dx: one node of 256 seats is found");
    d->tries = 1;
    for (uint64_t i = 0; i < DIGESTS; i++)
        good &= s.p->engine->lookup(d, digest_at(i)) == s.cluster->node[0].id;
    ok(good, "dx: also by the walk that follows the tries");
    dx_flip(d, 0);
    ok(s.p->engine->lookup(d, 1) == NO_NODE, "dx: with no seat taken there is no node");
    stand_release(&s);
}

/* As it was once published: look-ups that do not end, but for the share that meets two empty seats in a row. */
static void anchor_ends(void)
{
    static uint32_t id[MANY];
    struct stand s = stand_of("anchor:capacity=1000", "600");
    struct anchor *a = s.p->state;
    double none = 0;
    for (uint32_t b = 0; b < 1000; b++)
        a->A[b] = a->A[b] ? 1000 : 0;
    owners(s.p, id, MANY);
    for (size_t i = 0; i < MANY; i++)
        none += id[i] == NO_NODE;
    ok(fabs(none / MANY - 0.16) < 7 * sqrt(0.16 * 0.84 / MANY), "anchor: with A = a everywhere look-ups end, %.4f of them without a node (0.16)", none / MANY);
    stand_release(&s);
}

static void refused(const char *text, const char *nodes, const char *change, const char *words)
{
    char why[WHY] = "";
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    struct placement *p = NULL;
    const struct cluster *c = cluster_of(r, nodes);
    static uint32_t before[DIGESTS];
    int e = placement_open(&p, spec, c, &(struct keyed_hash){hash_find("xxh3"), 0}, why);
    bool kept = change ? !e && p : !p;
    if (change && kept) {
        owners(p, before, DIGESTS);
        e = placement_change(p, changed(r, c, change), why);
        kept = p->cluster == c && same(p, before);
    }
    ok(e == -EINVAL && kept && strstr(why, words), "%s, %s nodes %s: %s", text, nodes, change ? change : "", why);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

static void weights(const char *spec)
{
    struct stand s = stand_of(spec, "a,b,c");
    bool good = s.p->law == LAW_FIXED && !*s.p->warning;
    stand_change(&s, "b=3");
    ok(good && s.p->law == LAW_NONE && strstr(s.p->warning, "weights") && !(s.p->caps & CAP_WEIGHTS), "%s: %s", spec, s.p->warning);
    stand_release(&s);
}

int main(void)
{
    uint64_t live = mem_live();
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        shares(strategies[i]);
        victims(strategies[i], "24");
        last_in_first_out(strategies[i]);
        at_once(strategies[i]);
        starving(strategies[i]);
        weights(strategies[i]);
    }
    victims("anchor", "200");
    victims("dx", "200");
    victims("memento", "200");
    defined("anchor:capacity=128", false);
    defined("memento", true);
    costs();
    memento_is_jump();
    dx_ends();
    anchor_ends();
    refused("anchor:capacity=5", "6", NULL, "capacity of 5");
    refused("anchor:capacity=5", "6", NULL, "capacity=8");
    refused("anchor", "10", "+11", "capacity of 20");
    refused("anchor:capacity=10", "10", "-node-3;+2", "capacity=16");
    refused("dx:capacity=100", "6", NULL, "128");
    refused("dx:capacity=4", "6", NULL, "capacity=8");
    refused("dx", "20", "+45", "capacity of 64");
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
