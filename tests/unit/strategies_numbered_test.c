/* Numbered buckets: published answers, placements fixed on every machine, shares by the law of each, growth and shrinking one by one. */
#include "base/rng.h"
#include "tests/stage.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const all[] = {"jump", "guava", "power", "flip", "jumpback", "binomial", "binomial:iterations=0", "binomial:iterations=64"};
enum { ALL = sizeof all / sizeof *all };

static struct placement *open_on(struct registry *r, const char *text, uint32_t nodes)
{
    char number[16];
    snprintf(number, sizeof number, "%u", nodes);
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(r, number), "xxh3");
    spec_destroy(spec);
    return p;
}

static void published(void)
{
    FILE *f = fopen(KEYSIM_DATADIR "/data/published/answers.csv", "r");
    must(!f, "no data/published/answers.csv");
    char line[128], name[32], open_name[32] = "";
    unsigned rows = 0, right = 0;
    uint32_t nodes, bucket, open_nodes = 0;
    uint64_t digest;
    struct registry *r = NULL;
    struct placement *p = NULL;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%31[^,],%" SCNu32 ",%" SCNu64 ",%" SCNu32 ",", name, &nodes, &digest, &bucket) != 4)
            continue; /* the header */
        if (strcmp(name, open_name) || nodes != open_nodes) {
            placement_close(p);
            registry_destroy(r);
            r = registry_create();
            p = open_on(r, name, open_nodes = nodes);
            strcpy(open_name, name);
        }
        uint32_t id = p->engine->lookup(p->state, digest);
        rows++;
        right += id == bucket;
        if (id != bucket)
            note("%s among %u: digest %" PRIu64 " is in %u, published %u", name, nodes, digest, id, bucket);
    }
    placement_close(p);
    registry_destroy(r);
    fclose(f);
    ok(rows == 81 && right == rows, "%u of %u published answers", right, rows);
}

/* Published answers among a million, too many nodes for a file that is read at every verification. */
static void million(void)
{
    static const struct { const char *spec; uint64_t digest[3]; uint32_t bucket[3]; } row[] = {
        {"jumpback", {0, 1, 0x123456789abcdef0}, {567353, 667116, 336582}},
        {"flip", {0, 1, 10427592028180905159u}, {0, 184548, 583461}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct registry *r = registry_create();
        struct placement *p = open_on(r, row[i].spec, 1000000);
        for (int k = 0; k < 3; k++)
            ok(p->engine->lookup(p->state, row[i].digest[k]) == row[i].bucket[k], "%s among a million: digest %" PRIu64, row[i].spec, row[i].digest[k]);
        placement_close(p);
        registry_destroy(r);
    }
}

/* Of the strategies whose papers leave the generator open: computed here, by another program from the file heads. */
static void fixed(void)
{
    static const struct { const char *spec; uint32_t nodes; uint64_t sum; } row[] = {
        {"power", 1000, 0x16F6D57D85FC6BE1}, {"power", 10000, 0xA29E34B0388F447A},
        {"binomial", 1000, 0xAFA9A4AAFA4B2990}, {"binomial", 10000, 0xBD13EFC8C25E75DB},
        {"binomial:iterations=1", 17, 0xFF5412B7B123141E},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct registry *r = registry_create();
        struct placement *p = open_on(r, row[i].spec, row[i].nodes);
        uint64_t sum = 0;
        for (uint64_t digest = 0; digest < 10000; digest++)
            sum = sum * 31 + p->engine->lookup(p->state, digest);
        ok(sum == row[i].sum, "%s among %u: checksum %016" PRIX64, row[i].spec, row[i].nodes, sum);
        placement_close(p);
        registry_destroy(r);
    }
}

/* The odds of counts at least this far from share. */
static double odds(const struct placement *p, const double *share, uint64_t seed)
{
    enum { KEYS = 400000 };
    uint32_t nodes = p->cluster->size, *id = mem_alloc(KEYS, sizeof *id);
    uint64_t *digest = mem_alloc(KEYS, sizeof *digest), stream = rng_stream(seed, "numbered", p->strategy->name, 0);
    double *count = mem_alloc(nodes, sizeof *count), sum = 0;
    for (size_t i = 0; i < KEYS; i++)
        digest[i] = rng_at(stream, i);
    p->engine->lookup_many(p->state, digest, KEYS, id);
    for (size_t i = 0; i < KEYS; i++)
        count[id[i]]++;
    for (uint32_t i = 0; i < nodes; i++)
        sum += (count[i] - share[i] * KEYS) * (count[i] - share[i] * KEYS) / (share[i] * KEYS);
    mem_free(id);
    mem_free(digest);
    mem_free(count);
    return gsl_cdf_chisq_Q(sum, nodes - 1);
}

static void spread(void)
{
    static const uint32_t sizes[] = {2, 3, 5, 8, 17, 24, 33, 1000, 1024, 1025};
    for (size_t i = 0; i < ALL; i++) {
        double worst = 1, off = 0;
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            struct registry *r = registry_create();
            struct placement *p = open_on(r, all[i], sizes[j]);
            double *share = mem_alloc(sizes[j], sizeof *share), total = 0, q;
            p->engine->shares(p->state, share);
            for (uint32_t k = 0; k < sizes[j]; k++)
                total += share[k];
            q = odds(p, share, j);
            worst = q < worst ? q : worst;
            off = fabs(total - 1) > off ? fabs(total - 1) : off;
            mem_free(share);
            placement_close(p);
            registry_destroy(r);
        }
        ok(worst > 1e-11 && off < 1e-12, "%s: keys spread by its shares, which add up to 1 (worst odds %.2g)", all[i], worst);
    }
}

static void uneven(void)
{
    static const struct { const char *spec; uint32_t nodes, lower; double high; } row[] = { /* (1 - q^(w+1)) / n */
        {"binomial", 17, 16, (1 - 759375.0 / 33554432) / 17}, {"binomial", 24, 16, (1 - 1.0 / 1024) / 24},
        {"binomial:iterations=0", 17, 16, 1.0 / 32}, {"binomial:iterations=1", 3, 2, 15.0 / 48}, {"binomial", 16, 8, 1.0 / 16}, {"binomial", 1, 1, 1},
        {"binomial:iterations=64", 17, 16, 1.0 / 17},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct registry *r = registry_create();
        struct placement *p = open_on(r, row[i].spec, row[i].nodes);
        double share[1025], high = row[i].high, low = (1 - (row[i].nodes - row[i].lower) * high) / row[i].lower;
        p->engine->shares(p->state, share);
        bool good = true;
        for (uint32_t k = 0; k < row[i].nodes; k++)
            good &= fabs(share[k] - (k < row[i].lower ? low : high)) < 1e-15;
        ok(good, "%s among %u: shares %.6f and %.6f", row[i].spec, row[i].nodes, share[0], share[row[i].nodes - 1]);
        placement_close(p);
        registry_destroy(r);
    }
    struct registry *r = registry_create();
    struct placement *p = open_on(r, "binomial:iterations=1", 17);
    double share[17];
    for (int i = 0; i < 17; i++)
        share[i] = 1.0 / 17;
    ok(odds(p, share, 7) < 1e-11, "and equal shares would be seen to be wrong");
    placement_close(p);
    registry_destroy(r);
}

/* From 1 node to LAST one by one and back in leaps: a key stays or goes to the newcomer, and what was opened small is what is opened large. */
static void growth(void)
{
    enum { LAST = 300, KEYS = 3000 };
    static uint32_t at[LAST + 1][KEYS];
    for (size_t i = 0; i < ALL; i++) {
        struct registry *r = registry_create();
        const struct cluster *c[LAST + 1];
        struct placement *p = open_on(r, all[i], 1);
        bool steady = true, same = true;
        c[1] = p->cluster;
        for (uint32_t n = 1; n <= LAST; n++) {
            if (n > 1)
                change_to(p, c[n] = changed(r, c[n - 1], "+1"));
            for (uint64_t k = 0; k < KEYS; k++) {
                at[n][k] = p->engine->lookup(p->state, rng_at(3, k));
                steady &= n == 1 ? at[n][k] == 0 : at[n][k] == at[n - 1][k] || at[n][k] == n - 1;
            }
        }
        for (uint32_t n = LAST; n > 0; n -= n > 37 ? 37 : n) {
            change_to(p, c[n]);
            struct placement *anew = open_on(r, all[i], n);
            for (uint64_t k = 0; k < KEYS; k++)
                same &= p->engine->lookup(p->state, rng_at(3, k)) == at[n][k] && anew->engine->lookup(anew->state, rng_at(3, k)) == at[n][k];
            same &= placement_memory(p) == placement_memory(anew);
            placement_close(anew);
        }
        ok(steady, "%s: from 1 to %d nodes a key stays or goes to the newcomer", all[i], LAST);
        ok(same, "%s: and back again it is where it was", all[i]);
        placement_close(p);
        registry_destroy(r);
    }
}

static void refused(void)
{
    char why[WHY];
    for (size_t i = 0; i < ALL; i++) {
        struct registry *r = registry_create();
        struct placement *p = open_on(r, all[i], 5);
        const struct cluster *c = p->cluster;
        ok(p->law == LAW_FIXED && p->caps == CAP_MINIMAL && !*p->warning, "%s: promises to move little, and no weights nor any removal", all[i]);
        int e = placement_change(p, changed(r, c, "-node-2"), why);
        ok(e == -EINVAL && strstr(why, "node-2") && strstr(why, "(node-4)") && strstr(why, "ring") && p->cluster == c, "refused: %s", why);
        change_to(p, changed(r, c, "node-1=3"));
        ok(p->law == LAW_NONE && strstr(p->warning, "weights"), "warned: %s", p->warning);
        placement_close(p);
        registry_destroy(r);
    }
}

int main(void)
{
    uint64_t live = mem_live();
    published();
    million();
    fixed();
    spread();
    uneven();
    growth();
    refused();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
