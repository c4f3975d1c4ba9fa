/* Jump and Guava beyond the recorded placements: published answers, where Java's arithmetic differs, HashCodes, who can leave. */
#include "model/hashes.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint32_t bucket(const char *text, uint64_t key, uint32_t nodes)
{
    char number[16];
    snprintf(number, sizeof number, "%u", nodes);
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(r, number), "xxh3");
    uint32_t id = p->engine->lookup(p->state, key), same;
    p->engine->lookup_many(p->state, &key, 1, &same);
    must(same != id, "a batch of one differs");
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
    return id;
}

static void published(void)
{
    static const struct { uint64_t key; uint32_t nodes, bucket; } row[] = {
        {10863919174838991u, 11, 6}, {2016238256797177309u, 11, 3}, {1673758223894951030u, 11, 5}, {2, 100001, 80343}, {0, 1, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        ok(bucket("jump", row[i].key, row[i].nodes) == row[i].bucket && bucket("guava", row[i].key, row[i].nodes) == row[i].bucket,
           "published: key %" PRIu64 " among %u is in %u", row[i].key, row[i].nodes, row[i].bucket);
}

/* The key whose first step of the generator gives `state`. */
static uint64_t key_before(uint64_t state)
{
    const uint64_t factor = 2862933555777941757u;
    uint64_t inverse = factor;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - factor * inverse;
    return (state - 1) * inverse;
}

static void java(void)
{
    ok(bucket("jump", key_before(UINT64_MAX), 2) == 1 && bucket("guava", key_before(UINT64_MAX), 2) == 0,
       "Java's int overflows when the generator gives its largest number: the key stays");
    const uint64_t whole = 12970273959431459788u; /* from bucket 1244, a quotient of exactly 327680 */
    ok(bucket("jump", whole, 327680) == 327679 && bucket("guava", whole, 327680) == 1244, "one rounding where the paper has two");
    ok(bucket("jump", key_before(UINT64_MAX - (1ull << 33)), 2) == bucket("guava", key_before(UINT64_MAX - (1ull << 33)), 2), "and not at the one before");
}

static void hash_codes(void)
{
    static const struct { const char *spec; uint64_t digest; } row[] = { /* of "{", from the recorded bytes */
        {"guava", 0x05E5D0085B9FA4E9u}, {"guava:hash=murmur3_32", 0xCDFB52B1u}, {"guava:hash=crc32", 0x15D54739u}, {"guava:hash=sipHash24", 0x8A436EC0E07B8CD1u},
        {"guava:hash=md5", 0x608508C3FD705BF9u},
    };
    struct registry *r = registry_create();
    const struct cluster *c = cluster_of(r, "3");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct spec *spec = spec_of(row[i].spec);
        struct placement *p = open_on_hash(spec, c, "xxh3");
        uint64_t digest = 0;
        enum key_verdict v = placement_digest(p, "{", 1, &digest);
        ok(v == KEY_HASHED && digest == row[i].digest, "%s: the HashCode as a long is %016" PRIX64, row[i].spec, digest);
        placement_close(p);
        spec_destroy(spec);
    }
    registry_destroy(r);
}

static void leaving(void)
{
    char why[WHY] = "";
    struct registry *r = registry_create();
    struct spec *spec = spec_of("jump");
    const struct cluster *c = cluster_of(r, "5");
    struct placement *p = open_on_hash(spec, c, "xxh3");
    ok(p->law == LAW_FIXED && !(p->caps & CAP_ANY_REMOVAL) && (p->caps & CAP_MINIMAL), "jump promises to move little, not any removal");
    ok(placement_change(p, changed(r, c, "-node-2"), why) == -EINVAL && strstr(why, "jump: node-2") && strstr(why, "node-4") && p->cluster == c,
       "a middle node cannot leave: %s", why);
    ok(placement_change(p, changed(r, c, "-node-4;+x"), why) == -EINVAL, "nor the last with another in its place");
    const struct cluster *fewer = changed(r, c, "-2"), *more = changed(r, c, "+x;+3");
    change_to(p, fewer);
    change_to(p, more);
    struct placement *anew = open_on_hash(spec, more, "xxh3");
    bool same = true;
    for (uint64_t i = 0; i < 10000; i++)
        same &= p->engine->lookup(p->state, i * 0x9E3779B97F4A7C15u) == anew->engine->lookup(anew->state, i * 0x9E3779B97F4A7C15u);
    ok(same, "the last can leave, new ones come last");
    change_to(p, changed(r, more, "x=3"));
    ok(p->law == LAW_NONE && strstr(p->warning, "weights"), "weights are ignored, with a warning: %s", p->warning);
    placement_close(p);
    placement_close(anew);
    spec_destroy(spec);
    registry_destroy(r);
}

int main(void)
{
    uint64_t live = mem_live();
    published();
    java();
    hash_codes();
    leaving();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
