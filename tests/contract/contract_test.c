/* What every strategy keeps once opened, whatever it does: each spec of specs.h on small and large clusters of equal and unequal weights, with
 * nodes down, with a wide hash and a narrow one where it takes the run's. A new strategy needs no test of its own to be held to this. */
#include "base/cpu.h"
#include "strategies/engines/ring.h"
#include "tests/contract/specs.h"

#include <gsl/gsl_cdf.h>

enum { SAMPLES = 200000, FEW = 20011, NARROW = 1 << 17 };

enum { OPENS, BATCH, TWINS, MEMBERS, SHARES, RANGES, SAMPLED, SPOTS, REPLICAS, WEIGHTS, EVEN, KEYS };
static const char *const promise[] = {
    [OPENS] = "what cannot be is refused with a sentence, and a node down that does not count is warned of",
    [BATCH] = "a batch gives what single look-ups give, whatever instructions it may use",
    [TWINS] = "two instances agree",
    [MEMBERS] = "every owner is a member that is not known to be down",
    [SHARES] = "shares add up to 1",
    [RANGES] = "ranges have no gaps, and look-ups agree with them at both ends of each",
    [SAMPLED] = "sampled digests agree with the shares",
    [SPOTS] = "a spot is the owner's",
    [REPLICAS] = "replicas are distinct members, the owner first",
    [WEIGHTS] = "shares follow the weights as promised",
    [EVEN] = "keys spread by the law where there is no map",
    [KEYS] = "keys in a batch go where they go one by one",
    NULL,
};

static uint64_t digest_at(const struct placement *p, uint64_t i)
{
    uint64_t last = p->key.hash.hash->last;
    return i < 2 ? i * last : rng_upto(rng_at(77, i), last);
}

/* Owners at all levels of the processor, the best in the end. */
static void levels(const struct placement *p, const uint64_t *digest, size_t n, uint32_t *id, uint32_t *other, bool *same)
{
    char why[WHY] = "";
    for (enum cpu_level level = CPU_PLAIN; level <= cpu_best(); level++) {
        must(cpu_use(cpu_name(level), why), why);
        p->engine->lookup_many(p->state, digest, n, level ? other : id);
        *same &= !level || !memcmp(id, other, n * sizeof *id);
    }
}

static void lookups(struct trial *t, const struct placement *p, const struct placement *twin)
{
    static uint64_t digest[1031];
    uint32_t id[1031], other[1031], ids = t->cluster->ids;
    bool batch = true, twins = true, all = true, none = any_down(t->cluster) && (p->caps & CAP_DOWN);
    bool *in = mem_alloc(ids, sizeof *in);
    for (uint32_t i = 0; i < t->cluster->size; i++)
        in[t->cluster->node[i].id] = !(p->caps & CAP_DOWN && t->cluster->node[i].down);
    for (size_t at = 0, n = 1; at < FEW; at += n, n = n * 3 % 1031) { /* lengths of all kinds, odd ones too */
        for (size_t i = 0; i < n; i++)
            digest[i] = digest_at(p, at + i);
        levels(p, digest, n, id, other, &batch);
        twin->engine->lookup_many(twin->state, digest, n, other);
        twins &= !memcmp(id, other, n * sizeof *id);
        for (size_t i = 0; i < n; i++) {
            batch &= id[i] == p->engine->lookup(p->state, digest[i]);
            all &= id[i] == NO_NODE ? none : id[i] < ids && in[id[i]];
        }
    }
    uint32_t *owner = key_owners(p, 2000);
    for (size_t i = 0; i < 2000; i++)
        all &= owner[i] == NO_NODE ? none : owner[i] < ids && in[owner[i]];
    mem_free(owner);
    check(t, BATCH, batch, "batch differs");
    check(t, TWINS, twins && placement_memory(p) == placement_memory(twin), "twins differ");
    check(t, MEMBERS, all, "a stranger owns");
    mem_free(in);
}

/* Counts of a binomial stay within Bernstein's bound, here at five sigma's odds shared among all nodes. */
static bool plausible(double count, double n, double p, double tests)
{
    double log_odds = log(2 * tests / 5.7e-7), deviation = fabs(count - n * p);
    return deviation <= log_odds / 3 + sqrt(log_odds * log_odds / 9 + 2 * n * p * (1 - p) * log_odds);
}

/* Shares over all digests of a narrow hash, else over a sample. Returns how many digests. */
static size_t digest_shares(const struct placement *p, double *share, double *unplaced)
{
    uint64_t last = p->key.hash.hash->last;
    size_t n = last < NARROW ? (size_t)last + 1 : SAMPLES;
    uint64_t *digest = mem_alloc(n, sizeof *digest);
    uint32_t *owner = mem_alloc(n, sizeof *owner);
    for (size_t i = 0; i < n; i++)
        digest[i] = last < NARROW ? i : digest_at(p, i);
    p->engine->lookup_many(p->state, digest, n, owner);
    key_shares(owner, n, p->cluster->ids, share, unplaced);
    mem_free(owner);
    mem_free(digest);
    return n;
}

static void ranges(struct trial *t, const struct placement *p, const struct map *m)
{
    uint64_t most = p->key.hash.hash->last, next = 0;
    bool good = m->count > 0, whole = m->cells ? m->range[m->count - 1].last == m->cells - 1 : m->range[m->count - 1].last >= most;
    for (size_t i = 0; i < m->count && good; i++) {
        const struct range *r = &m->range[i];
        good = r->first == next && r->last >= r->first && (r->first > most || p->engine->lookup(p->state, r->first) == r->id) &&
               (r->last > most || p->engine->lookup(p->state, r->last) == r->id);
        next = r->last + 1;
    }
    check(t, RANGES, good && whole, "a range");
}

/* The map's shares, or those of a sample where there is no map. */
static void shares(struct trial *t, const struct placement *p, double *share)
{
    uint32_t ids = t->cluster->ids;
    double unplaced, sum, *sample = mem_alloc(ids, sizeof *sample), missed;
    size_t n = digest_shares(p, sample, &missed);
    if (!has_map(p)) {
        memcpy(share, sample, ids * sizeof *share);
        mem_free(sample);
        return;
    }
    struct map m = map_of(p);
    char why[WHY] = "";
    ranges(t, p, &m);
    must(map_shares(&m, share, &unplaced, why), why);
    map_release(&m);
    sum = unplaced;
    for (uint32_t id = 0; id < ids; id++)
        sum += share[id];
    check(t, SHARES, fabs(sum - 1) < 1e-9 && !(unplaced > 0 && p->engine->again), "sum of shares");

    bool all = n == p->key.hash.hash->last + 1; /* then it is no sample */
    bool good = all ? fabs(missed - unplaced) < 1e-9 : plausible(missed * (double)n, (double)n, unplaced, ids);
    for (uint32_t id = 0; id < ids; id++)
        good &= all ? fabs(sample[id] - share[id]) < 1e-9 : plausible(sample[id] * (double)n, (double)n, share[id], ids);
    check(t, SAMPLED, good, "samples against the map");
    mem_free(sample);
}

static void spots(struct trial *t, const struct placement *p)
{
    if (!p->engine->spot)
        return;
    bool good = true;
    size_t distinct, points = is_ring(p) ? ring_points(p, &distinct) : 0;
    uint64_t cells = p->engine->cells ? p->engine->cells(p->state) : 0;
    for (uint64_t i = 0; i < 1000; i++) {
        struct spot s;
        uint32_t id = NO_NODE, owner = p->engine->lookup(p->state, digest_at(p, i));
        p->engine->spot(p->state, digest_at(p, i), &s);
        if (points > 0) {
            good &= s.kind == SPOT_POINT && s.point < points && s.before < points && s.after < points;
            ring_position(p, s.point, &id);
            good &= id == owner || owner == NO_NODE || any_down(t->cluster);
        } else if (cells > 0 && !is_ring(p)) {
            good &= s.kind == SPOT_CELL && s.cell < cells && p->engine->lookup(p->state, s.cell) == owner;
        }
    }
    check(t, SPOTS, good, "spot");
}

static void replicas(struct trial *t, const struct placement *p, const double *share)
{
    bool good = true, salted, *second = mem_alloc(t->cluster->ids, sizeof *second);
    uint32_t id[30], owning = 0, fairly = 0, seconds = 0;
    for (uint32_t i = 0; i < t->cluster->ids; i++)
        owning += share[i] > 0, fairly += share[i] > 0.2 / t->cluster->size;
    for (uint64_t i = 0; i < 300; i++) {
        size_t k = 1 + i % 29;
        if (i >= 30 && k > owning) /* looking for more than there are takes long */
            k = owning ? owning : 1;
        size_t least = k < owning ? k : owning;
        if (!strcmp(t->spec->name, "straw2")) /* CRUSH gives a copy up after 51 tries */
            least = k < owning / 2 ? k : owning / 2;
        uint64_t digest = digest_at(p, i);
        uint32_t owner = p->engine->lookup(p->state, digest);
        size_t n = placement_replicas(p, digest, id, k, &salted);
        good &= owner == NO_NODE ? n == 0 : n <= k && n >= least && id[0] == owner;
        if (n > 1 && id[1] < t->cluster->ids && !second[id[1]])
            second[id[1]] = ++seconds;
        for (size_t a = 0; a < n; a++) {
            const struct node *node = cluster_by_id(t->cluster, id[a]);
            good &= node && !(node->down && p->caps & CAP_DOWN);
            for (size_t b = 0; b < a; b++)
                good &= id[a] != id[b];
        }
    }
    if (p->caps & CAP_ASSIGNED && !p->engine->lookup_loaded) /* what a dead node owned is known, and who else has a copy of it */
        good &= p->engine->ranges && p->engine->replicas;
    check(t, REPLICAS, good && (seconds > 2 || fairly < 20), "replicas");
    mem_free(second);
}

/* Where a rule fixes shares they lie within a cell of the fair ones, but for these, whose real rules are coarser: within so many cells for each
 * unit of weight, so many more, and so great a part. */
static const struct looseness {
    const char *name;
    double run, cells, part;
} loose[] = {
    {"maglev", 1, 1, 0},          /* the table is full in the middle of a round */
    {"envoy-maglev", 1, 1, 0},    /* likewise */
    {"ipvs-mh", 1, 0, 0},         /* likewise, and a turn is as many cells as the weight */
    {"ipvs-sh", 1, 0, 0},         /* the buckets end in the middle of a run */
    {"redis-cluster", 0, 2, 0.02}, /* expected slots are cut to whole ones, and 2 % off is good enough */
    {"slots:rebalance=redis", 0, 2, 0.02},
};

/* What residues modulo the cells differ by: a narrow hash gives the first cells a digest more. */
static double residue(const struct placement *p)
{
    double digests = (double)p->key.hash.hash->last + 1;
    return digests < 0x1p24 ? fmod(digests, (double)p->engine->cells(p->state)) / digests : 0;
}

static struct looseness looseness_of(const char *text)
{
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
        size_t n = strlen(loose[i].name);
        if (!strncmp(loose[i].name, text, n) && (!text[n] || text[n] == ':' || text[n] == ','))
            return loose[i];
    }
    return (struct looseness){.cells = 1};
}

/* Like labels have like checksums: no random points. The points' hash is not to be seen, but a weak one shows in the key's or in the spec. */
static bool is_weak(const struct trial *t, const struct placement *p)
{
    static const char *const word[] = {"crc", "fnv", "one_at_a_time", "jenkins"};
    bool weak = p->key.hash.hash->last < INT32_MAX;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        weak |= strstr(p->key.hash.hash->name, word[i]) || strstr(t->text, word[i]);
    return weak;
}

/* A node's share of the points, which is what a ring makes of weights; systems floor their labels, of which each may give four. */
static bool points_as_promised(const struct placement *p, double owned, double distinct, double points, double fair)
{
    double slack = p->strategy->version ? 8 : 1e-9;
    return !(p->caps & CAP_WEIGHTS) || fabs(owned / distinct - fair) <= (slack + 2 * (points - distinct)) / points + (p->strategy->version ? fair / 40 : 0);
}

/* Fixed shares follow weights, or are equal where weights are unknown; arcs between random points are Beta, and here each lies within six sigma's
 * odds. */
static void weights(struct trial *t, const struct placement *p, const double *share)
{
    uint32_t ids = t->cluster->ids, size = t->cluster->size;
    const struct looseness l = looseness_of(t->text);
    double *fair = mem_alloc(ids, sizeof *fair), odds = 1e-9 / size;
    uint64_t *owned = mem_alloc(ids, sizeof *owned);
    size_t points, distinct;
    bool good = true, weak = is_weak(t, p), fixed = p->law == LAW_FIXED && has_map(p);
    cluster_fair_shares(t->cluster, fair);
    placement_points(p, &points, &distinct, owned);
    for (uint32_t i = 0; i < size && size > 1; i++) {
        const struct node *n = &t->cluster->node[i];
        double target = p->caps & CAP_WEIGHTS ? fair[n->id] : 1.0 / size, a = (double)owned[n->id], b = (double)distinct - a;
        if (fixed)
            good &= fabs(share[n->id] - target) <=
                    (l.run * n->weight + l.cells + 1e-6) / (double)p->engine->cells(p->state) + residue(p) + l.part * target;
        if (points > 0)
            good &= points_as_promised(p, a, (double)distinct, (double)points, target);
        if (p->law == LAW_ARCS && !weak && a > 0)
            good &= gsl_cdf_beta_P(share[n->id], a, b) > odds && gsl_cdf_beta_Q(share[n->id], a, b) > odds;
    }
    if (fixed || points > 0)
        check(t, WEIGHTS, good, "shares against weights");
    mem_free(owned);
    mem_free(fair);
}

/* A fixed law without a map: keys spread evenly (or by weight); of a narrow hash all digests are counted instead, as far as their number allows. */
static void even(struct trial *t, const struct placement *p, const double *share)
{
    if (p->law != LAW_FIXED || has_map(p) || t->cluster->size < 2)
        return;
    uint32_t ids = t->cluster->ids, size = t->cluster->size, *owner = key_owners(p, SAMPLES);
    double *sample = mem_alloc(ids, sizeof *sample), *fair = mem_alloc(ids, sizeof *fair), digests = (double)p->key.hash.hash->last + 1, missed, sum = 0;
    bool good = true;
    key_shares(owner, SAMPLES, ids, sample, &missed);
    cluster_fair_shares(t->cluster, fair);
    if (p->engine->shares) {
        memset(fair, 0, ids * sizeof *fair);
        p->engine->shares(p->state, fair);
    }
    for (uint32_t i = 0; i < size; i++) {
        uint32_t id = t->cluster->node[i].id;
        double want = p->engine->shares || p->caps & CAP_WEIGHTS ? fair[id] : 1.0 / size;
        sum += (sample[id] - want) * (sample[id] - want) / want * SAMPLES;
        good &= digests > NARROW || plausible(share[id] * digests, digests, want, ids);
    }
    good &= digests <= NARROW || gsl_cdf_chisq_Q(sum, size - 1) > 5.7e-9; /* six sigma's odds, shared by a few */
    check(t, EVEN, good && missed == 0, "chi-square");
    mem_free(fair);
    mem_free(sample);
    mem_free(owner);
}

/* Keys of all bytes and lengths, and some of each kind. */
static void keys(struct trial *t, const struct placement *p)
{
    enum { N = 400 };
    static char bytes[300], text[100][64];
    const void *key[N];
    uint32_t len[N], owner[N];
    uint64_t digest[N];
    uint8_t verdict[N];
    bool plain, good = true, all_hashed = true;
    for (uint32_t i = 0; i < N; i++) {
        if (i < 300)
            bytes[i] = (char)(i * 7 % 251);
        key[i] = i < 300 ? bytes : text[i - 300];
        len[i] = i < 300 ? i : key_text((int)(i % KEY_KINDS), i, text[i - 300]);
    }
    size_t invalid = placement_digests(p, key, len, N, digest, verdict, &plain), bad = 0;
    placement_owners(p, key, len, N, digest, verdict, plain, owner);
    for (int i = 0; i < N; i++) {
        uint64_t one;
        enum key_verdict v = placement_digest(p, key[i], len[i], &one);
        uint32_t found = v == KEY_HASHED ? p->engine->lookup(p->state, one) : NO_NODE;
        good &= v == verdict[i] && one == digest[i] && one <= p->key.hash.hash->last;
        good &= found == NO_NODE || owner[i] == found; /* again() is asked only where there is none */
        good &= owner[i] == (v == KEY_HASHED ? placement_owner(p, key[i], len[i], one) : NO_NODE);
        bad += v == KEY_INVALID;
        all_hashed &= v == KEY_HASHED;
    }
    check(t, KEYS, good && bad == invalid && all_hashed == plain && *placement_wants(p), "digests and owners");
}

/* Whether it knows of nodes that are down. */
static bool opened(struct trial *t, bool may_refuse)
{
    const struct keyed_hash hash = {hash_find(t->hash), 0};
    struct placement *p = NULL, *twin;
    char why[WHY] = "";
    uint64_t live = mem_live();
    int e = placement_open(&p, t->spec, t->cluster, &hash, why);
    if (e) {
        check(t, OPENS, may_refuse && e == -EINVAL && *why && !p && mem_live() == live, why);
        return false;
    }
    twin = open_on_hash(t->spec, t->cluster, t->hash);
    double *share = mem_alloc(t->cluster->ids, sizeof *share);
    bool down = any_down(t->cluster), knows_down = p->caps & CAP_DOWN;
    lookups(t, p, twin);
    keys(t, p);
    shares(t, p, share);
    spots(t, p);
    replicas(t, p, share);
    if (!down) {
        weights(t, p, share);
        even(t, p, share);
    } else if (!knows_down) {
        check(t, OPENS, *p->warning, "no warning that a node is down");
    }
    mem_free(share);
    placement_close(p);
    placement_close(twin);
    return knows_down;
}

/* On n nodes, and where the strategy knows of that with some of them down. */
static void trial_at(struct trial *t, uint32_t n, bool unequal, bool may_refuse)
{
    char change[3 * 40] = "";
    t->registry = registry_create();
    const struct cluster *up = t->cluster = cluster_sized(t, n, unequal);
    if (opened(t, may_refuse) || n == 3)
        for (uint32_t i = 0; i < (n > 3 ? 1 : n); i++) { /* of three nodes, one, two, and all */
            t->cluster = up;
            snprintf(change + strlen(change), 40, "%s%s=down", i ? ";" : "", up->node[n > 3 ? n / 2 : (i + 1) % n].name);
            t->cluster = cluster_with(t, change);
            opened(t, may_refuse);
        }
    registry_destroy(t->registry);
}

static void hold(const char *text, const char *hash, enum origin from)
{
    static const uint32_t sizes[] = {1, 3, 24, 1000};
    struct spec *spec = spec_of(text);
    const struct strategy *s = catalog_find(spec->name);
    struct trial t = {.spec = spec, .text = text, .hash = hash, .promise = promise, .addresses = s->addresses};
    bool largest = !SANITIZED || (from == CATALOG && !s->version);
    for (int i = 0; i < (largest ? 4 : 3); i++) {
        bool may_refuse = from == BY_HAND && sizes[i] == 1000; /* more nodes than there is room for */
        trial_at(&t, sizes[i], false, may_refuse);
        trial_at(&t, sizes[i], true, may_refuse);
    }
    report(&t);
    spec_destroy(spec);
}

int main(int argc, char **argv)
{
    uint64_t live = mem_live();
    (void)argc;
    walk_specs(hold, argv + 1);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
