/* A command run inside another, by the words a person would type, its result going to a file. The report and the incidents show
 * these very words: what they say was run is what ran. */
#ifndef COMMANDS_INNER_H
#define COMMANDS_INNER_H

#include "commands/args.h"

int inner_add(struct texts *words, const char *text, size_t len); /* 0 or -ENOMEM */
int inner_words(struct texts *words, ...) __attribute__((sentinel)); /* adds several, the last NULL; 0 or -ENOMEM */
void inner_release(struct texts *words);

/* Adds the options of this run that say what its words mean, where they are not the defaults and the command, the first word, has
 * them: -H, --seed, --percent. 0 or -ENOMEM. */
int inner_common(struct texts *words, const struct args *a);

/* Runs the words, whose first is the command; CSV goes to path. From a: --threads, --progress and -q. Status as command_line() gives. */
int inner_run(const struct texts *words, const struct args *a, char *path, char why[WHY]);

/* "keysim balance -s 'ring:label={i}' ...", quoted as a shell wants it; mem_freed by the caller; NULL: no memory. */
char *inner_text(const struct texts *words);

/* A file that ships, such as "plots/draw.gp": in $KEYSIM_DATA, else in ../share/keysim as seen from the program, else where it was built. *out is mem_freed
 * by the caller. 0, -EINVAL: it is not there, -ENOMEM. */
int inner_data(char **out, const char *name, char why[WHY]);

#endif
