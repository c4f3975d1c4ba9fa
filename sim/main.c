/* keysim: which node does a key go to, and what does that choice cost?
 *
 * The commands do the work (commands/); here their outcome becomes an exit status:
 * 0 done, 1 a check said no, 2 the user's mistake, 3 the machine's failure. */
#include "base/output.h"
#include "commands/args.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define VERSION "1.0"

int main(int argc, char **argv)
{
    char why[WHY] = "";
    signal(SIGPIPE, SIG_IGN); /* a reader that leaves shows as EPIPE, and ends the run quietly */
    output_catch_signals();
    int e = 0;
    if (argc < 2)
        e = fail(why, EINVAL, "which command? keysim help lists them; try: keysim balance -s modulo -s ring:vnodes=1/150 -s slots -n 10");
    else if (!strcmp(argv[1], "--version"))
        puts("keysim " VERSION " (" KEYSIM_REVISION ")");
    else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        help_program(stdout);
    else
        e = command_line(argc - 1, argv + 1, why);
    if (e >= 0 && fflush(stdout))
        e = fail(why, errno, "standard output: cannot be written: %s", strerror(errno));
    if (e == -EPIPE)
        return 0;
    if (e < 0)
        fprintf(stderr, "keysim: %s\n", why);
    return e >= 0 ? e : e == -EINVAL ? 2 : 3;
}
