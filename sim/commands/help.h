/* What describes the program to people and to their shells. All of it is made from the tables that the program itself goes by: commands, flags,
 * strategies, workloads, hashes and their options. */
#ifndef COMMANDS_HELP_H
#define COMMANDS_HELP_H

#include "commands/args.h"

#include "base/option.h"

void help_man(FILE *to); /* keysim(1), in the macros of man(7) */

/* Completion for a shell. */
void help_bash(FILE *to);
void help_zsh(FILE *to);
void help_fish(FILE *to);

/* Those who have options: every strategy, workload and hash (help_words.c). */
struct owner {
    const char *kind, *name, *summary; /* "strategy", "workload" or "hash" */
    const struct option *option;       /* ends with a NULL name; NULL: none */
};
bool owner_at(size_t k, struct owner *o); /* the k-th from 0; false: no more */

/* What an option's value may be, in the words of struct flag: "HASH", "SPEC", "FILE", or choices "ge|gt|le"; NULL: a number or a text. */
const char *option_value(const struct option *o);

/* What a command takes behind its options, as its usage says: "KEY", "strategies|systems"; "" : nothing. Returns out. */
char *usage_rest(const struct command *c, char out[256]);

bool usage_folder(const struct command *c); /* whether -o names a folder */

/* The first words of a help text, for a list of many. Returns out. */
char *help_brief(const char *text, char out[64]);

/* What shells are told (help_complete.c): functions that print what may stand somewhere, a line each, WORD<TAB>MEANING, or one of SPEC,
 * WORKLOAD, HASH, NODES, FILE and DIR, which the shell's own part knows:
 *
 *     commands; flags COMMAND; takes FLAG COMMAND, which fails where the flag takes no value; rest COMMAND
 *     names KIND; options KIND:NAME; choices KIND:NAME:OPTION; formats, of -n @FORMAT:FILE */
struct dialect {
    const char *open, *close;                     /* of a function; %s: its name */
    const char *choose, *chosen;                  /* by its first argument */
    const char *before, *or, *after, *end, *any;  /* a case: around and between its words, behind its body; the word that fits all */
    const char *second, *other;                   /* if its second argument is %s; else */
};
extern const struct dialect dialect_sh, dialect_fish;
void complete_tables(const struct dialect *d, FILE *to);

#endif
