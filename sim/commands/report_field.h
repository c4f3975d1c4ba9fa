/* The whole field: every algorithm of the catalog, and what the report's commands may ask of it. */
#ifndef COMMANDS_REPORT_FIELD_H
#define COMMANDS_REPORT_FIELD_H

#include "base/why.h"
#include "strategies/engines/all.h"
#include <stdbool.h>
#include <stddef.h>

struct texts;

enum { /* what one of the field is */
    FIELD_FLOOR = 1,   /* null: places nothing */
    FIELD_BASIC = 2,   /* modulo, ring and slots: the report's commands name them themselves */
    FIELD_SHARES = 4,  /* balance --exact */
    FIELD_MAP = 8,     /* remap --exact */
    FIELD_LEAVERS = 16, /* any node can leave */
    FIELD_SCANS = 32,  /* a look-up visits every node */
};

struct field {
    struct field_row {
        const struct strategy *strategy;
        unsigned is;
    } *row; /* in the catalog's order; those that cannot be opened with the run's hash are left out */
    size_t rows;
};

struct args;
int field_open(struct field *f, const struct args *a, char why[WHY]); /* 0, -EINVAL, -ENOMEM */
void field_close(struct field *f);

/* Whether `mark`, of the words of a command ("$EXACT"), stands for strategies; if so "-s NAME" of each is added. 0 or -ENOMEM. */
bool field_mark(const char *mark, size_t len, size_t *which);
int field_add(const struct field *f, size_t which, struct texts *words);

#endif
