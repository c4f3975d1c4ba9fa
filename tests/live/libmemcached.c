/* Asks libmemcached where keys go: ask DISTRIBUTION HASH ORDER FILE < KEYS.
 *
 * FILE: a line a server, HOST PORT WEIGHT. KEYS: a line a key, in hexadecimal. Prints a line a key: the server's place, from 0.
 * ORDER late: the hash is set after the servers, which leaves an unweighted ring's points as they were made by the default one. */
#include <libmemcached/memcached.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; memcached_hash_t hash; } hashes[] = {
    {"one_at_a_time", MEMCACHED_HASH_DEFAULT}, {"md5", MEMCACHED_HASH_MD5},           {"crc", MEMCACHED_HASH_CRC},
    {"fnv1_64", MEMCACHED_HASH_FNV1_64},       {"fnv1a_64", MEMCACHED_HASH_FNV1A_64}, {"fnv1_32", MEMCACHED_HASH_FNV1_32},
    {"fnv1a_32", MEMCACHED_HASH_FNV1A_32},     {"murmur", MEMCACHED_HASH_MURMUR},     {"jenkins", MEMCACHED_HASH_JENKINS},
    {"murmur3", MEMCACHED_HASH_MURMUR3},
};

static void check(memcached_return_t r, const char *what)
{
    if (r != MEMCACHED_SUCCESS) {
        fprintf(stderr, "libmemcached: %s: error %d\n", what, (int)r);
        exit(1);
    }
}

static void set(memcached_st *m, memcached_behavior_t behavior, uint64_t value)
{
    check(memcached_behavior_set(m, behavior, value), "behavior");
}

static void set_hash(memcached_st *m, const char *name)
{
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (!strcmp(name, hashes[i].name))
            set(m, MEMCACHED_BEHAVIOR_HASH, hashes[i].hash);
}

static void set_distribution(memcached_st *m, const char *name)
{
    size_t len = strlen(name);
    if (len > 9 && !strcmp(name + len - 9, "-weighted"))
        set(m, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1);
    if (!strncmp(name, "spy", 3))
        check(memcached_behavior_set_distribution(m, MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA_SPY), "spy");
    else if (!strcmp(name, "ketama"))
        set(m, MEMCACHED_BEHAVIOR_KETAMA, 1);
}

static void add_servers(memcached_st *m, const char *path)
{
    FILE *f = fopen(path, "r");
    char host[256];
    unsigned port, weight;
    if (!f)
        exit(1);
    while (fscanf(f, "%255s %u %u", host, &port, &weight) == 3)
        check(memcached_server_add_with_weight(m, host, (in_port_t)port, weight), "server");
    fclose(f);
}

int main(int argc, char **argv)
{
    static char line[8192], key[4096];
    memcached_st *m = memcached_create(NULL);
    if (argc != 5 || !m)
        return 1;
    bool late = !strcmp(argv[3], "late");
    if (!late)
        set_hash(m, argv[2]);
    set_distribution(m, argv[1]);
    add_servers(m, argv[4]);
    if (late)
        set_hash(m, argv[2]);
    while (fgets(line, sizeof line, stdin)) {
        size_t len = strcspn(line, "\n") / 2;
        for (size_t i = 0; i < len; i++) {
            unsigned byte;
            sscanf(line + 2 * i, "%2x", &byte);
            key[i] = (char)byte;
        }
        printf("%u\n", memcached_generate_hash(m, key, len));
    }
    memcached_free(m);
    return 0;
}
