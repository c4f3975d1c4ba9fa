/* keysim: which node does a key go to, and what does that choice cost?
 *
 * The commands do the work (commands/); here their outcome becomes an exit status:
 * 0 done, 1 a check said no, 2 the user's mistake, 3 the machine's failure. Of many processes the first speaks. */
#include "base/output.h"
#include "base/ranks.h"
#include "base/version.h"
#include "commands/args.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char why[WHY] = "";
    int e = ranks_start(why);
    signal(SIGPIPE, SIG_IGN); /* a reader that leaves shows as EPIPE, and ends the run quietly */
    output_catch_signals();
    if (e)
        ; /* nothing can be done */
    else if (argc < 2)
        e = fail(why, EINVAL, "which command? keysim help lists them; try: keysim balance -s modulo -s ring:vnodes=1/150 -s slots -n 10");
    else if (!strcmp(argv[1], "--version"))
        printf("keysim " KEYSIM_VERSION " (%s)\n", version_revision);
    else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        help_program(stdout);
    else
        e = command_line(argc - 1, argv + 1, why);
    if (e >= 0 && fflush(stdout))
        e = fail(why, errno, "standard output: cannot be written: %s", strerror(errno));
    e = ranks_end(e, why);
    if (e == -EPIPE)
        e = 0;
    if (e < 0 && ranks_own() == 0)
        fprintf(stderr, "keysim: %s\n", why);
    ranks_close();
    return e >= 0 ? e : e == -EINVAL ? 2 : 3;
}
