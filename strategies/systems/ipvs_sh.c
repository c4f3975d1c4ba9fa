/* Linux IPVS, scheduler sh: 256 buckets dealt to the real servers in turns, looked up by the client's address.
 *
 * The hash is multiplicative and the bucket its top 8 bits: neighbouring addresses spread, but any change deals nearly all
 * buckets anew. Weights are runs of buckets; when they add up to more than 256, servers that were added early get none. A server
 * that is down has weight 0, which still gets one bucket a round: the buckets after it move. Its clients get no server, or with
 * fallback=1 that of the next bucket with one, counted from twice the client's own (the kernel adds the bucket to itself). */
#include "strategies/engines/ipvs.h"

#include "model/hashes.h"
#include "strategies/engines/table.h"

#include <errno.h>
#include <string.h>

enum { BUCKETS = 256 };

struct sh_options {
    uint32_t fallback;
};

static const struct option options[] = {
    {.name = "fallback", .type = OPTION_CHOICE, .offset = offsetof(struct sh_options, fallback), .fallback = "0", .choices = "0|1",
     .help = "flag sh-fallback: look for another server when the chosen one is down"},
    {0},
};

static uint64_t ipvs_sh_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return ipvs_number(data, len) * 0x61C88647u >> 24;
}
HASH_MANY(ipvs_sh)

const struct hash hash_ipvs_sh = {
    .name = "ipvs-sh", .bits = 8, .last = UINT8_MAX,
    .verification = 0x000000FA, /* computed here */
    .summary = "the first 4 bytes, little-endian, times 0x61C88647: the top 8 bits (own code)",
    .one = ipvs_sh_one, .many = ipvs_sh_many,
};

static void deal(const struct ipvs_dest *dest, uint32_t n, uint32_t *owner)
{
    uint32_t at = 0, dealt = 0;
    for (int b = 0; b < BUCKETS; b++) {
        const struct node *node = dest[at].node;
        owner[b] = node->down ? NO_NODE : node->id;
        if (++dealt >= (node->down ? 0 : node->weight)) {
            at = (at + 1) % n;
            dealt = 0;
        }
    }
}

/* Buckets without a server get that of the first bucket from twice their own number on that has one. */
static void fall_back(uint32_t *owner)
{
    uint32_t before[BUCKETS];
    memcpy(before, owner, sizeof before);
    for (int b = 0; b < BUCKETS; b++)
        for (int step = 0; step < BUCKETS && owner[b] == NO_NODE; step++)
            owner[b] = before[(2 * b + step) % BUCKETS];
}

static int sh_open(struct placement *p, char why[WHY])
{
    const struct sh_options *o = p->options;
    int e = 0;
    struct ipvs_dest *dest = ipvs_open(p, &e, why);
    if (!dest)
        return e;
    e = table_attach(p, BUCKETS, why);
    if (!e) {
        struct table_state *t = p->state;
        deal(dest, p->cluster->size, t->owner);
        if (o->fallback)
            fall_back(t->owner);
    }
    mem_free(dest);
    if (cluster_weight(p->cluster) > BUCKETS)
        fail(p->warning, 0, "weights add up to more than %d buckets: servers that were added early may get none", BUCKETS);
    p->key.hash = (struct keyed_hash){&hash_ipvs_sh, 0};
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL | CAP_DOWN;
    p->law = LAW_FIXED;
    return e;
}

const struct strategy strategy_ipvs_sh = {
    .name = "ipvs-sh",
    .summary = "Linux IPVS scheduler sh: 256 buckets dealt in turns, by client address",
    .source = "Linux, net/netfilter/ipvs/ip_vs_sh.c",
    .version = "6.1.192",
    .cost = "O(1), 1 KiB",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct sh_options),
    .open = sh_open,
};
