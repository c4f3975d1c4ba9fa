/* The state is the key xored into four constants; each little-endian word of 8 bytes goes in before and after c rounds, the
 * last one with the length in its highest byte. Cost: about 1 ns a round. */
#include "model/siphash.h"

static inline uint64_t turn(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static inline void mix(uint64_t v[4], unsigned rounds)
{
    while (rounds--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = turn(v[1], 13) ^ v[0];
        v[3] = turn(v[3], 16) ^ v[2];
        v[0] = turn(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = turn(v[1], 17) ^ v[2];
        v[3] = turn(v[3], 21) ^ v[0];
        v[2] = turn(v[2], 32);
    }
}

static inline uint64_t word_of(const unsigned char *p, size_t len)
{
    uint64_t word = 0;
    while (len--)
        word = word << 8 | p[len];
    return word;
}

uint64_t siphash(const struct siphash *s, const void *data, size_t len)
{
    const unsigned char *p = data;
    uint64_t v[4] = {0x736F6D6570736575 ^ s->key[0], 0x646F72616E646F6D ^ s->key[1], 0x6C7967656E657261 ^ s->key[0], 0x7465646279746573 ^ s->key[1]};
    uint64_t last = (uint64_t)len << 56;
    for (; len >= 8; p += 8, len -= 8) {
        uint64_t word = word_of(p, 8);
        v[3] ^= word;
        mix(v, s->rounds);
        v[0] ^= word;
    }
    last |= len ? word_of(p, len) : 0;
    v[3] ^= last;
    mix(v, s->rounds);
    v[0] ^= last;
    v[2] ^= 0xFF;
    mix(v, s->last_rounds);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
