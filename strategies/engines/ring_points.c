/* Points of a ring: collected, sorted, ties settled.
 *
 * The sort is one scatter by the highest bits into buckets of two to four, then an insertion sort,
 * which moves points only within their buckets. Where a bucket is crowded (weak hashes), a least-
 * significant-digit radix sort. Both are linear and stable: equal positions keep the order in which they came. */
#include "strategies/engines/ring_parts.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 6, RADIX = 1 << DIGIT };

void points_release(struct points *p)
{
    mem_free(p->position);
    mem_free(p->id);
    *p = (struct points){0};
}

int points_reserve(struct points *p, size_t n)
{
    if (n <= p->capacity)
        return 0;
    uint64_t *position = mem_resize(p->position, n, sizeof *position);
    if (position)
        p->position = position;
    uint32_t *id = mem_resize(p->id, n, sizeof *id);
    if (id)
        p->id = id;
    if (!position || !id)
        return -ENOMEM;
    p->capacity = n;
    return 0;
}

int points_add(void *points, const struct point *point)
{
    struct points *p = points;
    if (p->count >= UINT32_MAX - 1)
        return -EOVERFLOW;
    if (p->count == p->capacity && points_reserve(p, 2 * p->capacity + 16))
        return -ENOMEM;
    p->position[p->count] = point->position;
    p->id[p->count++] = point->id;
    return 0;
}

/* Moves all points to `to`, stably ordered by one digit whose counts are given. */
static void scatter_digit(const struct points *from, struct points *to, unsigned shift, const uint32_t *count)
{
    uint32_t at[RADIX], sum = 0;
    for (size_t d = 0; d < RADIX; d++) {
        at[d] = sum;
        sum += count[d];
    }
    for (size_t i = 0; i < from->count; i++) {
        uint32_t k = at[from->position[i] >> shift & (RADIX - 1)]++;
        to->position[k] = from->position[i];
        to->id[k] = from->id[i];
    }
    to->count = from->count;
}

static int sort_radix(struct points *p)
{
    uint32_t(*count)[RADIX] = mem_alloc(DIGITS, sizeof *count);
    struct points other = {0};
    if (!count || points_reserve(&other, p->count)) {
        mem_free(count);
        points_release(&other);
        return -ENOMEM;
    }
    for (size_t i = 0; i < p->count; i++)
        for (unsigned d = 0; d < DIGITS; d++)
            count[d][p->position[i] >> (d * DIGIT) & (RADIX - 1)]++;
    for (unsigned d = 0; d < DIGITS && p->count; d++) {
        if (count[d][p->position[0] >> (d * DIGIT) & (RADIX - 1)] == p->count)
            continue; /* all alike in this digit */
        scatter_digit(p, &other, d * DIGIT, count[d]);
        struct points swap = *p;
        *p = other;
        other = swap;
    }
    points_release(&other);
    mem_free(count);
    return 0;
}

/* Stable; good where few are far from their places. */
static void sort_insertion(struct points *p)
{
    for (size_t i = 1; i < p->count; i++) {
        uint64_t position = p->position[i];
        uint32_t id = p->id[i];
        size_t k = i;
        for (; k > 0 && p->position[k - 1] > position; k--) {
            p->position[k] = p->position[k - 1];
            p->id[k] = p->id[k - 1];
        }
        p->position[k] = position;
        p->id[k] = id;
    }
}

enum { FEW = 24, CROWD = 64 };

/* Scatters into buckets of position >> shift. False: one of them is crowded, and nothing was moved. */
static bool scatter(const struct points *from, struct points *to, unsigned shift, uint32_t *at, size_t buckets)
{
    for (size_t i = 0; i < from->count; i++)
        at[from->position[i] >> shift]++;
    for (size_t b = 0, sum = 0; b < buckets; b++) {
        uint32_t n = at[b];
        if (n > CROWD)
            return false;
        at[b] = (uint32_t)sum;
        sum += n;
    }
    for (size_t i = 0; i < from->count; i++) {
        uint32_t k = at[from->position[i] >> shift]++;
        to->position[k] = from->position[i];
        to->id[k] = from->id[i];
    }
    to->count = from->count;
    return true;
}

int points_sort(struct points *p)
{
    uint64_t all = 0;
    for (size_t i = 0; i < p->count; i++)
        all |= p->position[i];
    if (p->count <= FEW) {
        sort_insertion(p);
        return 0;
    }
    unsigned bits = bit_length(all), want = bit_length(p->count / 4), shift = bits > want ? bits - want : 0;
    size_t buckets = (all >> shift) + 1;
    uint32_t *at = mem_alloc(buckets, sizeof *at);
    struct points other = {0};
    int e = at ? points_reserve(&other, p->count) : -ENOMEM;
    bool scattered = !e && scatter(p, &other, shift, at, buckets);
    mem_free(at);
    if (scattered) {
        struct points swap = *p;
        *p = other;
        other = swap;
        sort_insertion(p);
    }
    points_release(&other);
    return e ? e : scattered ? 0 : sort_radix(p);
}

static size_t run_end(const struct points *p, size_t from)
{
    size_t end = from + 1;
    while (end < p->count && p->position[end] == p->position[from])
        end++;
    return end;
}

void points_reverse_ties(struct points *p)
{
    for (size_t i = 0, end; i < p->count; i = end) {
        end = run_end(p, i);
        for (size_t a = i, b = end - 1; a < b; a++, b--) {
            uint32_t id = p->id[a];
            p->id[a] = p->id[b];
            p->id[b] = id;
        }
    }
}

/* First by rank, by counting, then by position: linear, where runs are long and in disorder. */
static int sort_ranks(struct points *p, const uint32_t *rank, uint32_t ranks)
{
    uint32_t *at = mem_alloc((size_t)ranks + 1, sizeof *at);
    struct points other = {0};
    int e = at ? points_reserve(&other, p->count) : -ENOMEM;
    if (!e) {
        for (size_t i = 0; i < p->count; i++)
            at[rank[p->id[i]] + 1]++;
        for (uint32_t k = 0; k < ranks; k++)
            at[k + 1] += at[k];
        for (size_t i = 0; i < p->count; i++) {
            uint32_t k = at[rank[p->id[i]]]++;
            other.position[k] = p->position[i];
            other.id[k] = p->id[i];
        }
        other.count = p->count;
        struct points swap = *p;
        *p = other;
        other = swap;
        e = points_sort(p);
    }
    points_release(&other);
    mem_free(at);
    return e;
}

int points_rank_ties(struct points *p, const uint32_t *rank, uint32_t ranks)
{
    const size_t most = 16 * p->count;
    size_t moves = 0;
    for (size_t i = 0, end; i < p->count && moves <= most; i = end) {
        end = run_end(p, i);
        for (size_t a = i + 1; a < end && moves <= most; a++) {
            uint32_t id = p->id[a];
            size_t b = a;
            for (; b > i && rank[p->id[b - 1]] > rank[id]; b--)
                p->id[b] = p->id[b - 1];
            p->id[b] = id;
            moves += a - b;
        }
    }
    return moves <= most ? 0 : sort_ranks(p, rank, ranks);
}
