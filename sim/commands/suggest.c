#include "commands/suggest.h"

#include "commands/inner.h"

#include "base/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

char *suggest_spec(const struct table *t, size_t row)
{
    const char *name = table_get_text(t, row, COL(strategy)), *options = table_get_text(t, row, COL(options));
    size_t size = strlen(name) + strlen(options) + 2;
    char *spec = mem_alloc(size, 1);
    if (spec)
        snprintf(spec, size, "%s%s%s", name, *options ? ":" : "", options);
    return spec;
}

int suggest_words(struct texts *words, int e, FILE *to, char why[WHY])
{
    char *text = e ? NULL : inner_text(words);
    if (text)
        fprintf(to, "Next: %s\n", text);
    e = text ? 0 : fail(why, ENOMEM, "no memory for the suggestion");
    mem_free(text);
    inner_release(words);
    return e;
}

static int write_line(const struct args *a, FILE *to, char why[WHY], const char *command, const char *spec, const char *nodes, va_list more)
{
    struct texts words = {0};
    int e = !spec || inner_words(&words, command, "-s", spec, "-n", nodes, NULL) ? -ENOMEM : 0;
    for (const char *word; !e && (word = va_arg(more, const char *));)
        e = inner_add(&words, word, strlen(word));
    if (!e)
        e = inner_common(&words, a);
    return suggest_words(&words, e, to, why);
}

int suggest(const struct args *a, FILE *to, char why[WHY], const char *command, const char *spec, const char *nodes, ...)
{
    va_list more;
    va_start(more, nodes);
    int e = write_line(a, to, why, command, spec, nodes, more);
    va_end(more);
    return e;
}

int suggest_row(const struct args *a, FILE *to, char why[WHY], const char *command, const struct table *t, size_t row, const char *nodes, ...)
{
    char *spec = suggest_spec(t, row);
    va_list more;
    va_start(more, nodes);
    int e = write_line(a, to, why, command, spec, nodes, more);
    va_end(more);
    mem_free(spec);
    return e;
}
