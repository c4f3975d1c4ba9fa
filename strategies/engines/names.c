#include "strategies/engines/names.h"

#include <string.h>

uint64_t name_word(const struct node *n)
{
    return hash_find("xxh3")->one(n->name, strlen(n->name), 0);
}

void take_hash(struct placement *p, const struct keyed_hash *own)
{
    if (own->hash)
        p->key.hash = *own;
}

bool warn_of_weights(struct placement *p, const struct cluster *c)
{
    bool differ = false;
    for (uint32_t i = 1; i < c->size; i++)
        differ |= c->node[i].weight != c->node[0].weight;
    if (differ)
        fail(p->warning, 0, "%s knows no weights: they are ignored", p->strategy->name);
    return differ;
}
