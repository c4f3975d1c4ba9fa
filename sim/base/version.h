/* Which keysim this is. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define KEYSIM_VERSION "1.0"

extern const char version_revision[]; /* what git calls the sources; "unknown" */

#endif
