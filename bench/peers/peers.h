/* What keysim is measured beside by `make bench-peers`. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "experiments/bench_parts.h"

/* Texts user:0 .. and where a placement puts them, hash included, in batches: keysim's side of most figures here. So many that nobody learns them
 * by heart. */
enum { BLOCKS = 16, TEXTS = BLOCKS * KEY_BLOCK };
struct texts_side {
    struct ground g;
    struct workload *w;
    struct key_block block[BLOCKS];
    uint64_t digest[KEY_BLOCK];
    uint8_t verdict[KEY_BLOCK];
    uint32_t ours[TEXTS], theirs[TEXTS];
    void *peer;
};
int texts_side_open(struct texts_side *s, const char *spec, uint32_t nodes, char why[WHY]);
void texts_side_close(struct texts_side *s);
bench_side texts_side_run;

int peer_libmemcached(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int peer_uhashring(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);
int peer_process(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY]);

#endif
