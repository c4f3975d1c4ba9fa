/* keysim cache: the hit ratio when nodes are caches and come and go. */
#include "experiments/cache.h"

#include "commands/cache_words.h"

#include <errno.h>
#include <inttypes.h>

static int run(struct args *a, char why[WHY])
{
    struct study s;
    struct table *t = NULL;
    if (!a->cache_items)
        return fail(why, EINVAL, "cache: how many items does each node's cache hold? e.g. --cache-items 10k");
    if (a->coalesce && !a->fetch)
        return fail(why, EINVAL, "--coalesce: nobody waits where the database answers at once; say with --fetch after how many requests it does, e.g. --fetch 100");
    if (!a->workload)
        a->workload = CACHE_WORKLOAD;
    int e = request_open(&s, a, "cache", why);
    if (e)
        return e;
    if (s.sizes > 1)
        e = fail(why, EINVAL, "cache: one cluster is wanted, and -n names %zu; others come by --at N:CHANGE", s.sizes);
    const struct cache_wish wish = {a->cache_items, a->window, a->fetch, a->coalesce, a->per_node, (const char *const *)a->at.item, a->at.count};
    if (!e)
        e = cache_run(&s, &wish, &t, why);
    if (!e)
        e = request_write(a, &s, t, a->per_node ? cache_words_nodes : cache_words, why);
    table_destroy(t);
    request_close(&s);
    return e;
}

static const int takes[] = {'s', 'n', 'k', 'H', FLAG_CACHE_ITEMS, FLAG_AT, FLAG_WINDOW, FLAG_FETCH, FLAG_COALESCE, FLAG_PER_NODE, '0', FLAG_PERCENT, 0};

const struct command command_cache = {
    .name = "cache",
    .summary = "hit ratio and database load when nodes are caches and change",
    .usage = "-s SPEC... -n NODES --cache-items C [-k WORKLOAD] [--at N:CHANGE...] [--window W] [--fetch D [--coalesce]] [--per-node]",
    .takes = takes,
    .run = run,
    .details = "Each node is an LRU cache of C items before one database. A request goes to its key's node; a miss asks the database, and the item\n"
               "is kept. Nodes that leave or go down lose their cache, nodes that come begin with an empty one; keys that move are cold where they\n"
               "go, and their old copies take up room until they are dropped. Without -k: " CACHE_WORKLOAD ".\n\n"
               "  hits             requests that a cache answers (the hit ratio); expected by Che's formula, which says how\n"
               "                   long such a cache keeps an item that nobody asks for; after a change, with what moved cold\n"
               "  database         queries per request, against those before the first change (x 2: twice as many)\n"
               "  stay             share of the requests whose node is the same as before the change\n"
               "  recovered after  requests until hits are back to 95 % of what they were; about, as hits are means over some\n"
               "  busiest node     its requests, over its fair share\n"
               "  waited           with --coalesce: misses that wait for a query under way, and so spare the database one\n\n"
               "Windows begin anew at each change: 1000 requests, up to the 10,000th, the 100,000th .., then W at a time (default: a fiftieth of the\n"
               "stream, rounded down to 1, 2 or 5 and zeros; of a file 10,000). Bounded loads count the requests since the last change. A fetch under\n"
               "way has its place in the cache; until it is there, others who ask for it miss too: with --coalesce they wait for it.\n\n"
               "  keysim cache -s modulo -s ring:vnodes=1/150 -s slots -n 3 --cache-items 10k --at 5M:+1\n"
               "  keysim cache -s ring -n 10 --cache-items 100k -k user:count=1M,zipf=1.0,requests=10M --at 5M:-node-3 --at 8M:+node-3\n"
               "  keysim cache -s modulo -n 4 --cache-items 2000 -k file:path=trace.csv,column=5,header=1 --at 50k:+1 --fetch 100 --coalesce\n",
};
