/* The file of an incident: `key: text` a line; a line that begins with a blank goes on with the one before; # comments.
 * data/incidents/README.md is the format's description. */
#include "commands/incident.h"

#include "base/mem.h"
#include "base/option.h"
#include "base/text.h"
#include "commands/sheet.h"

#include <errno.h>
#include <string.h>

static const char *const keys[] = {"title", "report", "kind", "theory", "cause", "cure", "run", "expect"};
enum { RUN = INCIDENT_FIELDS, EXPECT, KEYS };

static int add_step(struct incident *i, bool is_run, unsigned line, const char *text, char why[WHY])
{
    if (mem_grow(&i->step, &i->capacity, i->steps + 1, sizeof *i->step))
        return fail(why, ENOMEM, "no memory for incidents");
    i->step[i->steps++] = (struct incident_step){is_run, line, text};
    return 0;
}

static int bad(const struct incident *i, unsigned line, const char *what, char why[WHY])
{
    return fail(why, EINVAL, "%s line %u: %s", i->path, line, what);
}

/* What a terminal could not show harmlessly. */
static bool is_clean(const char *text)
{
    for (size_t len = strlen(text), n; len > 0; text += n, len -= n) {
        n = text_utf8(text, len);
        unsigned char c = (unsigned char)*text, next = n > 1 ? (unsigned char)text[1] : 0;
        if (n == 0 || (c < 32 && c != '\t') || c == 127 || (c == 0xc2 && next < 0xa0))
            return false;
    }
    return true;
}

static int take(struct incident *i, unsigned line, const char *key, char *text, char why[WHY])
{
    size_t k = 0;
    while (k < KEYS && strcmp(keys[k], key))
        k++;
    if (k == KEYS) {
        fail_unknown(why, "key", key, keys, KEYS);
        return fail(why, EINVAL, "%s line %u: %s", i->path, line, why);
    }
    if (!is_clean(text))
        return bad(i, line, "holds a control character, or is no UTF-8", why);
    if (!*text)
        return bad(i, line, "a text must stand behind the colon", why);
    if (k == INCIDENT_KIND && (!strchr("Rrc", *text) || text[1]))
        return bad(i, line, "kind: is R (follows exactly), r (reproduced in kind) or c (checked by formula)", why);
    if (k == EXPECT && i->steps == 0)
        return bad(i, line, "expect: needs a run: before it", why);
    if (k == RUN && i->steps > 0 && i->step[i->steps - 1].is_run)
        return bad(i, i->step[i->steps - 1].line, "nothing is expected of this run:", why);
    if (k >= RUN)
        return add_step(i, k == RUN, line, text, why);
    if (i->field[k])
        return fail(why, EINVAL, "%s line %u: %s: stands twice", i->path, line, key);
    i->field[k] = text;
    return 0;
}

/* The line at `at` and those that go on with it, made one and NUL-terminated, blanks at its end cut; returns the next one. */
static char *join_lines(char *at, unsigned *line)
{
    char *end = at;
    for (;; end++) {
        end += strcspn(end, "\n");
        *line += *end == '\n';
        if (!*end || !end[1] || !strchr(" \t", end[1]))
            break;
        *end = ' ';
    }
    char *next = end + (*end != 0);
    while (end > at && strchr(" \t\r", end[-1]))
        end--;
    *end = 0;
    return next;
}

static int split(struct incident *i, char why[WHY])
{
    unsigned line = 1;
    int e = 0;
    for (char *at = i->text, *next; *at && !e; at = next) {
        unsigned here = line;
        next = join_lines(at, &line);
        char *colon = strchr(at, ':');
        if (!*at || *at == '#')
            continue;
        if (!colon)
            return bad(i, here, "'key: text' is wanted, or a comment after #", why);
        *colon = 0;
        e = take(i, here, at, colon + 1 + strspn(colon + 1, " \t"), why);
    }
    for (size_t k = 0; k < INCIDENT_FIELDS && !e; k++)
        if (!i->field[k])
            e = fail(why, EINVAL, "%s line %u: the file ends without %s:", i->path, line, keys[k]);
    if (!e && !i->steps)
        e = bad(i, line, "the file ends without run:", why);
    if (!e && i->step[i->steps - 1].is_run)
        e = bad(i, i->step[i->steps - 1].line, "nothing is expected of this run:", why);
    return e;
}

int incident_read(struct incident *i, const char *path, char why[WHY])
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t len = strlen(name);
    if (len > 4 && !strcmp(name + len - 4, ".txt"))
        len -= 4;
    *i = (struct incident){.path = mem_copy(path, strlen(path)), .name = mem_copy(name, len)};
    int e = i->path && i->name ? file_read(&i->text, path, why) : fail(why, ENOMEM, "no memory for incidents");
    if (!e)
        e = split(i, why);
    if (e)
        incident_release(i);
    return e;
}

void incident_release(struct incident *i)
{
    mem_free(i->path);
    mem_free(i->name);
    mem_free(i->text);
    mem_free(i->step);
    *i = (struct incident){0};
}
