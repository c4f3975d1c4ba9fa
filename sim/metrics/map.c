#include "metrics/map.h"

#include "base/mem.h"
#include "model/cluster.h"

#include <errno.h>
#include <string.h>

#define STEPS 4e9 /* of a comparison that are still waited for */
#define SMALL 20 /* of a wider hash, a remainder below 2^-20 of the digests counts as the whole runs do */

void map_release(struct map *m)
{
    mem_free(m->range);
    *m = (struct map){0};
}

static sum128 digests_of(const struct map *m)
{
    return (sum128)m->last + 1;
}

/* Whether a remainder of so many digests is none: all residues are then equally likely. */
static bool negligible(const struct map *m, sum128 rest)
{
    return m->last > MAP_NARROW && rest <= digests_of(m) >> SMALL;
}

/* What all weights of a map sum to. */
static sum128 total_weight(const struct map *m)
{
    return m->cells && negligible(m, m->cells) ? m->cells : digests_of(m);
}

/* How many digests fall into first .. last (of cells, or of digests); equally likely cells count 1 each. */
static sum128 weight(const struct map *m, uint64_t first, uint64_t last)
{
    if (m->cells == 0)
        return first > m->last ? 0 : (sum128)(last < m->last ? last : m->last) - first + 1;
    if (negligible(m, m->cells))
        return (sum128)last - first + 1;
    sum128 each = digests_of(m) / m->cells;
    uint64_t rest = (uint64_t)(digests_of(m) % m->cells); /* cells below have one more */
    uint64_t extra = first >= rest ? 0 : (last < rest ? last + 1 : rest) - first;
    return ((sum128)last - first + 1) * each + extra;
}

int map_shares(const struct map *m, double *share, double *unplaced, char why[WHY])
{
    sum128 total = total_weight(m), *sum = mem_alloc(m->ids + (size_t)1, sizeof *sum); /* the last one: NO_NODE */
    if (!sum)
        return fail(why, ENOMEM, "no memory for the shares of %u nodes", m->ids);
    for (size_t i = 0; i < m->count; i++)
        sum[m->range[i].id == NO_NODE ? m->ids : m->range[i].id] += weight(m, m->range[i].first, m->range[i].last);
    for (uint32_t id = 0; id < m->ids; id++)
        share[id] = (double)sum[id] / (double)total;
    *unplaced = (double)sum[m->ids] / (double)total;
    mem_free(sum);
    return 0;
}

double map_reach(const struct map *m)
{
    double whole = m->cells ? (double)m->cells : m->count ? (double)m->range[m->count - 1].last + 1 : 1;
    double reach = (double)m->last + 1;
    return reach < whole ? reach / whole : 1;
}

/* Digests that moved, and those of them that moved between nodes that did not change. */
struct tally {
    const bool *standing;
    sum128 moved, bystander;
    struct flows *flows; /* NULL: not asked for */
};

/* One piece with the owners before and after. */
static void tally(struct tally *t, uint32_t from, uint32_t to, sum128 w)
{
    if (from == to)
        return;
    t->moved += w;
    if (from != NO_NODE && to != NO_NODE && t->standing[from] && t->standing[to])
        t->bystander += w;
    if (t->flows && w)
        flows_add(t->flows, from, to, w, 0);
}

/* Both maps cut the same line: a merge of their ends. */
static void sweep(const struct map *a, const struct map *b, struct tally *t)
{
    uint64_t at = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t end_a = a->range[i].last, end_b = b->range[j].last, end = end_a < end_b ? end_a : end_b;
        tally(t, a->range[i].id, b->range[j].id, weight(a, at, end));
        if (end == UINT64_MAX)
            break;
        at = end + 1;
        i += end_a == end;
        j += end_b == end;
    }
}

/* Cells of two sizes: the first so many digests, piece by piece. */
static void walk(const struct map *a, const struct map *b, sum128 digests, struct tally *t)
{
    size_t i = 0, j = 0;
    uint64_t ca = 0, cb = 0; /* the cells of the digest reached */
    while (digests > 0) {
        uint64_t left_a = a->range[i].last - ca + 1, left_b = b->range[j].last - cb + 1, n = left_a < left_b ? left_a : left_b;
        n = n < digests ? n : (uint64_t)digests;
        tally(t, a->range[i].id, b->range[j].id, n);
        digests -= n;
        ca += n;
        cb += n;
        if (n == left_a && ++i == a->count)
            i = ca = 0;
        if (n == left_b && ++j == b->count)
            j = cb = 0;
    }
}

static double walk_steps(const struct map *a, const struct map *b, sum128 digests)
{
    return (double)digests * ((double)a->count / (double)a->cells + (double)b->count / (double)b->cells);
}

/* count[id] of the cells of class c modulo g; index ids stands for NO_NODE. */
static void class_counts(const struct map *m, uint64_t c, uint64_t g, uint32_t ids, uint64_t *count)
{
    memset(count, 0, (ids + (size_t)1) * sizeof *count);
    for (size_t i = 0; i < m->count; i++) {
        const struct range *r = &m->range[i];
        uint64_t below = r->first > c ? (r->first - c + g - 1) / g : 0; /* members of the class below first */
        uint64_t upto = r->last >= c ? (r->last - c) / g + 1 : 0;
        count[r->id == NO_NODE ? ids : r->id] += upto - below;
    }
}

/* Pairs of a class: each cell of the one map with each of the other. */
static void class_flows(const uint64_t *before, const uint64_t *after, uint32_t ids, struct flows *flows)
{
    for (uint32_t a = 0; a <= ids; a++)
        for (uint32_t b = 0; before[a] && b <= ids; b++)
            if (a != b && after[b])
                flows_add(flows, a < ids ? a : NO_NODE, b < ids ? b : NO_NODE, (sum128)before[a] * after[b], 0);
}

/* Cells of sizes T and T': a run of lcm(T, T') digests. In it all pairs of cells of one class modulo g = gcd(T, T') meet once
 * (Chinese remainder theorem), and no others. */
static void by_classes(const struct map *a, const struct map *b, uint64_t g, uint32_t ids, uint64_t *count, struct tally *t)
{
    uint64_t *before = count, *after = count + ids + 1;
    for (uint64_t c = 0; c < g; c++) {
        class_counts(a, c, g, ids, before);
        class_counts(b, c, g, ids, after);
        uint64_t staying = 0;
        for (uint32_t id = 0; id < ids; id++)
            staying += t->standing[id] ? after[id] : 0;
        t->moved += (sum128)(a->cells / g) * (b->cells / g);
        for (uint32_t id = 0; id <= ids; id++) {
            t->moved -= (sum128)before[id] * after[id];
            if (id < ids && t->standing[id])
                t->bystander += (sum128)before[id] * (staying - after[id]);
        }
        if (t->flows)
            class_flows(before, after, ids, t->flows);
    }
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Cells of two sizes: the digests are some whole runs of lcm(T, T'), all alike, and the beginning of one more, which counts as the whole
 * runs do where it is negligible. */
static int compare_tables(const struct map *a, const struct map *b, uint32_t ids, struct tally *t, sum128 *total, char why[WHY])
{
    uint64_t g = gcd(a->cells, b->cells);
    sum128 run = (sum128)(a->cells / g) * b->cells, all = digests_of(a), runs = all / run, rest = all % run;
    double classes = (double)g * ((double)(a->count + b->count + ids) + (t->flows ? (double)ids * ids : 0));
    if (runs && negligible(a, rest))
        rest = 0;
    if ((runs && classes > STEPS && walk_steps(a, b, run) > STEPS) || walk_steps(a, b, rest) > STEPS)
        return fail(why, EINVAL, "tables this large have no quick exact comparison: leave out --exact to sample");
    if (runs && walk_steps(a, b, run) < classes) {
        walk(a, b, run, t);
    } else if (runs) {
        uint64_t *count = mem_alloc(2 * (ids + (size_t)1), sizeof *count);
        if (!count)
            return fail(why, ENOMEM, "no memory to compare two maps");
        by_classes(a, b, g, ids, count, t);
        mem_free(count);
    }
    t->moved *= runs;
    t->bystander *= runs;
    if (t->flows)
        flows_scale(t->flows, runs);
    walk(a, b, rest, t);
    *total = runs * run + rest;
    return 0;
}

int map_compare(const struct map *before, const struct map *after, const bool *standing, uint32_t ids, struct moves *out, char why[WHY])
{
    return map_flows(before, after, standing, ids, out, NULL, why);
}

int map_flows(const struct map *before, const struct map *after, const bool *standing, uint32_t ids, struct moves *out, struct flows *flows,
              char why[WHY])
{
    struct tally t = {.standing = standing, .flows = flows};
    sum128 total = total_weight(before);
    int e = 0;
    if (before->last != after->last)
        return fail(why, EINVAL, "the two placements hash keys differently: how much moves can only be sampled (leave out --exact)");
    if (before->cells == after->cells)
        sweep(before, after, &t);
    else if (before->cells && after->cells)
        e = compare_tables(before, after, ids, &t, &total, why);
    else
        e = fail(why, EINVAL, "a ring against a table has no exact comparison: how much moves can only be sampled (leave out --exact)");
    if (e)
        return e;
    *out = (struct moves){(double)t.moved / (double)total, (double)t.bystander / (double)total};
    if (!flows)
        return 0;
    flows->total = total;
    return flows_close(flows, why);
}
