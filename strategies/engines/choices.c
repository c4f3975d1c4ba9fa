#include "strategies/engines/choices.h"

#include "base/rng.h"

uint32_t choice_at(const struct placement *p, uint64_t digest, uint64_t try)
{
    return p->engine->lookup(p->state, try ? rng_upto(rng_at(digest, try), p->key.hash.hash->last) : digest);
}

size_t choices(const struct placement *p, uint64_t digest, uint32_t *id, size_t k)
{
    size_t found = 0;
    /* Each try finds a new node with probability at least (N - found) / N on an even placement; the bound is never met there. */
    for (uint64_t try = 0, most = 64 * (uint64_t)k * (p->cluster->size + (uint64_t)1); try < most && found < k; try++) {
        uint32_t owner = choice_at(p, digest, try);
        if (try == 0 && owner == NO_NODE)
            break;
        size_t i = 0;
        while (i < found && id[i] != owner)
            i++;
        if (i == found && owner != NO_NODE)
            id[found++] = owner;
    }
    return found;
}
