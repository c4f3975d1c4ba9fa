/* The parts of one system; nothing else includes this. */
#ifndef STRATEGIES_SYSTEMS_HAPROXY_PARTS_H
#define STRATEGIES_SYSTEMS_HAPROXY_PARTS_H

#include "model/hashes.h"
#include "strategies/strategy.h"

enum { HDR, URI, URL_PARAM, SOURCE };
enum { MAP, CONSISTENT };
enum { NOT_GIVEN = 0 }; /* of hash= and avalanche= */

struct haproxy_options {
    uint32_t balance, type, hash, avalanche, whole; /* avalanche: NOT_GIVEN, or 1 + what is wanted */
};

/* HAProxy's mixing of 32 bits, for its keys and for its ring's points. */
uint32_t haproxy_avalanche(uint32_t a);

/* Sets p->key; usable: how many servers are. */
void haproxy_key_rule(struct placement *p, uint32_t usable);

#endif
