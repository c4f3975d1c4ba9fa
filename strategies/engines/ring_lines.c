/* The index: one cache line for each bucket of a position's highest bits.
 *
 * A line holds the ends of the arcs that end in its bucket, 32 bits of each below the bucket's own, and their owners, and the owner of the
 * arc that goes on. How many ends are below the position's 32 bits says which owner is its own: one load, one comparison of eight (SSE2), one
 * count. Where bits are left below and the 32 are equal, or where a bucket has more arcs than a line holds, the points themselves are
 * searched, O(log points). Of well-mixed points 1.2 to 2.3 lie in a bucket: 28 to 56 bytes a point. Of many keys the lines are fetched
 * 32 keys ahead. */
#include "strategies/engines/ring_parts.h"

#include "base/cpu.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>

#if CPU_X86
#include <immintrin.h>
#endif

enum { ENDS = 8, AHEAD = 32, CACHED = 1 << 12 }; /* CACHED: so many lines stay in a core's own cache, and are not fetched ahead */
#define ALWAYS __attribute__((always_inline))
#define LOOK 0xffff            /* narrow owner: not known here */
#define FLIP 0x80000000u       /* ends are kept with the highest bit turned, as SSE2 compares signed numbers */
#define NO_END ((int32_t)(UINT32_MAX ^ FLIP)) /* below no position */

/* The first half holds ends, the second owners: 8 ends and 9 ids of 16 bits, or 7 ends and 8 ids of 32. */
struct line {
    union {
        int32_t end[2 * ENDS];
        uint16_t narrow[4 * ENDS];
        uint32_t wide[2 * ENDS];
    } of;
};
_Static_assert(sizeof(struct line) == 64, "a cache line");

static inline int32_t suffix_of(const struct lines *l, uint64_t position)
{
    return (int32_t)((uint32_t)(position << l->up >> l->down) ^ FLIP);
}

/* -- look-ups -- */

/* How many ends are below. */
typedef unsigned counter(const struct line *line, int32_t suffix);

#if CPU_X86
static inline ALWAYS unsigned ends_below(const struct line *line, int32_t suffix)
{
    const __m128i *end = (const __m128i *)line->of.end;
    __m128i x = _mm_set1_epi32(suffix), a = _mm_cmpgt_epi32(x, _mm_load_si128(end)), b = _mm_cmpgt_epi32(x, _mm_load_si128(end + 1));
    __m128i below = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_setzero_si128());
    return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(below)); /* ends ascend */
}

CODE_FOR_AVX512 static inline ALWAYS unsigned ends_below_avx512(const struct line *line, int32_t suffix)
{
    return (unsigned)__builtin_ctz(~(unsigned)_mm256_cmpgt_epi32_mask(_mm256_set1_epi32(suffix), _mm256_load_si256((const __m256i *)line->of.end)));
}
#else
static inline ALWAYS unsigned ends_below(const struct line *line, int32_t suffix)
{
    unsigned below = 0;
    for (int i = 0; i < ENDS; i++)
        below += line->of.end[i] < suffix;
    return below;
}
#endif

static __attribute__((noinline)) uint32_t owner_by_search(const struct ring *r, uint64_t position)
{
    return arc_find(r, position).owner;
}

/* exact: suffixes are all that is left of positions. Else an end equal to the position's does not tell; end[8], behind the last, is but
 * owners, and harmless. */
static inline ALWAYS uint32_t owner_in(const struct ring *r, const struct line *line, int32_t suffix, uint64_t position, counter *below, bool wide,
                                      bool exact)
{
    unsigned n = below(line, suffix);
    uint32_t owner = wide ? line->of.wide[ENDS + n] : line->of.narrow[2 * ENDS + n];
    if (__builtin_expect(owner == (wide ? NO_NODE : LOOK) || (line->of.end[n] == suffix && !exact), 0))
        return owner_by_search(r, position);
    return owner;
}

uint32_t lines_owner(const struct ring *r, uint64_t position)
{
    const struct lines *l = &r->lines;
    const struct line *line = &l->line[position >> l->shift];
    int32_t suffix = suffix_of(l, position);
    return l->wide ? owner_in(r, line, suffix, position, ends_below, true, l->shift <= 32) : owner_in(r, line, suffix, position, ends_below, false, l->shift <= 32);
}

static inline ALWAYS uint64_t place(const struct ring *r, uint64_t digest, unsigned key_shift, bool modulo)
{
    return modulo ? divisor_mod(&r->size, digest) : digest >> key_shift;
}

static inline ALWAYS void owners(const struct ring *r, const uint64_t *digest, size_t n, uint32_t *id, counter *below, bool modulo, bool wide, bool exact)
{
    const struct lines l = r->lines; /* copies: what is written to id might be these, for all the compiler knows */
    const unsigned key_shift = r->rule.key_shift;
    const size_t ahead = l.count > CACHED ? AHEAD : n;
    for (size_t i = 0; i < ahead && ahead < n; i++)
        __builtin_prefetch(&l.line[place(r, digest[i], key_shift, modulo) >> l.shift]);
    for (size_t i = 0; i < n; i++) {
        if (i + ahead < n)
            __builtin_prefetch(&l.line[place(r, digest[i + ahead], key_shift, modulo) >> l.shift]);
        uint64_t position = place(r, digest[i], key_shift, modulo);
        id[i] = owner_in(r, &l.line[position >> l.shift], suffix_of(&l, position), position, below, wide, exact);
    }
}

static inline ALWAYS void owners_by(const struct ring *r, const uint64_t *digest, size_t n, uint32_t *id, counter *below)
{
    bool exact = r->lines.shift <= 32;
    if (r->rule.size)
        owners(r, digest, n, id, below, true, r->lines.wide, exact);
    else if (r->lines.wide)
        owners(r, digest, n, id, below, false, true, exact);
    else if (exact)
        owners(r, digest, n, id, below, false, false, true);
    else
        owners(r, digest, n, id, below, false, false, false);
}

static void owners_plain(const struct ring *r, const uint64_t *digest, size_t n, uint32_t *id)
{
    owners_by(r, digest, n, id, ends_below);
}

#if CPU_X86
CODE_FOR_AVX512 static void owners_avx512(const struct ring *r, const uint64_t *digest, size_t n, uint32_t *id)
{
    owners_by(r, digest, n, id, ends_below_avx512);
}
#endif

void lines_owners(const struct ring *r, const uint64_t *digest, size_t n, uint32_t *id)
{
#if CPU_X86
    if (cpu_level() == CPU_AVX512) {
        owners_avx512(r, digest, n, id);
        return;
    }
#endif
    owners_plain(r, digest, n, id);
}

/* -- build and change -- */

static void set_owner(struct line *line, unsigned i, uint32_t owner, bool wide)
{
    if (wide)
        line->of.wide[ENDS + i] = owner;
    else
        line->of.narrow[2 * ENDS + i] = owner == NO_NODE ? LOOK : (uint16_t)owner;
}

void lines_refresh(struct ring *r, uint64_t from, uint64_t to, uint32_t near)
{
    const struct lines *l = &r->lines;
    const unsigned most = l->wide ? ENDS - 1 : ENDS;
    const uint64_t below = (1ULL << l->shift) - 1; /* the shift is under 64 */
    uint64_t x = from & ~below;
    uint32_t at = arc_seek_from(r, near, x);
    struct arc a = arc_here(r, at, x);
    for (size_t i = from >> l->shift; i <= to >> l->shift; i++) {
        struct line *line = &l->line[i];
        uint64_t last = (uint64_t)i << l->shift | below;
        unsigned n = 0;
        if (last > r->rule.last)
            last = r->rule.last;
        for (; a.end < last && n < most; n++) {
            line->of.end[n] = suffix_of(l, a.end);
            set_owner(line, n, a.owner, l->wide);
            x = a.end + 1;
            at = arc_onward(r, at, x);
            a = arc_here(r, at, x);
        }
        for (unsigned k = n; k < ENDS; k++)
            line->of.end[k] = NO_END;
        set_owner(line, n, a.owner, l->wide);
        if (a.end < last)
            memset(&line->of.end[ENDS], 0xff, sizeof *line / 2);
        if (a.end <= last && last < r->rule.last) {
            x = last + 1;
            at = a.end < last ? arc_seek(r, x) : arc_onward(r, at, x);
            a = arc_here(r, at, x);
        }
    }
}

static unsigned line_bits(const struct ring *r, size_t points)
{
    unsigned bits = bit_length(r->rule.last), want = bit_length(points / 23 * 10);
    return want < 1 ? 1 : want < bits ? want : bits;
}

int lines_build(struct ring *r, uint32_t ids)
{
    struct lines *l = &r->lines;
    unsigned bits = bit_length(r->rule.last), want = line_bits(r, r->points.count);
    l->shift = bits > want ? bits - want : 0;
    l->up = l->shift < 32 ? 32 - l->shift : 0;
    l->down = l->shift < 32 ? 0 : l->shift - 32;
    l->wide = ids > LOOK;
    l->count = (r->rule.last >> l->shift) + 1;
    l->line = mem_table(l->count, sizeof *l->line);
    if (!l->line)
        return -ENOMEM;
    lines_refresh(r, 0, r->rule.last, NO_POINT);
    return 0;
}

bool lines_fit(const struct ring *r, size_t points, uint32_t ids)
{
    return r->lines.wide == (ids > LOOK) && points / 4 <= r->lines.count && points >= r->lines.count / 8;
}
