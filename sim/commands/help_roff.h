/* Text as the macros of man(7) want it. */
#ifndef COMMANDS_HELP_ROFF_H
#define COMMANDS_HELP_ROFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* len bytes, to appear as they are; at the beginning of a line a dot and a quote too. */
void roff_text(const char *text, size_t len, FILE *to);
void roff_all(const char *text, FILE *to);

void roff_section(const char *title, FILE *to);
void roff_tag(const char *tag, const char *value, FILE *to); /* of a list: bold, and its value slanted (NULL: none); its text follows */
void roff_shown(const char *text, FILE *to); /* lines as they stand */

/* What a command's details are made of: paragraphs, and lines that begin with blanks: "  WORD  meaning", going on with more blanks, and
 * "  keysim ...", an example. first: a heading has just been written. */
void roff_details(const char *text, bool first, FILE *to);

#endif
