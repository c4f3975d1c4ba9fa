/* CHANGE: what happens to a cluster, as a person writes it. */
#include "base/mem.h"
#include "base/text.h"
#include "model/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int change_none(const struct draft *d, const char *name, char why[WHY])
{
    char shown[80];
    text_printable(name, strlen(name), shown, sizeof shown);
    return fail(why, EINVAL, "change: there is no node '%s'; the first is %s", shown, d->count ? d->node[0].name : "-");
}

static int change_add(struct draft *d, char *name, bool addresses, char why[WHY])
{
    uint64_t more;
    int number = text_count(name, strlen(name), &more);
    if (number == 0 && more > 0 && more <= 1000000)
        return draft_add_defaults(d, more, addresses, why);
    if (number != -EINVAL || !*name)
        return fail(why, EINVAL, "change '+%s': + takes a node's name, or how many to add, 1 to 1000000", name);
    uint32_t weight = 1;
    char *w = strrchr(name, '=');
    if (w) {
        *w++ = 0;
        int e = weight_parse(w, name, &weight, why);
        if (e)
            return e;
    }
    if (!*name)
        return fail(why, EINVAL, "change '+=': a name must stand before the weight, +NAME=WEIGHT");
    int e = draft_add(d, name, weight, NULL);
    if (e == -EEXIST)
        return fail(why, EINVAL, "change '+%s': there is a node of that name already", name);
    return e ? fail(why, ENOMEM, "no memory for node %s", name) : 0;
}

static int change_remove(struct draft *d, const char *name, char why[WHY])
{
    uint64_t less;
    int number = text_count(name, strlen(name), &less);
    if (number == 0 && less > 0) {
        if (less >= d->count)
            return fail(why, EINVAL, "change '-%s' leaves no node of %zu", name, d->count);
        while (less-- > 0)
            draft_remove(d, d->count - 1);
        return 0;
    }
    long at = draft_find(d, name);
    if (at < 0)
        return change_none(d, name, why);
    if (d->count == 1)
        return fail(why, EINVAL, "change '-%s' leaves no node", name);
    draft_remove(d, (size_t)at);
    return 0;
}

static int change_set(struct draft *d, char *text, char why[WHY])
{
    char *value = strrchr(text, '=');
    if (!strcmp(text, "each"))
        return fail(why, EINVAL, "change 'each': is a --change of remap, and stands alone there");
    if (!value)
        return fail(why, EINVAL, "change '%s': must be +N, -N, +NAME[=WEIGHT], -NAME, NAME=WEIGHT or NAME=down|up", text);
    *value++ = 0;
    long at = draft_find(d, text);
    if (at < 0)
        return change_none(d, text, why);
    struct node *n = &d->node[at];
    if (!strcmp(value, "down") || !strcmp(value, "up")) {
        n->down = *value == 'd';
        return 0;
    }
    return weight_parse(value, text, &n->weight, why);
}

static bool same(const struct cluster *before, const struct draft *d)
{
    if (before->size != d->count)
        return false;
    for (uint32_t i = 0; i < before->size; i++) {
        const struct node *a = &before->node[i], *b = &d->node[i];
        if (a->id != b->id || a->weight != b->weight || a->down != b->down)
            return false;
    }
    return true;
}

int cluster_change(struct registry *r, const struct cluster *before, const char *change, bool addresses,
                   const struct cluster **out, char why[WHY])
{
    struct draft d;
    draft_init(&d, r);
    char *copy = mem_copy(change, strlen(change)), *at = copy, *part;
    int e = copy ? draft_copy(&d, before, why) : fail(why, ENOMEM, "no memory for the change");
    while (!e && (part = strsep(&at, ";"))) {
        if (registry_is_percent(r)) {
            long n = text_percent_decode(part, strlen(part), part);
            if (n < 0)
                e = fail(why, EINVAL, "change '%s': a %% must be followed by two hexadecimal digits", part);
            else if (memchr(part, 0, (size_t)n))
                e = fail(why, EINVAL, "change '%s': a name cannot hold a zero byte", part);
            else
                part[n] = 0;
        }
        if (!e)
            e = *part == '+' ? change_add(&d, part + 1, addresses, why)
                : *part == '-' ? change_remove(&d, part + 1, why)
                               : change_set(&d, part, why);
    }
    if (!e && same(before, &d))
        e = fail(why, EINVAL, "change '%s' changes nothing", change);
    if (!e)
        e = draft_finish(&d, out, why);
    if (e)
        draft_release(&d);
    mem_free(copy);
    return e;
}
