/* The LRU cache against a list that is searched from its front and moved about, request by request. */
#include "base/rng.h"
#include "metrics/lru.h"
#include "tests/stage.h"

#include <string.h>

enum { MOST = 300 };

/* The newest item is the first of the list. */
struct naive {
    uint64_t key[MOST];
    size_t used, items;
};

static bool naive_ask(struct naive *l, uint64_t key)
{
    size_t at = 0;
    while (at < l->used && l->key[at] != key)
        at++;
    bool hit = at < l->used;
    if (!hit && l->used < l->items)
        l->used++;
    if (!hit)
        at = l->used - 1;
    memmove(l->key + 1, l->key, at * sizeof *l->key);
    l->key[0] = key;
    return hit;
}

/* `spread`: how keys are made of numbers. Every request's answer, and in the end the list's order. */
static void against_naive(size_t items, uint64_t keys, uint64_t requests, uint64_t (*spread)(uint64_t), const char *what)
{
    struct lru l;
    struct naive n = {.items = items};
    struct rng r = rng_start(rng_stream(7, "lru", what, items));
    uint64_t differ = 0, hits = 0;
    uint32_t place, misplaced = 0;
    must(lru_init(&l, items), "no memory");
    for (uint64_t i = 0; i < requests; i++) {
        double u = rng_real(&r);
        uint64_t key = spread((uint64_t)(u * u * (double)keys)); /* low numbers are asked for more often */
        bool hit = lru_ask(&l, key, &place);
        differ += hit != naive_ask(&n, key);
        hits += hit;
        misplaced += place < 1 || place > items || l.entry[place].key != key;
    }
    place = l.entry[0].older;
    for (size_t i = 0; i < n.used; i++, place = l.entry[place].older)
        misplaced += l.entry[place].key != n.key[i];
    ok(!differ && !misplaced && place == 0 && l.used == n.used && hits > 0 && hits < requests,
       "%s, %zu items, %llu requests for %llu keys: as the naive list, %llu hits", what, items, (unsigned long long)requests, (unsigned long long)keys,
       (unsigned long long)hits);
    lru_release(&l);
}

static uint64_t as_hashed(uint64_t i) { return rng_mix(i); }
static uint64_t side_by_side(uint64_t i) { return i; }
static uint64_t few_homes(uint64_t i) { return i % 5 * 8191 + (i / 5 << 40); } /* many keys in a slot, and at the table's end */
static uint64_t same_tag(uint64_t i) { return i << 32; }

int main(void)
{
    against_naive(100, 1000, 1000000, as_hashed, "hashed keys");
    against_naive(300, 400, 200000, side_by_side, "keys side by side");
    against_naive(257, 600, 100000, few_homes, "keys of five homes");
    against_naive(64, 200, 100000, same_tag, "keys of one tag");
    against_naive(1, 3, 10000, as_hashed, "hashed keys");
    against_naive(2, 5, 10000, as_hashed, "hashed keys");
    struct lru l;
    bool right = true;
    for (uint64_t n = 1; n <= 2; n++) {
        mem_fail_at(n);
        right &= lru_init(&l, 10) != 0 && !l.entry && !l.slot;
    }
    mem_fail_at(0);
    ok(right, "no memory: nothing is left");
    return tap_done();
}
