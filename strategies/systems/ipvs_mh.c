/* Linux IPVS, scheduler mh: a Maglev table of real servers, looked up by the client's address.
 *
 * Hashes are SipHash-1-3 cut to 32 bits, with fixed keys (64-bit kernels; 32-bit ones have another hash and other answers).
 * Weights, divided by their greatest common divisor and shifted until they fit, are turns in a row, so a full round is needed before
 * shares follow them. A server that is down has weight 0 but keeps its cells (the table is filled by the last weight): its
 * clients get no server, or with fallback=1 one found by hashing the address plus 0, 1, 2 .. */
#include "strategies/engines/ipvs.h"

#include "model/hashes.h"
#include "model/siphash.h"
#include "strategies/engines/maglev.h"

#include <errno.h>

enum { LEAST_INDEX = 8 };

struct mh_options {
    uint32_t table, fallback;
};

static const struct option options[] = {
    {.name = "table", .type = OPTION_CHOICE, .offset = offsetof(struct mh_options, table), .fallback = "4093",
     .choices = "251|509|1021|2039|4093|8191|16381|32749|65521|131071", .help = "cells of the table: CONFIG_IP_VS_MH_TAB_INDEX 8 to 17"},
    {.name = "fallback", .type = OPTION_CHOICE, .offset = offsetof(struct mh_options, fallback), .fallback = "0", .choices = "0|1",
     .help = "flag mh-fallback: look for another server when the chosen one is down"},
    {0},
};

static const struct siphash first_hash = {{2654435761, 2654435761}, 1, 3}, second_hash = {{2654446892, 2654446892}, 1, 3};

static uint32_t hash_number(const struct siphash *hash, uint32_t number)
{
    const unsigned char byte[4] = {(unsigned char)number, (unsigned char)(number >> 8), (unsigned char)(number >> 16), (unsigned char)(number >> 24)};
    return (uint32_t)siphash(hash, byte, sizeof byte);
}

static uint64_t ipvs_mh_one(const void *data, size_t len, uint64_t seed)
{
    (void)seed;
    return (uint32_t)siphash(&first_hash, data, len);
}
HASH_MANY(ipvs_mh)

const struct hash hash_ipvs_mh = {
    .name = "ipvs-mh", .bits = 32, .last = UINT32_MAX,
    .verification = 0xC293E7BA, /* computed here */
    .summary = "SipHash-1-3, its low 32 bits, with the key of IPVS's mh (own code)",
    .one = ipvs_mh_one, .many = ipvs_mh_many,
};

static uint32_t another(const void *state, const void *part, size_t len, uint64_t digest)
{
    const struct table_state *t = state;
    uint32_t client = ipvs_number(part, len), owner = NO_NODE;
    for (uint64_t step = 0; step < t->size && owner == NO_NODE; step++)
        owner = t->owner[hash_number(&first_hash, client + (uint32_t)((step + digest) % t->size)) % t->size];
    return owner;
}

static const struct engine fallback_engine = {TABLE_ENGINE, .again = another};

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Seats in the kernel's order; turns: weight / gcd, shifted right until the heaviest has half as many bits as the table. */
static void seats(const struct ipvs_dest *dest, uint32_t n, uint64_t size, unsigned index, struct maglev_seat *seat)
{
    uint32_t divisor = dest[0].node->weight, most = divisor;
    for (uint32_t i = 1; i < n; i++) {
        divisor = common_divisor(dest[i].node->weight, divisor);
        most = dest[i].node->weight > most ? dest[i].node->weight : most;
    }
    unsigned shift = 0;
    while (most / divisor >> shift >> index / 2)
        shift++;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t turns = dest[i].node->weight / divisor >> shift;
        seat[i] = (struct maglev_seat){.id = dest[i].node->id,
                                       .cell = hash_number(&first_hash, dest[i].number) % size,
                                       .skip = hash_number(&second_hash, dest[i].number) % (size - 1) + 1,
                                       .weight = 1,
                                       .turns = turns ? turns : 1};
    }
}

static void forget_down(const struct cluster *c, struct table_state *t)
{
    for (uint32_t i = 0; i < c->size; i++)
        for (uint64_t cell = 0; cell < t->size && c->node[i].down; cell++)
            if (t->owner[cell] == c->node[i].id)
                t->owner[cell] = NO_NODE;
}

static int mh_open(struct placement *p, char why[WHY])
{
    static const uint32_t sizes[] = {251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521, 131071};
    const struct mh_options *o = p->options;
    uint32_t n = p->cluster->size;
    int e = 0;
    struct ipvs_dest *dest = ipvs_open(p, &e, why);
    if (!dest)
        return e;
    struct maglev_seat *seat = mem_alloc(n, sizeof *seat);
    if (!seat)
        e = fail(why, ENOMEM, "no memory for %u destinations", n);
    if (!e) {
        seats(dest, n, sizes[o->table], LEAST_INDEX + o->table, seat);
        e = maglev_attach(p, sizes[o->table], seat, n, why);
    }
    mem_free(seat);
    mem_free(dest);
    if (e)
        return e;
    bool down = ipvs_any_down(p->cluster);
    if (down)
        forget_down(p->cluster, p->state);
    if (down && o->fallback)
        p->engine = &fallback_engine; /* without a map: where the others' clients go is not in the table */
    p->key.hash = (struct keyed_hash){&hash_ipvs_mh, 0};
    p->caps = CAP_WEIGHTS | CAP_ANY_REMOVAL | CAP_DOWN;
    p->law = down && o->fallback ? LAW_NONE : LAW_FIXED;
    return 0;
}

const struct strategy strategy_ipvs_mh = {
    .name = "ipvs-mh",
    .summary = "Linux IPVS scheduler mh: Maglev by client address, reversed order of servers",
    .source = "Linux, net/netfilter/ipvs/ip_vs_mh.c",
    .version = "6.1.192",
    .cost = "O(1), 4 bytes a cell",
    .addresses = true,
    .option = options,
    .options_size = sizeof(struct mh_options),
    .open = mh_open,
};
