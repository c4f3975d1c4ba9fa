/* One line on standard error: what, how far, rate, time left. Shown only on a
 * terminal (or --progress always), after half a second, ten times a second at
 * most; nothing when piped. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>

enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
void progress_mode(enum progress_when when);

/* total in units of `unit` ("keys"); 0: unknown. Not nested: a start ends the one before. */
void progress_start(const char *what, const char *unit, uint64_t total);
void progress_add(uint64_t n);    /* any thread */
void progress_end(void);          /* wipes the line */

#endif
