/* keysim names: is it the hash or the count? */
#include "commands/names_words.h"

#include <errno.h>
#include <string.h>

static char default_ring[] = "ring", default_size[] = "10";

static bool everything(const struct args *a)
{
    return a->specs.item[0] == default_ring;
}

/* Other strategies than the ring have their own hash and labels. */
static bool all_rings(const struct study *s)
{
    for (size_t i = 0; i < s->specs; i++)
        if (strcmp(s->spec[i]->name, "ring"))
            return false;
    return true;
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    if (!all_rings(s))
        return names_systems(a, s, t, to, why);
    return everything(a) ? names_matrix(a, s, t, to, why) : names_ladders(a, s, t, to, why);
}

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    int e = a->specs.count ? 0 : texts_add(&a->specs, default_ring, why);
    if (!e && !a->nodes.count)
        e = texts_add(&a->nodes, default_size, why);
    if (!e)
        e = request_open(&s, a, "names", why);
    if (e)
        return e;
    if (all_rings(&s) && s.placements == 1 && names_are_patterns(s.nodes[0]))
        s.placements = 0; /* as many as can be had soon */
    if (s.sizes > 1)
        e = fail(why, EINVAL, "names: one cluster is wanted, and -n names %zu", s.sizes);
    if (!e)
        e = all_rings(&s) ? names_run(&s, everything(a), &t, why) : names_systems_run(&s, &t, why);
    if (!e)
        e = request_write(a, &s, t, words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'n', 's', 'H', FLAG_PLACEMENTS, FLAG_PERCENT, 0};

const struct command command_names = {
    .name = "names",
    .summary = "uneven? the hash of the nodes' names, or too few points?",
    .usage = "[-n NODES] [-s SPEC...] [--placements P]",
    .takes = takes,
    .run = run,
    .details = "A good hash scatters look-alike names (ports in a row, numbered hosts) as it does any others, and the scatter of load falls with the\n"
               "points a node: CV = sqrt((N-1)/(NV+1)). A weak hash keeps the likeness, and more points do not help.\n\n"
               "Without -s all hashes and labels of a table are tried, on the names of -n or, where that is a number or left out, on common patterns of\n"
               "names, P sets of each (default 8, fewer of hundreds of nodes or more). With -s ring:hash=H,label=L,vnodes=V that ring is judged, at V points a node and at 4 and 16 times as many.\n\n"
               "With another strategy or a system, which has its own hash, the names of -n are judged beside others drawn at random (P, or some hundreds):\n"
               "it is the names where all but one of a hundred draws are more even.\n\n"
               "  hash   less even than an ideal hash: of a thousand such runs, one would say so of it\n"
               "  count  as an ideal hash with so many points\n"
               "  even   more even than chance: a stroke of luck\n\n"
               "  keysim names\n"
               "  keysim names -n cache-001,cache-002,cache-003,cache-004\n"
               "  keysim names -s 'ring:vnodes=100,hash=crc32,label={i}{node}' -n @nodes.txt\n"
               "  keysim names -s libketama -n 10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4\n",
};
