/* Bounded loads: every key is held to an oracle that lists all nodes and counts in whole numbers; then the edges, the feeding and a published figure. */
#include "base/rng.h"
#include "experiments/feed.h"
#include "tests/pair.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { NODES = 24, KEYS = 3000 };

/* ceil((1 + eps) (total + 1) w / W), eps in 128ths. */
static uint64_t capacity(const struct placement *inner, uint32_t id, uint64_t total, uint64_t eps)
{
    const struct cluster *c = inner->cluster;
    bool weights = inner->caps & CAP_WEIGHTS;
    uint64_t w = weights ? cluster_by_id(c, id)->weight : 1, all = weights ? cluster_weight(c) : c->size, over = 128 * all;
    return ((128 + eps) * (total + 1) * w + over - 1) / over;
}

/* Keys one after another: true when each is where the oracle puts it and no node is ever above its capacity. */
static bool replay(const struct pair *p, uint64_t eps, uint64_t keys, uint64_t *spilled)
{
    const struct cluster *c = p->inner->cluster;
    uint64_t load[64] = {0}, last = p->inner->key.hash.hash->last;
    bool good = c->ids <= 64 && p->outer->key.hash.hash == p->inner->key.hash.hash;
    *spilled = 0;
    for (uint64_t t = 0; t < keys && good; t++) {
        uint64_t digest = rng_upto(rng_at(11, t), last);
        uint32_t list[64], id = p->outer->engine->lookup_loaded(p->outer->state, digest, load, t);
        bool salted;
        size_t n = placement_replicas(p->inner, digest, list, c->size, &salted), i = 0;
        for (uint32_t k = 0; k < c->size; k++) { /* whom the list leaves out, in configuration order */
            size_t at = 0;
            while (at < n && list[at] != c->node[k].id)
                at++;
            if (at == n)
                list[n++] = c->node[k].id;
        }
        while (i < n && load[list[i]] >= capacity(p->inner, list[i], t, eps))
            i++;
        good = i < n && id == list[i] && p->outer->engine->lookup(p->outer->state, digest) == list[0] &&
               p->outer->engine->capacity(p->outer->state, id, t) == capacity(p->inner, id, t, eps);
        load[id]++;
        *spilled += id != list[0];
    }
    return good;
}

static void oracle(void)
{
    static const char *const over[][2] = {{"ring", "ring"}, {"ring:vnodes=1", "ring:vnodes=1"}, {"ring:vnodes=9\\,seek=gt", "ring:vnodes=9,seek=gt"}, {"jump", "jump"},
        {"maglev:table=251", "maglev:table=251"}, {"slots:count=40", "slots:count=40"}, {"modulo", "modulo"}, {"null", "null"}};
    static const struct { const char *text; uint64_t of_128; } eps[] = {{"0.0078125", 1}, {"0.25", 32}, {"3", 384}};
    struct registry *r = registry_create();
    char text[128], weights[NODES * 8] = "";
    for (int i = 0; i < NODES; i++)
        sprintf(weights + strlen(weights), "%sn%d=%d", i ? "," : "", i, 1 + i * 2 % 5);
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
        bool good = true;
        uint64_t spilled[3];
        for (size_t k = 0; k < 6; k++) {
            snprintf(text, sizeof text, "bounded:over=%s,eps=%s", over[i][0], eps[k % 3].text);
            struct pair p = pair_open(text, over[i][1], cluster_of(r, k < 3 ? "24" : weights), k % 2 ? "xxh3" : "crc16");
            good &= replay(&p, eps[k % 3].of_128, strcmp(over[i][1], "null") ? KEYS : 300, &spilled[k % 3]);
            pair_close(&p);
        }
        ok(good && spilled[0] > spilled[1] && spilled[1] > spilled[2], "over %s each key goes to the first node with room, and no node goes beyond; small eps spills more",
           over[i][1]);
    }
    struct pair p = pair_open("bounded:hash=crc16,eps=0.25", "ring:hash=crc16", cluster_of(r, "24"), "xxh3");
    uint64_t spilled;
    ok(replay(&p, 32, KEYS, &spilled) && !strcmp(p.outer->key.hash.hash->name, "crc16"), "hash= is that of the strategy within, too");
    pair_close(&p);
    registry_destroy(r);
}

/* The change is the inner's own: it moves what that moves, remembers what that remembers, and refuses what that refuses. */
static void changes(void)
{
    struct registry *r = registry_create();
    const struct cluster *c = cluster_of(r, "8"), *more = changed(r, c, "+2;node-3=5"), *fewer = changed(r, more, "-node-1");
    char why[WHY] = "";
    uint64_t spilled;
    struct pair p = pair_open("bounded:over=slots", "slots", c, "xxh3");
    struct placement *anew = open_on_hash(p.spec[1], fewer, "xxh3");
    pair_change(&p, more);
    pair_change(&p, fewer);
    ok(replay(&p, 32, KEYS, &spilled) && p.outer->caps == (p.inner->caps & ~(unsigned)CAP_MINIMAL) && (p.outer->caps & CAP_HISTORY), "slots keep their history within");
    bool same = true;
    for (uint64_t i = 0; i < 1000; i++)
        same &= anew->engine->lookup(anew->state, rng_at(1, i)) == p.outer->engine->lookup(p.outer->state, rng_at(1, i));
    ok(!same, "which opening anew has not");
    placement_close(anew);
    pair_close(&p);

    p = pair_open("bounded:over=modulo", "modulo", c, "xxh3");
    pair_change(&p, fewer);
    ok(replay(&p, 32, KEYS, &spilled), "modulo, which has no change of its own, is opened anew");
    pair_close(&p);

    p = pair_open("bounded:over=jump", "jump", c, "xxh3");
    ok(placement_change(p.outer, changed(r, c, "-node-1"), why) == -EINVAL && strstr(why, "bounded: jump: node-1") && p.outer->cluster == c && replay(&p, 32, KEYS, &spilled),
       "jump's refusal is passed on, nothing changed: %s", why);
    ok(p.outer->law == LAW_NONE && !p.outer->caps, "jump promises less within");
    pair_change(&p, changed(r, c, "node-1=9"));
    ok(replay(&p, 32, KEYS, &spilled) && strstr(p.outer->warning, "jump knows no weights"), "where weights are unknown the bound knows none: %s", p.outer->warning);
    pair_close(&p);

    p = pair_open("bounded:over=nginx:method=hash", "nginx:method=hash", c, "xxh3");
    ok(placement_change(p.outer, changed(r, c, "node-1=down"), why) == -EINVAL && replay(&p, 32, KEYS, &spilled), "a second hashing is refused: %s", why);
    pair_close(&p);
    registry_destroy(r);
}

/* Known to be down, a node has neither keys nor a part of the capacity. */
static void down(void)
{
    struct registry *r = registry_create();
    const struct cluster *c = changed(r, cluster_of(r, "10.0.0.1:80,10.0.0.2:80,10.0.0.3:80,10.0.0.4:80"), "10.0.0.2:80=down");
    uint64_t load[4] = {0}, most = 0;
    struct spec *spec = spec_of("bounded:over=haproxy:type=consistent,eps=0.25");
    struct placement *p = open_on_hash(spec, c, "xxh3");
    for (uint64_t t = 0; t < 3000; t++)
        load[p->engine->lookup_loaded(p->state, rng_at(3, t) >> 32, load, t)]++;
    for (int i = 0; i < 4; i++)
        most = load[i] > most ? load[i] : most;
    ok((p->caps & CAP_DOWN) && load[1] == 0 && most <= 1250, "a node that is known to be down has no part in the capacity");
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

/* Key rules are the inner's with the inner's options; wide bounds bound nothing. */
static void within(void)
{
    struct registry *r = registry_create();
    const struct cluster *c = cluster_of(r, "10");
    struct pair p = pair_open("bounded:over=twemproxy:tag={}\\,hash=md5,eps=1000000", "twemproxy:tag={},hash=md5", c, "xxh3");
    uint64_t x, y, load[10] = {0};
    bool tag = true, same = true;
    char key[32];
    for (int i = 0; i < 5000; i++) {
        uint32_t len = (uint32_t)sprintf(key, "%d{user:%d}", i, i / 3);
        placement_digest(p.outer, key, len, &x);
        placement_digest(p.inner, key, len, &y);
        tag &= x == y;
        uint32_t id = p.outer->engine->lookup_loaded(p.outer->state, x, load, (uint64_t)i);
        same &= id == p.inner->engine->lookup(p.inner->state, y);
        load[id]++;
    }
    ok(tag, "keys are read as the inner strategy reads them");
    ok(same, "a wide bound changes nothing");
    pair_close(&p);
    registry_destroy(r);
}

/* -- feeding -- */

struct owners {
    uint32_t *id[2];
};

static void keep(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    (void)thread;
    for (size_t p = 0; p < 2; p++)
        memcpy(((struct owners *)to)->id[p] + block->first, owner[p], block->count * sizeof(uint32_t));
}

/* Owners of all requests, to be mem_freed. */
static struct owners fed(const struct pair *p, const char *workload, unsigned threads, uint64_t requests)
{
    struct study s = {.workload = workload, .seed = 1, .threads = threads};
    struct owners o = {{mem_alloc(requests, sizeof(uint32_t)), mem_alloc(requests, sizeof(uint32_t))}};
    const struct placement *const both[] = {p->outer, p->inner};
    struct workload *w;
    uint64_t keys;
    char why[WHY] = "";
    must(study_workload(&s, &w, why), why);
    must(feed(&s, w, both, 2, keep, &o, "test", &keys, why), why);
    must(keys != requests, "requests were lost");
    workload_close(w);
    return o;
}

/* The share of requests that did not get their first choice, and how full the fullest node is in both. */
static double spill(const struct owners *o, uint64_t requests, double full[2])
{
    uint64_t load[2][100] = {{0}}, spilled = 0, most[2] = {0};
    for (uint64_t i = 0; i < requests; i++) {
        spilled += o->id[0][i] != o->id[1][i];
        for (int p = 0; p < 2; p++)
            if (++load[p][o->id[p][i]] > most[p])
                most[p]++;
    }
    for (int p = 0; p < 2; p++)
        full[p] = (double)most[p] * 100 / (double)requests;
    return (double)spilled / (double)requests;
}

static void owners_free(struct owners *o)
{
    mem_free(o->id[0]);
    mem_free(o->id[1]);
}

static void threads(void)
{
    const uint64_t n = 100000;
    struct registry *r = registry_create();
    struct pair p = pair_open("bounded:over=jump,eps=0.01", "jump", cluster_of(r, "20"), "xxh3");
    struct owners one = fed(&p, "user:count=100k", 1, n);
    bool same = true, alone = true;
    for (unsigned t = 2; t < 8; t++) {
        struct owners many = fed(&p, "user:count=100k", t, n);
        same &= !memcmp(one.id[0], many.id[0], n * sizeof(uint32_t)) && !memcmp(one.id[1], many.id[1], n * sizeof(uint32_t));
        owners_free(&many);
    }
    uint64_t load[20] = {0}, digest;
    char key[32];
    for (uint64_t i = 0; i < n; i++) {
        placement_digest(p.outer, key, (size_t)sprintf(key, "user:%d", (int)i), &digest);
        alone &= one.id[0][i] == p.outer->engine->lookup_loaded(p.outer->state, digest, load, i);
        load[one.id[0][i]]++;
    }
    ok(same, "any number of threads feeds alike");
    ok(alone, "and as one key after another");
    owners_free(&one);
    pair_close(&p);
    registry_destroy(r);
}

/* A note measured 100 nodes of 200 points with 200,000 keys and eps = 0.25: skewed keys put 7.22 times the mean on the fullest node without
 * bounds, 1.25 with them, and 21.9 % of them are not where they belong. It calls the keys a Zipf of 1.1, which is too steep for 7.22; one of 0.97
 * gives all three. Names scatter: standard deviations of 0.32 and 0.013 a draw; the bounds are about six of the mean's. */
static void published(void)
{
    enum { DRAWS = 10 };
    const uint64_t n = 200000;
    double most = 0, bounded = 0, spilled = 0, uniform = 0, full[2];
    struct registry *r = registry_create();
    for (uint64_t i = 0; i < DRAWS; i++) {
        const struct cluster *c;
        char why[WHY] = "";
        struct registry *drawn = registry_create();
        must(cluster_random(drawn, cluster_of(r, "100"), i, &c, why), why);
        struct pair p = pair_open("bounded:over=ring:vnodes=200,eps=0.25", "ring:vnodes=200", c, "xxh3");
        struct owners o = fed(&p, "user:count=200k,zipf=0.97,requests=200k", 2, n), even = fed(&p, "user:count=200k", 2, n);
        spilled += spill(&o, n, full) / DRAWS;
        most += full[1] / DRAWS;
        bounded = full[0] > bounded ? full[0] : bounded;
        uniform += spill(&even, n, full) / DRAWS;
        owners_free(&o);
        owners_free(&even);
        pair_close(&p);
        registry_destroy(drawn);
    }
    note("zipf 0.97: fullest %.3f and %.4f, spilled %.4f; alike: spilled %.5f", most, bounded, spilled, uniform);
    ok(fabs(bounded - 1.25) < 0.001 && fabs(most - 7.22) < 0.6 && fabs(spilled - 0.219) < 0.024, "published: 7.22 becomes 1.25 with 21.9 %% spilled");
    ok(uniform < 0.005, "keys that are alike hardly spill");
    registry_destroy(r);
}

static void refusals(void)
{
    static const struct { const char *text, *says; } bad[] = {
        {"bounded:eps=0", "must be 0.0001"}, {"bounded:eps=-1", "must be 0.0001"}, {"bounded:over=bounded", "goes over another strategy itself"}, {"bounded:over=nope", "unknown strategy 'nope'"},
        {"bounded:over=ring:vnode=3", "over=ring:vnode=3: strategy ring: unknown option 'vnode'"}, {"bounded:over=", "a name must stand first"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spec **all;
        size_t n;
        char why[WHY] = "";
        ok(catalog_expand(bad[i].text, &all, &n, why) == -EINVAL && strstr(why, bad[i].says), "refused: %s", bad[i].text);
    }
    struct strategy guest = *catalog_find("jump");
    guest.name = "guest";
    ok(!catalog_find("guest"), "a strategy that nobody knows");
    catalog_guest = &guest;
    struct registry *r = registry_create();
    struct pair p = pair_open("bounded:over=guest", "guest", cluster_of(r, "5"), "xxh3");
    uint64_t spilled;
    ok(replay(&p, 32, KEYS, &spilled), "can be bounded when it is a guest");
    pair_close(&p);
    catalog_guest = NULL;
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    oracle();
    changes();
    down();
    within();
    threads();
    published();
    refusals();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
