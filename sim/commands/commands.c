/* The commands, in the order of --help. Each is a file of its own. */
#include "commands/args.h"

#include "base/option.h"
#include "base/ranks.h"
#include "experiments/study.h"

#include <errno.h>
#include <string.h>

extern const struct command command_where, command_balance, command_remap, command_latency, command_cost, command_hash, command_ranges,
    command_compare, command_check, command_verify, command_incidents,
    command_tune, command_names, command_availability, command_failure, command_cache,
    command_plan, command_churn, command_bench, command_doctor, command_list, command_report, command_help;

const struct command *const commands[] = {
    &command_where, &command_balance, &command_remap,  &command_latency, &command_cost, &command_hash,
    &command_ranges, &command_compare, &command_check, &command_verify, &command_incidents, &command_tune, &command_names, &command_availability, &command_failure, &command_cache, &command_plan, &command_churn, &command_bench, &command_doctor, &command_list,   &command_report, &command_help,    NULL,
};
enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

const struct command *command_find(const char *name)
{
    for (const struct command *const *c = commands; *c; c++)
        if (!strcmp((*c)->name, name))
            return *c;
    return NULL;
}

int command_line(int argc, char **argv, char why[WHY])
{
    const struct command *c = command_find(argv[0]);
    if (!c) {
        const char *known[COMMANDS];
        for (size_t i = 0; i < COMMANDS; i++)
            known[i] = commands[i]->name;
        if (!strcmp(argv[0], "version"))
            return fail(why, EINVAL, "unknown command 'version'; did you mean --version?");
        return fail_unknown(why, "command", argv[0], known, COMMANDS);
    }
    struct args a;
    int e = args_parse(&a, c, argc, argv, why);
    if (e)
        return e;
    if (a.help) {
        help_command(c, stdout);
    } else if (c->shared || !ranks_alone()) {
        bool first = ranks_own() == 0;
        progress_mode(first ? a.progress : PROGRESS_NEVER);
        a.quiet |= !first;
        a.verbose &= first;
        if (a.threads > study_cores())
            warn(&a, "--threads %u: more than the %u core%s here; they take turns", (unsigned)a.threads, study_cores(), study_cores() > 1 ? "s" : "");
        e = c->run(&a, why);
    }
    args_release(&a);
    return e;
}
