/* The rings of Go and Python libraries: shared labels, weights, keys that hit a point. */
#include "strategies/engines/ring.h"
#include "tests/stage.h"

#include <stdio.h>
#include <string.h>

static const char *owner(const struct placement *p, struct registry *r, const char *key)
{
    uint64_t digest;
    placement_digest(p, key, strlen(key), &digest);
    uint32_t id = placement_owner(p, key, strlen(key), digest);
    return id == NO_NODE ? "-" : registry_name(r, id);
}

/* Opens, asks, closes. */
static struct {
    size_t points, distinct;
    char owner[64], warning[WHY];
    unsigned caps;
} seen;

static void look(struct registry *r, const char *text, const char *nodes, const char *key)
{
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(r, nodes), "xxh3");
    placement_points(p, &seen.points, &seen.distinct, NULL);
    snprintf(seen.owner, sizeof seen.owner, "%s", owner(p, r, key));
    strcpy(seen.warning, p->warning);
    seen.caps = p->caps;
    placement_close(p);
    spec_destroy(spec);
}

static void shared_labels(struct registry *r)
{
    look(r, "groupcache", "0x,x", "10x");
    ok(!strcmp(seen.owner, "x") && seen.distinct < seen.points, "groupcache: a label of two nodes is the last one's");
    look(r, "groupcache", "x,0x", "10x");
    ok(!strcmp(seen.owner, "0x"), "whichever that is");

    struct spec *spec = spec_of("stathat:replicas=11");
    struct placement *p = open_on_hash(spec, cluster_of(r, "0x,x"), "xxh3");
    size_t points, distinct, walked = 0;
    uint32_t id[2];
    bool salted;
    placement_points(p, &points, &distinct, NULL);
    ok(points == 22 && distinct == 21, "stathat: one point of 22 is overwritten");
    for (uint64_t digest = 0; digest < 1000; digest++)
        walked += placement_replicas(p, digest * 4294967, id, 2, &salted) == 2 && id[0] != id[1];
    ok(walked == 1000 && !salted, "copies are different nodes");
    placement_close(p);
    spec_destroy(spec);
}

static void exact_hits(struct registry *r)
{
    look(r, "groupcache", "a,b,c", "7b");
    ok(!strcmp(seen.owner, "b"), "groupcache: a key that is a label belongs to its node");
    int away = 0;
    for (int i = 0; i < 20; i++) {
        char key[16];
        snprintf(key, sizeof key, "%db", i);
        look(r, "stathat", "a,b,c", key);
        away += strcmp(seen.owner, "b") != 0;
    }
    ok(away > 5, "stathat: it goes one point further (%d of 20 to another node)", away);
}

static void weights(struct registry *r)
{
    look(r, "uhashring", "a,b=2,c=3", "k");
    ok(seen.points == 160 * 6 && !*seen.warning && seen.caps & CAP_MINIMAL && seen.caps & CAP_WEIGHTS, "uhashring meta: 160 labels a unit of weight");
    look(r, "uhashring:mode=ketama", "a,b=2,c=3", "k");
    ok(seen.points == 4 * (20 + 40 + 60) && !(seen.caps & CAP_MINIMAL), "ketama: labels in proportion, so that a change touches all");
    look(r, "uhashring:mode=ketama", "47", "k");
    ok(seen.points == 47 * 160, "no point is lost at 47 nodes");
    look(r, "uhashring:mode=ketama", "a=2147483647,b=2147483647", "k");
    ok(seen.points == 2 * 160, "the largest weights do not overflow");
    look(r, "lafikl", "a,b=2", "k");
    ok(seen.points == 20 && strstr(seen.warning, "no weights"), "lafikl knows no weights and says so");
}

int main(void)
{
    struct registry *r = registry_create();
    shared_labels(r);
    exact_hits(r);
    weights(r);
    registry_destroy(r);
    ok(mem_live() == 0, "all memory given back");
    return tap_done();
}
