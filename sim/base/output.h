/* Where results go: standard output, or a file that appears whole or not at all
 * (written beside its final name, synced, renamed). Every write is checked. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/terminal.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct output {
    FILE *file;
    char *path, *temporary; /* NULL: standard output */
    struct page page;       /* of words for people */
};

/* path NULL or "-": standard output. 0, -EINVAL when the folder does not exist or
 * may not be written (the user's mistake), or another negative errno. */
int output_open(struct output *o, const char *path, char why[WHY]);

/* Whether output_open will, before the work that fills it: the same errors. Pipes and devices are left alone. */
int output_check(const char *path, char why[WHY]);

/* From here on words for people: a terminal gets them laid out (base/terminal.h), with the close. 0 or -ENOMEM. */
int output_words(struct output *o, char why[WHY]);

/* Flushes, and for a file syncs and renames. 0, or a negative errno: then the
 * temporary file is gone and an earlier file of that name is untouched.
 * -EPIPE on standard output: the reader has gone. */
int output_close(struct output *o, char why[WHY]);

/* Gives up: removes the temporary file. */
void output_abandon(struct output *o);

/* Paths to be removed when the program is interrupted (SIGINT, SIGTERM: exit 130,
 * 143). output_open and staging folders register theirs. At most 256; path is copied. A killed program removes nothing: FILE.tmp-PID-N then
 * stays beside FILE, and no later run touches it, since a process of another machine may be writing it. */
void output_guard(const char *path);
void output_unguard(const char *path);
void output_catch_signals(void);

/* Makes a folder that is guarded before it is there. 0 or an errno, then it is not guarded. */
int output_make_folder(const char *path, mode_t mode);

/* A child that writes to guarded paths: ended first. 0: there is none any more. */
void output_guard_child(pid_t child);

#endif
