/* Parsing, with getopt_long. This file does not see base/option.h: its struct option is not getopt's. */
#include "commands/args.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "base/ranks.h"
#include "base/terminal.h"
#include "base/text.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct flag flags[] = {
    {'s', "strategy", "SPEC", "strategy or system: name[:option=value,...], a value may be a sweep (1..1024x2, 50..200+50, 1/10); may be repeated"},
    {'n', "nodes", "NODES", "a number (or a sweep 10..1000x10), a list a,b=2,c with weights, @FILE with a line a node, or a real configuration, @FORMAT:FILE[#PART]: nginx, haproxy, twemproxy, envoy, ketama, redis-nodes, cassandra; it brings its strategy along"},
    {'k', "keys", "WORKLOAD", "keys to place, e.g. user:count=10M,zipf=0.99 or file:path=F (default user:count=1M; report: 10M, churn: 100k; cache: 10M Zipf requests)"},
    {'H', "hash", "HASH", "hash of keys, for strategies that have none of their own: name[:seed=S] (default xxh3)"},
    {FLAG_EXACT, "exact", NULL, "from ownership, without keys: no sampling noise"},
    {FLAG_PLACEMENTS, "placements", "P", "draw the nodes' names anew P times: means and 5/50/95 % quantiles"},
    {FLAG_PER_NODE, "per-node", NULL, "a row a node"},
    {FLAG_CHANGE, "change", "CHANGE", "+2, -2, +NAME[=WEIGHT], -NAME, NAME=WEIGHT, NAME=down|up, joined by ';', or each (every node leaves in turn); may be repeated"},
    {FLAG_TO, "to", "NODES", "the nodes afterwards"},
    {FLAG_TO_SPEC, "to-spec", "SPEC", "the strategy afterwards, on the same nodes"},
    {FLAG_CACHE, "cache", "warm|cold|both|neighbour|all", "time with data in the caches (default), with the caches swept before each batch, or beside a neighbour that fills them: 16 random bytes and a 64 KB block of 1 GB read for each look-up"},
    {FLAG_REPLICAS, "replicas", "R", "copies of a key: R distinct nodes, the owner first"},
    {FLAG_EXPLAIN, "explain", NULL, "say why: the part hashed, digest, slot or ring point and its neighbours"},
    {FLAG_FIND, "find", "node=NAME|slot=N", "look for keys that land there, the shortest first: hash tags where the system has them"},
    {FLAG_COUNT, "count", "N", "how many keys to find (default 1)"},
    {FLAG_AGAINST, "against", "FILE", "a recorded placement: CSV as keysim where writes it"},
    {FLAG_TARGET, "target", "TARGET", "what must hold: max/mean<=1.10, min/mean>=0.9, cv<=0.05, max-share<=0.12, moved<=0.1; may be repeated"},
    {FLAG_CONFIDENCE, "confidence", "P", "with which probability over clusters of such nodes (default 0.95)"},
    {FLAG_NODES_LATER, "nodes-later", "NODES", "sizes at which the answer must hold too: 12..40+1"},
    {FLAG_SURVIVE, "survive", "K", "hold the target with any K nodes dead, with fewer, and with none; fair shares are then among those that live"},
    {FLAG_COST, "cost", "FILE", "timed figures go there: build, change and look-up time of each candidate"},
    {FLAG_FAIL, "fail", "K", "nodes that fail at once (default 2)"},
    {FLAG_EMIT, "emit", "slots|redis-cli", "instead of the plan: the slots that go from node to node, or a script that moves them in a Redis Cluster"},
    {FLAG_RATE, "rate", "RATE", "how fast a node takes data in, 100MB/s; with the bytes in all where no sizes are known, 2TB@100MB/s"},
    {FLAG_LOAD, "load", "FILE", "measured load: CSV whose first line names key,load or slot,load (bytes instead of load, where it is in bytes)"},
    {FLAG_CAPACITY, "capacity", "FACTOR", "the load that a node bears, over its fair share: 1.25 (default), or several, 1.1/1.25/1.5 or 1.25..3+0.25"},
    {FLAG_CAPACITY_OF, "capacity-of", "fair|own", "what the factor multiplies: a node's fair share (default), or its own load before anything fails"},
    {FLAG_KILL, "kill", "NAME|K", "the node that dies first, or how many die at once (default 1: each node in turn)"},
    {FLAG_TRIALS, "trials", "T", "placements to look at, the nodes' names drawn anew for each (default 1: the names given)"},
    {FLAG_CACHE_ITEMS, "cache-items", "C", "items that each node's cache holds"},
    {FLAG_AT, "at", "N:CHANGE", "a change of the nodes before request N (from 0): 5M:+1, 8M:-node-3; may be repeated, in order"},
    {FLAG_WINDOW, "window", "W", "requests a row (default: a fiftieth of the stream)"},
    {FLAG_FETCH, "fetch", "D", "requests that go by until the database has answered (default 0: at once)"},
    {FLAG_COALESCE, "coalesce", NULL, "a miss waits for a fetch of the same key by the same node that is under way: one query for all of them"},
    {FLAG_EVENTS, "events", "E", "how many changes (default 200)"},
    {FLAG_TRACE, "trace", "WORKLOAD", "recorded requests to send to caches as well: file:path=F,column=5,header=1"},
    {FLAG_QUICK, "quick", NULL, "less patience: smaller rings, fewer repetitions"},
    {FLAG_PEERS, "peers", "FILE", "how fast others are: CSV as make bench-peers writes it"},
    {FLAG_CSV, "csv", "FILE", "the same goes there, as CSV"},
    {FLAG_AS, "as", "man|bash|zsh|fish", "the manual page, or completion for a shell"},
    {FLAG_DEEP, "deep", NULL, "look longer: more keys, more placements, every node"},
    {'f', "file", "FILE", "keys from a file, a line a key (- is standard input)"},
    {'0', "null", NULL, "keys of a file are separated by NUL, not by lines"},
    {FLAG_PERCENT, "percent", NULL, "keys and node names are percent-encoded wherever they are read or written"},
    {FLAG_SEED, "seed", "N", "seed of everything random (default 1)"},
    {FLAG_THREADS, "threads", "N", "threads to use (default: all cores); results do not depend on it"},
    {FLAG_CPU, "cpu", "plain|avx2|avx512", "instructions that fast paths may use (default: the best there are); results do not depend on it"},
    {FLAG_FORMAT, "format", "auto|table|csv|json", "auto: an aligned table on a terminal, CSV otherwise"},
    {'o', "output", "FILE", "write there; the file appears whole or not at all"},
    {FLAG_PROGRESS, "progress", "auto|always|never", "a line on standard error with rate and time left (auto: on a terminal)"},
    {'q', "quiet", NULL, "no warnings"},
    {'v', "verbose", NULL, "say more on standard error"},
    {FLAG_HELP, "help", NULL, "this text"},
    {0, NULL, NULL, NULL},
};
enum { FLAGS = sizeof flags / sizeof *flags - 1 };

static const int common[] = {FLAG_SEED, FLAG_THREADS, FLAG_CPU, FLAG_FORMAT, 'o', FLAG_PROGRESS, 'q', 'v', FLAG_HELP, 0};

bool command_takes(const struct command *c, int id)
{
    for (const int *t = common; *t; t++)
        if (*t == id)
            return true;
    for (const int *t = c->takes; *t; t++)
        if (*t == id)
            return true;
    return false;
}

int texts_add(struct texts *t, char *text, char why[WHY])
{
    if (mem_grow(&t->item, &t->capacity, t->count + 1, sizeof *t->item))
        return fail(why, ENOMEM, "no memory for the command line");
    t->item[t->count++] = text;
    return 0;
}

void args_release(struct args *a)
{
    for (size_t i = 0; i < a->decoded.count; i++)
        mem_free(a->decoded.item[i]);
    mem_free(a->decoded.item);
    mem_free(a->specs.item);
    mem_free(a->nodes.item);
    mem_free(a->changes.item);
    mem_free(a->at.item);
    mem_free(a->targets.item);
    *a = (struct args){0};
}

static int word_of(const char *flag, const char *value, const char *const *words, uint32_t *index, char why[WHY])
{
    for (uint32_t i = 0; words[i]; i++)
        if (!strcmp(words[i], value)) {
            *index = i;
            return 0;
        }
    char known[128] = "";
    for (uint32_t i = 0; words[i]; i++) {
        strcat(known, i ? ", " : "");
        strcat(known, words[i]);
    }
    return fail(why, EINVAL, "%s '%s': must be one of %s", flag, value, known);
}

static int number(const char *flag, const char *value, uint64_t min, uint64_t max, uint64_t *out, char why[WHY])
{
    if (text_count(value, strlen(value), out) || *out < min || *out > max)
        return fail(why, EINVAL, "%s '%s': must be a whole number, %" PRIu64 " to %" PRIu64, flag, value, min, max);
    return 0;
}

static int set_flag(struct args *a, int id, char *value, char why[WHY])
{
    static const char *const formats[] = {"auto", "table", "csv", "json", NULL}, *const caches[] = {"warm", "cold", "both", "neighbour", "all", NULL},
                             *const whens[] = {"auto", "always", "never", NULL}, *const shares[] = {"fair", "own", NULL},
                             *const forms[] = {"man", "bash", "zsh", "fish", NULL};
    uint32_t word = 0;
    int e = 0;
    switch (id) {
    case 's': return texts_add(&a->specs, value, why);
    case 'n': return texts_add(&a->nodes, value, why);
    case FLAG_CHANGE: return texts_add(&a->changes, value, why);
    case 'k': a->workload = value; break;
    case 'H': a->hash = value; break;
    case FLAG_EXACT: a->exact = true; break;
    case FLAG_PER_NODE: a->per_node = true; break;
    case FLAG_EXPLAIN: a->explain = true; break;
    case FLAG_PERCENT: a->percent = true; break;
    case FLAG_TO: a->to = value; break;
    case FLAG_TO_SPEC: a->to_spec = value; break;
    case 'f': a->file = value; break;
    case FLAG_FIND: a->find = value; break;
    case FLAG_AGAINST: a->against = value; break;
    case FLAG_DEEP: a->deep = true; break;
    case FLAG_QUICK: a->quick = true; break;
    case FLAG_PEERS: a->peers = value; break;
    case FLAG_CSV: a->csv = value; break;
    case FLAG_TARGET: return texts_add(&a->targets, value, why);
    case FLAG_NODES_LATER: a->nodes_later = value; break;
    case FLAG_COST: a->cost = value; break;
    case FLAG_EMIT: a->emit = value; break;
    case FLAG_RATE: a->rate = value; break;
    case FLAG_LOAD: a->load = value; break;
    case FLAG_CONFIDENCE:
        if (text_real(value, strlen(value), &a->confidence) || a->confidence <= 0 || a->confidence >= 1)
            e = fail(why, EINVAL, "--confidence '%s': must lie between 0 and 1, like 0.95", value);
        break;
    case FLAG_SURVIVE: return number("--survive", value, 0, 1000000, &a->survive, why);
    case FLAG_FAIL: return number("--fail", value, 1, 1000000, &a->fail, why);
    case FLAG_AT: return texts_add(&a->at, value, why);
    case FLAG_CAPACITY: a->capacity = value; break;
    case FLAG_KILL: a->kill = value; break;
    case FLAG_TRACE: a->trace = value; break;
    case FLAG_COALESCE: a->coalesce = true; break;
    case FLAG_CAPACITY_OF: return word_of("--capacity-of", value, shares, &a->capacity_of, why);
    case FLAG_TRIALS: return number("--trials", value, 1, 10000000, &a->placements, why);
    case FLAG_CACHE_ITEMS: return number("--cache-items", value, 1, 1000000000, &a->cache_items, why);
    case FLAG_WINDOW: return number("--window", value, 1, UINT64_MAX, &a->window, why);
    case FLAG_FETCH: return number("--fetch", value, 0, 1000000, &a->fetch, why);
    case FLAG_EVENTS: return number("--events", value, 1, 1000000, &a->events, why);
    case FLAG_AS:
        e = word_of("--as", value, forms, &word, why);
        a->as = e ? 0 : word + 1;
        break;
    case '0': a->nul = true; break;
    case 'o': a->output = value; break;
    case 'q': a->quiet = true; break;
    case 'v': a->verbose = true; break;
    case FLAG_HELP: a->help = true; break;
    case FLAG_PLACEMENTS: return number("--placements", value, 1, 10000000, &a->placements, why);
    case FLAG_REPLICAS: return number("--replicas", value, 1, 1000000, &a->replicas, why);
    case FLAG_COUNT: return number("--count", value, 1, 1000000, &a->count, why);
    case FLAG_SEED: return number("--seed", value, 0, UINT64_MAX, &a->seed, why);
    case FLAG_CPU: return cpu_use(value, why);
    case FLAG_THREADS: return number("--threads", value, 1, 4096, &a->threads, why);
    case FLAG_CACHE: return word_of("--cache", value, caches, &a->cache, why);
    case FLAG_FORMAT:
        e = word_of("--format", value, formats, &word, why);
        a->format = (enum format)word;
        break;
    case FLAG_PROGRESS:
        e = word_of("--progress", value, whens, &word, why);
        a->progress = (enum progress_when)word;
        break;
    default: break;
    }
    return e;
}

/* getopt's two tables, for the flags that c takes. */
static void getopt_tables(const struct command *c, char *letters, struct option *longs)
{
    *letters++ = ':'; /* a missing value is told apart from an unknown option */
    for (const struct flag *f = flags; f->id; f++) {
        if (!command_takes(c, f->id))
            continue;
        *longs++ = (struct option){f->name, f->value ? required_argument : no_argument, NULL, f->id};
        if (f->id < 256) {
            *letters++ = (char)f->id;
            if (f->value)
                *letters++ = ':';
        }
    }
    *letters = 0;
    *longs = (struct option){0};
}

/* Why getopt stopped at a word. */
static int refuse_word(const struct command *c, int result, const char *word, char why[WHY])
{
    char shown[80];
    text_printable(word, strlen(word), shown, sizeof shown);
    if (result == ':')
        return fail(why, EINVAL, "%s: option %s needs a value", c->name, shown);
    const char *known[FLAGS];
    size_t n = 0;
    for (const struct flag *f = flags; f->id; f++)
        if (command_takes(c, f->id))
            known[n++] = f->name;
    size_t near = !strncmp(word, "--", 2) ? text_nearest(word + 2, known, n) : n;
    return near < n ? fail(why, EINVAL, "%s: unknown option %s; did you mean --%s?", c->name, shown, known[near])
                    : fail(why, EINVAL, "%s: unknown option %s; keysim help %s lists the options", c->name, shown, c->name);
}

/* With --percent a node's name is encoded here too. */
static int decode_name(struct args *a, const char *flag, const char **text, char why[WHY])
{
    if (!a->percent || !*text)
        return 0;
    char *name = mem_copy(*text, strlen(*text));
    long len = name ? text_percent_decode(name, strlen(name), name) : 0;
    int e = name ? texts_add(&a->decoded, name, why) : fail(why, ENOMEM, "no memory for the command line");
    if (e)
        mem_free(name);
    else if (len < 0)
        e = fail(why, EINVAL, "--%s '%.200s': a %% must be followed by two hexadecimal digits", flag, *text);
    else
        name[len] = 0;
    *text = e ? NULL : name;
    return e;
}

int args_parse(struct args *a, const struct command *c, int argc, char **argv, char why[WHY])
{
    char letters[2 * FLAGS + 2];
    struct option longs[FLAGS + 1];
    *a = (struct args){.hash = HASH_DEFAULT, .seed = 1, .placements = 1, .count = 1, .confidence = 0.95};
    getopt_tables(c, letters, longs);
    opterr = 0;
    optind = 0; /* GNU: start over */
    int id, e = 0;
    while (!e) {
        int at = optind ? optind : 1;
        id = getopt_long(argc, argv, letters, longs, NULL);
        if (id < 0)
            break;
        e = id == '?' || id == ':' ? refuse_word(c, id, argv[optind > at ? optind - 1 : at], why) : set_flag(a, id, optarg, why);
    }
    a->rest = argv + optind;
    a->rest_count = argc - optind;
    if (!e)
        e = decode_name(a, "kill", &a->kill, why);
    if (!e)
        e = decode_name(a, "find", &a->find, why);
    if (e)
        args_release(a);
    return e;
}

void warn(const struct args *a, const char *format, ...)
{
    if (a->quiet)
        return;
    char text[WHY], shown[WHY];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "keysim: warning: %s\n", text_printable(text, strlen(text), shown, sizeof shown));
}

enum format args_format(const struct args *a)
{
    if (a->format != FORMAT_AUTO)
        return a->format;
    return !a->output && !ranks_launched() && terminal_is(stdout) ? FORMAT_TABLE : FORMAT_CSV;
}
