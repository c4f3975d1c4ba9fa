/* A public report as a scenario: the file that describes it, and running it. */
#ifndef COMMANDS_INCIDENT_H
#define COMMANDS_INCIDENT_H

#include "base/table.h"
#include "commands/args.h"

enum incident_field { INCIDENT_TITLE, INCIDENT_REPORT, INCIDENT_KIND, INCIDENT_THEORY, INCIDENT_CAUSE, INCIDENT_CURE, INCIDENT_FIELDS };

struct incident {
    char *path, *name;                   /* name: of the file, without folder and ending */
    char *text;                          /* the file, cut in place; what follows points into it */
    const char *field[INCIDENT_FIELDS];
    struct incident_step {
        bool is_run;                     /* run:, else expect: of the run before */
        unsigned line;
        const char *text;
    } *step;
    size_t steps, capacity;
};

/* 0; -EINVAL with file and line; -ENOMEM, -EIO. */
int incident_read(struct incident *i, const char *path, char why[WHY]);
void incident_release(struct incident *i);

/* Runs its commands, their results through the file `scratch`, and adds a row an expectation to t. *wrong counts those not met. */
int incident_run(const struct incident *i, const struct args *a, char *scratch, struct table *t, size_t *wrong, char why[WHY]);

/* The folder of the incidents that ship, and their names in order: mem_freed and inner_released by the caller, after a failure too.
 * 0, -EINVAL, -ENOMEM, -EIO. */
int incident_names(struct texts *names, char **folder, char why[WHY]);

#endif
