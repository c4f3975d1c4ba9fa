/* The command line: one table of flags for all commands, from which getopt's tables, --help and whatever else
 * describes the program are made; each command names those it takes. */
#ifndef COMMANDS_ARGS_H
#define COMMANDS_ARGS_H

#include "base/progress.h"
#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum format { FORMAT_AUTO, FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

struct texts { /* a repeated option */
    char **item;
    size_t count, capacity;
};

int texts_add(struct texts *t, char *text, char why[WHY]); /* by pointer; 0 or -ENOMEM */

#define WORKLOAD_DEFAULT "user:count=1M"
#define HASH_DEFAULT "xxh3"

/* Everything a command line can say; a field is set only where its flag is taken. */
struct args {
    struct texts specs;    /* -s */
    struct texts nodes;    /* -n */
    struct texts decoded;  /* names that were percent-encoded; mem_freed */
    struct texts changes;  /* --change */
    const char *to, *to_spec;
    const char *workload;  /* -k; NULL: WORKLOAD_DEFAULT */
    const char *hash;      /* -H; default HASH_DEFAULT */
    uint64_t seed;         /* default 1 */
    uint64_t threads;      /* 0: all cores */
    uint64_t placements;   /* default 1 */
    uint64_t replicas;     /* default 0: not asked for */
    bool exact, per_node, explain, percent, nul, deep, quiet, verbose, help;
    uint32_t cache;        /* warm, cold, both, neighbour, all */
    enum format format;
    enum progress_when progress;
    const char *output;    /* -o; NULL: standard output */
    const char *file;      /* -f */
    const char *find;      /* --find: node=NAME or slot=N */
    uint64_t count;        /* of keys to find, default 1 */
    const char *against;   /* --against: a recorded placement */
    struct texts targets;  /* --target: "max/mean<=1.10"; each must hold */
    double confidence;     /* --confidence, default 0.95 */
    const char *nodes_later; /* --nodes-later: NODES */
    uint64_t survive;      /* --survive: nodes that may be dead */
    const char *cost;      /* --cost: a file for timed figures */
    uint64_t fail;         /* --fail: nodes that fail at once; 0: the command's default */
    const char *emit, *rate, *load; /* --emit, --rate, --load */
    const char *capacity;  /* --capacity: a number or a sweep of them */
    uint32_t capacity_of;  /* --capacity-of: 0 fair, 1 own */
    const char *kill;      /* --kill: a node's name, or how many */
    uint64_t cache_items;  /* --cache-items; 0: not given */
    struct texts at;       /* --at: N:CHANGE */
    uint64_t window;       /* --window, in requests; 0: not given */
    uint64_t fetch;        /* --fetch, in requests */
    bool coalesce;         /* --coalesce */
    const char *trace;     /* --trace: a WORKLOAD */
    bool quick;            /* --quick */
    const char *peers;     /* --peers: a file */
    const char *csv;       /* --csv: a file */
    uint32_t as;           /* --as: 0 not given, then man, bash, zsh, fish */
    uint64_t events;       /* --events; 0: the command's default */
    char **rest;           /* words after the options */
    int rest_count;
};

/* One flag, as the help shows it. */
struct flag {
    int id;             /* what getopt returns: the short letter, or a number above 255 */
    const char *name;   /* long name */
    const char *value;  /* name of its value; NULL: takes none */
    const char *help;
};
extern const struct flag flags[]; /* ends with id 0 */

/* Ids of flags without a letter. */
enum { FLAG_CHANGE = 256, FLAG_TO, FLAG_TO_SPEC, FLAG_SEED, FLAG_THREADS, FLAG_CPU, FLAG_PLACEMENTS, FLAG_REPLICAS, FLAG_EXACT, FLAG_PER_NODE,
       FLAG_EXPLAIN, FLAG_PERCENT, FLAG_CACHE, FLAG_FORMAT, FLAG_PROGRESS, FLAG_FIND, FLAG_COUNT, FLAG_AGAINST, FLAG_DEEP, FLAG_TARGET, FLAG_CONFIDENCE, FLAG_NODES_LATER, FLAG_SURVIVE,
       FLAG_COST, FLAG_FAIL, FLAG_EMIT, FLAG_RATE, FLAG_LOAD, FLAG_CAPACITY, FLAG_CAPACITY_OF, FLAG_KILL, FLAG_TRIALS, FLAG_CACHE_ITEMS, FLAG_AT, FLAG_WINDOW,
       FLAG_FETCH, FLAG_COALESCE, FLAG_EVENTS, FLAG_TRACE, FLAG_QUICK, FLAG_PEERS, FLAG_CSV, FLAG_AS, FLAG_HELP };

struct command {
    const char *name, *summary;
    const char *usage;       /* the words behind the name */
    const int *takes;        /* ids of flags, ends with 0; the common ones are always taken */
    const char *details;     /* more for --help: what comes out, examples */
    int (*run)(struct args *a, char why[WHY]); /* 0, 1 (a check said no) or a negative errno with a sentence */
    bool shared;             /* many processes share the work (base/ranks.h); else the first does it all */
};
extern const struct command *const commands[]; /* ends with NULL */
const struct command *command_find(const char *name); /* NULL: unknown */
bool command_takes(const struct command *c, int flag);

/* --help of one command; of the program. */
void help_command(const struct command *c, FILE *to);
void help_program(FILE *to);

/* Parses argv[1..] for a command (argv[0] is its name). 0, -EINVAL, -ENOMEM. */
int args_parse(struct args *a, const struct command *c, int argc, char **argv, char why[WHY]);
void args_release(struct args *a);

/* Parses and runs one command line, as main and the report do; status as run() gives. Output goes where -o says. */
int command_line(int argc, char **argv, char why[WHY]);

/* Warns on standard error unless -q. */
void warn(const struct args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The format that applies: auto is a table on a terminal, CSV otherwise (and always CSV into a file). */
enum format args_format(const struct args *a);

#endif
