/* Keys by the million: generated, so that request i is a pure function of (seed, i),
 * or streamed from a file of any size in bounded memory.
 *
 *   user:count=1M            user:0, user:1 ...          int     0, 1, 2 ...
 *   uuid  ipv4  alnum  url   random-looking and distinct, from the seed
 *   ...,zipf=S,requests=R    R requests over the count keys, key 0 the hottest
 *   ...,hottest=K,copies=C   the hottest K each under C names
 *   file:path=F              a line a key, or a CSV column */
#ifndef MODEL_WORKLOAD_H
#define MODEL_WORKLOAD_H

#include "base/option.h"
#include <stddef.h>
#include <stdint.h>

#define KEY_BLOCK 4096 /* keys a block at most */

/* A block of keys; its memory is reused from block to block. */
struct key_block {
    size_t count;
    uint64_t first;         /* number of the first request in the workload */
    const void **text;      /* count pointers into buffer */
    uint32_t *len;
    uint64_t *line;         /* of a file: where each key's record ends, for messages */
    uint64_t *amount;       /* of a file with sizes: each key's, in TEXT_AMOUNT_ONE a byte; else NULL */
    char *buffer;
    size_t room;            /* bytes of buffer */
};
int key_block_init(struct key_block *b); /* 0 or -ENOMEM */
void key_block_release(struct key_block *b);

struct workload;

/* The kinds with their option tables, for help, list and completion; ends with a NULL name. */
struct workload_kind {
    const char *name, *summary;
    const struct option *option;
};
extern const struct workload_kind workload_kinds[];

/* Opens one spec (already expanded). A file is opened and its first block checked. 0, -EINVAL, -ENOMEM. */
int workload_open(struct workload **out, const struct spec *spec, uint64_t seed, char why[WHY]);
void workload_close(struct workload *w);
/* Parses, expands (a sweep is refused unless single) and opens a text. */
int workload_open_text(struct workload **out, const char *text, uint64_t seed, char why[WHY]);

const char *workload_text(const struct workload *w); /* canonical spec, for the CSV's column */
const char *workload_load(const struct workload *w); /* "keys" (all distinct, once each) or "requests" */

int workload_has_sizes(const struct workload *w);    /* whether blocks carry amounts */

/* Number of requests; 0: not known before the file's end. */
uint64_t workload_requests(const struct workload *w);

/* Distinct keys: of a generated workload all there are, of a file those met so far (0 beyond 2^22). */
uint64_t workload_distinct(const struct workload *w);

/* Sum of p^2 over the keys, p a key's share of the requests as expected: 1/count for keys,
 * for Zipf H(2s)/H(s)^2 and what R draws add, (1 - sum)/R. For a file: of the requests read so far,
 * exact while at most 2^22 distinct keys, else NaN. noise_cv = sqrt((N-1) * this). */
double workload_sum_p2(const struct workload *w);
double workload_top_share(const struct workload *w); /* p of the most popular key, in the same way */
double workload_bytes_sum_p2(const struct workload *w); /* both of the bytes, of a file with sizes */
double workload_bytes_top_share(const struct workload *w);

/* Whether requests are drawn from keys of known popularity (generated, with requests= or zipf=, none split): how many keys, and Zipf's exponent. */
int workload_is_drawn(const struct workload *w, uint64_t *keys, double *zipf);

/* Fills b with the keys first, first + step ... (n <= KEY_BLOCK) in order of popularity, whatever is requested; generated workloads only.
 * 0 or -ENOMEM. Thread-safe with a block of its own. */
int workload_keys(const struct workload *w, uint64_t first, uint64_t step, size_t n, struct key_block *b);

/* Whether block k can be made independently (generated), so that threads may each take some.
 * Otherwise (file) blocks come in order from workload_next. */
int workload_is_random_access(const struct workload *w);

/* Fills b with requests first .. first+n-1 (n <= KEY_BLOCK), generated workloads only. 0 or -ENOMEM.
 * Thread-safe with a block of its own. */
int workload_fill(const struct workload *w, uint64_t first, size_t n, struct key_block *b);

/* The next block of a file: b->count 0 at the end. 0, -EINVAL (a line lacks the column ...), -EIO. */
int workload_next(struct workload *w, struct key_block *b, char why[WHY]);
int workload_rewind(struct workload *w, char why[WHY]); /* a file again from its start; -EINVAL for standard input that was read */

/* From requests to their keys, each once: its load is "keys" from then on. -EINVAL: standard input, or beyond 2^22 distinct keys. */
int workload_each_once(struct workload *w, char why[WHY]);

/* Where request i of the block stands, for messages ("keys.txt line 3"). */
void workload_where(const struct workload *w, const struct key_block *b, size_t i, char *out, size_t size);

#endif
