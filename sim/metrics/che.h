/* Hit ratios of LRU caches by formula, for keys whose popularity is known. */
#ifndef METRICS_CHE_H
#define METRICS_CHE_H

#include <stddef.h>
#include <stdint.h>

/* Keys of about the same popularity. */
struct band {
    uint64_t first, keys; /* ranks first .. first + keys - 1, from 0 */
    double all, each;     /* share of the requests: of all these keys, of one */
};

struct popularity {
    struct band *band;
    size_t bands;
    double keys;
};

int popularity_init(struct popularity *p, uint64_t keys, double zipf); /* 0 or -ENOMEM */
void popularity_release(struct popularity *p);

/* Che's characteristic time of one cache of so many items that has part[b * stride] of the keys of band b: how many requests of the whole stream go
 * by until an item that nobody asks for is dropped. Infinite where it has room for all its keys. */
double che_time(const struct popularity *p, const double *part, size_t stride, double items);

struct che_times {
    double least, most, most_finite; /* of the caches' characteristic times */
};

/* hit[b], zeroed before: the chance that a request for a key of band b is a hit, `age` requests after n caches were empty, each with room for `items` and cache i with
 * part[b * n + i] of band b. roomy[b] (likewise; NULL: not asked): the part of band b in caches with room for all their keys. */
struct che_times che_hits(const struct popularity *p, const double *part, uint32_t n, double items, double age, double *hit, double *roomy);

/* Mean chance, from request `from` to `to` after a cache was empty, that a request for a key is a hit; nothing is dropped so soon. */
double che_cold(double each, double from, double to);

#endif
