/* Two choices: every request is held to an oracle that lists the key's copies and compares in whole numbers; then the edges, and how even it is. */
#include "base/rng.h"
#include "tests/pair.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { NODES = 24, KEYS = 3000 };

static uint32_t next(const struct placement *p, uint64_t digest, uint64_t *load, uint64_t total)
{
    uint32_t id = p->engine->lookup_loaded(p->state, digest, load, total);
    if (id != NO_NODE)
        load[id]++;
    return id;
}

/* True when each request is where the oracle puts it. */
static bool replay(const struct pair *p, size_t of, uint64_t keys)
{
    const struct cluster *c = p->inner->cluster;
    bool weights = p->inner->caps & CAP_WEIGHTS, salted, good = true;
    uint64_t load[64] = {0}, last = p->inner->key.hash.hash->last;
    for (uint64_t t = 0; t < keys && good; t++) {
        uint64_t digest = rng_upto(rng_at(11, t), last);
        uint32_t list[64];
        size_t n = placement_replicas(p->inner, digest, list, of < c->size ? of : c->size, &salted), best = 0;
        for (size_t i = 1; i < n; i++) {
            uint64_t mine = weights ? cluster_by_id(c, list[i])->weight : 1, other = weights ? cluster_by_id(c, list[best])->weight : 1;
            if (load[list[i]] * other < load[list[best]] * mine)
                best = i;
        }
        good = n > 0 && p->outer->engine->lookup(p->outer->state, digest) == list[0] && next(p->outer, digest, load, t) == list[best];
    }
    return good;
}

static void oracle(void)
{
    static const char *const over[][2] = {{"ring", "ring"}, {"ring:vnodes=9\\,seek=gt", "ring:vnodes=9,seek=gt"}, {"jump", "jump"}, {"maglev:table=251", "maglev:table=251"},
        {"slots:count=40", "slots:count=40"}, {"modulo", "modulo"}, {"rendezvous", "rendezvous"}};
    struct registry *r = registry_create();
    char text[128], weights[NODES * 8] = "";
    for (int i = 0; i < NODES; i++)
        sprintf(weights + strlen(weights), "%sn%d=%d", i ? "," : "", i, 1 + i * 2 % 5);
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
        bool good = true;
        for (size_t k = 0; k < 6; k++) {
            static const size_t of[] = {2, 3, 16};
            snprintf(text, sizeof text, "choices:over=%s,of=%zu", over[i][0], of[k % 3]);
            struct pair p = pair_open(text, over[i][1], cluster_of(r, k < 3 ? "24" : weights), k % 2 ? "xxh3" : "crc16");
            good &= replay(&p, of[k % 3], KEYS);
            pair_close(&p);
        }
        ok(good, "over %s each request goes to the least loaded of its key's first copies", over[i][1]);
    }
    struct pair p = pair_open("choices:over=ring,of=9", "ring", cluster_of(r, "3"), "xxh3");
    ok(replay(&p, 3, KEYS), "three nodes are all the choice there is");
    pair_close(&p);
    p = pair_open("choices", "ring", cluster_of(r, "1"), "xxh3");
    ok(replay(&p, 1, 100) && p.outer->law == LAW_NONE && !(p.outer->caps & CAP_MINIMAL) && p.outer->engine->among(p.outer->state) == 2, "one node");
    pair_close(&p);
    registry_destroy(r);
}

static void down_and_changes(void)
{
    struct registry *r = registry_create();
    const struct cluster *c = changed(r, cluster_of(r, "10.0.0.1:80,10.0.0.2:80,10.0.0.3:80,10.0.0.4:80"), "10.0.0.2:80=down");
    uint64_t load[4] = {0};
    struct spec *spec = spec_of("choices:over=haproxy:type=consistent");
    struct placement *p = open_on_hash(spec, c, "xxh3");
    for (uint64_t t = 0; t < 3000; t++)
        next(p, rng_at(3, t) >> 32, load, t);
    ok((p->caps & CAP_DOWN) && load[1] == 0 && load[0] + load[2] + load[3] == 3000, "a node that is known to be down gets nothing");
    placement_close(p);
    spec_destroy(spec);
    const struct cluster *eight = cluster_of(r, "8"), *more = changed(r, eight, "+2;node-3=5"), *fewer = changed(r, more, "-node-1");
    struct pair q = pair_open("choices:over=slots", "slots", eight, "xxh3");
    pair_change(&q, more);
    pair_change(&q, fewer);
    ok(replay(&q, 2, KEYS) && (q.outer->caps & CAP_HISTORY), "a change is the inner strategy's own");
    pair_close(&q);
    registry_destroy(r);
}

/* The fullest node of n when m keys alike fall. */
static uint64_t fullest(const char *text, const char *nodes, uint64_t m, uint64_t seed, bool loaded)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    const struct cluster *c = cluster_of(r, nodes);
    struct placement *p = open_on_hash(spec, c, "xxh3");
    uint64_t *load = mem_alloc(c->ids, sizeof *load), most = 0;
    for (uint64_t t = 0; t < m; t++)
        if (loaded)
            next(p, rng_at(seed, t), load, t);
        else
            load[p->engine->lookup(p->state, rng_at(seed, t))]++;
    for (uint32_t id = 0; id < c->ids; id++)
        most = load[id] > most ? load[id] : most;
    mem_free(load);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
    return most;
}

/* Keys alike on n nodes. One choice: ln n / ln ln n of n keys, and the square root of 2 (m/n) ln n above the mean of many; two: ln ln n / ln 2 + O(1)
 * above the mean, however many. ln ln 1000 / ln 2 = 2.8. */
static void evenness(void)
{
    uint64_t one = 0, two = 0, one_many = 0, two_many = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint64_t x = fullest("jump", "1000", 1000, seed, false), y = fullest("choices:over=jump", "1000", 1000, seed, true);
        one += x, two = y > two ? y : two;
        x = fullest("jump", "1000", 100000, seed, false), y = fullest("choices:over=jump", "1000", 100000, seed, true);
        one_many += x, two_many = y > two_many ? y : two_many;
    }
    note("fullest of 1000 nodes: 1000 keys %.1f against %d, 100,000 keys %.1f against %d", (double)one / 5, (int)two, (double)one_many / 5, (int)two_many);
    ok(one > 5 * 4 && two <= 4, "a key a node: above four on average under one choice, four at most under two");
    ok(one_many > 5 * 125 && two_many <= 105, "a hundred keys a node: above 125 on average under one, 105 at most under two");
    ok(fullest("ring", "20", 100000, 1, false) > 5500 && fullest("choices:over=ring", "20", 100000, 1, true) <= 5010, "and a ring's uneven arcs are evened out");
}

static void refusals(void)
{
    static const struct { const char *text, *says; } bad[] = {
        {"choices:of=1", "must be 2 to 16"}, {"choices:of=17", "must be 2 to 16"}, {"choices:over=choices", "goes over another strategy itself"},
        {"choices:over=bounded", "bounded goes over another strategy itself"}, {"bounded:over=choices", "choices goes over another strategy itself"},
        {"choices:over=nope", "unknown strategy 'nope'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spec **all;
        size_t n;
        char why[WHY] = "";
        ok(catalog_expand(bad[i].text, &all, &n, why) == -EINVAL && strstr(why, bad[i].says), "refused: %s", bad[i].text);
    }
}

int main(void)
{
    uint64_t live = mem_live();
    oracle();
    down_and_changes();
    evenness();
    refusals();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
