/* The table of hashes, look-up by name, and the procedure that fingerprints a hash.
 *
 * Source of the procedure: Appleby's SMHasher. Its constants are computed on all
 * bytes of a hash; where we keep fewer (md5, murmur3-128) or none is published,
 * the row's value was computed here. Cost: a look-up compares at most 16 names. */
#include "model/hash.h"
#include "model/hashes.h"
#include <errno.h>
#include <string.h>

const struct hash *const hash_table[] = {
    &hash_xxh3,      &hash_xxh64,      &hash_xxh32,    &hash_murmur3_32, &hash_murmur3_128, &hash_murmur2_32,
    &hash_murmur2_64a, &hash_md5_32,   &hash_md5_64,   &hash_crc32,      &hash_crc16,       &hash_fnv1_32,
    &hash_fnv1_64,   &hash_fnv1a_32,   &hash_fnv1a_64, &hash_identity,   &hash_tutorial_java_fnv,
    &hash_tutorial_java_md5, &hash_ketama, &hash_murmur3_cassandra, &hash_cassandra_token, &hash_cassandra_random, &hash_lafikl_blake2b,
    &hash_guava_md5, &hash_guava_siphash24, &hash_ipvs_mh, &hash_ipvs_sh,
    &hash_libmemcached_one_at_a_time, &hash_libmemcached_md5, &hash_libmemcached_crc, &hash_libmemcached_fnv1_64, &hash_libmemcached_fnv1a_64,
    &hash_libmemcached_fnv1_32, &hash_libmemcached_fnv1a_32, &hash_libmemcached_murmur, &hash_libmemcached_jenkins, &hash_libmemcached_murmur3,
    &hash_twemproxy_one_at_a_time, &hash_twemproxy_md5, &hash_twemproxy_crc16, &hash_twemproxy_crc32, &hash_twemproxy_crc32a,
    &hash_twemproxy_fnv1_64, &hash_twemproxy_fnv1a_64, &hash_twemproxy_fnv1_32, &hash_twemproxy_fnv1a_32, &hash_twemproxy_hsieh,
    &hash_twemproxy_murmur, &hash_twemproxy_jenkins, &hash_nginx_hash, &hash_nginx_ip_hash,
    &hash_haproxy_sdbm, &hash_haproxy_sdbm_avalanche, &hash_haproxy_djb2, &hash_haproxy_djb2_avalanche, &hash_haproxy_wt6,
    &hash_haproxy_wt6_avalanche, &hash_haproxy_crc32, &hash_haproxy_crc32_avalanche, &hash_haproxy_address, &hash_haproxy_address_avalanche,
    NULL,
};
enum { HASHES = sizeof hash_table / sizeof *hash_table - 1 };

const struct hash *hash_find(const char *name)
{
    for (const struct hash *const *h = hash_table; *h; h++)
        if (!strcmp((*h)->name, name))
            return *h;
    return NULL;
}

static int fill(const struct spec *spec, struct keyed_hash *out, char why[WHY])
{
    const struct hash *hash = hash_find(spec->name);
    if (!hash) {
        const char *known[HASHES];
        for (size_t i = 0; i < HASHES; i++)
            known[i] = hash_table[i]->name;
        return fail_unknown(why, "hash", spec->name, known, HASHES);
    }
    if (!hash->seed_bits && spec->count)
        return fail(why, EINVAL, "hash %s takes no %s", hash->name, spec->item[0].name);

    const struct option options[] = {
        {.name = "seed",
         .type = OPTION_COUNT,
         .offset = offsetof(struct keyed_hash, seed),
         .fallback = "0",
         .max = hash->seed_bits == 32 ? UINT32_MAX : 0,
         .help = "the hash's seed"},
        {.name = NULL},
    };
    struct keyed_hash filled = {.hash = hash};
    int err = spec_fill(spec, options, "hash", &filled, why);
    if (!err)
        *out = filled;
    return err;
}

int hash_parse(const char *text, void *keyed_hash, char why[WHY])
{
    struct spec *spec;
    int err = spec_parse(text, &spec, why);
    if (err)
        return err;
    err = fill(spec, keyed_hash, why);
    spec_destroy(spec);
    return err;
}

uint32_t hash_verification(const struct hash *hash)
{
    size_t width = hash->bits / 8;
    unsigned char key[256], joined[256 * sizeof(uint64_t)];
    for (size_t len = 0; len < 256; len++) {
        uint64_t digest = hash->one(key, len, 256 - len);
        for (size_t i = 0; i < width; i++)
            joined[len * width + i] = (unsigned char)(digest >> 8 * i);
        key[len] = (unsigned char)len;
    }
    return (uint32_t)hash->one(joined, 256 * width, 0);
}
