/* The rows of the table of hashes, one file a family under hashes/. */
#ifndef MODEL_HASHES_H
#define MODEL_HASHES_H

#include "model/hash.h"

extern const struct hash hash_xxh3, hash_xxh64, hash_xxh32;
extern const struct hash hash_murmur3_32, hash_murmur3_128, hash_murmur2_32, hash_murmur2_64a;
extern const struct hash hash_md5_32, hash_md5_64;
extern const struct hash hash_crc32, hash_crc16;
extern const struct hash hash_fnv1_32, hash_fnv1_64, hash_fnv1a_32, hash_fnv1a_64;
extern const struct hash hash_murmur3_cassandra, hash_cassandra_token, hash_cassandra_random;
extern const struct hash hash_identity;

/* Hashes of one system, defined in its file under strategies/systems/. */
extern const struct hash hash_tutorial_java_fnv, hash_tutorial_java_md5;
extern const struct hash hash_lafikl_blake2b;
extern const struct hash hash_guava_md5, hash_guava_siphash24, hash_ipvs_mh, hash_ipvs_sh;
extern const struct hash hash_libmemcached_one_at_a_time, hash_libmemcached_md5, hash_libmemcached_crc, hash_libmemcached_fnv1_64,
    hash_libmemcached_fnv1a_64, hash_libmemcached_fnv1_32, hash_libmemcached_fnv1a_32, hash_libmemcached_murmur, hash_libmemcached_jenkins,
    hash_libmemcached_murmur3;
extern const struct hash hash_twemproxy_one_at_a_time, hash_twemproxy_md5, hash_twemproxy_crc16, hash_twemproxy_crc32, hash_twemproxy_crc32a,
    hash_twemproxy_fnv1_64, hash_twemproxy_fnv1a_64, hash_twemproxy_fnv1_32, hash_twemproxy_fnv1a_32, hash_twemproxy_hsieh, hash_twemproxy_murmur,
    hash_twemproxy_jenkins;
extern const struct hash hash_nginx_hash, hash_nginx_ip_hash;
extern const struct hash hash_haproxy_sdbm, hash_haproxy_djb2, hash_haproxy_wt6, hash_haproxy_crc32, hash_haproxy_address;
extern const struct hash hash_haproxy_sdbm_avalanche, hash_haproxy_djb2_avalanche, hash_haproxy_wt6_avalanche, hash_haproxy_crc32_avalanche,
    hash_haproxy_address_avalanche;
extern const struct hash hash_ketama; /* of strategies/engines/ketama.c */

/* Defines NAME_many from the static NAME_one above it, which the compiler then
 * inlines: no call through a pointer for each key. */
#define HASH_MANY(name)                                                                            \
    static void name##_many(const void *const *data, const uint32_t *len, size_t n, uint64_t seed, \
                            uint64_t *digest)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            digest[i] = name##_one(data[i], len[i], seed);                                         \
    }

#endif
