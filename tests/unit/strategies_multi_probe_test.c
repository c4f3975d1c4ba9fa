/* Multi-probe beyond the contract: look-ups against a naive search, exact shares against sampled keys and against theory, order and ties. */
#include "base/rng.h"
#include "metrics/balance.h"
#include "metrics/theory.h"
#include "strategies/engines/names.h"
#include "tests/stage.h"

#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST = 1000 };

static struct registry *registry;

/* Ids count from 0 again. */
static void anew(void)
{
    registry_destroy(registry);
    registry = registry_create();
}

static struct placement *opened(const char *text, const struct cluster *c, struct spec **spec)
{
    *spec = spec_of(text);
    return open_on_hash(*spec, c, "xxh3");
}

static void closed(struct placement *p, struct spec *spec)
{
    placement_close(p);
    spec_destroy(spec);
}

static const struct cluster *drawn(uint32_t n, uint64_t draw)
{
    char number[16], why[WHY] = "";
    const struct cluster *c = NULL;
    snprintf(number, sizeof number, "%" PRIu32, n);
    must(cluster_random(registry, cluster_of(registry, number), rng_stream(7, "multi-probe", "", draw), &c, why), why);
    return c;
}

/* By the definition: every probe against every point. */
static uint32_t naive(const struct cluster *c, uint64_t digest, uint32_t probes)
{
    uint64_t least = UINT64_MAX;
    uint32_t best = NO_NODE;
    for (uint32_t k = 0; k < probes; k++)
        for (uint32_t i = 0; i < c->size; i++) {
            uint64_t distance = name_word(&c->node[i]) - rng_at(digest, k);
            if (distance < least) {
                least = distance;
                best = c->node[i].id;
            }
        }
    return best;
}

static void look_ups(void)
{
    static const uint32_t size[] = {1, 2, 7, 64, 1000};
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
        const struct cluster *c = drawn(size[s], s);
        uint32_t keys = 200000 / (size[s] + 50), probes = s % 2 ? 21 : 2;
        struct spec *spec;
        struct placement *p = opened(s % 2 ? "multi-probe" : "multi-probe:probes=2", c, &spec);
        bool same = true;
        for (uint64_t i = 0; i < keys; i++)
            same &= p->engine->lookup(p->state, rng_at(3, i)) == naive(c, rng_at(3, i), probes);
        ok(same, "%" PRIu32 " nodes, %" PRIu32 " probes: what every probe against every point gives, %" PRIu32 " keys", size[s], probes, keys);
        closed(p, spec);
    }
}

/* Exact shares against keys, by chi-square at 1e-10. */
static void sampled(const char *text, uint32_t n)
{
    enum { KEYS = 400000 };
    static double share[2 * MOST], count[2 * MOST];
    struct spec *spec;
    anew();
    struct placement *p = opened(text, drawn(n, 100 + n), &spec);
    double sum = 0, chi = 0, cells = 0, rest = 0, rest_count = 0;
    memset(share, 0, sizeof share);
    memset(count, 0, sizeof count);
    p->engine->shares(p->state, share);
    for (uint64_t i = 0; i < KEYS; i++)
        count[p->engine->lookup(p->state, rng_at(11, i))]++;
    for (uint32_t i = 0; i < p->cluster->size; i++) {
        uint32_t id = p->cluster->node[i].id;
        double expected = share[id] * KEYS;
        sum += share[id];
        if (expected < 20) { /* small ones together */
            rest += expected;
            rest_count += count[id];
        } else {
            chi += (count[id] - expected) * (count[id] - expected) / expected;
            cells++;
        }
    }
    if (rest > 20) {
        chi += (rest_count - rest) * (rest_count - rest) / rest;
        cells++;
    }
    double odds = cells > 1 ? gsl_cdf_chisq_Q(chi, cells - 1) : 1;
    ok(fabs(sum - 1) < 1e-12 && odds > 1e-10, "%s, %" PRIu32 " nodes: exact shares and %d keys agree (p = %.3g)", text, n, KEYS, odds);
    closed(p, spec);
}

/* The mean over placements of cv^2 and of the largest share, against theory: each within six of its own standard errors. */
static void laws(const char *text, uint64_t probes, uint32_t n)
{
    enum { DRAWS = 1500 };
    static double share[2 * MOST], fair[2 * MOST];
    double cv = 0, most = 0, square = 0, squares = 0, max = 0, maxes = 0;
    theory_probes(n, probes, 0, &cv, &most);
    struct spec *spec = spec_of(text);
    for (uint64_t d = 0; d < DRAWS; d++) {
        anew();
        struct placement *p = open_on_hash(spec, drawn(n, d), "xxh3");
        struct balance b;
        memset(share, 0, sizeof share);
        p->engine->shares(p->state, share);
        cluster_fair_shares(p->cluster, fair);
        balance_measure(share, fair, p->cluster->ids, 0, &b);
        square += b.cv * b.cv;
        squares += b.cv * b.cv * b.cv * b.cv;
        max += b.max_over_mean;
        maxes += b.max_over_mean * b.max_over_mean;
        placement_close(p);
    }
    square /= DRAWS, squares /= DRAWS, max /= DRAWS, maxes /= DRAWS;
    double square_error = sqrt((squares - square * square) / DRAWS), max_error = sqrt((maxes - max * max) / DRAWS);
    ok(fabs(square - cv * cv) < 6 * square_error, "%s, %" PRIu32 " nodes: cv %.4f, theory %.4f (%d placements)", text, n, sqrt(square), cv, DRAWS);
    ok(fabs(max - most) < 6 * max_error, "largest %.4f +- %.4f, theory %.4f", max, max_error, most);
    spec_destroy(spec);
}

static void rules(void)
{
    struct spec *spec, *other_spec;
    struct placement *p = opened("multi-probe", cluster_of(registry, "a,b,c,d,e"), &spec);
    struct placement *q = opened("multi-probe", cluster_of(registry, "e,c,a,d,b"), &other_spec);
    bool same = true;
    for (uint64_t i = 0; i < 20000; i++)
        same &= !strcmp(cluster_by_id(p->cluster, p->engine->lookup(p->state, rng_at(1, i)))->name,
                        cluster_by_id(q->cluster, q->engine->lookup(q->state, rng_at(1, i)))->name);
    ok(same && p->law == LAW_PROBES && p->law_count == 21, "the order of the configuration decides nothing");
    change_to(p, changed(registry, p->cluster, "b=3"));
    ok(p->law == LAW_NONE && strstr(p->warning, "weights"), "weights are ignored, with a warning: %s", p->warning);
    closed(p, spec);
    closed(q, other_spec);
    const struct cluster *c = cluster_of(registry, "9");
    spec = spec_of("multi-probe");
    bool clean = true;
    int failed = 0, e = -12;
    for (uint64_t nth = 1; e == -12; nth++) {
        char why[WHY] = "";
        uint64_t live = mem_live();
        p = NULL;
        mem_fail_at(nth);
        e = placement_open(&p, spec, c, &(struct keyed_hash){hash_find("xxh3"), 0}, why);
        mem_fail_at(0);
        failed += e == -12;
        clean &= e == 0 || mem_live() == live;
        placement_close(p);
    }
    ok(e == 0 && failed > 5 && clean, "each allocation may fail, and nothing is left");
    spec_destroy(spec);
}

int main(void)
{
    uint64_t live = mem_live();
    anew();
    look_ups();
    sampled("multi-probe", 3);
    sampled("multi-probe", 24);
    sampled("multi-probe:probes=2", 300);
    sampled("multi-probe:probes=1", 300);
    laws("multi-probe", 21, 3);
    laws("multi-probe", 21, 30);
    laws("multi-probe", 21, 300);
    laws("multi-probe:probes=1", 1, 30);
    laws("multi-probe:probes=4", 4, 100);
    rules();
    registry_destroy(registry);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
