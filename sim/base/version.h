/* Which keysim this is. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define KEYSIM_VERSION "1.0"
#define KEYSIM_RELEASED "2026-11-30" /* stands in the man page: a date of its own, so that a build is the same on any day */

extern const char version_revision[]; /* what git calls the sources; "unknown" */

#endif
