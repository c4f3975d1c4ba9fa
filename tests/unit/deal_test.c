/* Dealing slots: quotas by largest remainder, cuts by rounding, re-deals that move no more than they must,
 * and redis-cli's own plans (data/vectors/redis-cluster-*.tsv, recorded from real clusters). */
#include "base/rng.h"
#include "strategies/engines/deal.h"
#include "tests/stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 16384, IDS = 6000 };

/* A cluster that changes: ids 0 .. IDS-1 come and go. */
struct crowd {
    struct node node[IDS];
    struct cluster cluster;
    bool in[IDS];
};

static void crowd_join(struct crowd *c, uint32_t id, uint32_t weight)
{
    c->node[c->cluster.size++] = (struct node){id, weight, false, "", ""};
    c->in[id] = true;
}

static void crowd_leave(struct crowd *c, uint32_t at)
{
    c->in[c->node[at].id] = false;
    memmove(&c->node[at], &c->node[at + 1], (--c->cluster.size - at) * sizeof c->node[0]);
}

static void crowd_fill(struct crowd *c, uint32_t n, uint64_t heaviest, struct rng *g)
{
    memset(c, 0, sizeof *c);
    c->cluster.node = c->node;
    c->cluster.ids = IDS;
    for (uint32_t id = 0; id < n; id++)
        crowd_join(c, id, 1 + (uint32_t)rng_below(g, heaviest));
}

static void crowd_copy(struct crowd *to, const struct crowd *from)
{
    *to = *from;
    to->cluster.node = to->node;
}

/* Largest remainder, by its definition. */
static bool quotas_are_right(const struct cluster *c, uint64_t cells, const uint64_t *quota)
{
    uint64_t sum = cluster_weight(c), total = 0, least_up = UINT64_MAX, most_down = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        uint64_t floor = cells * c->node[i].weight / sum, rest = cells * c->node[i].weight % sum;
        total += quota[i];
        if (quota[i] == floor)
            most_down = rest > most_down ? rest : most_down;
        else if (quota[i] == floor + 1 && rest > 0)
            least_up = rest < least_up ? rest : least_up;
        else
            return false;
    }
    return total == cells && least_up >= most_down;
}

static void quotas(void)
{
    static const uint32_t sizes[] = {1, 2, 3, 7, 24, 100, 999, 5000};
    static const uint64_t heaviest[] = {1, 2, 9, 1000, WEIGHT_MAX}, cells[] = {5000, SLOTS, 16381, 16777216};
    static struct crowd c;
    static uint64_t quota[IDS];
    struct rng g = rng_start(rng_stream(1, "quotas", "", 0));
    size_t wrong = 0, tried = 0;
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t h = 0; h < sizeof heaviest / sizeof *heaviest; h++)
            for (size_t k = 0; k < sizeof cells / sizeof *cells; k++, tried++) {
                crowd_fill(&c, sizes[n], heaviest[h], &g);
                must(deal_quotas(&c.cluster, cells[k], quota), "memory");
                wrong += !quotas_are_right(&c.cluster, cells[k], quota);
            }
    ok(!wrong, "largest remainder: %zu clusters", tried);
}

static uint64_t differing(const uint32_t *a, const uint32_t *b, uint64_t cells)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < cells; i++)
        n += a[i] != b[i];
    return n;
}

static void contiguous(void)
{
    static struct crowd c;
    static uint32_t before[SLOTS], after[SLOTS];
    struct rng g = rng_start(0);
    bool rounded = true, half = true;
    for (uint64_t n = 1; n <= 1200; n = n < 130 ? n + 1 : n + 97) {
        crowd_fill(&c, (uint32_t)n, 1, &g);
        must(deal_contiguous(&c.cluster, SLOTS, before), "memory");
        uint64_t cell = 0;
        for (uint64_t j = 1; j <= n; j++)
            for (uint64_t end = (2 * j * SLOTS + n) / (2 * n); cell < end; cell++) /* rounded j * SLOTS / n */
                rounded &= before[cell] == j - 1;
        crowd_join(&c, (uint32_t)n, 1);
        must(deal_contiguous(&c.cluster, SLOTS, after), "memory");
        uint64_t moved = differing(before, after, SLOTS);
        if (moved < SLOTS / 2 - 4 || moved > SLOTS / 2 + 4) {
            half = false;
            note("%" PRIu64 " nodes: %" PRIu64 " move", n, moved);
        }
    }
    ok(rounded, "contiguous: cuts are the rounded multiples");
    ok(half, "contiguous: one node more moves 1/2 within 4 slots");
    crowd_fill(&c, 24, 9, &g);
    must(deal_contiguous(&c.cluster, SLOTS, before), "memory");
    uint32_t runs = 1;
    for (uint64_t i = 1; i < SLOTS; i++)
        runs += before[i] != before[i - 1];
    ok(runs == 24, "contiguous: a run a node whatever the weights");
}

/* One re-deal, held against what minimal means. */
struct verdict {
    uint64_t excess, bystanders, strangers, uneven, unmet; /* should all be 0 */
    double off;                                     /* farthest from the ideal count, in slots */
};

static void judge(const struct crowd *was, const struct crowd *is, uint64_t cells, const uint32_t *before, const uint32_t *after, bool equal,
                  struct verdict *v)
{
    static uint64_t had[IDS], has[IDS];
    static uint32_t weighed[IDS], weighs[IDS];
    memset(had, 0, sizeof had);
    memset(has, 0, sizeof has);
    memset(weighed, 0, sizeof weighed);
    memset(weighs, 0, sizeof weighs);
    for (uint32_t i = 0; i < was->cluster.size; i++)
        weighed[was->node[i].id] = was->node[i].weight;
    for (uint32_t i = 0; i < is->cluster.size; i++)
        weighs[is->node[i].id] = is->node[i].weight;
    for (uint64_t c = 0; c < cells; c++) {
        had[before[c]]++;
        has[after[c]]++;
        v->strangers += weighs[after[c]] == 0;
        v->bystanders += before[c] != after[c] && weighs[before[c]] == weighed[before[c]] && weighs[after[c]] == weighed[after[c]];
    }
    uint64_t needed = 0, least = UINT64_MAX, most = 0;
    double unit = (double)cells / (double)cluster_weight(&is->cluster);
    for (uint32_t id = 0; id < IDS; id++) {
        needed += has[id] > had[id] ? has[id] - had[id] : 0;
        if (!weighs[id])
            continue;
        least = has[id] < least ? has[id] : least;
        most = has[id] > most ? has[id] : most;
        double off = (double)has[id] - unit * weighs[id];
        v->off = off > v->off ? off : -off > v->off ? -off : v->off;
    }
    v->excess += differing(before, after, cells) - needed;
    v->uneven += equal && most - least > 1;
}

/* Changed nodes that do not have their quota. */
static uint64_t unmet(const struct crowd *was, const struct crowd *is, uint64_t cells, const uint32_t *owner)
{
    static uint64_t quota[IDS], has[IDS];
    static uint32_t weighed[IDS];
    uint64_t n = 0;
    memset(has, 0, sizeof has);
    memset(weighed, 0, sizeof weighed);
    must(deal_quotas(&is->cluster, cells, quota), "memory");
    for (uint64_t c = 0; c < cells; c++)
        has[owner[c]]++;
    for (uint32_t i = 0; i < was->cluster.size; i++)
        weighed[was->node[i].id] = was->node[i].weight;
    for (uint32_t i = 0; i < is->cluster.size; i++)
        n += is->node[i].weight != weighed[is->node[i].id] && has[is->node[i].id] != quota[i];
    return n;
}

/* Nodes come, go and (unless all are to stay equal) weigh otherwise, one to five at once. */
static void crowd_change(struct crowd *c, uint32_t least, uint32_t most, uint64_t heaviest, struct rng *g)
{
    for (uint64_t parts = rng_below(g, 2) ? 1 : 1 + rng_below(g, 5); parts > 0; parts--) {
        uint64_t what = rng_below(g, heaviest > 1 ? 3 : 2);
        uint32_t at = (uint32_t)rng_below(g, c->cluster.size), id = (uint32_t)rng_below(g, IDS);
        if (what == 2) {
            c->node[at].weight = 1 + (uint32_t)rng_below(g, heaviest);
        } else if (c->cluster.size <= least || (what == 0 && c->cluster.size < most)) {
            while (c->in[id])
                id = (id + 1) % IDS;
            crowd_join(c, id, 1 + (uint32_t)rng_below(g, heaviest));
        } else {
            crowd_leave(c, at);
        }
    }
}

static void minimal(void)
{
    static const struct { uint32_t nodes, least, most; uint64_t heaviest, cells; int changes; } row[] = {
        {3, 1, 6, 1, SLOTS, 600}, {3, 1, 6, 10, SLOTS, 600}, {24, 15, 40, 1, SLOTS, 600}, {24, 15, 40, 10, SLOTS, 600}, {24, 15, 40, 1000000, SLOTS, 300},
        {1000, 900, 1100, 1, SLOTS, 300}, {1000, 900, 1100, 4, SLOTS, 300}, {5000, 4900, 5100, 1, SLOTS, 200}, {5000, 4900, 5100, 3, SLOTS, 200},
        {1000, 900, 1000, 1, 1000, 300}, {7, 1, 13, 1, 13, 600}, {3, 1, 6, 1, 16381, 300},
    };
    static struct crowd was, is;
    static uint32_t before[SLOTS], after[SLOTS];
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct rng g = rng_start(rng_stream(1, "minimal", "", k));
        uint64_t cells = row[k].cells;
        bool equal = row[k].heaviest == 1;
        struct verdict opened = {0}, v = {0};
        crowd_fill(&is, row[k].nodes, row[k].heaviest, &g);
        must(deal_contiguous(&is.cluster, cells, after), "memory");
        judge(&is, &is, cells, after, after, equal, &opened);
        for (int i = 0; i < row[k].changes; i++) {
            crowd_copy(&was, &is);
            memcpy(before, after, sizeof before);
            crowd_change(&is, row[k].least, row[k].most, row[k].heaviest, &g);
            must(deal_minimal(&was.cluster, &is.cluster, cells, after), "memory");
            judge(&was, &is, cells, before, after, equal, &v);
            v.unmet += unmet(&was, &is, cells, after);
        }
        ok(opened.off < 1 && !opened.uneven && !v.excess && !v.bystanders && !v.strangers && !v.uneven && !v.unmet && v.off < (equal ? 1 : 2),
           "minimal: %d changes about %u nodes, weights to %" PRIu64 ", %" PRIu64 " slots (excess %" PRIu64 ", bystanders %" PRIu64 ", strangers %" PRIu64
           ", uneven %" PRIu64 ", unmet %" PRIu64 ", off by %.2f)",
           row[k].changes, row[k].nodes, row[k].heaviest, cells, v.excess, v.bystanders, v.strangers, v.uneven, v.unmet, v.off);
    }
}

/* Rows of a vector file, those that begin with '#' left out. */
static FILE *vectors(const char *path)
{
    FILE *f = fopen(path, "r");
    must(!f, "data/vectors: run from the top folder");
    return f;
}

static void redis_create(void)
{
    static struct crowd c;
    static uint32_t owner[SLOTS];
    struct rng g = rng_start(0);
    FILE *f = vectors("data/vectors/redis-cluster-create.tsv");
    char line[512];
    unsigned n, master, first, last, dealt = 0, sizes = 0;
    uint64_t wrong = 0, seen = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%u\t%u\t%u\t%u", &n, &master, &first, &last) != 4)
            continue;
        if (n != dealt) {
            crowd_fill(&c, n, 1, &g);
            deal_redis_create(&c.cluster, SLOTS, owner);
            dealt = n;
            sizes++;
        }
        for (unsigned s = first; s <= last; s++, seen++)
            wrong += owner[s] != master;
    }
    fclose(f);
    ok(sizes > 10 && seen == (uint64_t)sizes * SLOTS && !wrong, "redis create: %u recorded plans (%" PRIu64 " slots differ)", sizes, wrong);
    bool whole = true;
    for (uint32_t nodes = 1; nodes <= 5000; nodes = nodes * 3 / 2 + 1) { /* rounded float steps still reach every slot, and no node twice */
        crowd_fill(&c, nodes, 1, &g);
        memset(owner, 0xff, sizeof owner);
        deal_redis_create(&c.cluster, SLOTS, owner);
        whole &= owner[0] == 0 && owner[SLOTS - 1] == nodes - 1;
        for (uint32_t s = 1; s < SLOTS; s++)
            whole &= owner[s] == owner[s - 1] || owner[s] == owner[s - 1] + 1;
    }
    ok(whole, "redis create: every slot dealt, in order, to every node, up to 5000");
}

/* Repetitions of a case in the file: owners before and after. */
struct recorded {
    uint32_t before[4][SLOTS], after[4][SLOTS];
    unsigned reps;
};

static void read_case(const char *name, struct recorded *r)
{
    FILE *f = vectors("data/vectors/redis-cluster-rebalance.tsv");
    char line[512], which[64], kind[16];
    unsigned rep, first, last, id;
    r->reps = 0;
    while (fgets(line, sizeof line, f)) {
        if (*line == '#' || sscanf(line, "%63s %u %15s %u %u %u", which, &rep, kind, &first, &last, &id) != 6 || strcmp(which, name) || *kind == 'm')
            continue;
        must(rep > 3 || last >= SLOTS, name);
        r->reps = rep + 1;
        for (unsigned s = first; s <= last; s++)
            (*kind == 'b' ? r->before : r->after)[rep][s] = id;
    }
    fclose(f);
}

/* Which equal node comes first is chance in redis-cli (its node list comes from a gossip that has no order), so the file has repetitions. Here
 * the list has configuration order, new nodes last: the outcome must be one of the recorded ones, slot by slot. */
static void redis_rebalance(void)
{
    static const struct { const char *name; uint32_t n; uint32_t before[5], after[5]; } row[] = {
        {"rb-3to4", 4, {1, 1, 1}, {1, 1, 1, 1}},
        {"rb-3to4-neww2", 4, {1, 1, 1}, {1, 1, 1, 2}},
        {"rb-3to5", 5, {1, 1, 1}, {1, 1, 1, 1, 1}},
        {"rb-3w123", 3, {1, 1, 1}, {1, 2, 3}},
        {"rb-4w-drain", 4, {1, 1, 1, 1}, {1, 1, 1, 0}},
    };
    static struct crowd was, is;
    static struct recorded rec;
    static uint32_t owner[SLOTS];
    struct rng g = rng_start(0);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        read_case(row[k].name, &rec);
        crowd_fill(&was, 0, 1, &g);
        crowd_fill(&is, 0, 1, &g);
        for (uint32_t id = 0; id < row[k].n; id++) {
            if (row[k].before[id])
                crowd_join(&was, id, row[k].before[id]);
            if (row[k].after[id])
                crowd_join(&is, id, row[k].after[id]);
        }
        uint64_t best = SLOTS;
        for (unsigned rep = 0; rep < rec.reps; rep++) {
            memcpy(owner, rec.before[rep], sizeof owner);
            must(deal_redis_rebalance(&was.cluster, &is.cluster, SLOTS, owner), "memory");
            uint64_t wrong = differing(owner, rec.after[rep], SLOTS);
            best = wrong < best ? wrong : best;
        }
        ok(rec.reps > 0 && best == 0, "redis rebalance: %s as recorded (%" PRIu64 " slots differ)", row[k].name, best);
    }
}

/* Worked by hand: expected is 5461 each and one slot is left over, which goes to the first node that has none too many. */
static void redis_by_hand(void)
{
    static const struct { unsigned have[3], then[3]; const char *why; } row[] = {
        {{5461, 5000, 5923}, {5462, 5461, 5461}, "the left-over slot goes to a node at its due"},
        {{5000, 5461, 5923}, {5462, 5461, 5461}, "or to the first in the list"},
        {{5461, 5400, 5523}, {5461, 5400, 5523}, "nobody is off by 2 %: nothing moves"},
        {{5461, 5349, 5574}, {5462, 5461, 5461}, "one is off by 2.03 %"}};
    static struct crowd c;
    static uint32_t owner[SLOTS];
    struct rng g = rng_start(0);
    crowd_fill(&c, 3, 1, &g);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        unsigned has[3] = {0}, first = row[k].have[0] + row[k].have[1];
        for (unsigned s = 0; s < SLOTS; s++)
            owner[s] = s < row[k].have[0] ? 0 : s < first ? 1 : 2;
        must(deal_redis_rebalance(&c.cluster, &c.cluster, SLOTS, owner), "memory");
        for (unsigned s = 0; s < SLOTS; s++)
            has[owner[s]]++;
        bool lowest = true; /* the giver keeps its highest slots */
        for (unsigned s = SLOTS - row[k].then[2]; s < SLOTS; s++)
            lowest &= owner[s] == 2;
        ok(!memcmp(has, row[k].then, sizeof has) && lowest, "redis rebalance: %s", row[k].why);
    }
}

/* Random changes by the rule of redis-cli, which leaves alone what is within 2 % of its due. */
static void redis_sequences(void)
{
    static struct crowd was, is;
    static uint32_t before[SLOTS], after[SLOTS];
    struct rng g = rng_start(rng_stream(1, "redis", "", 0));
    struct verdict v = {0};
    crowd_fill(&is, 24, 1, &g);
    deal_redis_create(&is.cluster, SLOTS, after);
    for (int i = 0; i < 300; i++) {
        crowd_copy(&was, &is);
        memcpy(before, after, sizeof before);
        crowd_change(&is, 15, 40, i < 150 ? 1 : 5, &g);
        must(deal_redis_rebalance(&was.cluster, &is.cluster, SLOTS, after), "memory");
        judge(&was, &is, SLOTS, before, after, false, &v);
    }
    ok(!v.strangers && !v.excess, "redis rebalance: 300 changes leave no slot with a stranger and move none twice (farthest from ideal: %.1f slots)", v.off);
}

int main(void)
{
    uint64_t live = mem_live();
    quotas();
    contiguous();
    minimal();
    redis_create();
    redis_rebalance();
    redis_by_hand();
    redis_sequences();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
