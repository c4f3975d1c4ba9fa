/* Keys to time look-ups with, and the ways to empty the caches. */
#include "experiments/latency_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "experiments/timing.h"

#include <errno.h>
#include <string.h>

#define SWEPT_BYTES ((size_t)64 << 20) /* read to sweep the caches */
#define NEIGHBOUR_BYTES ((size_t)1 << 30)
#define NEIGHBOUR_QUICK ((size_t)1 << 27)
enum { LINE = 64, SCATTERED = 16, CHUNK = 1 << 16 }; /* bytes */

const char *const cache_names[CACHE_STATES] = {"warm", "cold", "neighbour"};

unsigned cache_states(const struct study *s)
{
    enum { WARM = 1 << CACHE_WARM, COLD = 1 << CACHE_COLD, NEIGHBOUR = 1 << CACHE_NEIGHBOUR };
    static const unsigned meant[] = {WARM, COLD, WARM | COLD, NEIGHBOUR, WARM | COLD | NEIGHBOUR};
    return meant[s->cache];
}

void rig_release(struct rig *b)
{
    key_block_release(&b->block);
    mem_free(b->digest);
    mem_free(b->owner);
    mem_free(b->verdict);
    mem_free(b->array);
}

/* Pages never written are one and the same page of zeros, which any cache holds: hence the writing. */
static int make_array(struct rig *b, unsigned states, size_t neighbour)
{
    if (states == 1u << CACHE_WARM)
        return 0;
    b->array_bytes = SWEPT_BYTES;
    if (states & 1u << CACHE_NEIGHBOUR)
        while (b->array_bytes < neighbour && b->array_bytes < mem_machine() / 8)
            b->array_bytes *= 2;
    b->array = mem_alloc(b->array_bytes, 1);
    if (!b->array)
        return -ENOMEM;
    memset(b->array, 1, b->array_bytes);
    return 0;
}

static int first_keys(struct rig *b, struct workload *w, char why[WHY])
{
    uint64_t total = workload_requests(w), bytes = 0;
    int e = workload_is_random_access(w)
                ? workload_fill(w, 0, total < KEY_BLOCK ? total : KEY_BLOCK, &b->block) ? fail(why, ENOMEM, "no memory for keys") : 0
                : workload_next(w, &b->block, why);
    for (size_t i = 0; !e && i < b->block.count; i++)
        bytes += b->block.len[i];
    b->key_bytes = (double)bytes / (double)b->block.count;
    return e;
}

int rig_init(struct rig *b, const struct study *s, struct workload *w, char why[WHY])
{
    *b = (struct rig){.clock = clock_measure(), .event = counters_hardware, .reps = s->quick ? TIMING_QUICK : TIMING_REPS};
    int e = key_block_init(&b->block);
    b->digest = mem_alloc(TIMED_KEYS, sizeof *b->digest);
    b->owner = mem_alloc(TIMED_KEYS, sizeof *b->owner);
    b->verdict = mem_alloc(KEY_BLOCK, 1);
    if (e || !b->digest || !b->owner || !b->verdict)
        return fail(why, ENOMEM, "no memory to time look-ups");
    if (make_array(b, cache_states(s), s->quick ? NEIGHBOUR_QUICK : NEIGHBOUR_BYTES))
        return fail(why, ENOMEM, "no memory for the %zu MB that are read to %s the caches; --cache warm needs none", b->array_bytes >> 20,
                    b->array_bytes > SWEPT_BYTES ? "fill" : "empty");
    return first_keys(b, w, why);
}

static unsigned read_lines(const unsigned char *from, size_t bytes)
{
    unsigned sum = 0;
    for (size_t i = 0; i < bytes; i += LINE)
        sum += from[i];
    return sum;
}

static unsigned visit(const struct rig *b, uint64_t visit)
{
    unsigned sum = 0;
    uint64_t stream = rng_mix(visit);
    for (size_t i = 0; i < SCATTERED; i++)
        sum += b->array[rng_at(stream, i) & (b->array_bytes - 1)];
    return sum + read_lines(b->array + (rng_at(stream, SCATTERED) & (b->array_bytes - 1) & ~(size_t)(CHUNK - 1)), CHUNK);
}

void rig_disturb(struct rig *b, enum cache_state state, size_t lookups)
{
    unsigned sum = 0;
    if (state == CACHE_COLD)
        sum = read_lines(b->array, SWEPT_BYTES);
    for (size_t i = 0; state == CACHE_NEIGHBOUR && i < lookups; i++)
        sum += visit(b, b->visits++);
    timing_use(sum);
}
