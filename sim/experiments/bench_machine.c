/* What the machine allows: loads from memory, the clock, a cycle.
 *
 * A load that waits for the one before is the latency of that level of memory; loads whose places are known beforehand overlap, and their rate is
 * the least that any look-up in a table of that size can take. */
#include "experiments/bench_parts.h"

#include "base/machine.h"
#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { LINE = 64, LOADS = 1 << 15, CALLS = 1 << 10, ADDS = 1 << 16 };

struct line {
    uint64_t next;
    unsigned char rest[LINE - sizeof(uint64_t)];
};

struct memory {
    struct line *line;
    uint64_t lines, at;
    uint32_t *place;
};

static double chase(void *of)
{
    struct memory *m = of;
    uint64_t at = m->at, from = clock_ns();
    for (int i = 0; i < LOADS; i++)
        at = m->line[at].next;
    double ns = (double)(clock_ns() - from) / LOADS;
    m->at = at;
    timing_use(at);
    return ns;
}

/* Places drawn beforehand, others at each turn: what was read a turn ago must not be what is read now. */
static double scatter(void *of)
{
    struct memory *m = of;
    uint32_t salt = (uint32_t)rng_mix(++m->at);
    uint64_t sum = 0, lines = m->lines, from = clock_ns();
    const struct line *line = m->line;
    const uint32_t *place = m->place;
    for (int i = 0; i < LOADS; i += 4) {
#define LOAD(k) line[(uint64_t)(place[i + k] ^ salt) * lines >> 32].next
        sum += LOAD(0) + LOAD(1) + LOAD(2) + LOAD(3);
    }
    double ns = (double)(clock_ns() - from) / LOADS;
    timing_use(sum);
    return ns;
}

/* One cycle through all lines in random order (Sattolo). */
static int memory_open(struct memory *m, size_t bytes)
{
    *m = (struct memory){.lines = bytes / LINE ? bytes / LINE : 1};
    m->line = mem_table(m->lines, sizeof *m->line); /* in large pages, as the tables of strategies: the cost of small ones is not the memory's */
    m->place = mem_alloc(LOADS, sizeof *m->place);
    if (!m->line || !m->place)
        return -ENOMEM;
    struct rng r = rng_start(1);
    for (int i = 0; i < LOADS; i++)
        m->place[i] = (uint32_t)rng_next(&r);
    for (uint64_t i = 0; i < m->lines; i++)
        m->line[i].next = i;
    for (uint64_t i = m->lines - 1; i > 0; i--) {
        uint64_t k = rng_upto(rng_next(&r), i - 1), kept = m->line[i].next;
        m->line[i].next = m->line[k].next;
        m->line[k].next = kept;
    }
    return 0;
}

static void memory_close(struct memory *m)
{
    mem_free(m->line);
    mem_free(m->place);
}

double machine_load(const struct bench *b, size_t bytes, bool dependent)
{
    struct bench brief = *b;
    struct outcome o = {.ours = NAN};
    struct memory m;
    brief.quick = true;
    if (!memory_open(&m, bytes))
        bench_race(&brief, dependent ? chase : scatter, NULL, &m, &o);
    memory_close(&m);
    return o.ours;
}

/* Rows of both kinds by the size of what is read. */
int bench_loads(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    (void)o;
    for (size_t bytes = 16 << 10; bytes <= (b->quick ? (size_t)64 << 20 : (size_t)1 << 30) && bytes < machine_available() / 2; bytes *= 2) {
        struct outcome of = {.bytes = bytes}, free = {0};
        struct memory m;
        int e = memory_open(&m, bytes) ? fail(why, ENOMEM, "no memory to time loads") : 0;
        if (!e) {
            bench_race(b, chase, NULL, &m, &of);
            bench_race(b, scatter, NULL, &m, &free);
            of.limit = free.ours;
            e = bench_row(b, f, &of, why);
        }
        memory_close(&m);
        if (e)
            return e;
    }
    return 0;
}

static double ask_clock(void *of)
{
    (void)of;
    uint64_t last = 0, from = clock_ns();
    for (int i = 0; i < CALLS; i++)
        last = clock_ns();
    return (double)(last - from) / CALLS;
}

int bench_clock(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    (void)f, (void)why;
    bench_race(b, ask_clock, NULL, NULL, o);
    return 0;
}

/* Additions that each need the one before: a cycle each. */
static double add_up(void *of)
{
    (void)of;
    uint64_t sum = 0, from = clock_ns();
    for (int i = 0; i < ADDS; i += 8) {
#define ADD sum += 3; __asm__ volatile("" : "+r"(sum));
        ADD ADD ADD ADD ADD ADD ADD ADD
    }
    double ns = (double)(clock_ns() - from) / ADDS;
    timing_use(sum);
    return ns;
}

int bench_cycle(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    (void)f, (void)why;
    bench_race(b, add_up, NULL, NULL, o);
    return 0;
}
