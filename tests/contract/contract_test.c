/* What every strategy must keep, whatever it does: each row of the catalog, and some specs that take other paths, on small and large clusters of
 * equal and unequal weights, with a wide hash and a narrow one. A new strategy needs no test of its own to be held to this. */
#include "base/rng.h"
#include "metrics/balance.h"
#include "tests/stage.h"

#include <ctype.h>
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Beside the catalog's rows with their defaults. */
static const char *const more[] = {
    "ring:vnodes=40,seek=gt", "ring:vnodes=40,seek=le", "ring:vnodes=40,seek=nearest", "ring:vnodes=20,seek=nearest,wrap=clamp",
    "ring:vnodes=20,bits=8", "ring:vnodes=20,size=97", "ring:vnodes=20,hash=crc32,points=md5-64", "ring:vnodes=20,points=crc16",
    "slots:count=16381", "slots:count=40", "slots:rebalance=contiguous", "slots:rebalance=redis",
};

enum { SAMPLES = 200000, FEW = 20011 };

enum { BATCH, TWINS, MEMBERS, SHARES, SAMPLED, REPLICAS, WEIGHTS, NEEDED, MINIMAL, ANEW, RESTORED, KEYS, PROMISES };
static const char *const promise[PROMISES] = {
    [BATCH] = "a batch gives what single look-ups give", [TWINS] = "two instances agree", [MEMBERS] = "every owner is a member",
    [SHARES] = "shares add up to 1", [SAMPLED] = "sampled digests agree with the shares", [REPLICAS] = "replicas are distinct members, the owner first",
    [WEIGHTS] = "shares follow the weights as promised", [NEEDED] = "no change moves less than the shares before and after demand",
    [MINIMAL] = "a change moves no more than it must, nothing between bystanders, if so promised",
    [ANEW] = "changed equals opened anew, unless it remembers", [RESTORED] = "a node that came and left leaves no trace, unless it remembers",
    [KEYS] = "keys in a batch are hashed as one by one",
};

/* One spec under test, and what it broke. */
struct trial {
    const struct spec *spec;
    const char *text, *hash;
    struct registry *registry;
    const struct cluster *cluster;
    uint64_t broken[PROMISES], kept[PROMISES];
};

static void check(struct trial *t, int what, bool good, const char *where)
{
    t->kept[what] += good;
    if (!good && t->broken[what]++ == 0)
        note("%s, hash %s, %u nodes of weight %" PRIu64 ": %s", t->text, t->hash, t->cluster->size, cluster_weight(t->cluster), where);
}

static uint64_t digest_at(const struct placement *p, uint64_t i)
{
    uint64_t last = p->key.hash.hash->last, word = rng_at(77, i);
    if (i < 2)
        return i ? last : 0;
    return last == UINT64_MAX ? word : word % (last + 1); /* last + 1 is 2^k, but for one system's 2^31 + 1: near enough */
}

static uint64_t *draw(const struct placement *p, size_t n)
{
    uint64_t *digest = mem_alloc(n, sizeof *digest);
    for (size_t i = 0; i < n; i++)
        digest[i] = digest_at(p, i);
    return digest;
}

static bool *members(const struct cluster *c, uint32_t ids)
{
    bool *in = mem_alloc(ids, sizeof *in);
    for (uint32_t i = 0; i < c->size; i++)
        in[c->node[i].id] = true;
    return in;
}

static void lookups(struct trial *t, const struct placement *p, const struct placement *twin)
{
    uint64_t *digest = draw(p, FEW);
    uint32_t id[1031], other[1031];
    bool *in = members(t->cluster, t->cluster->ids), batch = true, twins = true, all = true;
    for (size_t at = 0, n = 1; at < FEW; at += n, n = n * 3 % 1031) { /* lengths of all kinds, odd ones too */
        n = n < FEW - at ? n : FEW - at;
        p->engine->lookup_many(p->state, digest + at, n, id);
        twin->engine->lookup_many(twin->state, digest + at, n, other);
        twins &= !memcmp(id, other, n * sizeof *id);
        for (size_t i = 0; i < n; i++) {
            batch &= id[i] == p->engine->lookup(p->state, digest[at + i]);
            all &= id[i] < t->cluster->ids && in[id[i]];
        }
    }
    check(t, BATCH, batch, "batch differs");
    check(t, TWINS, twins && placement_memory(p) == placement_memory(twin), "twins differ");
    check(t, MEMBERS, all, "a stranger owns");
    mem_free(in);
    mem_free(digest);
}

/* Counts of a binomial stay within Bernstein's bound, here at five sigma's odds shared among all nodes. */
static bool plausible(double count, double n, double p, double tests)
{
    double log_odds = log(2 * tests / 5.7e-7), deviation = fabs(count - n * p);
    return deviation <= log_odds / 3 + sqrt(log_odds * log_odds / 9 + 2 * n * p * (1 - p) * log_odds);
}

static void shares(struct trial *t, const struct placement *p, double *share)
{
    uint32_t ids = t->cluster->ids;
    struct map m = map_of(p);
    char why[WHY] = "";
    double unplaced, sum;
    must(map_shares(&m, share, &unplaced, why), why);
    map_release(&m);
    sum = unplaced;
    for (uint32_t id = 0; id < ids; id++)
        sum += share[id];
    check(t, SHARES, fabs(sum - 1) < 1e-9, "sum of shares");

    uint64_t *digest = draw(p, SAMPLES);
    uint32_t *owner = mem_alloc(SAMPLES, sizeof *owner), *count = mem_alloc(ids + (size_t)1, sizeof *count);
    p->engine->lookup_many(p->state, digest, SAMPLES, owner);
    for (size_t i = 0; i < SAMPLES; i++)
        count[owner[i] < ids ? owner[i] : ids]++;
    bool good = plausible(count[ids], SAMPLES, unplaced, ids);
    for (uint32_t id = 0; id < ids; id++)
        good &= plausible(count[id], SAMPLES, share[id], ids);
    check(t, SAMPLED, good, "samples against the map");
    mem_free(count);
    mem_free(owner);
    mem_free(digest);
}

static void replicas(struct trial *t, const struct placement *p, const double *share)
{
    bool *in = members(t->cluster, t->cluster->ids), good = true, salted;
    uint32_t id[30], owning = 0, fairly = 0, seconds = 0;
    for (uint32_t i = 0; i < t->cluster->ids; i++)
        owning += share[i] > 0, fairly += share[i] > 0.2 / t->cluster->size;
    for (uint64_t i = 0; i < 300; i++) {
        size_t k = 1 + i % 30, least = k < owning ? k : owning;
        if (k == 30)
            k = 5;
        uint64_t digest = digest_at(p, i);
        size_t n = placement_replicas(p, digest, id, k, &salted);
        good &= n <= k && n >= (k < least ? k : least) && id[0] == p->engine->lookup(p->state, digest);
        if (n > 1 && in[id[1]]) {
            in[id[1]] = false;
            seconds++;
        }
        for (size_t a = 0; a < n; a++) {
            good &= id[a] < t->cluster->ids && cluster_by_id(t->cluster, id[a]);
            for (size_t b = 0; b < a; b++)
                good &= id[a] != id[b];
        }
    }
    check(t, REPLICAS, good && (seconds > 2 || fairly < 20), "replicas");
    mem_free(in); /* had as second replica: no longer in */
}

/* What residues modulo the cells differ by: a narrow hash gives the first cells a digest more. */
static double residue(const struct placement *p)
{
    double digests = (double)p->key.hash.hash->last + 1;
    return digests < 0x1p24 ? fmod(digests, (double)p->engine->cells(p->state)) / digests : 0;
}

/* Fixed shares lie within a cell of the fair ones; arcs between random points are Beta, and here each lies within six sigma's odds. */
static void weights(struct trial *t, const struct placement *p, const double *share)
{
    uint32_t ids = t->cluster->ids;
    double *fair = mem_alloc(ids, sizeof *fair);
    uint64_t *owned = mem_alloc(ids, sizeof *owned);
    size_t points, distinct;
    cluster_fair_shares(t->cluster, fair);
    placement_points(p, &points, &distinct, owned);
    bool good = !!(p->caps & CAP_WEIGHTS) || p->law != LAW_FIXED;
    bool redis = strstr(t->text, "redis") != NULL; /* tolerates 2 % before it rebalances */
    const struct hash *hash = p->key.hash.hash; /* like labels have like checksums: no random points */
    bool weak = hash->last < INT32_MAX || strstr(hash->name, "crc") || strstr(hash->name, "fnv") || strstr(t->text, "crc");
    for (uint32_t id = 0; id < ids && t->cluster->size > 1; id++) {
        if (fair[id] <= 0)
            continue;
        if (p->law == LAW_FIXED)
            good &= fabs(share[id] - fair[id]) < 1.000001 / (double)p->engine->cells(p->state) + residue(p) + (redis ? 0.02 * fair[id] : 0);
        if (p->law != LAW_ARCS || distinct < points || weak)
            continue;
        double a = (double)owned[id], b = (double)points - a;
        good &= gsl_cdf_beta_P(share[id], a, b) > 1e-9 / t->cluster->size && gsl_cdf_beta_Q(share[id], a, b) > 1e-9 / t->cluster->size;
        if (p->caps & CAP_WEIGHTS)
            good &= fabs(a / (double)points - fair[id]) < (p->strategy->version ? 16 / (double)points : 1e-12); /* systems floor their labels */
    }
    check(t, WEIGHTS, good, "shares against weights");
    mem_free(owned);
    mem_free(fair);
}

static bool same_map(const struct placement *a, const struct placement *b)
{
    struct map m = map_of(a), n = map_of(b);
    bool same = m.count == n.count && m.cells == n.cells;
    for (size_t i = 0; same && i < m.count; i++)
        same = m.range[i].first == n.range[i].first && m.range[i].last == n.range[i].last && m.range[i].id == n.range[i].id;
    map_release(&m);
    map_release(&n);
    return same;
}

/* How much lies differently in two placements, and how much their shares demand. */
static void movement(const struct placement *before, const struct placement *after, struct moves *moves, double *needed)
{
    const struct cluster *a = before->cluster, *b = after->cluster;
    uint32_t ids = a->ids > b->ids ? a->ids : b->ids;
    bool *standing = mem_alloc(ids, sizeof *standing);
    uint32_t *weight = mem_alloc(ids, sizeof *weight);
    double *from = mem_alloc(ids, sizeof *from), *to = mem_alloc(ids, sizeof *to), unplaced;
    for (uint32_t i = 0; i < a->size; i++)
        weight[a->node[i].id] = a->node[i].weight;
    for (uint32_t i = 0; i < b->size; i++)
        standing[b->node[i].id] = weight[b->node[i].id] == b->node[i].weight;
    struct map m = map_of(before), n = map_of(after);
    char why[WHY] = "";
    must(map_compare(&m, &n, standing, ids, moves, why) || map_shares(&m, from, &unplaced, why) || map_shares(&n, to, &unplaced, why), why);
    *needed = share_distance(from, to, ids);
    map_release(&m);
    map_release(&n);
    mem_free(standing);
    mem_free(weight);
    mem_free(from);
    mem_free(to);
}

static void one_change(struct trial *t, const char *change)
{
    struct placement *p = open_on_hash(t->spec, t->cluster, t->hash), *before = open_on_hash(t->spec, t->cluster, t->hash);
    const struct cluster *after = changed(t->registry, t->cluster, change);
    change_to(p, after);
    struct moves moves;
    double needed;
    movement(before, p, &moves, &needed);
    check(t, NEEDED, moves.moved >= needed - 1e-12, change);
    if (p->caps & CAP_MINIMAL)
        check(t, MINIMAL, fabs(moves.moved - needed) < 1e-12 && moves.bystander == 0, change);
    if (!(p->caps & CAP_HISTORY)) {
        struct placement *anew = open_on_hash(t->spec, after, t->hash);
        check(t, ANEW, same_map(p, anew) && placement_memory(p) == placement_memory(anew) && p->caps == anew->caps && p->law == anew->law, change);
        placement_close(anew);
        if (*change == '+') {
            change_to(p, t->cluster);
            check(t, RESTORED, same_map(p, before) && p->cluster->size == t->cluster->size && p->cluster->node == t->cluster->node, change);
        }
    }
    placement_close(p);
    placement_close(before);
}

static void changes(struct trial *t)
{
    const struct cluster *c = t->cluster;
    char text[256];
    one_change(t, "+1");
    snprintf(text, sizeof text, "%s=%u", c->node[c->size / 2].name, c->node[c->size / 2].weight + 2);
    one_change(t, text);
    if (c->size < 3)
        return;
    snprintf(text, sizeof text, "-%s", c->node[c->size / 3].name);
    one_change(t, text);
    if (c->size > 100)
        return;
    one_change(t, "+3=1;+x=2;+y");
    snprintf(text, sizeof text, "-%s", c->node[0].name);
    one_change(t, text);
    one_change(t, "-1");
    one_change(t, "-2");
    if (c->node[1].weight > 1) {
        snprintf(text, sizeof text, "%s=1", c->node[1].name);
        one_change(t, text);
    }
}

static void keys(struct trial *t, const struct placement *p)
{
    static char text[300];
    const void *key[301];
    uint32_t len[301];
    uint64_t batch[301];
    uint8_t verdict[301];
    bool plain, good = true;
    for (uint32_t i = 0; i < 300; i++) {
        text[i] = (char)(i * 7 % 251);
        key[i] = text;
        len[i] = i;
    }
    key[300] = "12345";
    len[300] = 5;
    size_t invalid = placement_digests(p, key, len, 301, batch, verdict, &plain), bad = 0;
    for (int i = 0; i < 301; i++) {
        uint64_t one;
        enum key_verdict v = placement_digest(p, key[i], len[i], &one);
        good &= v == verdict[i] && one == batch[i] && one <= p->key.hash.hash->last;
        bad += v == KEY_INVALID;
    }
    check(t, KEYS, good && bad == invalid && placement_wants(p), "digests");
}

/* n nodes, weights 1 3 5 2 4 1 .. if so wanted. */
static const struct cluster *cluster_sized(struct registry *r, uint32_t n, bool unequal)
{
    char *text = mem_alloc(n, 24);
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, 24, "%snode-%u=%u", i ? "," : "", i, unequal ? 1 + i * 2 % 5 : 1);
    const struct cluster *c = cluster_of(r, text);
    mem_free(text);
    return c;
}

static void trial_at(struct trial *t, uint32_t n, bool unequal)
{
    t->registry = registry_create();
    t->cluster = cluster_sized(t->registry, n, unequal);
    struct placement *p = open_on_hash(t->spec, t->cluster, t->hash), *twin = open_on_hash(t->spec, t->cluster, t->hash);
    double *share = mem_alloc(t->cluster->ids, sizeof *share);
    lookups(t, p, twin);
    keys(t, p);
    shares(t, p, share);
    replicas(t, p, share);
    weights(t, p, share);
    placement_close(p);
    placement_close(twin);
    mem_free(share);
    changes(t);
    registry_destroy(t->registry);
}

/* The nth allocation of what follows fails, for each n until none is left. */
static void starving(struct trial *t)
{
    t->registry = registry_create();
    t->cluster = cluster_sized(t->registry, 24, true);
    const struct cluster *after = changed(t->registry, t->cluster, "+1;-node-5;node-7=9;+x=2");
    const struct keyed_hash hash = {hash_find(t->hash), 0};
    uint64_t live = mem_live(), opening = 0, changing = 0;
    struct placement *p = NULL, *before;
    struct map m = {0};
    char why[WHY];
    bool good = true;
    for (int e = -1; e; opening++) {
        *why = 0;
        mem_fail_at(opening + 1);
        e = placement_open(&p, t->spec, t->cluster, &hash, why);
        mem_fail_at(0);
        good &= !e || (e == -ENOMEM && *why && !p && mem_live() == live);
    }
    before = open_on_hash(t->spec, t->cluster, t->hash);
    uint64_t held = mem_live();
    for (int e = -1; e; changing++) {
        *why = 0;
        mem_fail_at(changing + 1);
        e = placement_change(p, after, why);
        mem_fail_at(0);
        good &= !e || (e == -ENOMEM && *why && mem_live() == held && p->cluster == t->cluster && same_map(p, before));
    }
    held = mem_live();
    mem_fail_at(1);
    good &= placement_map(p, false, &m, why) == -ENOMEM && mem_live() == held;
    mem_fail_at(0);
    placement_close(p);
    placement_close(before);
    ok(good && mem_live() == live && changing > 1, "%s: each of %" PRIu64 " and %" PRIu64 " allocations failing once leaves what was there, and no leak",
       t->text, opening - 1, changing - 1);
    registry_destroy(t->registry);
}

static void hold(const char *text, bool narrow, bool large)
{
    static const uint32_t sizes[] = {1, 3, 24, 1000};
    struct spec *spec = spec_of(text);
    struct trial t = {.spec = spec, .text = text, .hash = narrow ? "crc16" : "xxh3"};
    for (size_t n = 0; n < (large ? 4 : 3); n++) {
        trial_at(&t, sizes[n], false);
        trial_at(&t, sizes[n], true);
    }
    for (int i = 0; i < PROMISES; i++)
        if (t.broken[i] || t.kept[i])
            ok(!t.broken[i], "%s%s: %s", text, narrow ? " with crc16" : "", promise[i]);
    if (!narrow)
        starving(&t);
    spec_destroy(spec);
}

static bool is_word(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-' && *c != '_')
            return false;
    return *name != 0;
}

static bool is_line(const char *text)
{
    return text && *text && !strpbrk(text, "\n\r\t");
}

/* A row can be shown: it says what it is. */
static void rows(void)
{
    for (size_t i = 0; catalog[i]; i++) {
        const struct strategy *s = catalog[i];
        size_t same = 0;
        for (size_t k = 0; catalog[k]; k++)
            same += catalog[k] == s || !strcmp(catalog[k]->name, s->name);
        bool options = true;
        for (const struct option *o = s->option; o && o->name; o++)
            options &= is_word(o->name) && (is_line(o->refuse) || (is_line(o->help) && o->offset < s->options_size));
        ok(same == 1 && catalog_find(s->name) == s && is_word(s->name) && is_line(s->summary) && is_line(s->source) && is_line(s->cost) && s->open && options &&
               (!s->version || is_line(s->version)),
           "%s: in the list once, with summary, source, cost, and help for each option", s->name);
    }
    ok(!catalog_find("") && !catalog_find("rin"), "unknown names are not found");
    static const char *const bad[] = {"rin", "ring:vnode=3", "ring:vnodes=0", "ring:vnodes=1000001", "ring:replicas=3", "ring:hash=md6", "null:x=1", "modulo:vnodes=2",
                                      "slots:count=0", "slots:rebalance=maximal", "ring:bits=7", "ring:bits=65", "ring:seek=up", "ring:vnodes=3,vnodes=4", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spec **all = NULL;
        size_t n;
        char why[WHY] = "";
        ok(catalog_expand(bad[i], &all, &n, why) == -EINVAL && *why, "refused: -s '%s'", bad[i]);
    }
}

/* Removing a node of this ring removes nothing, as published. */
static void departed_stay(void)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of("tutorial-java-fnv");
    const struct cluster *five = cluster_of(r, "5");
    struct placement *p = open_on_hash(spec, five, "xxh3"), *before = open_on_hash(spec, five, "xxh3");
    change_to(p, changed(r, five, "-node-2"));
    ok(same_map(p, before), "tutorial-java-fnv: a removed node keeps its keys");
    change_to(p, five);
    ok(same_map(p, before), "and has them still when it comes back");
    placement_close(p);
    placement_close(before);
    spec_destroy(spec);
    registry_destroy(r);
}

static void refusals(void)
{
    struct registry *r = registry_create();
    const struct cluster *many = cluster_of(r, "41"), *few = cluster_of(r, "40");
    struct spec *spec = spec_of("slots:count=40");
    const struct keyed_hash hash = {hash_find("xxh3"), 0};
    struct placement *p = NULL;
    char why[WHY] = "";
    ok(placement_open(&p, spec, many, &hash, why) == -EINVAL && strstr(why, "41"), "more nodes than slots: %s", why);
    must(placement_open(&p, spec, few, &hash, why), why);
    struct placement *before = open_on_hash(spec, few, "xxh3");
    ok(placement_change(p, many, why) == -EINVAL && same_map(p, before) && p->cluster == few, "nor by a change");
    placement_close(p);
    placement_close(before);
    spec_destroy(spec);
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    rows();
    for (size_t i = 0; catalog[i]; i++) {
        hold(catalog[i]->name, false, true);
        hold(catalog[i]->name, true, !catalog[i]->version);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        hold(more[i], false, false);
        hold(more[i], true, false);
    }
    departed_stay();
    refusals();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
