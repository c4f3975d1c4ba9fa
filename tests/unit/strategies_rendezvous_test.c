/* Rendezvous: the logarithm, the order of scores, copies; the tree's own shares, seats and moves; slots dealt by it. */
#include "base/rng.h"
#include "strategies/engines/names.h"
#include "strategies/engines/score.h"
#include "tests/stage.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { KEYS = 200000 };

/* -- the logarithm -- */

static double relative_error(uint64_t word)
{
    uint64_t gap = ~word;
    long double want = gap < UINT64_C(1) << 62 ? -log1pl(-(long double)gap * 0x1p-64L) : -logl(((long double)word + 1) * 0x1p-64L);
    return want > 0 ? (double)fabsl((long double)score_exponential(word) / want - 1) : fabs(score_exponential(word));
}

/* Words of all magnitudes on both ends, and next to where the form changes. */
static uint64_t word_at(uint64_t i)
{
    static const uint64_t border[] = {UINT64_C(0xb4) << 56, UINT64_C(0xb5) << 56, UINT64_C(1) << 63, UINT64_C(0xb504f333f9de6484), 0, UINT64_MAX};
    uint64_t random = rng_at(1, i);
    switch (i % 4) {
    case 0: return random;
    case 1: return random >> (i / 4 % 64);
    case 2: return ~(random >> (i / 4 % 64));
    default: return (border[i / 4 % 6] >> (i / 24 % 50)) + (random >> (40 + i % 20)) - 4096;
    }
}

static void logarithm(void)
{
    double worst = 0;
    uint64_t rises = 0;
    for (uint64_t i = 0; i < 1000000; i++) {
        uint64_t word = word_at(i), step = UINT64_C(1) << (i / 64 % 64), above = word + step;
        double error = relative_error(word);
        worst = error > worst ? error : worst;
        rises += above > word && score_exponential(above) > score_exponential(word);
    }
    ok(worst < 1e-12, "-ln(u): relative error %.2g", worst);
    ok(rises == 0, "it never rises with u: %" PRIu64 " times in a million steps", rises);
    ok(score_exponential(UINT64_MAX) <= 0 && score_exponential(0) > 44.36 && score_exponential(0) < 44.37 && relative_error(UINT64_MAX - 1) < 1e-12,
       "from 0 to 64 ln 2");
}

/* -- flat -- */

static struct placement *opened(struct registry *r, const char *spec_text, const char *nodes)
{
    struct spec *spec = spec_of(spec_text);
    struct placement *p = open_on_hash(spec, cluster_of(r, nodes), "xxh3");
    spec_destroy(spec);
    return p;
}

static uint32_t owner(const struct placement *p, uint64_t i)
{
    return p->engine->lookup(p->state, rng_at(9, i));
}

/* Chi-square of sampled owners against the engine's own shares; and whether these add up to 1. */
static bool follows(const struct placement *p, size_t keys)
{
    uint32_t ids = p->cluster->ids, cells = 0;
    double *share = mem_alloc(ids, sizeof *share), *count = mem_alloc(ids, sizeof *count), sum = 0, square = 0;
    p->engine->shares(p->state, share);
    for (uint64_t i = 0; i < keys; i++)
        count[owner(p, i)]++;
    for (uint32_t id = 0; id < ids; id++) {
        double want = share[id] * (double)keys;
        sum += share[id];
        cells += want > 0;
        square += want > 0 ? (count[id] - want) * (count[id] - want) / want : count[id] * 1e9;
    }
    mem_free(share);
    mem_free(count);
    return fabs(sum - 1) < 1e-12 && (cells < 2 || gsl_cdf_chisq_Q(square, cells - 1) > 1e-9);
}

static void order(void)
{
    struct registry *r = registry_create();
    struct placement *p = opened(r, "rendezvous", "a=3,b=1,c=7,d=3,e"), *q = opened(r, "rendezvous", "e,c=7,d=3,a=3,b=1");
    bool same = true;
    for (uint64_t i = 0; i < KEYS; i++)
        same &= owner(p, i) == owner(q, i);
    ok(same, "configuration order does not matter");
    ok(follows(p, KEYS), "weights 3 1 7 3 1 are followed");
    struct placement *wide = opened(r, "rendezvous", "a,b=2147483647,c=2147483647");
    ok(follows(wide, KEYS), "so are the largest");
    struct contest *seven = contest_create(cluster_of(r, "a=7,b=7,c=7,d=7,e=7,f=7,g=7,h=7,i=7"));
    same = seven->equal;
    for (uint64_t i = 0; i < KEYS; i++)
        same &= contest_among(seven->who, seven->size, true, i) == contest_among(seven->who, seven->size, false, i);
    ok(same, "among equal weights the highest word has the least cost");
    mem_free(seven);
    placement_close(p);
    placement_close(q);
    placement_close(wide);
    registry_destroy(r);
}

/* Each copy is where the key goes once those before it are gone. */
static void copies(void)
{
    struct registry *r = registry_create();
    const struct cluster *all = cluster_of(r, "a=3,b=1,c=7,d=3,e");
    struct placement *p = opened(r, "rendezvous", "a=3,b=1,c=7,d=3,e");
    bool good = true;
    for (uint64_t i = 0; i < 300; i++) {
        uint32_t id[6];
        const struct cluster *left = all;
        struct placement *q = opened(r, "rendezvous", "a=3,b=1,c=7,d=3,e");
        good &= p->engine->replicas(p->state, rng_at(9, i), id, 6) == 5;
        for (int k = 0; k < 5; k++) {
            char change[32];
            good &= owner(q, i) == id[k];
            if (k == 4)
                break;
            snprintf(change, sizeof change, "-%s", registry_name(r, id[k]));
            change_to(q, left = changed(r, left, change));
        }
        placement_close(q);
    }
    ok(good, "a copy lies where the key goes when those before it are gone");
    placement_close(p);
    registry_destroy(r);
}

/* -- the tree -- */

static bool has_shares(struct registry *r, const char *spec, const char *nodes, const double *want)
{
    struct placement *p = opened(r, spec, nodes);
    uint32_t ids = p->cluster->ids;
    double *share = mem_alloc(ids, sizeof *share);
    p->engine->shares(p->state, share);
    bool good = true;
    for (uint32_t i = 0; i < p->cluster->size; i++)
        good &= fabs(share[p->cluster->node[i].id] - want[i]) < 1e-15;
    good &= follows(p, KEYS);
    mem_free(share);
    placement_close(p);
    return good;
}

static void tree(void)
{
    struct registry *r = registry_create();
    double even[192], nine[9], five[5] = {1 / 8., 1 / 4., 1 / 4., 1 / 4., 1 / 8.};
    for (int i = 0; i < 192; i++)
        even[i] = 1. / 192;
    for (int i = 0; i < 9; i++)
        nine[i] = i % 8 ? 1 / 8. : 1 / 16.;
    ok(has_shares(r, "rendezvous:tree", "9", nine), "nine on a tree of eight: two share a place");
    ok(has_shares(r, "rendezvous:tree=2", "5", five), "five on a tree of two");
    ok(has_shares(r, "rendezvous:tree=8", "192", even), "3 * 8^2 are even");
    ok(has_shares(r, "rendezvous:tree=2", "1", &(double){1}), "a tree of one");
    struct placement *p = opened(r, "rendezvous:tree", "a,b=2");
    ok(p->law == LAW_NONE && !(p->caps & CAP_WEIGHTS) && strstr(p->warning, "tree= knows no weights"), "%s", p->warning);
    placement_close(p);
    struct spec *spec = spec_of("rendezvous:tree=1");
    char why[WHY] = "";
    ok(placement_open(&p, spec, cluster_of(r, "3"), &(struct keyed_hash){hash_find("xxh3"), 0}, why) == -EINVAL && strstr(why, "tree=1"), "%s", why);
    spec_destroy(spec);
    registry_destroy(r);
}

/* Nodes come and leave at random: nothing moves between two that stay. */
static void wandering(const char *spec_text)
{
    enum { WATCHED = 5000 };
    struct registry *r = registry_create();
    struct placement *p = opened(r, spec_text, "20");
    struct rng g = rng_start(3);
    uint32_t next = 20, *was = mem_alloc(WATCHED, sizeof *was);
    uint64_t strays = 0, moved = 0;
    bool fair = true;
    for (int round = 0; round < 150; round++) {
        const struct cluster *before = p->cluster;
        char change[128];
        size_t at = 0;
        uint32_t victim = (uint32_t)rng_below(&g, before->size);
        int way = (int)rng_below(&g, 3);
        if (before->size < 2 || way > 0)
            at += (size_t)snprintf(change, sizeof change, "+x%u;+x%u;", next, next + 1), next += 2;
        if (before->size > 1 && way < 2)
            at += (size_t)snprintf(change + at, sizeof change - at, "-%s;", before->node[victim].name);
        change[at - 1] = 0;
        const struct cluster *after = changed(r, before, change);
        for (uint64_t i = 0; i < WATCHED; i++)
            was[i] = owner(p, i);
        change_to(p, after);
        for (uint64_t i = 0; i < WATCHED; i++) {
            uint32_t now = owner(p, i);
            moved += now != was[i];
            strays += now != was[i] && cluster_by_id(before, now) && cluster_by_id(after, was[i]);
        }
        fair &= round % 15 || follows(p, 50000);
    }
    ok(strays == 0 && moved > 0, "%s: 150 changes move nothing between nodes that stay (%u nodes in the end)", spec_text, p->cluster->size);
    ok(fair, "%s: and shares are what it says", spec_text);
    mem_free(was);
    placement_close(p);
    registry_destroy(r);
}

/* -- slots -- */

static void slots(void)
{
    struct registry *r = registry_create();
    const struct cluster *before = cluster_of(r, "a=3,b=1,c=7,d=3,e"), *after = changed(r, before, "-b;a=2;d=4;+f=5;+g");
    struct placement *p = opened(r, "slots:rebalance=rendezvous,count=5000", "a=3,b=1,c=7,d=3,e");
    ok(p->law == LAW_BALLS && p->law_count == 5000 && (p->caps & CAP_MINIMAL) && !(p->caps & CAP_HISTORY), "slots dealt by rendezvous remember nothing");
    change_to(p, after);
    struct contest *c = contest_create(after);
    bool good = true;
    for (uint64_t slot = 0; slot < 5000; slot++)
        good &= p->engine->lookup(p->state, slot) == contest_winner(c, slot);
    ok(good, "after a change each slot is where a new deal puts it");
    mem_free(c);
    placement_close(p);
    registry_destroy(r);
}

/* Placements are the same on every machine and in every version: a checksum of some owners. */
static void kept(const char *spec, const char *nodes, uint64_t want)
{
    struct registry *r = registry_create();
    struct placement *p = opened(r, spec, nodes);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 20000; i++)
        sum = rng_mix(sum + owner(p, i));
    ok(sum == want, "%s on %s: checksum of owners %016" PRIx64, spec, nodes, sum);
    placement_close(p);
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    logarithm();
    order();
    copies();
    tree();
    wandering("rendezvous");
    wandering("rendezvous:tree=2");
    wandering("rendezvous:tree");
    slots();
    kept("rendezvous", "12", 0xf043f31ad7b3cfab);
    kept("rendezvous", "a=3,b=1,c=7,d=3,e", 0x9dd710a1eb7ef335);
    kept("rendezvous:tree", "100", 0x6c32e6a696da50c5);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
