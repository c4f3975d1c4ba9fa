/* libketama's server list: a line a server, `host:port WEIGHT`, blanks or tabs between, # comments. The text before the weight is
 * what is hashed. */
#include "model/import/import.h"

#include <stdio.h>
#include <string.h>

static int ketama_read(struct import *in, const char *path, char *text, char why[WHY])
{
    (void)path;
    char *line;
    snprintf(in->spec, sizeof in->spec, "libketama");
    for (uint64_t n = 1; (line = import_line(&text)); n++) {
        char *name = import_word(&line);
        if (!name || *name == '#')
            continue;
        const char *weight = import_word(&line), *more = import_word(&line), *colon = strrchr(name, ':');
        if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
            return import_fail(in, n, why, "'%s': a server is host:port", name);
        if (!weight)
            return import_fail(in, n, why, "%s lacks its weight: a line is host:port WEIGHT", name);
        if (more && *more != '#')
            return import_fail(in, n, why, "'%s' is one word too many: a line is host:port WEIGHT", more);
        uint64_t w;
        int e = import_number(in, n, "weight", weight, 1, WEIGHT_MAX, &w, why);
        if (!e)
            e = import_node(in, n, "server", name, (uint32_t)w, NULL, why);
        if (e)
            return e;
    }
    return 0;
}

const struct importer importer_ketama = {"ketama", NULL, ketama_read};
