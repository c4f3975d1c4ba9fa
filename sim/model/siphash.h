/* SipHash-c-d (Aumasson and Bernstein, 2012), of which systems use several: a keyed hash of 64 bits. */
#ifndef MODEL_SIPHASH_H
#define MODEL_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct siphash {
    uint64_t key[2];
    unsigned rounds, last_rounds; /* c for each word, d at the end */
};

uint64_t siphash(const struct siphash *s, const void *data, size_t len);

#endif
