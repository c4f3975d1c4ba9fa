/* Another program, run to its end. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>

/* Runs argv[0] from PATH, its input empty; what it writes, to either output, goes to said, cut to size. *status as waitpid gives. 0 or an errno. */
int child_run(char *const argv[], char *said, size_t size, int *status);

#endif
