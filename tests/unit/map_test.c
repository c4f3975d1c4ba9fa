/* Ownership maps against counting digest by digest. */
#include "base/rng.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MEMBERS = 6 };

/* Cuts 0 .. end at random among MEMBERS nodes and nobody. */
static struct map drawn(struct rng *g, uint64_t cells, uint64_t last, uint64_t end, size_t pieces)
{
    struct map m = {.cells = cells, .last = last, .ids = MEMBERS, .range = mem_alloc(pieces, sizeof m.range[0])};
    uint64_t at = 0;
    for (;;) {
        uint32_t id = (uint32_t)rng_below(g, MEMBERS + 1);
        uint64_t stop = m.count + 1 == pieces ? end : at + rng_below(g, (end - at) / 2 + 1);
        m.range[m.count++] = (struct range){at, stop, id == MEMBERS ? NO_NODE : id};
        if (stop == end)
            return m;
        at = stop + 1;
    }
}

static uint32_t owner(const struct map *m, uint64_t digest)
{
    uint64_t x = m->cells ? digest % m->cells : digest;
    for (size_t i = 0; i < m->count; i++)
        if (m->range[i].first <= x && x <= m->range[i].last)
            return m->range[i].id;
    return MEMBERS + 1; /* a gap */
}

/* Who gives how many of 0 .. steps-1 to whom; NO_NODE is the last of them. Pairs that occur are listed, ascending, and no others. */
static bool flows_agree(const struct flows *f, uint64_t given[MEMBERS + 1][MEMBERS + 1], uint64_t steps)
{
    size_t at = 0;
    for (uint32_t from = 0; from <= MEMBERS; from++)
        for (uint32_t to = 0; to <= MEMBERS; to++) {
            if (from == to || !given[from][to])
                continue;
            const struct flow *x = f->item + at++;
            if (at > f->count || (x->from == NO_NODE ? MEMBERS : x->from) != from || (x->to == NO_NODE ? MEMBERS : x->to) != to)
                return false;
            if (fabs((double)x->amount / (double)f->total - (double)given[from][to] / (double)steps) > 1e-15)
                return false;
        }
    return at == f->count;
}

/* Shares, moves and flows over digests 0 .. steps-1, one by one. */
static bool agree(const struct map *a, const struct map *b, uint64_t steps)
{
    static const bool standing[MEMBERS] = {true, true, false, true, false, true};
    uint64_t count[MEMBERS + 2] = {0}, given[MEMBERS + 1][MEMBERS + 1] = {0}, moved = 0, bystander = 0;
    struct flows flows = {0};
    for (uint64_t d = 0; d < steps; d++) {
        uint32_t from = owner(a, d), to = owner(b, d);
        count[from == NO_NODE ? MEMBERS : from]++;
        moved += from != to;
        given[from == NO_NODE ? MEMBERS : from][to == NO_NODE ? MEMBERS : to]++;
        bystander += from != to && from != NO_NODE && to != NO_NODE && standing[from] && standing[to];
    }
    double share[MEMBERS], unplaced, whole = (double)steps;
    char why[WHY] = "";
    struct moves moves;
    must(map_shares(a, share, &unplaced, why) || map_flows(a, b, standing, MEMBERS, &moves, &flows, why), why);
    bool same = fabs(unplaced - (double)count[MEMBERS] / whole) < 1e-15;
    for (uint32_t id = 0; id < MEMBERS; id++)
        same &= fabs(share[id] - (double)count[id] / whole) < 1e-15;
    same &= fabs(moves.moved - (double)moved / whole) < 1e-15 && fabs(moves.bystander - (double)bystander / whole) < 1e-15;
    same &= flows_agree(&flows, given, steps);
    flows_release(&flows);
    if (!same)
        note("cells %" PRIu64 " and %" PRIu64 ", last %" PRIu64 ": moved %.17g, not %.17g", a->cells, b->cells, a->last, moves.moved, (double)moved / whole);
    return same;
}

/* Two maps of one kind laid over each other, digest by digest, in no more ranges than there are changes of owner. */
static bool overlaid(const struct map *a, const struct map *b, uint64_t steps)
{
    struct map over;
    char why[WHY] = "";
    must(map_overlay(a, b, MEMBERS + 2, &over, why), why);
    bool same = over.cells == a->cells && over.last == a->last && over.ids == a->ids;
    for (uint64_t d = 0; d < steps; d++)
        same &= owner(&over, d) == (owner(a, d) == owner(b, d) ? owner(a, d) : MEMBERS + 2);
    for (size_t i = 1; i < over.count; i++)
        same &= over.range[i].id != over.range[i - 1].id;
    map_release(&over);
    return same;
}

/* The same table in k times as many cells. */
static bool repeated(const struct map *m, uint64_t k)
{
    struct map more;
    char why[WHY] = "";
    must(map_repeat(m, k, &more, why), why);
    bool same = more.cells == k * m->cells && more.range[more.count - 1].last == more.cells - 1;
    for (uint64_t cell = 0; cell < more.cells; cell++)
        same &= owner(&more, cell) == owner(m, cell);
    map_release(&more);
    return same;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static void brute_force(void)
{
    struct rng g = rng_start(rng_stream(1, "maps", "", 0));
    size_t wrong[4] = {0}, overlays = 0, repeats = 0;
    for (int i = 0; i < 2000; i++) {
        uint64_t last = rng_below(&g, 3000), t = 1 + rng_below(&g, 100), u = rng_below(&g, 2) ? t : 1 + rng_below(&g, 4000);
        uint64_t end = rng_below(&g, 2) ? last : last + rng_below(&g, 5000);
        struct map a = drawn(&g, 0, last, end, 1 + rng_below(&g, 20)), b = drawn(&g, 0, last, end, 1 + rng_below(&g, 20));
        wrong[0] += !agree(&a, &b, last + 1);
        struct map c = drawn(&g, t, last, t - 1, 1 + rng_below(&g, 9)), d = drawn(&g, u, last, u - 1, 1 + rng_below(&g, 9));
        wrong[t == u ? 1 : 2] += !agree(&c, &d, last + 1);
        overlays += overlaid(&a, &b, last + 1) && (t != u || overlaid(&c, &d, t));
        repeats += repeated(&c, 1 + rng_below(&g, 4));
        map_release(&c);
        map_release(&d);
        t = 1 + rng_below(&g, 60);
        u = 1 + rng_below(&g, 60);
        uint64_t run = t / gcd(t, u) * u; /* all pairs of residues, once each */
        c = drawn(&g, t, run * (1 + rng_below(&g, i & 1 ? UINT64_MAX / run : 1000000)) - 1, t - 1, 1 + rng_below(&g, 9));
        d = drawn(&g, u, c.last, u - 1, 1 + rng_below(&g, 9));
        wrong[3] += !agree(&c, &d, run);
        map_release(&a);
        map_release(&b);
        map_release(&c);
        map_release(&d);
    }
    ok(overlays == 2000 && repeats == 2000, "maps laid over each other, and repeated");
    ok(!wrong[0], "intervals, also wider than the hash");
    ok(!wrong[1], "a narrow hash and cells of one number");
    ok(!wrong[2], "a narrow hash and cells of two numbers");
    ok(!wrong[3], "a wide hash and cells of two numbers: all residues modulo the least common multiple");
    struct map a = drawn(&g, 1000, 65535, 999, 40), b = drawn(&g, 1001, 65535, 1000, 40);
    ok(agree(&a, &b, 65536), "16 bits");
    map_release(&a);
    map_release(&b);
}

/* The map of a strategy at n nodes. */
static struct map map_at(struct registry *r, const char *text, const char *nodes, const char *hash)
{
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(r, nodes), hash);
    struct map m = map_of(p);
    placement_close(p);
    spec_destroy(spec);
    return m;
}

static void modulo(struct registry *r)
{
    bool exact = true;
    bool standing[200];
    char why[WHY] = "", from[16], to[16];
    memset(standing, 1, sizeof standing);
    for (unsigned a = 1; a <= 60; a += 1 + a / 9)
        for (unsigned b = 1; b <= 120; b += 1 + b / 12) {
            snprintf(from, sizeof from, "%u", a);
            snprintf(to, sizeof to, "%u", b);
            struct map m = map_at(r, "modulo", from, "xxh3"), n = map_at(r, "modulo", to, "xxh3");
            struct moves moves;
            must(map_compare(&m, &n, standing, 200, &moves, why), why);
            double kept = (double)gcd(a, b) / (a > b ? a : b);
            exact &= fabs(moves.moved - (1 - kept)) < 1e-15;
            map_release(&m);
            map_release(&n);
        }
    ok(exact, "modulo keeps gcd / max");
    struct map m = map_at(r, "modulo", "10", "xxh3"), n = map_at(r, "modulo", "11", "xxh3");
    struct moves moves;
    memset(standing + 10, 0, 190);
    must(map_compare(&m, &n, standing, 200, &moves, why), why);
    ok(moves.moved == 10. / 11, "10 to 11 moves 10/11");
    ok(fabs(moves.bystander - 9. / 11) < 1e-15, "of which 9/11 between nodes that did not change"); /* 1/11 goes to the new one */
    map_release(&m);
    map_release(&n);
    m = map_at(r, "modulo", "190", "xxh3");
    n = map_at(r, "modulo", "191", "xxh3");
    mem_fail_at(1);
    ok(map_compare(&m, &n, standing, 200, &moves, why) == -ENOMEM, "no memory to compare");
    double share[200], unplaced;
    mem_fail_at(1);
    ok(map_shares(&m, share, &unplaced, why) == -ENOMEM, "no memory for shares");
    mem_fail_at(0);
    map_release(&m);
    map_release(&n);
    m = map_at(r, "modulo", "10", "crc16");
    n = map_at(r, "modulo", "11", "crc16");
    uint64_t moved = 0;
    for (uint64_t d = 0; d < 65536; d++)
        moved += d % 10 != d % 11;
    must(map_compare(&m, &n, standing, 200, &moves, why) || map_shares(&m, share, &unplaced, why), why);
    ok(moves.moved == (double)moved / 65536 && share[0] == 6554. / 65536 && share[9] == 6553. / 65536, "a hash of 16 bits: counted");
    map_release(&m);
    map_release(&n);
}

static void extremes(void)
{
    struct range whole = {0, UINT64_MAX, 0}, cut[] = {{0, 0, 1}, {1, UINT64_MAX - 1, 0}, {UINT64_MAX, UINT64_MAX, NO_NODE}}, narrow = {0, UINT32_MAX, 0};
    struct map a = {&whole, 1, 0, UINT64_MAX, 2}, b = {cut, 3, 0, UINT64_MAX, 2}, c = a, d = {&narrow, 1, 0, UINT32_MAX, 2}, e = {&narrow, 1, 0, UINT64_MAX, 2};
    double share[2], unplaced;
    struct moves moves;
    const bool standing[] = {true, true};
    char why[WHY] = "";
    must(map_shares(&a, share, &unplaced, why), why);
    ok(share[0] == 1 && share[1] == 0 && unplaced == 0, "one range over 64 bits is the whole");
    must(map_shares(&b, share, &unplaced, why), why);
    ok(share[0] == 1 && share[1] == 0x1p-64 && unplaced == 0x1p-64, "one digest is 2^-64");
    must(map_compare(&a, &b, standing, 2, &moves, why), why);
    ok(moves.moved == 0x1p-63 && moves.bystander == 0x1p-64, "two digests moved, one between nodes");
    must(map_compare(&a, &c, standing, 2, &moves, why), why);
    ok(moves.moved == 0 && moves.bystander == 0, "nothing moved");
    c.last = UINT32_MAX;
    must(map_shares(&c, share, &unplaced, why), why);
    ok(share[0] == 1 && map_reach(&c) == 0x1p-32, "a narrow hash on a wide ring reaches 2^-32 of it");
    ok(map_reach(&a) == 1 && map_reach(&d) == 1 && map_reach(&e) == 1, "reach 1 where the hash is as wide, or wider");
    struct range cells[] = {{0, 99999, 0}};
    struct map slots = {cells, 1, 100000, 65535, 2}, few = {cells, 1, 100000, UINT64_MAX, 2};
    ok(map_reach(&slots) == 0.65536 && map_reach(&few) == 1, "reach of a table with more cells than digests");
    must(map_shares(&slots, share, &unplaced, why), why);
    ok(share[0] == 1, "which are all there is");
    ok(map_compare(&a, &c, standing, 2, &moves, why) == -EINVAL && *why, "two hashes: refused");
    ok(map_compare(&a, &few, standing, 2, &moves, why) == -EINVAL, "intervals against cells: refused");
    struct range huge[4] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 0}}, huger[4] = {{0, 0, 1}, {1, 1, 0}, {2, 2, 1}};
    huge[3] = (struct range){3, (1 << 30) - 1, 1};
    huger[3] = (struct range){3, 1 << 30, 1};
    struct map g = {huge, 4, 1 << 30, UINT64_MAX, 2}, h = {huger, 4, (1 << 30) + 1, UINT64_MAX, 2};
    ok(map_compare(&g, &h, standing, 2, &moves, why) == -EINVAL, "tables too large: refused");
}

/* Tables so large that the digests end before all pairs of their cells have met. */
static void large(void)
{
    struct range few[] = {{0, 9999, 0}, {10000, 20000, 1}}, more[] = {{0, 9999, 0}, {10000, 20001, 1}};
    struct map a = {few, 2, 20001, (1 << 25) - 1, 2}, b = {more, 2, 20002, a.last, 2};
    uint64_t moved = 0;
    for (uint64_t d = 0; d <= a.last; d++)
        moved += (d % 20001 < 10000) != (d % 20002 < 10000);
    struct moves moves;
    const bool standing[] = {true, true};
    char why[WHY] = "";
    must(map_compare(&a, &b, standing, 2, &moves, why), why);
    ok(moves.moved == (double)moved / 0x1p25 && moves.bystander == moves.moved, "two tables of 20000, 25 bits: counted");
    struct range third[] = {{0, 2147483646, 0}, {2147483647, 4294967293, 1}, {4294967294, 6442450940, 2}};
    struct map c = {third, 3, 6442450941, UINT32_MAX, 3};
    double share[3], unplaced;
    must(map_shares(&c, share, &unplaced, why), why);
    ok(share[0] == 2147483647 / 0x1p32 && share[1] == share[0] && share[2] == 2 / 0x1p32, "cells beyond the digests get none");
}

int main(void)
{
    uint64_t live = mem_live();
    struct registry *r = registry_create();
    brute_force();
    modulo(r);
    extremes();
    large();
    registry_destroy(r);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
