/* The words of one statement, unquoted, in one growing text. */
#include "base/mem.h"
#include "model/import/import.h"

void phrase_clear(struct phrase *p)
{
    p->len = p->count = 0;
    p->open = p->failed = false;
}

void phrase_release(struct phrase *p)
{
    mem_free(p->text);
    *p = (struct phrase){0};
}

static void append(struct phrase *p, char c)
{
    if (p->count > PHRASE_WORDS)
        return;
    if (mem_grow(&p->text, &p->capacity, p->len + 1, 1))
        p->failed = true;
    else
        p->text[p->len++] = c;
}

void phrase_open(struct phrase *p)
{
    if (p->open)
        return;
    p->open = true;
    if (p->count++ < PHRASE_WORDS)
        p->start[p->count - 1] = p->len;
}

void phrase_put(struct phrase *p, char c)
{
    phrase_open(p);
    append(p, c);
}

void phrase_close(struct phrase *p)
{
    if (p->open)
        append(p, 0);
    p->open = false;
}

const char *phrase_word(const struct phrase *p, size_t i)
{
    return i < p->count && i < PHRASE_WORDS && !p->failed ? p->text + p->start[i] : "";
}
