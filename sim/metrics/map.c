#include "metrics/map.h"

#include "base/mem.h"
#include "model/cluster.h"

#include <errno.h>
#include <string.h>

/* Sums of digests reach 2^64, products of cell counts 2^128. */
__extension__ typedef unsigned __int128 wide;

#define NARROW ((1ULL << 24) - 1) /* hashes up to here are counted digest by digest */
#define CLASS_STEPS 4e9           /* steps of a comparison by classes that are still waited for */

void map_release(struct map *m)
{
    mem_free(m->range);
    *m = (struct map){0};
}

/* How many digests fall into first .. last (of cells, or of digests). */
static wide weight(const struct map *m, uint64_t first, uint64_t last)
{
    if (m->cells == 0)
        return first > m->last ? 0 : (wide)(last < m->last ? last : m->last) - first + 1;
    if (m->last > NARROW)
        return (wide)last - first + 1;
    uint64_t digests = m->last + 1, each = digests / m->cells, rest = digests % m->cells;
    uint64_t extra = first >= rest ? 0 : (last < rest ? last + 1 : rest) - first;
    return (wide)(last - first + 1) * each + extra;
}

static wide total_weight(const struct map *m)
{
    return m->cells && m->last > NARROW ? m->cells : (wide)m->last + 1;
}

int map_shares(const struct map *m, double *share, double *unplaced, char why[WHY])
{
    wide total = total_weight(m), *sum = mem_alloc(m->ids + (size_t)1, sizeof *sum); /* the last one: NO_NODE */
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

/* One piece with the owners before and after. */
static void tally(uint32_t from, uint32_t to, wide w, const bool *standing, wide *moved, wide *bystander)
{
    if (from == to)
        return;
    *moved += w;
    if (from != NO_NODE && to != NO_NODE && standing[from] && standing[to])
        *bystander += w;
}

/* Both maps cut the same line: a merge of their ends. */
static void sweep(const struct map *a, const struct map *b, const bool *standing, struct moves *out)
{
    wide moved = 0, bystander = 0, total = total_weight(a);
    uint64_t at = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t end_a = a->range[i].last, end_b = b->range[j].last, end = end_a < end_b ? end_a : end_b;
        tally(a->range[i].id, b->range[j].id, weight(a, at, end), standing, &moved, &bystander);
        if (end == UINT64_MAX)
            break;
        at = end + 1;
        i += end_a == end;
        j += end_b == end;
    }
    *out = (struct moves){(double)moved / (double)total, (double)bystander / (double)total};
}

/* Cells of two sizes and a narrow hash: digest by digest. */
static void enumerate(const struct map *a, const struct map *b, const bool *standing, struct moves *out)
{
    wide moved = 0, bystander = 0;
    size_t i = 0, j = 0;
    for (uint64_t d = 0; d <= a->last; d++) {
        uint64_t ca = d % a->cells, cb = d % b->cells;
        if (ca == 0)
            i = 0;
        if (cb == 0)
            j = 0;
        while (a->range[i].last < ca)
            i++;
        while (b->range[j].last < cb)
            j++;
        tally(a->range[i].id, b->range[j].id, 1, standing, &moved, &bystander);
    }
    double total = (double)a->last + 1;
    *out = (struct moves){(double)moved / total, (double)bystander / total};
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

/* Cells of sizes T and T' and a wide hash: within a class modulo gcd(T, T') all pairs of cells are equally likely
 * (Chinese remainder theorem), and classes are equally likely too. */
static void by_classes(const struct map *a, const struct map *b, uint64_t g, const bool *standing, uint32_t ids, uint64_t *count,
                       struct moves *out)
{
    uint64_t *before = count, *after = count + ids + 1;
    wide same = 0, bystander = 0;
    for (uint64_t c = 0; c < g; c++) {
        class_counts(a, c, g, ids, before);
        class_counts(b, c, g, ids, after);
        uint64_t staying = 0;
        for (uint32_t id = 0; id < ids; id++)
            staying += standing[id] ? after[id] : 0;
        for (uint32_t id = 0; id <= ids; id++) {
            same += (wide)before[id] * after[id];
            if (id < ids && standing[id])
                bystander += (wide)before[id] * (staying - after[id]);
        }
    }
    wide pairs = (wide)(a->cells / g) * (b->cells / g) * g;
    *out = (struct moves){(double)(pairs - same) / (double)pairs, (double)bystander / (double)pairs};
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

int map_compare(const struct map *before, const struct map *after, const bool *standing, uint32_t ids, struct moves *out, char why[WHY])
{
    if (before->last != after->last)
        return fail(why, EINVAL, "the two placements hash keys differently: how much moves can only be sampled (leave out --exact)");
    if (before->cells == after->cells) {
        sweep(before, after, standing, out);
        return 0;
    }
    if (!before->cells || !after->cells)
        return fail(why, EINVAL, "a ring against a table has no exact comparison: how much moves can only be sampled (leave out --exact)");
    if (before->last <= NARROW) {
        enumerate(before, after, standing, out);
        return 0;
    }
    uint64_t g = gcd(before->cells, after->cells);
    if ((double)g * (double)(before->count + after->count + ids) > CLASS_STEPS)
        return fail(why, EINVAL, "tables this large have no quick exact comparison: leave out --exact to sample");
    uint64_t *count = mem_alloc(2 * (ids + (size_t)1), sizeof *count);
    if (!count)
        return fail(why, ENOMEM, "no memory to compare two maps");
    by_classes(before, after, g, standing, ids, count, out);
    mem_free(count);
    return 0;
}
