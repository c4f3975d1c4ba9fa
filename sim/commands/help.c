/* keysim help [COMMAND], --help. */
#include "commands/args.h"

#include <errno.h>
#include <string.h>

static void print_flag(const struct flag *f, FILE *to)
{
    char left[64];
    const char *value = f->value ? f->value : "", *gap = f->value ? " " : "";
    if (f->id < 256)
        snprintf(left, sizeof left, "-%c, --%s%s%s", f->id, f->name, gap, value);
    else
        snprintf(left, sizeof left, "    --%s%s%s", f->name, gap, value);
    if (strlen(left) > 28)
        fprintf(to, "  %s\n  %-28s  %s\n", left, "", f->help);
    else
        fprintf(to, "  %-28s  %s\n", left, f->help);
}

void help_command(const struct command *c, FILE *to)
{
    fprintf(to, "keysim %s %s\n%s\n\n", c->name, c->usage, c->summary);
    for (const struct flag *f = flags; f->id; f++)
        if (command_takes(c, f->id))
            print_flag(f, to);
    if (c->details)
        fprintf(to, "\n%s", c->details);
}

void help_program(FILE *to)
{
    fputs("keysim: which node does a key go to, and what does that choice cost?\n\n", to);
    for (const struct command *const *c = commands; *c; c++)
        fprintf(to, "  keysim %-8s  %s\n", (*c)->name, (*c)->summary);
    fputs("\nkeysim help COMMAND says more; keysim list shows strategies, hashes and workloads.\n"
          "Try: keysim balance -s modulo -s ring:vnodes=1/150 -s slots -n 10\n",
          to);
}

static int run(struct args *a, char why[WHY])
{
    if (a->rest_count == 0) {
        help_program(stdout);
        return 0;
    }
    const struct command *c = command_find(a->rest[0]);
    if (!c)
        return fail(why, EINVAL, "help: there is no command '%s'; keysim help lists them", a->rest[0]);
    help_command(c, stdout);
    return 0;
}

static const int takes[] = {0};

const struct command command_help = {
    .name = "help",
    .summary = "say how a command is used",
    .usage = "[COMMAND]",
    .takes = takes,
    .run = run,
};
