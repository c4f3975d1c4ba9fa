/* Ranks drawn by Zipf's law: rank k of 1 .. count has probability k^-s / H(count, s). */
#ifndef MODEL_ZIPF_H
#define MODEL_ZIPF_H

#include <stddef.h>
#include <stdint.h>

#define ZIPF_BANDS 1024 /* a power of two; 2^53 ranks need 801 */

struct zipf {
    uint64_t count;
    double s;
    uint16_t other[ZIPF_BANDS];  /* alias table; not the last, for whole words are read from it */
    uint64_t keep[ZIPF_BANDS];   /* in 2^-53 of a bucket */
    double sure[ZIPF_BANDS];     /* acceptance of the band's last rank: below it, no power is computed */
};

void zipf_init(struct zipf *z, uint64_t count, double s); /* 1 <= count <= 2^53, 0 <= s <= 64 */

/* Draw number `request` of the stream, 0 .. count-1, 0 the likeliest. */
uint64_t zipf_rank(const struct zipf *z, uint64_t stream, uint64_t request);
/* Draws request .. request+n-1; faster than one by one. */
void zipf_ranks(const struct zipf *z, uint64_t stream, uint64_t request, size_t n, uint64_t *rank);

double zipf_sum(uint64_t count, double s);                /* H(count, s): k^-s summed over 1 .. count */
double zipf_share(uint64_t count, double s, uint64_t k);  /* of rank k, from 1 */
double zipf_sum_p2(uint64_t count, double s);             /* squared shares summed */

#endif
