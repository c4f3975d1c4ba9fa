/* The ring against an oracle that scans all points, word for word as the rules say: which point
 * is the first at or after, strictly after, at or before, nearest; around or clamped; ties to the
 * first or the last emitted. Points are made up here, also on circles so narrow that they collide. */
#include "base/rng.h"
#include "strategies/engines/ring_parts.h"
#include "tests/ring_oracle.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A strategy that puts down points as it is told: weight times `each` a node, drawn on 0 .. last. */
struct dots {
    uint64_t each, last, salt;
};

static int dots_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    const struct dots *d = p->options;
    uint32_t n = only ? 1 : p->cluster->size;
    for (uint32_t i = 0; i < n; i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        for (uint64_t k = 0; k < d->each * node->weight; k++) {
            uint64_t word = rng_at(rng_stream(d->salt, "dots", node->name, 0), k);
            int e = emit(to, &(struct point){.position = d->last == UINT64_MAX ? word : word % (d->last + 1), .id = node->id});
            if (e)
                return e;
        }
    }
    return 0;
}

static const struct strategy dots = {.name = "dots", .points = dots_points};

static void dots_open(struct placement *p, const struct cluster *c, const struct dots *d, const struct ring_rule *rule)
{
    char why[WHY] = "";
    *p = (struct placement){.strategy = &dots, .cluster = c, .options = d};
    must(ring_attach(p, rule, d->each * cluster_weight(c), why), why);
}

/* Positions that decide: the ends, on, below and above each point, half-way to the next, and some at random; all of a small circle. */
static size_t probes(const struct emitted *all, uint64_t last, uint64_t *x)
{
    size_t n = 0;
    if (last <= 400) {
        for (; n <= last; n++)
            x[n] = n;
        return n;
    }
    x[n++] = 0;
    x[n++] = last;
    for (size_t i = 0; i < all->n; i++) {
        uint64_t at = all->at[i].position, next = all->at[(i + 1) % all->n].position, mid = at / 2 + next / 2;
        uint64_t near[] = {at, at ? at - 1 : last, at < last ? at + 1 : 0, mid, mid + 1 <= last ? mid + 1 : 0, mid ? mid - 1 : 0};
        memcpy(x + n, near, sizeof near);
        n += sizeof near / sizeof *near;
    }
    for (uint64_t i = 0; i < 50; i++)
        x[n++] = last == UINT64_MAX ? rng_at(5, i) : rng_at(5, i) % (last + 1);
    return n;
}

struct tally {
    uint64_t lookups, wrong, batch, walks, gaps;
};

/* The digests of position x: with a shift or a size there are many. */
static uint64_t digest_of(const struct ring_rule *rule, uint64_t x, uint64_t salt)
{
    if (rule->size)
        return x + rule->size * (salt % ((UINT64_MAX - x) / rule->size + 1));
    return x << rule->key_shift | (salt & ((1ULL << rule->key_shift) - 1));
}

static void check_ranges(const struct placement *p, const struct ring_rule *rule, struct tally *t)
{
    static struct range r[8192];
    size_t n = 0, got;
    while ((got = p->engine->ranges(p->state, n, r + n, 7)) > 0)
        n += got;
    uint64_t end = rule->size ? rule->last : rule->last << rule->key_shift | ((1ULL << rule->key_shift) - 1);
    t->gaps += n == 0 || r[0].first != 0 || r[n - 1].last != end || p->engine->cells(p->state) != rule->size;
    for (size_t i = 0; i < n; i++) {
        t->gaps += r[i].first > r[i].last || (i && r[i].first != r[i - 1].last + 1);
        t->gaps += p->engine->lookup(p->state, r[i].first) != r[i].id || p->engine->lookup(p->state, r[i].last) != r[i].id;
    }
}

static void check_ring(const struct placement *p, const struct ring_rule *rule, struct tally *t)
{
    static struct emitted all;
    static uint64_t x[32768], digest[32768];
    static uint32_t batch[32768];
    all.n = 0;
    must(p->strategy->points(p, NULL, collect, &all), "points");
    size_t n = probes(&all, rule->last, x);
    for (size_t i = 0; i < n; i++)
        digest[i] = digest_of(rule, x[i], rng_at(9, i));
    p->engine->lookup_many(p->state, digest, n, batch);
    for (size_t i = 0; i < n; i++) {
        size_t owner = oracle(&all, rule, x[i]);
        uint32_t want = owner < all.n ? all.at[owner].id : NO_NODE, got = p->engine->lookup(p->state, digest[i]);
        t->lookups++;
        t->batch += batch[i] != got;
        if (got != want && t->wrong++ == 0)
            note("last %" PRIu64 " seek %d clamp %d last_wins %d points %zu: position %" PRIu64 " gives %u, not %u", rule->last, (int)rule->seek,
                 rule->clamp, rule->last_wins, all.n, x[i], got, want);
        if (i % 41 && n > 50)
            continue;
        uint32_t a[64], b[64];
        size_t k = owner < all.n ? oracle_walk(&all, rule, owner, a, 64) : 0, have = p->engine->replicas(p->state, digest[i], b, 64);
        if ((k != have || memcmp(a, b, k * sizeof *a)) && t->walks++ == 0)
            note("last %" PRIu64 " seek %d clamp %d last_wins %d points %zu: replicas of position %" PRIu64 " differ", rule->last, (int)rule->seek,
                 rule->clamp, rule->last_wins, all.n, x[i]);
    }
    check_ranges(p, rule, t);
}

static void searches(struct registry *r)
{
    static const uint64_t lasts[] = {0, 1, 2, 7, 96, 255, 65535, 99999, UINT32_MAX, UINT64_MAX - 5, UINT64_MAX};
    static const struct { const char *nodes; uint64_t each; } size[] = {{"1", 1}, {"3", 0}, {"2", 1}, {"3", 1}, {"a,b=3,c=2", 2}, {"7", 12}, {"12", 25}};
    static const char *const seek[] = {"ge", "gt", "le", "nearest"};
    for (int s = 0; s < 16; s++) {
        struct tally t = {0};
        for (size_t l = 0; l < sizeof lasts / sizeof *lasts; l++)
            for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
                struct placement p;
                struct dots d = {size[n].each, lasts[l], n};
                struct ring_rule rule = {.last = lasts[l], .seek = (enum ring_seek)(s & 3), .clamp = s & 4, .last_wins = s & 8};
                dots_open(&p, cluster_of(r, size[n].nodes), &d, &rule);
                check_ring(&p, &rule, &t);
                p.engine->destroy(p.state);
            }
        ok(t.lookups > 10000 && !t.wrong && !t.batch && !t.walks && !t.gaps,
           "%s, %s, %s of equal points: %" PRIu64 " look-ups (wrong: %" PRIu64 ", batch %" PRIu64 ", replicas %" PRIu64 ", ranges %" PRIu64 ")", seek[s & 3],
           s & 4 ? "clamped" : "around", s & 8 ? "the last" : "the first", t.lookups, t.wrong, t.batch, t.walks, t.gaps);
    }
}

static void positions(struct registry *r)
{
    const struct cluster *c = cluster_of(r, "5");
    struct tally shifted = {0}, sized = {0};
    for (unsigned seek = 0; seek < 4; seek++)
        for (unsigned bits = 8; bits < 64; bits += 11) {
            struct placement p;
            struct dots d = {20, (1ULL << bits) - 1, bits};
            struct ring_rule rule = {.last = d.last, .key_shift = 64 - bits, .seek = (enum ring_seek)seek};
            dots_open(&p, c, &d, &rule);
            check_ring(&p, &rule, &shifted);
            p.engine->destroy(p.state);
            d.last = bits * 40; /* no power of two */
            rule = (struct ring_rule){.last = d.last, .size = d.last + 1, .seek = (enum ring_seek)seek};
            dots_open(&p, c, &d, &rule);
            check_ring(&p, &rule, &sized);
            p.engine->destroy(p.state);
        }
    ok(!shifted.wrong && !shifted.batch && !shifted.walks && !shifted.gaps, "highest bits of the digest: %" PRIu64 " look-ups", shifted.lookups);
    ok(!sized.wrong && !sized.batch && !sized.walks && !sized.gaps, "digest modulo size: %" PRIu64 " look-ups", sized.lookups);
}

static bool same_ring(const struct placement *a, const struct placement *b)
{
    size_t distinct_a, distinct_b, n = ring_points(a, &distinct_a);
    if (n != ring_points(b, &distinct_b) || distinct_a != distinct_b)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t x, y;
        if (ring_position(a, i, &x) != ring_position(b, i, &y) || x != y)
            return false;
    }
    struct range r, s;
    for (size_t i = 0; a->engine->ranges(a->state, i, &r, 1); i++)
        if (!b->engine->ranges(b->state, i, &s, 1) || r.first != s.first || r.last != s.last || r.id != s.id)
            return false;
    return true;
}

/* A cluster in another order. */
static const struct cluster *shuffled(const struct cluster *c, struct node *room, struct cluster *out, struct rng *g)
{
    memcpy(room, c->node, c->size * sizeof *room);
    for (uint32_t i = c->size; i > 1; i--) {
        uint64_t k = rng_below(g, i);
        struct node swap = room[k];
        room[k] = room[i - 1];
        room[i - 1] = swap;
    }
    *out = (struct cluster){room, c->size, c->ids};
    return out;
}

/* A random change: some nodes come, go or weigh otherwise, at times several at once. */
static void draw_change(const struct cluster *c, struct rng *g, char change[256])
{
    size_t at = 0;
    uint64_t parts = 1 + rng_below(g, 3);
    uint32_t gone = NO_NODE;
    for (uint64_t i = 0; i < parts; i++) {
        const struct node *n = &c->node[rng_below(g, c->size)];
        uint64_t what = rng_below(g, 3);
        const char *join = i ? ";" : "";
        if (n->id == gone || (what == 1 && (c->size < 4 || gone != NO_NODE)))
            what = 0;
        if (what == 0)
            at += (size_t)snprintf(change + at, 256 - at, "%s+%s", join, rng_below(g, 2) ? "1" : "2");
        else if (what == 1)
            at += (size_t)snprintf(change + at, 256 - at, "%s-%s", join, n->name), gone = n->id;
        else
            at += (size_t)snprintf(change + at, 256 - at, "%s%s=%u", join, n->name, n->weight % 3 + 1);
    }
}

static void in_place(struct registry *r)
{
    static const uint64_t lasts[] = {96, 255, 4095, UINT64_MAX};
    static struct node room[2][512];
    for (int tie = 0; tie < 2; tie++)
        for (size_t l = 0; l < sizeof lasts / sizeof *lasts; l++) {
            struct dots d = {7, lasts[l], l};
            struct ring_rule rule = {.last = lasts[l], .last_wins = tie, .seek = (enum ring_seek)(l % 4)};
            struct rng g = rng_start(rng_stream(3, "in place", "", l));
            struct placement p, anew;
            struct cluster mixed[2];
            const struct cluster *c = cluster_of(r, "5");
            size_t steps = 0, differ = 0;
            char why[WHY] = "", change[256];
            dots_open(&p, c, &d, &rule);
            for (; steps < 150; steps++) {
                const struct cluster *after = NULL;
                draw_change(c, &g, change);
                if (cluster_change(r, c, change, false, &after, why) || after->size > 60)
                    after = changed(r, c, c->size > 20 ? "-10" : "+1");
                if (steps % 5 == 4)
                    after = shuffled(after, room[steps & 1], &mixed[steps & 1], &g);
                must(ring_change(&p, after, d.each * cluster_weight(after), false, why), why);
                p.cluster = c = after;
                dots_open(&anew, c, &d, &rule);
                differ += !same_ring(&p, &anew);
                anew.engine->destroy(anew.state);
            }
            ok(!differ, "%zu changes in place equal opening anew: circle 0..%" PRIu64 ", ties to the %s", steps, lasts[l], tie ? "last" : "first");
            p.engine->destroy(p.state);
        }
}

/* All points of a node side by side: when it leaves, leaves of the ring empty one after the other, and are used again when others come. */
static int clump_points(const struct placement *p, const struct node *only, point_sink *emit, void *to)
{
    uint32_t n = only ? 1 : p->cluster->size;
    for (uint32_t i = 0; i < n; i++) {
        const struct node *node = only ? only : &p->cluster->node[i];
        uint64_t from = rng_at(rng_stream(6, "clumps", node->name, 0), 0) >> 1;
        for (uint64_t k = 0; k < 300; k++) {
            int e = emit(to, &(struct point){.position = from + k * 1000, .id = node->id});
            if (e)
                return e;
        }
    }
    return 0;
}

static void clumps(struct registry *r)
{
    static const struct strategy strategy = {.name = "clumps", .points = clump_points};
    const struct ring_rule rule = {.last = UINT64_MAX};
    const struct cluster *c = cluster_of(r, "40");
    struct placement p = {.strategy = &strategy, .cluster = c}, anew;
    char why[WHY] = "";
    size_t differ = 0, steps = 0;
    must(ring_attach(&p, &rule, UINT64_C(300) * c->size, why), why);
    for (; steps < 40; steps++) {
        c = changed(r, c, steps / 2 % 2 ? "+2" : "-2");
        must(ring_change(&p, c, UINT64_C(300) * c->size, false, why), why);
        p.cluster = c;
        anew = (struct placement){.strategy = &strategy, .cluster = c};
        must(ring_attach(&anew, &rule, UINT64_C(300) * c->size, why), why);
        differ += !same_ring(&p, &anew);
        anew.engine->destroy(anew.state);
    }
    ok(!differ, "%zu changes in place equal opening anew: whole stretches of points go and come", steps);
    p.engine->destroy(p.state);
}

/* 80 bytes a point while it is built, of which a machine gives four fifths; 2^32 - 2 points in any case. */
static void too_large(void)
{
    char why[WHY] = "";
    double most = 0.8 * (double)mem_machine() / 80, cap = UINT32_MAX - 2;
    ok(ring_refuse_size((uint64_t)fmin(0.99 * most, cap), why) == 0, "a ring that fits into memory");
    ok(ring_refuse_size((uint64_t)(1.01 * most), why) == -EINVAL && strstr(why, "of memory to build"), "refused: %s", why);
    ok(ring_refuse_size(UINT32_MAX - 1, why) == -EINVAL, "refused: %s", why);
}

static void in_place_specs(struct registry *r)
{
    static const char *const text[] = {"ring:vnodes=20,bits=8", "ring:vnodes=40,hash=crc16,seek=gt", "ring:vnodes=9,size=97,seek=nearest", "ring:vnodes=5,seek=le,wrap=clamp",
                                       "tutorial-ts:vnodes=20", "tutorial-py128"};
    for (size_t t = 0; t < sizeof text / sizeof *text; t++) {
        struct spec *spec = spec_of(text[t]);
        struct rng g = rng_start(rng_stream(4, "specs", "", t));
        const struct cluster *c = cluster_of(r, "4");
        struct placement *p = open_on_hash(spec, c, "xxh3");
        size_t differ = 0;
        char why[WHY] = "", change[256];
        for (int i = 0; i < 60; i++) {
            const struct cluster *after = NULL;
            draw_change(c, &g, change);
            if (cluster_change(r, c, change, false, &after, why) || after->size > 40)
                after = changed(r, c, c->size > 20 ? "-10" : "+1");
            change_to(p, after);
            c = after;
            struct placement *anew = open_on_hash(spec, c, "xxh3");
            differ += !same_ring(p, anew);
            placement_close(anew);
        }
        ok(!differ, "60 changes in place equal opening anew: %s", text[t]);
        placement_close(p);
        spec_destroy(spec);
    }
}

static const char *owner_of(const struct placement *p, const char *key)
{
    uint64_t digest;
    if (placement_digest(p, key, strlen(key), &digest) != KEY_HASHED)
        return "?";
    const struct node *n = cluster_by_id(p->cluster, p->engine->lookup(p->state, digest));
    return n ? n->name : "-";
}

/* Positions 0 .. 99, A at 10, B at 40, C at 70. */
static void textbook(void)
{
    static const struct node node[] = {{0, 1, false, "A", "tokens=10"}, {1, 1, false, "B", "dc=x tokens=40"}, {2, 1, false, "C", "tokens=70"},
                                       {3, 1, false, "D", "tokens=55"}};
    static const struct node many[] = {{0, 1, false, "A", "tokens=10,70"}, {1, 1, false, "B", "tokens=70,99,0"}};
    static const struct node bad[] = {{0, 1, false, "A", "tokens=100"}}, none[] = {{0, 1, false, "A", "tokens="}}, plain[] = {{0, 1, false, "A", ""}};
    const struct cluster abc = {node, 3, 3}, abcd = {node, 4, 4}, two = {many, 2, 2};
    struct spec *spec = spec_of("ring:size=100,hash=identity");
    struct placement *p = open_on_hash(spec, &abc, "xxh3");
    ok(*owner_of(p, "25") == 'B' && *owner_of(p, "55") == 'C' && *owner_of(p, "85") == 'A', "textbook: 25 to B, 55 to C, 85 around to A");
    ok(*owner_of(p, "40") == 'B' && *owner_of(p, "41") == 'C' && *owner_of(p, "170") == 'C' && *owner_of(p, "0") == 'A', "at a point, after it, modulo 100, at 0");
    ok(*owner_of(p, "x") == '?', "a word is no key of hash=identity");
    struct map m = map_of(p);
    change_to(p, &abcd);
    ok(*owner_of(p, "25") == 'B' && *owner_of(p, "55") == 'D' && *owner_of(p, "56") == 'C' && *owner_of(p, "85") == 'A', "D joins at 55 and takes 41 to 55");
    struct map n = map_of(p);
    struct moves moves;
    char why[WHY] = "";
    const bool standing[] = {true, true, true, false};
    must(map_compare(&m, &n, standing, 4, &moves, why), why);
    ok(moves.moved == 0.15 && moves.bystander == 0, "which is 15 of 100 positions");
    map_release(&m);
    map_release(&n);
    change_to(p, &two);
    size_t points, distinct;
    uint64_t owned[4];
    placement_points(p, &points, &distinct, owned);
    ok(points == 5 && distinct == 4 && owned[0] == 2 && owned[1] == 2 && *owner_of(p, "70") == 'A', "two points at 70: the first node's counts");
    const struct cluster wrong[] = {{bad, 1, 1}, {none, 1, 1}, {plain, 1, 1}};
    for (size_t i = 0; i < 3; i++) {
        struct placement *q = NULL;
        *why = 0;
        ok(placement_open(&q, spec, &wrong[i], &(struct keyed_hash){hash_find("xxh3"), 0}, why) == -22 && !q && strstr(why, i < 2 ? "tokens=" : "tokens= for"),
           "refused on opening: %s", why);
        *why = 0;
        ok(placement_change(p, &wrong[i], why) == -22 && *why && *owner_of(p, "70") == 'A', "refused on changing: %s", why);
    }
    placement_close(p);
    spec_destroy(spec);
}

static void labels(struct registry *r)
{
    static const struct { const char *spec; size_t points, distinct; bool warns; } row[] = {
        {"ring:vnodes=20,label={node}", 100, 5, true}, {"ring:vnodes=20,label=x-{node}", 100, 5, true}, {"ring:vnodes=1,label={node}", 5, 5, false},
        {"ring:vnodes=20", 100, 100, false}, {"ring:vnodes=20,label={i}{node}{i}", 100, 100, false}, {"ring:vnodes=1000,bits=8", 5000, 256, false}};
    const struct cluster *c = cluster_of(r, "5");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct spec *spec = spec_of(row[i].spec);
        struct placement *p = open_on_hash(spec, c, "xxh3");
        size_t points, distinct;
        uint64_t *owned = mem_alloc(c->ids, sizeof *owned), sum = 0;
        placement_points(p, &points, &distinct, owned);
        for (uint32_t id = 0; id < c->ids; id++)
            sum += owned[id];
        mem_free(owned);
        ok(points == row[i].points && distinct == row[i].distinct && sum == distinct && (*p->warning != 0) == row[i].warns, "%s: %zu points, %zu distinct%s",
           row[i].spec, points, distinct, row[i].warns ? ", and a warning" : "");
        placement_close(p);
        spec_destroy(spec);
    }
    static const char *const bad[] = {"ring:label=x", "ring:label={i}", "ring:label={node}{x}", "ring:hash=identity", "ring:label="};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spec *spec = spec_of(bad[i]);
        struct placement *p = NULL;
        char why[WHY] = "";
        ok(placement_open(&p, spec, c, &(struct keyed_hash){hash_find("xxh3"), 0}, why) == -22 && !p && *why, "refused: %s", bad[i]);
        spec_destroy(spec);
    }
    struct spec *spec = spec_of("ring:vnodes=1M");
    struct placement *p = NULL;
    char why[WHY] = "";
    const struct cluster *heavy = changed(r, c, "node-0=2147483647");
    ok(placement_open(&p, spec, heavy, &(struct keyed_hash){hash_find("xxh3"), 0}, why) == -22 && strstr(why, "memory"), "too many points: %s", why);
    must(placement_open(&p, spec, cluster_of(r, "1"), &(struct keyed_hash){hash_find("xxh3"), 0}, why), why);
    *why = 0;
    ok(placement_change(p, heavy, why) == -22 && strstr(why, "memory"), "and on a change: %s", why);
    placement_close(p);
    const struct cluster *crowd = cluster_of(r, "8700");
    struct node *huge = mem_alloc(crowd->size, sizeof *huge);
    memcpy(huge, crowd->node, crowd->size * sizeof *huge);
    for (uint32_t i = 0; i < crowd->size; i++)
        huge[i].weight = WEIGHT_MAX;
    ok(placement_open(&p, spec, &(struct cluster){huge, crowd->size, crowd->ids}, &(struct keyed_hash){hash_find("xxh3"), 0}, why) == -22,
       "more points than 64 bits count");
    mem_free(huge);
    spec_destroy(spec);
}

int main(void)
{
    uint64_t live = mem_live();
    struct registry *r = registry_create();
    searches(r);
    positions(r);
    in_place(r);
    in_place_specs(r);
    clumps(r);
    too_large();
    textbook();
    labels(r);
    registry_destroy(r);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
