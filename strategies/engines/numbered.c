/* Cost: the bucket function's; 4 bytes a node. A change touches the nodes that come or go. */
#include "strategies/engines/numbered.h"

#include "strategies/engines/names.h"

#include <errno.h>

const struct option numbered_options[] = {
    {.name = "hash", .type = OPTION_CUSTOM, .offset = offsetof(struct numbered_options, hash), .parse = hash_parse, .sweeps = true,
     .help = "hash of the key (default: the run's, -H); identity: keys are numbers, as in the paper"},
    {0},
};

/* jump: by induction, bucket N-1 draws 1/N from each before it. The others, with E the power of two that holds N: a first try gives 1/E to each;
 * of the (E-N)/E that miss, each bucket gets 1/N again: 1/E + (E-N)/E/N = 1/N. */
int numbered_shares(const void *state, double *share)
{
    const struct numbered *s = state;
    for (uint32_t i = 0; i < s->nodes; i++)
        share[s->id[i]] = 1.0 / s->nodes;
    return 0;
}

/* The law is none for nodes that should get more than others. */
static void promise(struct placement *p, const struct cluster *c)
{
    p->caps = CAP_MINIMAL;
    p->law = warn_of_weights(p, c) ? LAW_NONE : LAW_FIXED;
}

/* old made to hold the nodes of c, of which it has the first; NULL: a new one. */
static struct numbered *resized(struct numbered *old, const struct cluster *c, char why[WHY])
{
    uint32_t known = old ? old->nodes : 0;
    struct numbered *s = mem_resize(old, 1, sizeof *s + c->size * sizeof s->id[0]);
    if (!s) {
        fail(why, ENOMEM, "no memory for %u buckets", c->size);
        return NULL;
    }
    for (uint32_t i = known; i < c->size; i++)
        s->id[i] = c->node[i].id;
    s->nodes = c->size;
    return s;
}

int numbered_attach(struct placement *p, const struct engine *engine, uint32_t option, char why[WHY])
{
    struct numbered *s = resized(NULL, p->cluster, why);
    if (!s)
        return -ENOMEM;
    s->option = option;
    p->engine = engine;
    p->state = s;
    promise(p, p->cluster);
    return 0;
}

int numbered_open(struct placement *p, char why[WHY])
{
    const struct numbered_options *o = p->options;
    take_hash(p, &o->hash);
    return numbered_attach(p, p->strategy->data, 0, why);
}

int numbered_change(struct placement *p, const struct cluster *after, char why[WHY])
{
    const struct cluster *before = p->cluster;
    for (uint32_t i = 0; i < before->size && i < after->size; i++)
        if (before->node[i].id != after->node[i].id)
            return fail(why, EINVAL, "%s cannot leave its place: nodes are numbered, only the last (%s) can leave and new ones come last; "
                                     "with others, such as ring, rendezvous, anchor or memento, any node can leave",
                        before->node[i].name, before->node[before->size - 1].name);
    struct numbered *s = p->state;
    if (s->nodes != after->size && !(s = resized(s, after, why)))
        return -ENOMEM;
    p->state = s;
    promise(p, after);
    return 0;
}
