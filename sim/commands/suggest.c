#include "commands/suggest.h"

#include "commands/inner.h"

#include "base/mem.h"

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

static void write_line(const struct args *a, FILE *to, const char *command, const char *spec, const char *nodes, va_list more)
{
    struct texts words = {0};
    int e = inner_words(&words, command, "-s", spec, "-n", nodes, NULL);
    for (const char *word; !e && (word = va_arg(more, const char *));)
        e = inner_add(&words, word, strlen(word));
    char *text = e || inner_common(&words, a) ? NULL : inner_text(&words);
    if (text)
        fprintf(to, "Next: %s\n", text);
    mem_free(text);
    inner_release(&words);
}

void suggest(const struct args *a, FILE *to, const char *command, const char *spec, const char *nodes, ...)
{
    va_list more;
    va_start(more, nodes);
    write_line(a, to, command, spec, nodes, more);
    va_end(more);
}

void suggest_row(const struct args *a, FILE *to, const char *command, const struct table *t, size_t row, const char *nodes, ...)
{
    char *spec = suggest_spec(t, row);
    va_list more;
    va_start(more, nodes);
    if (spec)
        write_line(a, to, command, spec, nodes, more);
    va_end(more);
    mem_free(spec);
}
