/* The rounds of MD5 over vectors of LANES words, compiled once a level: md5_lanes.c defines LANES, CODE (the level's attribute) and
 * NAME, and includes this again. Two vectors go along, since each step waits for the one before. A step's shift depends on its place in
 * four, so each round is four times the same four steps. */

typedef uint32_t NAME(lanes) __attribute__((vector_size(4 * LANES)));

#define ROUND1(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define ROUND2(x, y, z) ((y) ^ ((z) & ((x) ^ (y))))
#define ROUND3(x, y, z) ((x) ^ (y) ^ (z))
#define ROUND4(x, y, z) ((y) ^ ((x) | ~(z)))

#define TURN(rule, a, b, c, d, word, constant, by) \
    a += word + constant;                          \
    a += rule(b, c, d);                            \
    a = b + (a << by | a >> (32 - by));

#define STEP(rule, a, b, c, d, word, i, by)                                         \
    TURN(rule, a[0], b[0], c[0], d[0], m[(word) % WORDS][0], sine[i], by)            \
    TURN(rule, a[1], b[1], c[1], d[1], m[(word) % WORDS][1], sine[i], by)

/* Step i of the round reads word `first + i * apart`. */
#define ROUND(nr, apart, first, s1, s2, s3, s4)                                                        \
    for (unsigned i = 0; i < WORDS; i += 4) {                                                          \
        STEP(ROUND##nr, a, b, c, d, first + apart * i, WORDS * (nr - 1) + i, s1)                       \
        STEP(ROUND##nr, d, a, b, c, first + apart * (i + 1), WORDS * (nr - 1) + i + 1, s2)             \
        STEP(ROUND##nr, c, d, a, b, first + apart * (i + 2), WORDS * (nr - 1) + i + 2, s3)             \
        STEP(ROUND##nr, b, c, d, a, first + apart * (i + 3), WORDS * (nr - 1) + i + 3, s4)             \
    }

CODE static void NAME(block)(const void *const *data, const uint32_t *len, size_t n, struct md5_block *out)
{
    const NAME(lanes) zero = {0};
    for (size_t from = 0; from < n; from += 2 * LANES) {
        NAME(lanes) m[WORDS][2], a[2], b[2], c[2], d[2];
        for (size_t w = 0; w < WORDS; w++)
            m[w][0] = m[w][1] = zero;
        for (size_t i = 0; i < 2 * LANES && from + i < n; i++)
            if (len[from + i] <= ONE_BLOCK)
                lane_fill((uint32_t *)m + i, 2 * LANES, data[from + i], len[from + i]);
        a[0] = a[1] = zero + 0x67452301;
        b[0] = b[1] = zero + 0xefcdab89;
        c[0] = c[1] = zero + 0x98badcfe;
        d[0] = d[1] = zero + 0x10325476;
        ROUND(1, 1, 0, 7, 12, 17, 22)
        ROUND(2, 5, 1, 5, 9, 14, 20)
        ROUND(3, 3, 5, 4, 11, 16, 23)
        ROUND(4, 7, 0, 6, 10, 15, 21)
        for (size_t set = 0; set < 2; set++) {
            NAME(lanes) word[4] = {a[set] + 0x67452301, b[set] + 0xefcdab89, c[set] + 0x98badcfe, d[set] + 0x10325476};
            for (size_t k = 0; k < 4; k++)
                memcpy(&out->word[k][from + set * LANES], &word[k], sizeof word[k]); /* MD5_BLOCK is a multiple of 2 * LANES */
        }
    }
}

#undef ROUND1
#undef ROUND2
#undef ROUND3
#undef ROUND4
#undef TURN
#undef STEP
#undef ROUND
#undef LANES
#undef CODE
#undef NAME
