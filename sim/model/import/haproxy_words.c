#include "base/mem.h"
#include "model/import/haproxy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int environment_set(struct environment *env, const char *name, const char *value)
{
    if (mem_grow(&env->variable, &env->capacity, env->count + 1, sizeof *env->variable))
        return -ENOMEM;
    struct variable v = {mem_copy(name, strlen(name)), value ? mem_copy(value, strlen(value)) : NULL};
    if (!v.name || (value && !v.value)) {
        mem_free(v.name);
        mem_free(v.value);
        return -ENOMEM;
    }
    env->variable[env->count++] = v;
    return 0;
}

void environment_release(struct environment *env)
{
    for (size_t i = 0; i < env->count; i++) {
        mem_free(env->variable[i].name);
        mem_free(env->variable[i].value);
    }
    mem_free(env->variable);
}

const char *environment_get(const struct environment *env, const char *name)
{
    for (size_t i = env->count; i-- > 0;)
        if (!strcmp(env->variable[i].name, name))
            return env->variable[i].value;
    return getenv(name);
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* $NAME, ${NAME}, ${NAME-instead}; at stands behind the $. Returns where the line goes on. */
static const char *put_variable(const char *at, const struct environment *env, struct phrase *p, char missing[128])
{
    char name[128];
    bool braces = *at == '{';
    at += braces;
    size_t len = 0;
    while (in_name(at[len]))
        len++;
    snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), at);
    at += len;
    const char *value = environment_get(env, name), *instead = NULL;
    if (braces && *at == '-')
        instead = ++at;
    for (const char *c = value ? value : ""; *c; c++)
        phrase_put(p, *c);
    if (!value && !instead && !*missing)
        snprintf(missing, 128, "%s", name);
    for (; braces && *at && *at != '}' && *at != '"'; at++)
        if (!value && instead)
            phrase_put(p, *at);
    return at + (braces && *at == '}');
}

/* What a backslash stands for; at is on it. Returns where the line goes on. */
static const char *put_escaped(const char *at, struct phrase *p)
{
    static const char from[] = "nrt", to[] = "\n\r\t";
    const char *known = at[1] ? strchr(from, at[1]) : NULL;
    if (!at[1]) {
        phrase_put(p, '\\');
        return at + 1;
    }
    phrase_put(p, known ? to[known - from] : at[1]);
    return at + 2;
}

int haproxy_words(const char *line, const struct environment *env, struct phrase *p, char missing[128], char why[WHY])
{
    char quote = 0;
    phrase_clear(p);
    *missing = 0;
    for (const char *at = line; *at;) {
        if (!quote && *at == '#')
            break;
        if (!quote && (*at == ' ' || *at == '\t')) {
            phrase_close(p);
            at++;
        } else if ((*at == '"' || *at == '\'') && (!quote || quote == *at)) {
            quote = quote ? 0 : *at;
            phrase_open(p);
            at++;
        } else if (*at == '\\' && quote != '\'') {
            at = put_escaped(at, p);
        } else if (quote == '"' && *at == '$' && (in_name(at[1]) || at[1] == '{')) {
            at = put_variable(at + 1, env, p, missing);
        } else {
            phrase_put(p, *at++);
        }
    }
    phrase_close(p);
    if (quote)
        return fail(why, EINVAL, "a %c is not closed", quote);
    return p->failed ? fail(why, ENOMEM, "no memory for a line") : 0;
}
