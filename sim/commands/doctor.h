/* What keysim doctor looks at. Each check is a row: what was found, and what would help. */
#ifndef COMMANDS_DOCTOR_H
#define COMMANDS_DOCTOR_H

#include "commands/args.h"

#include "base/table.h"

enum verdict {
    VERDICT_OK,
    VERDICT_NOTE,    /* worth knowing */
    VERDICT_MISSING, /* the report cannot be made without it */
};

struct doctor {
    const struct args *a;
    const char *root; /* where /sys and /proc are: "" but in tests */
    struct table *table;
    size_t missing;   /* rows of that verdict */
    double spread;    /* of repeated look-ups: as timing_spread() */
};

/* Adds a row. cure: what to do, a command where one helps; "": nothing. 0 or -ENOMEM. */
int doctor_add(struct doctor *d, const char *check, enum verdict verdict, const char *cure, const char *finding, ...) __attribute__((format(printf, 5, 6)));

int doctor_program(struct doctor *d); /* the program: how it was built, its data. 0 or -ENOMEM */
int doctor_report(struct doctor *d);  /* what draws and holds the report */
int doctor_speed(struct doctor *d);   /* what makes it fast */
int doctor_timing(struct doctor *d);  /* what times depend on, as the system tells it */
int doctor_noise(struct doctor *d, char why[WHY]); /* and as look-ups show it. 0 or a negative errno with a sentence */

#endif
