/* What is shown to a person: nothing in it that a terminal would obey, as wide as the terminal, the answer in bold, what
 * to ask next dim.
 *
 * The width is that of COLUMNS when it is set and sane, else the terminal's own. Without a terminal
 * (and, on standard output, without COLUMNS) nothing is wrapped and nothing is marked. Marks are left out when
 * NO_COLOR is set and not empty, and where TERM is dumb or missing. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include "base/why.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool terminal_is(FILE *f);

/* Characters a line on f, or on the page open for it; SIZE_MAX: no end. */
size_t terminal_width(FILE *f);

/* The words of a text, lines `indent` blanks in and no wider than width; at: where the first one stands already.
 * A word too long for any line is broken behind its commas. No newline at the end. */
void terminal_wrap(const char *text, size_t len, size_t at, size_t indent, size_t width, FILE *to);

/* Words on their way to a reader: written to `in`, they are made harmless (text_shown) and laid out when the page is closed. One at a time. */
struct page {
    FILE *in, *to; /* in: NULL while no page is open */
    char *text;
    size_t len, width;
    bool marks;
};
int page_open(struct page *p, FILE *to, char why[WHY]); /* 0 or -ENOMEM */
int page_close(struct page *p, bool show, char why[WHY]); /* 0 or -ENOMEM: then nothing is shown */

#endif
