#include "commands/help_roff.h"

#include <string.h>

void roff_text(const char *text, size_t len, FILE *to)
{
    if (len > 0 && (*text == '.' || *text == '\''))
        fputs("\\&", to);
    for (const char *end = text + len; text < end; text++)
        switch (*text) {
        case '\\': fputs("\\e", to); break;
        case '-': fputs("\\-", to); break;
        case '\'': fputs("\\(aq", to); break;
        case '`': fputs("\\(ga", to); break;
        case '^': fputs("\\(ha", to); break;
        case '~': fputs("\\(ti", to); break;
        default: fputc(*text, to);
        }
}

void roff_all(const char *text, FILE *to)
{
    roff_text(text, strlen(text), to);
}

void roff_section(const char *title, FILE *to)
{
    fprintf(to, ".SH %s\n", title);
}

void roff_tag(const char *tag, const char *value, FILE *to)
{
    fputs(".TP\n\\fB", to);
    roff_all(tag, to);
    fputs("\\fR", to);
    if (value) {
        fputs(" \\fI", to);
        roff_all(value, to);
        fputs("\\fR", to);
    }
    fputc('\n', to);
}

/* Where a line may end that has no more room: before an option, else before a word; 0: nowhere. */
static size_t break_of(const char *text, size_t room)
{
    size_t word = 0;
    for (size_t at = room; at > 0; at--) {
        if (text[at] == ' ' && text[at + 1] == '-')
            return at;
        if (text[at] == ' ' && !word)
            word = at;
    }
    return word;
}

/* A command line too long for the page goes on in the next line, as a shell has it. */
static void command_line_of(const char *text, size_t len, FILE *to)
{
    enum { ROOM = 68 };
    size_t room = ROOM;
    while (len > room) {
        size_t at = break_of(text, room);
        if (at == 0)
            break;
        roff_text(text, at, to);
        fputs(" \\e\n    ", to);
        text += at + 1;
        len -= at + 1;
        room = ROOM - 4;
    }
    roff_text(text, len, to);
    fputc('\n', to);
}

void roff_shown(const char *text, FILE *to)
{
    fputs(".EX\n", to);
    for (size_t len; *text; text += len + (text[len] == '\n')) {
        len = strcspn(text, "\n");
        roff_text(text, len, to);
        fputc('\n', to);
    }
    fputs(".EE\n", to);
}

/* Joins the lines that belong together: to the next that is empty or begins with fewer than `deep` blanks. Returns where that begins. */
static const char *joined(const char *text, size_t deep, FILE *to)
{
    bool first = true;
    for (size_t len; *text && *text != '\n'; text += len + (text[len] == '\n')) {
        size_t blanks = strspn(text, " ");
        if (!first && (blanks < deep || (deep == 0 && blanks > 0)))
            break;
        len = strcspn(text, "\n");
        roff_text(text + blanks, len - blanks, to);
        fputc('\n', to);
        first = false;
    }
    return text;
}

/* "  WORD  meaning": the end of WORD, or NULL where it is no such line. */
static const char *tag_end(const char *line)
{
    const char *gap = strstr(line + 2, "  "), *end = line + strcspn(line, "\n");
    return gap && gap < end && strncmp(line + 2, "keysim ", 7) ? gap : NULL;
}

static const char *examples(const char *text, FILE *to)
{
    fputs(".PP\n.EX\n", to);
    for (size_t len; !strncmp(text, "  ", 2) && !tag_end(text); text += len + (text[len] == '\n')) {
        len = strcspn(text, "\n");
        command_line_of(text + 2, len - 2, to);
    }
    fputs(".EE\n", to);
    return text;
}

void roff_details(const char *text, bool first, FILE *to)
{
    enum { DEEP = 5 };
    while (*text) {
        const char *gap = *text == ' ' ? tag_end(text) : NULL;
        if (*text == '\n') {
            text++;
            continue;
        }
        if (*text != ' ') {
            fputs(first ? "" : ".PP\n", to);
            text = joined(text, 0, to);
        } else if (gap) {
            fputs(".TP\n\\fB", to);
            roff_text(text + 2, (size_t)(gap - text - 2), to);
            fputs("\\fR\n", to);
            text = joined(gap, DEEP, to);
        } else {
            text = examples(text, to);
        }
        first = false;
    }
}
