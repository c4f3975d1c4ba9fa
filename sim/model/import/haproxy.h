/* Inside the importer of HAProxy. */
#ifndef MODEL_IMPORT_HAPROXY_H
#define MODEL_IMPORT_HAPROXY_H

#include "model/import/import.h"

/* -- haproxy_words.c: a line's words, and what the environment puts into them -- */

/* Variables that the file itself sets (setenv, presetenv, unsetenv), the latest last. */
struct environment {
    struct variable {
        char *name, *value; /* value NULL: unset */
    } *variable;
    size_t count, capacity;
};
int environment_set(struct environment *env, const char *name, const char *value); /* 0 or -ENOMEM */
void environment_release(struct environment *env);
const char *environment_get(const struct environment *env, const char *name); /* NULL: not set */

/* Splits a line as HAProxy does: blanks, # comments, \ escapes, 'strong' and "weak" quotes, ${VARIABLE} in the weak ones.
 * The first variable that is not set is in missing, and counts as empty. 0; -EINVAL at a quote that is not closed, with the reason
 * alone in why; -ENOMEM. */
int haproxy_words(const char *line, const struct environment *env, struct phrase *p, char missing[128], char why[WHY]);

/* -- haproxy.c: sections -- */

struct server {
    uint64_t line;
    char name[256];
    uint32_t id, weight; /* id 0: counted */
    bool disabled, backup;
};

/* What a section says, or takes from its defaults. */
struct section {
    char name[128];
    uint64_t line, balance_line, type_line, factor_line, before_line, missing_line, condition; /* 0: none */
    char balance[4][64], type[4][64]; /* words behind `balance` and `hash-type` */
    char before[16], missing[128];     /* what comes before the hash; a variable that is not set */
    struct server base;               /* default-server */
    bool noted, chosen, defaults, other; /* other: neither backend, listen nor defaults */
};

struct haproxy {
    struct import *in;
    uint64_t line;
    struct environment env;
    struct phrase p;
    struct section now, *saved; /* saved: the defaults sections */
    size_t saved_count, saved_capacity;
    struct server *server;
    size_t servers, capacity;
    uint64_t condition; /* line of the latest .if */
    size_t conditions;  /* how deep in .if */
};

/* -- haproxy_servers.c -- */

/* The parameters of `server` and `default-server` from word i on. */
int haproxy_parameters(struct haproxy *h, struct server *s, size_t i, char why[WHY]);

/* server NAME ADDRESS ..., server-template PREFIX COUNT|FIRST-LAST ADDRESS ... */
int haproxy_server(struct haproxy *h, bool template, char why[WHY]);

/* Servers without an id get the next that no server has asked for, where each server, with or without, counts one. */
int haproxy_number(struct haproxy *h, char why[WHY]);

#endif
