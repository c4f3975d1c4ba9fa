/* libmemcached's look-up, memcached_generate_hash(): no server is contacted. */
#include "peers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#if __has_include(<libmemcached/memcached.h>)
#include <libmemcached/memcached.h>

static double ask(void *of)
{
    struct texts_side *s = of;
    uint64_t from = clock_ns();
    for (size_t i = 0; i < TEXTS; i++) {
        const struct key_block *b = &s->block[i / KEY_BLOCK];
        s->theirs[i] = memcached_generate_hash(s->peer, b->text[i % KEY_BLOCK], b->len[i % KEY_BLOCK]);
    }
    return (double)(clock_ns() - from) / TEXTS;
}

/* Servers of the placement's names where it is libmemcached's, of any names else. */
static bool add_servers(memcached_st *m, const struct cluster *c)
{
    bool good = memcached_behavior_set(m, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1) == MEMCACHED_SUCCESS;
    for (uint32_t i = 0; i < c->size && good; i++) {
        char host[64];
        unsigned port = 11211;
        if (sscanf(c->node[i].name, "%63[^:]:%u", host, &port) < 1)
            return false;
        good = memcached_server_add_with_weight(m, host, (in_port_t)port, 1) == MEMCACHED_SUCCESS;
    }
    return good;
}

int peer_libmemcached(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    static struct texts_side s;
    s = (struct texts_side){.peer = memcached_create(NULL)};
    int e = s.peer ? texts_side_open(&s, f->spec, f->nodes, why) : fail(why, ENOMEM, "no memory for libmemcached");
    if (!e && (!add_servers(s.peer, s.g.cluster) ||
               (strstr(f->against, "MURMUR") && memcached_behavior_set(s.peer, MEMCACHED_BEHAVIOR_HASH, MEMCACHED_HASH_MURMUR) != MEMCACHED_SUCCESS)))
        e = fail(why, EIO, "libmemcached takes no servers");
    if (!e) {
        bench_race(b, texts_side_run, ask, &s, o);
        o->keys = TEXTS;
        if (!strncmp(f->spec, "libmemcached", 12)) /* the same function */
            o->answers = memcmp(s.ours, s.theirs, sizeof s.ours) ? ANSWERS_DIFFER : ANSWERS_SAME;
    }
    texts_side_close(&s);
    memcached_free(s.peer);
    return e;
}
#else
int peer_libmemcached(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    (void)b, (void)o;
    return fail(why, EINVAL, "%s: apt-get install libmemcached-dev", f->against), 1;
}
#endif
