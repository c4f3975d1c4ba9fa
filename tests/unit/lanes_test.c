/* Several keys in flight: at every level of the processor, the answers of one key alone. */
#include "base/cpu.h"
#include "base/rng.h"
#include "strategies/engines/crush.h"
#include "strategies/engines/jump.h"
#include "strategies/engines/score.h"
#include "tests/stage.h"

enum { MOST = 200 };

static void use(enum cpu_level level)
{
    char why[WHY] = "";
    must(cpu_use(cpu_name(level), why), why);
}

/* Extremes first, then any. */
static void digests(uint64_t *to)
{
    for (uint64_t i = 0; i < MOST; i++)
        to[i] = i < 64 ? UINT64_C(1) << i : i < 70 ? i - 64 : i < 76 ? 69 - i : rng_at(5, i);
}

/* x with x * f = 1 modulo 2^64: each step doubles the bits that are right. */
static uint64_t inverse(uint64_t f)
{
    uint64_t x = f;
    for (int i = 0; i < 6; i++)
        x *= 2 - f * x;
    return x;
}

static void jumps(enum cpu_level level)
{
    static const uint32_t nodes[] = {1, 2, 3, 10, 1000, 65536, 1u << 31, UINT32_MAX};
    uint64_t key[MOST];
    uint32_t bucket[MOST + 1];
    bool good = true;
    digests(key);
    key[80] = UINT64_MAX * inverse(JUMP_FACTOR) - inverse(JUMP_FACTOR); /* then the first draw is the highest there is, and the lowest */
    key[81] = 0 - inverse(JUMP_FACTOR);
    for (size_t m = 0; m < sizeof nodes / sizeof *nodes; m++)
        for (size_t n = 0; n <= MOST; n++)
            for (int java = 0; java < 2; java++) {
                bucket[n] = 12345;
                jump_many(key, n, nodes[m], java, bucket);
                for (size_t i = 0; i < n; i++)
                    good &= bucket[i] == jump_walk(key[i], nodes[m], java);
                good &= bucket[n] == 12345;
            }
    ok(good, "%s: jump, the paper's and Java's", cpu_name(level));
}

static void contests(enum cpu_level level)
{
    struct registry *r = registry_create();
    uint64_t digest[MOST];
    uint32_t id[MOST + 1];
    bool good = true;
    digests(digest);
    for (uint32_t size = 1; size <= 70; size += size < 10 ? 1 : 20)
        for (int weight = 0; weight < 2; weight++) {
            char nodes[16];
            snprintf(nodes, sizeof nodes, weight ? "%u,last=3" : "%u", size);
            struct contest *c = contest_create(cluster_of(r, nodes));
            for (int ties = 0; ties < 2; ties++) {
                for (uint32_t i = 0; ties && i < c->size; i++) /* two by two, and one score of 0 */
                    c->who[i].word = i < 2 ? rng_fold(digest[0]) : c->who[i / 2 * 2].word;
                for (size_t n = 0; n <= MOST; n++) {
                    id[n] = 12345;
                    contest_winners(c, digest, n, id);
                    for (size_t i = 0; i < n; i++)
                        good &= id[i] == contest_winner(c, digest[i]);
                    good &= id[n] == 12345;
                }
            }
            mem_free(c);
        }
    registry_destroy(r);
    ok(good, "%s: rendezvous, ties too", cpu_name(level));
}

static uint32_t crush_draw(const struct crush_block *b, uint32_t key, uint32_t attempt, float reach, uint32_t *hope)
{
    uint32_t u[CRUSH_BLOCK];
    use(CPU_PLAIN);
    *hope = crush_draws_best()(b, 1, key, attempt, reach, u) & 1;
    return u[0];
}

static void draws(enum cpu_level level)
{
    bool good = true;
    for (uint32_t trial = 0; trial < 200; trial++) {
        struct crush_block b, one;
        uint32_t u[CRUSH_BLOCK], n = 1 + trial % CRUSH_BLOCK, key = (uint32_t)rng_at(1, trial), hope;
        float reach = crush_reach(-(INT64_C(1) << trial % 33) - 1);
        for (uint32_t i = 0; i < CRUSH_BLOCK; i++)
            b.number[i] = (uint32_t)rng_at(2, i + trial), b.weight[i] = (i * 1092u + 1) << 16, b.id[i] = i;
        use(level);
        hope = crush_draws_best()(&b, n, key, trial % 3, reach, u);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t may;
            one = b;
            one.number[0] = b.number[i];
            one.weight[0] = b.weight[i];
            good &= u[i] == crush_draw(&one, key, trial % 3, reach, &may) && (hope >> i & 1) == may;
            good &= may == (uint32_t)crush_hopes(u[i], b.weight[i], reach);
        }
    }
    use(level);
    ok(good, "%s: straw2's draws", cpu_name(level));
}

static void placements(enum cpu_level level)
{
    static const char *const text[] = {"multi-probe:probes=1", "multi-probe:probes=7", "multi-probe:probes=8", "multi-probe:probes=9", "multi-probe",
                                       "straw2", "memento", "modulo", "maglev", "slots:count=16383"};
    static const char *const nodes[] = {"1", "2", "33", "1000"};
    struct registry *r = registry_create();
    uint64_t digest[MOST];
    uint32_t id[MOST + 1];
    digests(digest);
    for (size_t s = 0; s < sizeof text / sizeof *text; s++) {
        struct spec *spec = spec_of(text[s]);
        bool good = true;
        for (size_t m = 0; m < sizeof nodes / sizeof *nodes; m++) {
            struct placement *p = open_on_hash(spec, cluster_of(r, nodes[m]), "xxh3");
            for (size_t n = 0; n <= MOST; n += n < 40 ? 1 : 40) {
                id[n] = 12345;
                use(level);
                p->engine->lookup_many(p->state, digest, n, id);
                use(CPU_PLAIN);
                for (size_t i = 0; i < n; i++)
                    good &= id[i] == p->engine->lookup(p->state, digest[i]);
                good &= id[n] == 12345;
            }
            placement_close(p);
        }
        spec_destroy(spec);
        ok(good, "%s: %s", cpu_name(level), text[s]);
    }
    registry_destroy(r);
}

int main(void)
{
    for (enum cpu_level level = CPU_PLAIN; level <= cpu_best(); level++) {
        use(level);
        jumps(level);
        contests(level);
        draws(level);
        placements(level);
    }
    return tap_done();
}
