#include "experiments/steps.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void steps_release(struct steps *l)
{
    for (size_t i = 0; i < l->count; i++)
        mem_free(l->item[i].text);
    mem_free(l->item);
}

/* prefix and name make the text. */
static int steps_add(struct steps *l, const struct cluster *after, const char *prefix, const char *name, uint32_t victim, char why[WHY])
{
    char *text = mem_alloc(strlen(prefix) + strlen(name) + 1, 1);
    if (!text || mem_grow(&l->item, &l->capacity, l->count + 1, sizeof *l->item)) {
        mem_free(text);
        return fail(why, ENOMEM, "no memory for the changes");
    }
    strcat(strcpy(text, prefix), name);
    l->item[l->count++] = (struct step){after, text, victim, {0}};
    return 0;
}

static int steps_each(struct steps *l, const struct cluster *before, char why[WHY])
{
    int e = before->size > 1 ? 0 : fail(why, EINVAL, "change 'each' needs at least 2 nodes");
    for (uint32_t i = 0; i < before->size && !e; i++)
        e = steps_add(l, NULL, "-", before->node[i].name, i, why);
    return e;
}

/* Nodes that both have. */
static uint32_t shared(const struct cluster *a, const struct cluster *b)
{
    uint32_t n = 0;
    bool *in = mem_alloc((a->ids > b->ids ? a->ids : b->ids) + (size_t)1, sizeof *in);
    for (uint32_t i = 0; in && i < a->size; i++)
        in[a->node[i].id] = true;
    for (uint32_t i = 0; in && i < b->size; i++)
        n += in[b->node[i].id];
    mem_free(in);
    return in ? n : UINT32_MAX;
}

int steps_check_to(const struct study *s, const char *to, const struct cluster *before, const struct cluster *after, char why[WHY])
{
    uint64_t number;
    uint32_t least = before->size < after->size ? before->size : after->size, both = least;
    const char *first = after->node[0].name, *last = after->node[after->size - 1].name;
    if (!text_count(to, strlen(to), &number))
        both = shared(before, after);
    if (both == UINT32_MAX)
        return fail(why, ENOMEM, "no memory for the nodes");
    if (both == 0) {
        char how[64] = "";
        if (after->size != before->size)
            snprintf(how, sizeof how, "%s%" PRIu32 ", or ", after->size > before->size ? "add nodes with --change +" : "remove nodes with --change -",
                     after->size - least + before->size - least);
        return fail(why, EINVAL, "--to %s: means %s .. %s, and none of the nodes of -n is among them: %sname all with --to @FILE", to, first, last, how);
    }
    if (both < least && s->warn) {
        fail(why, EINVAL, "--to %s: means %s .. %s: of the %" PRIu32 " nodes of -n only %" PRIu32 " stay%s, the others leave; for nodes of your own --change +NAME, or --to @FILE", to,
             first, last, before->size, both, both == 1 ? "s" : "");
        s->warn(s->warn_to, why);
    }
    return 0;
}

int steps_list(const struct study *s, struct steps *l, const struct cluster *before, bool addresses, char why[WHY])
{
    const struct cluster *after;
    int e = 0;
    for (size_t i = 0; i < s->changes && !e; i++) {
        if (!strcmp(s->change[i], "each"))
            e = steps_each(l, before, why);
        else if (!(e = cluster_change(s->registry, before, s->change[i], addresses, &after, why)))
            e = steps_add(l, after, "", s->change[i], NO_NODE, why);
    }
    if (!e && s->to && !(e = cluster_read_as(s->registry, "--to", s->to, addresses, &after, why)) && !(e = steps_check_to(s, s->to, before, after, why)))
        e = steps_add(l, after, "to ", s->to, NO_NODE, why);
    if (!e && s->to_spec)
        e = steps_add(l, before, "to ", s->to_spec_text, NO_NODE, why);
    return e;
}

int step_enter(struct step *step, const struct cluster *before, char why[WHY])
{
    if (step->victim == NO_NODE)
        return 0;
    struct node *node = mem_alloc(before->size, sizeof *node);
    if (!node)
        return fail(why, ENOMEM, "no memory for the changes");
    size_t head = step->victim, tail = before->size - head - 1;
    memcpy(node, before->node, head * sizeof *node);
    memcpy(node + head, before->node + head + 1, tail * sizeof *node);
    step->without = (struct cluster){node, before->size - 1, before->ids};
    step->after = &step->without;
    return 0;
}

void step_leave(struct step *step)
{
    if (step->victim == NO_NODE || !step->after)
        return;
    mem_free((struct node *)(uintptr_t)step->without.node);
    step->after = NULL;
}

int step_open(const struct study *s, const struct spec *spec, const struct cluster *before, struct step *step, struct placement **out,
              char why[WHY])
{
    if (s->to_spec)
        return study_open(s, s->to_spec, before, out, why);
    int e = step_enter(step, before, why);
    if (!e)
        e = placement_open(out, spec, before, &s->hash, why);
    if (!e && (e = placement_change(*out, step->after, why))) {
        placement_close(*out);
        *out = NULL;
    }
    return e;
}
