/* How often each key of a file was requested, by 64-bit fingerprints in an open-addressing table: for the sum of p^2, the hottest keys, and
 * the keys each once.
 *
 * Beyond 2^22 distinct keys the table is dropped and all of that unknown. It takes at most 128 MB, half as much again while it grows; with
 * the bytes of each key, also half as much again.
 * Cost: to 100 ns a request among millions of distinct keys. */
#include "model/workload_parts.h"
#include "base/mem.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t key_print(const void *text, size_t len)
{
    return XXH3_64bits(text, len);
}

static size_t find(const struct tally *t, uint64_t print)
{
    size_t at = (size_t)print & (t->slots - 1);
    while (t->slot[at].count && t->slot[at].print != print)
        at = (at + 1) & (t->slots - 1);
    return at;
}

void tally_release(struct tally *t)
{
    mem_free(t->slot);
    mem_free(t->bytes);
    *t = (struct tally){0};
}

/* Room for a block of new keys. 0 or -ENOMEM. */
static int make_room(struct tally *t, bool sized)
{
    struct tally larger = *t;
    if (4 * (t->used + KEY_BLOCK) <= 3 * t->slots)
        return 0;
    larger.slots = t->slots ? 2 * t->slots : 4 * KEY_BLOCK;
    larger.slot = mem_alloc(larger.slots, sizeof *larger.slot);
    larger.bytes = sized ? mem_alloc(larger.slots, sizeof *larger.bytes) : NULL;
    if (!larger.slot || (sized && !larger.bytes)) {
        mem_free(larger.slot);
        mem_free(larger.bytes);
        return -ENOMEM;
    }
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].count) {
            size_t at = find(&larger, t->slot[i].print);
            larger.slot[at] = t->slot[i];
            if (sized)
                larger.bytes[at] = t->bytes[i];
        }
    mem_free(t->slot);
    mem_free(t->bytes);
    *t = larger;
    return 0;
}

/* One more of a quantity that one key has x of. */
static void add(struct tally_sum *s, double x, double more)
{
    s->all += more;
    s->squares += (2 * x + more) * more;
    s->most = x + more > s->most ? x + more : s->most;
}

/* Fingerprints first, so that the table's cache misses overlap. */
static void prints_of(const struct tally *t, const struct key_block *b, uint64_t print[KEY_BLOCK])
{
    for (size_t i = 0; i < b->count; i++) {
        print[i] = key_print(b->text[i], b->len[i]);
        __builtin_prefetch(&t->slot[print[i] & (t->slots - 1)]);
    }
}

int tally_add(struct tally *t, const struct key_block *b)
{
    uint64_t print[KEY_BLOCK];
    if (t->over)
        return 0;
    if (make_room(t, b->amount))
        return -ENOMEM;
    prints_of(t, b, print);
    for (size_t i = 0; i < b->count; i++) {
        size_t at = find(t, print[i]);
        t->used += !t->slot[at].count;
        add(&t->requests, (double)t->slot[at].count, 1);
        t->slot[at] = (struct tally_slot){print[i], t->slot[at].count + 1};
        if (b->amount) {
            add(&t->amount, t->bytes[at], (double)b->amount[i]);
            t->bytes[at] += (double)b->amount[i];
        }
    }
    if (t->used > TALLY_MAX) {
        tally_release(t);
        t->over = true;
    }
    return 0;
}

int tally_first(struct tally *t, struct key_block *b)
{
    uint64_t print[KEY_BLOCK];
    size_t kept = 0;
    if (make_room(t, false))
        return -ENOMEM;
    prints_of(t, b, print);
    for (size_t i = 0; i < b->count; i++) {
        size_t at = find(t, print[i]);
        if (t->slot[at].count)
            continue;
        t->slot[at] = (struct tally_slot){print[i], 1};
        t->used++;
        add(&t->requests, 0, 1);
        b->text[kept] = b->text[i];
        b->len[kept] = b->len[i];
        b->line[kept++] = b->line[i];
    }
    b->count = kept;
    return 0;
}

static int by_heat(const void *a, const void *b)
{
    const struct tally_slot *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : (x->print > y->print) - (x->print < y->print);
}

static int by_print(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t *tally_hottest(const struct tally *t, size_t k)
{
    struct tally_slot *met = mem_alloc(t->used, sizeof *met);
    uint64_t *print = mem_alloc(k, sizeof *print);
    if (met && print) {
        for (size_t i = 0, n = 0; i < t->slots; i++)
            if (t->slot[i].count)
                met[n++] = t->slot[i];
        qsort(met, t->used, sizeof *met, by_heat);
        for (size_t i = 0; i < k; i++)
            print[i] = met[i].print;
        qsort(print, k, sizeof *print, by_print);
    } else {
        mem_free(print);
        print = NULL;
    }
    mem_free(met);
    return print;
}

bool print_among(const uint64_t *print, size_t k, uint64_t wanted)
{
    return bsearch(&wanted, print, k, sizeof *print, by_print) != NULL;
}

double tally_sum_p2(const struct tally_sum *s)
{
    return s->all > 0 ? s->squares / (s->all * s->all) : (double)NAN;
}

double tally_top_share(const struct tally_sum *s)
{
    return s->all > 0 ? s->most / s->all : (double)NAN;
}
