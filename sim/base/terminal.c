/* A page is kept in memory, since commands say a line in several pieces, and laid out line by line. Tables are not broken
 * here: who writes them asks for the width and makes them fit (words_write). */
#include "base/terminal.h"
#include "base/text.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 20, WIDEST = 10000 };

/* The open page, so that its stream has a width; a struct page may move meanwhile. */
static const FILE *page;
static size_t page_width;

bool terminal_is(FILE *f)
{
    return isatty(fileno(f));
}

/* COLUMNS, or 0 when it is missing or no sane width. */
static size_t columns_asked(void)
{
    const char *text = getenv("COLUMNS");
    uint64_t n;
    return text && !text_count(text, strlen(text), &n) && n >= NARROWEST && n <= WIDEST ? (size_t)n : 0;
}

size_t terminal_width(FILE *f)
{
    if (page && f == page)
        return page_width;
    bool is = terminal_is(f);
    size_t asked = is || f == stdout ? columns_asked() : 0;
    struct winsize size;
    if (!asked && is && !ioctl(fileno(f), TIOCGWINSZ, &size))
        asked = size.ws_col; /* 0: it does not know */
    return asked ? asked : SIZE_MAX;
}

static bool takes_marks(FILE *f)
{
    const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");
    return terminal_is(f) && !(no && *no) && kind && *kind && strcmp(kind, "dumb");
}

/* The part of a word that goes on one line of `room` characters: all of it, or as many of its comma-separated items as fit. */
static size_t part_of(const char *word, size_t len, size_t room)
{
    size_t end = 0;
    if (text_width(word, len) <= room)
        return len;
    for (size_t i = 0; i < len && (end == 0 || text_width(word, i + 1) <= room); i++)
        if (word[i] == ',')
            end = i + 1;
    return end ? end : len;
}

void terminal_wrap(const char *text, size_t len, size_t at, size_t indent, size_t width, FILE *to)
{
    size_t room = width > indent ? width - indent : 1;
    bool first = true; /* on its line */
    for (const char *end = text + len, *word = text; word < end;) {
        size_t n = strcspn(word, " \n");
        n = n < (size_t)(end - word) ? n : (size_t)(end - word);
        n = part_of(word, n, room);
        size_t wide = text_width(word, n);
        if (!first && (at >= width || wide >= width - at)) {
            fprintf(to, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        fprintf(to, "%s%.*s", first ? "" : " ", (int)n, word);
        at += wide + !first;
        first = false;
        word += n;
        word += strspn(word, " \n");
    }
}

/* Where the further lines of a long one begin: under its text, when that stands in a column of its own ("  why    labels ..."). */
static size_t hang(const char *line, size_t len, size_t width)
{
    size_t indent = 0, gap;
    while (indent < len && line[indent] == ' ')
        indent++;
    for (gap = indent; gap + 1 < len && !(line[gap] == ' ' && line[gap + 1] == ' '); gap++)
        ;
    while (gap < len && line[gap] == ' ')
        gap++;
    return gap < len && gap <= 2 * width / 3 ? gap : indent;
}

static void lay_out_line(const struct page *p, const char *line, size_t len, const char *mark)
{
    bool marked = p->marks && *mark;
    /* a command stays one line, so that it can be copied: the terminal itself breaks it */
    bool whole = text_width(line, len) <= p->width || !strncmp(line, "Next: ", 6);
    size_t under = whole ? len : hang(line, len, p->width);
    fprintf(p->to, "%s%.*s", marked ? mark : "", (int)under, line);
    if (!whole)
        terminal_wrap(line + under, len - under, under, under, p->width, p->to);
    fprintf(p->to, "%s\n", marked ? "\033[0m" : "");
}

/* The first line is an answer where the last says what to ask next; else it may be a heading. */
static void lay_out(const struct page *p)
{
    const char *end = p->text + p->len, *next = strstr(p->text, "\nNext: ");
    for (const char *line = p->text; line < end;) {
        size_t len = strcspn(line, "\n");
        lay_out_line(p, line, len, next && line == p->text ? "\033[1m" : !strncmp(line, "Next: ", 6) ? "\033[2m" : "");
        line += len + 1;
    }
}

int page_open(struct page *p, FILE *to, char why[WHY])
{
    *p = (struct page){.to = to, .width = terminal_width(to), .marks = takes_marks(to)};
    p->in = open_memstream(&p->text, &p->len);
    if (!p->in)
        return fail(why, ENOMEM, "no memory for what is shown");
    page = p->in;
    page_width = p->width;
    return 0;
}

/* The text in place of itself, with \xNN for what a terminal would not just show. 0 or -ENOMEM. */
static int make_harmless(struct page *p)
{
    char *text = NULL;
    size_t len, wide;
    FILE *to = open_memstream(&text, &len);
    if (!to)
        return -ENOMEM;
    for (size_t i = 0; i < p->len; i += wide ? wide : 1) {
        wide = p->text[i] == '\n' ? 1 : text_shown(p->text + i, p->len - i);
        if (wide)
            fwrite(p->text + i, 1, wide, to);
        else
            fprintf(to, "\\x%02X", (unsigned char)p->text[i]);
    }
    if (fclose(to)) {
        free(text);
        return -ENOMEM;
    }
    free(p->text);
    p->text = text;
    p->len = len;
    return 0;
}

int page_close(struct page *p, bool show, char why[WHY])
{
    if (!p->in)
        return 0;
    bool whole = fclose(p->in) == 0 && (!show || make_harmless(p) == 0);
    if (whole && show)
        lay_out(p);
    free(p->text);
    page = NULL;
    *p = (struct page){0};
    return whole ? 0 : fail(why, ENOMEM, "no memory for what is shown");
}
