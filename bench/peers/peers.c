/* Other people's programs beside keysim: peers [FIGURE...] writes bench-peers.csv and says the same in words.
 *
 * Run by peers.sh, in whose folder ($PEERS) the programs stand that it found. What is missing is said and left out. */
#include "peers.h"

#include "base/output.h"
#include "commands/bench_words.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#define WANT(plain, avx2, best) .wanted = {[CPU_PLAIN] = plain, [CPU_AVX2] = avx2, [CPU_AVX512] = best}
#define MEMCACHED(what, beside, with, ...) \
    {.name = "libmemcached", .quantity = what, .against = beside, .unit = "ns/key", .nodes = 100, .keys = TEXTS, __VA_ARGS__, .run = peer_libmemcached, .spec = with}
#define UHASHRING(what, in, n, ...) \
    {.name = "uhashring", .quantity = what, .against = "python3-uhashring", .unit = in, .nodes = n, __VA_ARGS__, .run = peer_uhashring, .spec = "ring:vnodes=150"}
#define PROCESS(beside, with, ...) \
    {.name = "process", .quantity = "whole process: balance of 1M keys", .against = beside, .unit = "ns", .nodes = 10, .keys = 1000000, __VA_ARGS__, .run = peer_process, .spec = with}

static const struct figure figures[] = {
    MEMCACHED("ring look-up, text to node, in batches", "libmemcached, KETAMA_WEIGHTED", "ring:vnodes=150", WANT(40, 0, 45)),
    MEMCACHED("ring look-up, text to node, in batches", "libmemcached, the key's hash MURMUR", "ring:vnodes=150", WANT(18, 0, 20)),
    MEMCACHED("the same answers: libmemcached's ring", "libmemcached, KETAMA_WEIGHTED", "libmemcached:distribution=ketama-weighted", WANT(1.8, 6, 12)),
    UHASHRING("ring look-up, text to node, in batches", "ns/key", 100, WANT(200, 0, 280)),
    UHASHRING("a node joins the ring", "ns", 1000, WANT(200, 0, 280)),
    UHASHRING("a node leaves the ring", "ns", 1000, WANT(200, 0, 280)),
    UHASHRING("memory of the ring", "bytes", 1000, WANT(0, 0, 0)),
    PROCESS("the tutorial's Python", "tutorial-py-right", WANT(90, 0, 120)),
    PROCESS("the tutorial's TypeScript", "tutorial-ts", WANT(140, 0, 190)),
    PROCESS("the tutorial's Java", "tutorial-java-md5", WANT(45, 0, 60)),
    PROCESS("bench/plain.c", "ring:vnodes=150", WANT(0, 0, 0)),
};

int texts_side_open(struct texts_side *s, const char *spec, uint32_t nodes, char why[WHY])
{
    int e = ground_open(&s->g, spec, nodes, why);
    if (!e)
        e = workload_open_text(&s->w, "user:count=65536", 1, why);
    for (size_t k = 0; k < BLOCKS && !e; k++)
        if (key_block_init(&s->block[k]) || workload_fill(s->w, k * KEY_BLOCK, KEY_BLOCK, &s->block[k]))
            e = fail(why, ENOMEM, "no memory for keys");
    return e;
}

void texts_side_close(struct texts_side *s)
{
    ground_close(&s->g);
    for (size_t k = 0; k < BLOCKS; k++)
        key_block_release(&s->block[k]);
    workload_close(s->w);
}

double texts_side_run(void *of)
{
    struct texts_side *s = of;
    const struct placement *p = s->g.placement;
    bool plain;
    uint64_t from = clock_ns();
    for (size_t k = 0; k < BLOCKS; k++) {
        const struct key_block *b = &s->block[k];
        placement_digests(p, b->text, b->len, KEY_BLOCK, s->digest, s->verdict, &plain);
        placement_owners(p, b->text, b->len, KEY_BLOCK, s->digest, s->verdict, plain, s->ours + k * KEY_BLOCK);
    }
    return (double)(clock_ns() - from) / TEXTS;
}

static void say(void *of, const char *text)
{
    (void)of;
    fprintf(stderr, "bench-peers: left out: %s\n", text);
}

static int run(struct bench *b, int argc, char **argv, char why[WHY])
{
    struct output out;
    int e = bench_run(b, figures, sizeof figures / sizeof *figures, argv + 1, argc - 1, why);
    if (!e)
        e = bench_words(b->table, stdout, why);
    if (!e)
        e = output_open(&out, "bench-peers.csv", why);
    if (e)
        return e;
    table_write_csv(b->table, out.file);
    return output_close(&out, why);
}

int main(int argc, char **argv)
{
    char why[WHY] = "";
    struct study s = {.warn = say};
    struct bench b = {.study = &s};
    signal(SIGPIPE, SIG_IGN); /* a peer that ends is an answer that does not come */
    int e = run(&b, argc, argv, why);
    if (e)
        fprintf(stderr, "bench-peers: %s\n", why);
    table_destroy(b.table);
    return e == -EINVAL ? 2 : e ? 3 : b.differ;
}
