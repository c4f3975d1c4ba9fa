/* Cassandra: tokens with signs, RandomPartitioner, racks and data centres, refusals. */
#include "model/hashes.h"
#include "tests/stage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char path[64];

static const struct cluster *file_cluster(struct registry *r, const char *text)
{
    FILE *f = fopen(path, "w");
    char nodes[80];
    must(!f || fputs(text, f) < 0 || fclose(f), "cannot write a node file");
    snprintf(nodes, sizeof nodes, "@%s", path);
    // cppcheck-suppress resourceLeak ; must() ends the program where fclose was not reached
    return cluster_of(r, nodes);
}

static const char *owner(const struct placement *p, struct registry *r, const char *key)
{
    uint64_t digest;
    placement_digest(p, key, strlen(key), &digest);
    uint32_t id = placement_owner(p, key, strlen(key), digest);
    return id == NO_NODE ? "-" : registry_name(r, id);
}

static struct placement *open_spec(const char *text, const struct cluster *c, struct spec **spec)
{
    *spec = spec_of(text);
    return open_on_hash(*spec, c, "xxh3");
}

static void opens_badly(const char *text, const struct cluster *c, const char *says)
{
    char why[WHY] = "";
    struct spec *spec = spec_of(text);
    struct placement *p;
    int e = placement_open(&p, spec, c, &(struct keyed_hash){hash_find("xxh3"), 0}, why);
    ok(e == -EINVAL && strstr(why, says), "%s is refused: %s", text, why);
    spec_destroy(spec);
}

static void hashes(void)
{
    const struct hash *all[] = {&hash_murmur3_cassandra, &hash_cassandra_token, &hash_cassandra_random, &hash_ketama, &hash_lafikl_blake2b};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ok(hash_verification(all[i]) == all[i]->verification, "%s is what it was", all[i]->name);
    char key[300];
    bool same = true;
    for (size_t len = 0; len < sizeof key; len++) {
        key[len] = (char)(len * 7 % 128);
        same &= hash_murmur3_cassandra.one(key, len, 0) == hash_murmur3_128.one(key, len, 0);
    }
    ok(same, "bytes below 0x80 hash as MurmurHash3 does");
    ok(hash_murmur3_cassandra.one("\xe8", 1, 0) != hash_murmur3_128.one("\xe8", 1, 0), "a tail byte from 0x80 on does not");
    ok(hash_cassandra_token.one("", 0, 0) == 1ULL << 63, "the empty key has the least token");
    /* of 136156067680535105042741076523555821253 */
    ok(hash_cassandra_random.one("{}", 2, 0) == 7381035218815976879, "RandomPartitioner: a token's first 64 bits");
}

static void given(struct registry *r)
{
    struct spec *spec;
    const struct cluster *c = file_cluster(r, "a tokens=-9223372036854775808\nb tokens=0\nc tokens=9223372036854775807\n");
    struct placement *p = open_spec("cassandra", c, &spec);
    ok(!strcmp(owner(p, r, ""), "a"), "token -2^63 belongs to the node that has it");
    ok(p->law == LAW_NONE && !(p->caps & CAP_WEIGHTS), "given tokens follow no law and no weights");
    placement_close(p);
    spec_destroy(spec);

    c = file_cluster(r, "a tokens=136156067680535105042741076523555821253\nb tokens=170141183460469231731687303715884105728\n");
    p = open_spec("cassandra:partitioner=random", c, &spec);
    ok(!strcmp(owner(p, r, "{}"), "a"), "RandomPartitioner: a token belongs to its node");
    placement_close(p);
    spec_destroy(spec);
    c = file_cluster(r, "a tokens=136156067680535105024294332449846269637\nb tokens=170141183460469231731687303715884105728\n");
    p = open_spec("cassandra:partitioner=random", c, &spec);
    ok(!strcmp(owner(p, r, "{}"), "b"), "past it begins the next");
    placement_close(p);
    spec_destroy(spec);

    opens_badly("cassandra", file_cluster(r, "a tokens=9223372036854775808\n"), "node a: tokens=9223372036854775808");
    opens_badly("cassandra", file_cluster(r, "a tokens=-9223372036854775809\n"), "-2^63 to 2^63-1");
    opens_badly("cassandra", file_cluster(r, "a tokens=1,,2\n"), "joined by commas");
    opens_badly("cassandra", file_cluster(r, "a tokens=-\n"), "joined by commas");
    opens_badly("cassandra", file_cluster(r, "a tokens=5\nb tokens=4,5\n"), "nodes a and b have the same token");
    opens_badly("cassandra", file_cluster(r, "a tokens=5,5\n"), "given twice");
    opens_badly("cassandra:partitioner=random", file_cluster(r, "a tokens=-1\n"), "0 to 2^127");
}

static void network(struct registry *r)
{
    struct spec *spec;
    uint32_t id[8];
    bool salted;
    const struct cluster *c = file_cluster(r, "a dc=x rack=1 tokens=0\nb dc=x rack=1 tokens=100\nc dc=x rack=2 tokens=200\n"
                                              "d dc=y rack=1 tokens=50\ne dc=z tokens=25\n");
    struct placement *p = open_spec("cassandra:strategy=network,rf=x:3/y:1", c, &spec);
    size_t n = placement_replicas(p, 0, id, 8, &salted);
    ok(n == 4 && !salted, "as many copies as rf= says");
    ok(!strcmp(registry_name(r, id[0]), "a") && !strcmp(registry_name(r, id[1]), "d") && !strcmp(registry_name(r, id[2]), "c") &&
           !strcmp(registry_name(r, id[3]), "b"),
       "new racks first, used ones at the end");
    ok(placement_replicas(p, 0, id, 2, &salted) == 2 && !strcmp(registry_name(r, id[1]), "d"), "fewer copies are the first of these");
    ok(p->engine->lookup(p->state, 10) != cluster_by_name(c, "e")->id, "a data centre without copies owns nothing");
    ok(strstr(p->warning, "node e"), "which is said: %s", p->warning);
    placement_close(p);
    spec_destroy(spec);

    p = open_spec("cassandra:strategy=network,rf=datacenter1:2", file_cluster(r, "a 2 rack=1 tokens=0\nb rack=2 tokens=100\nc rack=2 tokens=200\n"), &spec);
    ok(placement_replicas(p, 50, id, 8, &salted) == 2 && !strcmp(registry_name(r, id[0]), "b") && !strcmp(registry_name(r, id[1]), "a"), "a rack of one node");
    ok(strstr(p->warning, "node a: its weight is ignored"), "warned: %s", p->warning);
    placement_close(p);
    spec_destroy(spec);

    p = open_spec("cassandra:strategy=network,rf=datacenter1:3", cluster_of(r, "6"), &spec);
    ok(placement_replicas(p, 0, id, 8, &salted) == 3 && !p->warning[0], "nodes without dc= are in datacenter1");
    placement_close(p);
    spec_destroy(spec);
    opens_badly("cassandra:strategy=network", c, "rf=dc1:3/dc2:2");
    opens_badly("cassandra:strategy=network,rf=x", c, "'x' must be a data centre and its copies");
    opens_badly("cassandra:strategy=network,rf=x:0", c, "'x:0' must be");
    opens_badly("cassandra:strategy=network,rf=x:1/x:2", c, "twice");
    opens_badly("cassandra:strategy=network,rf=q:1", c, "no node is in data centre q");
    opens_badly("cassandra:rf=x:1", c, "strategy=network");
}

static void drawn(struct registry *r)
{
    struct spec *spec;
    size_t points, distinct;
    const struct cluster *c = cluster_of(r, "a,b=3,c");
    struct placement *p = open_spec("cassandra", c, &spec);
    placement_points(p, &points, &distinct, NULL);
    ok(points == 16 * 5 && distinct == points, "16 tokens for each unit of weight, all different");
    ok(p->law == LAW_ARCS && p->caps & CAP_WEIGHTS && p->caps & CAP_MINIMAL, "drawn tokens are random arcs");
    placement_close(p);
    spec_destroy(spec);
}

int main(void)
{
    temporary("", path);
    struct registry *r = registry_create();
    hashes();
    given(r);
    network(r);
    drawn(r);
    registry_destroy(r);
    remove(path);
    ok(mem_live() == 0, "all memory given back");
    return tap_done();
}
