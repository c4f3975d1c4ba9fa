/* What the command line's tables say to those that describe it: the man page and completions. */
#include "commands/help.h"

#include "experiments/bench.h"
#include "model/workload.h"
#include "placement/catalog.h"
#include "strategies/engines/loaded.h"

#include <string.h>

bool owner_at(size_t k, struct owner *o)
{
    static const struct option seed[] = {{.name = "seed", .help = "seed of the hash"}, {0}};
    size_t n = 0;
    for (const struct strategy *const *s = catalog; *s; s++)
        if (n++ == k)
            return *o = (struct owner){"strategy", (*s)->name, (*s)->summary, (*s)->option}, true;
    for (const struct workload_kind *w = workload_kinds; w->name; w++)
        if (n++ == k)
            return *o = (struct owner){"workload", w->name, w->summary, w->option}, true;
    for (const struct hash *const *h = hash_table; *h; h++)
        if (n++ == k)
            return *o = (struct owner){"hash", (*h)->name, (*h)->summary, (*h)->seed_bits ? seed : NULL}, true;
    return false;
}

const char *option_value(const struct option *o)
{
    if (o->choices)
        return o->choices;
    if (o->parse == hash_parse)
        return "HASH";
    if (o->parse == loaded_over)
        return "SPEC";
    return o->type == OPTION_TEXT && o->name && !strcmp(o->name, "path") ? "FILE" : NULL;
}

char *usage_rest(const struct command *c, char out[256])
{
    const char *end = c->usage;
    *out = 0;
    for (const char *at = c->usage; (at = strchr(at, '[')); at = end) {
        end = at + strcspn(at, " ]");
        if (at[1] != '-' && *end == ']')
            snprintf(out, 256, "%.*s", (int)strcspn(at + 1, ".]"), at + 1);
    }
    return out;
}

bool usage_folder(const struct command *c)
{
    return strstr(c->usage, "-o DIR") != NULL;
}

/* Whether a text may end here: before a parenthesis, a semicolon or a colon. */
static bool may_end(const char *at)
{
    return !strncmp(at, " (", 2) || (strchr(";:", *at) && strchr(" \n", at[1]));
}

char *help_brief(const char *text, char out[64])
{
    enum { LEAST = 12, MOST = 60 };
    size_t len = strnlen(text, LEAST);
    while (text[len] && !may_end(text + len))
        len++;
    if (len > MOST)
        for (len = MOST; len > 0 && text[len] != ' ';)
            len--;
    while (len > 0 && strchr(" ,", text[len - 1]))
        len--;
    snprintf(out, 64, "%.*s", (int)len, text);
    return out;
}
