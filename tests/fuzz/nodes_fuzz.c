/* NODES and CHANGE on the command line: what is read and written out is read again as the same, and a change that is taken back leaves the members of
 * before. The first byte's bits: names are percent-encoded; default names are addresses. The first line is NODES, the rest CHANGE. */
#include "tests/fuzz/clusters.h"

/* Numbers of nodes that would take long. */
static bool is_long(const char *text)
{
    char *copy = mem_copy(text, strlen(text)), *at = copy, *part;
    bool much = false;
    HOLD(copy);
    while (!much && (part = strsep(&at, ";"))) {
        uint64_t n;
        long len = text_percent_decode(part, strlen(part), part);
        char *digits = part + strspn(part, "+");
        if (len >= 0)
            part[len] = 0;
        int e = text_count(digits, strlen(digits), &n);
        much = e == -ERANGE || (!e && n > TOO_MANY);
    }
    mem_free(copy);
    return much;
}

static void swept(const char *text)
{
    char why[WHY] = "", **all;
    size_t n;
    if (refused(cluster_sweep(text, &all, &n, why), why))
        return;
    HOLD(n > 0 && (n > 1 || strchr(text, '/') || strstr(text, "..") || !strcmp(all[0], text)));
    for (size_t i = 0; i < n; i++) {
        uint64_t number;
        HOLD(n == 1 || !text_count(all[i], strlen(all[i]), &number));
        mem_free(all[i]);
    }
    mem_free(all);
}

/* Whether a CHANGE can name the node. */
static bool is_plain(const char *name, bool percent)
{
    uint64_t n;
    return *name != '+' && *name != '-' && !strchr(name, '=') && (percent || !strchr(name, ';')) && text_count(name, strlen(name), &n) == -EINVAL;
}

/* The change from one cluster to the members of another, in any order; NULL where a name cannot be written or nothing differs. To be mem_freed. */
static char *change_back(const struct cluster *from, const struct cluster *to, bool percent)
{
    char *text = mem_alloc(3 * (names_room(from) + names_room(to)), 1), *at = text;
    bool plain = true;
    HOLD(text);
    for (uint32_t i = 0; i < to->size; i++) {
        const struct node *n = &to->node[i], *was = cluster_by_id(from, n->id);
        plain &= is_plain(n->name, percent);
        if (was && was->weight == n->weight && was->down == n->down)
            continue;
        at = put_name(stpcpy(at, was ? ";" : ";+"), n->name, percent, "");
        at += sprintf(at, "=%u", n->weight);
        if (n->down != (was && was->down)) {
            at = put_name(stpcpy(at, ";"), n->name, percent, "");
            at = stpcpy(at, n->down ? "=down" : "=up");
        }
    }
    for (uint32_t i = 0; i < from->size; i++) {
        plain &= is_plain(from->node[i].name, percent);
        if (!cluster_by_id(to, from->node[i].id))
            at = put_name(stpcpy(at, ";-"), from->node[i].name, percent, "");
    }
    if (plain && at > text)
        return text;
    mem_free(text);
    return NULL;
}

static void taken_back(struct registry *r, const struct cluster *before, const struct cluster *after, bool percent)
{
    char why[WHY] = "", *back = change_back(after, before, percent);
    const struct cluster *c;
    if (!back)
        return;
    int e = cluster_change(r, after, back + 1, false, &c, why);
    if (e)
        fprintf(stderr, "%s: %s\n", back, why);
    HOLD(!e);
    HOLD(c->size == before->size);
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = cluster_by_id(before, c->node[i].id);
        HOLD(n && n->weight == c->node[i].weight && n->down == c->node[i].down && n->name == c->node[i].name);
    }
    mem_free(back);
}

static void changed(struct registry *r, const struct cluster *before, const char *change, bool addresses, bool percent)
{
    char why[WHY] = "";
    const struct cluster *after, *again;
    const struct node *node = before->node;
    struct cluster as_it_was = *before;
    int e = cluster_change(r, before, change, addresses, &after, why);
    HOLD(before->node == node && !memcmp(before, &as_it_was, sizeof as_it_was));
    is_cluster(before);
    if (refused(e, why))
        return;
    is_cluster(after);
    HOLD(!same_nodes(before, after));
    HOLD(!cluster_change(r, before, change, addresses, &again, why) && same_nodes(after, again));
    taken_back(r, before, after, percent);
}

static void read_nodes(struct registry *r, const char *nodes, const char *change, bool addresses, bool percent)
{
    char why[WHY] = "", *list;
    const struct cluster *c, *again;
    if (refused(cluster_read(r, nodes, addresses, &c, why), why))
        return;
    is_cluster(c);
    list = as_list(c, percent);
    int e = cluster_read(r, list, addresses, &again, why);
    if (e)
        fprintf(stderr, "%s: %s\n", list, why);
    HOLD(!e && same_nodes(c, again));
    mem_free(list);
    if (change)
        changed(r, c, change, addresses, percent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t live = mem_live();
    unsigned flags = take(&data, &size);
    char *text = text_of(data, size), *change = text, *nodes = strsep(&change, "\n");
    if (*nodes == '@' || is_long(nodes) || (change && is_long(change))) {
        mem_free(text);
        return -1;
    }
    struct registry *r = registry_create();
    HOLD(r);
    registry_percent(r, flags & 1);
    if (strlen(nodes) < 32)
        swept(nodes);
    read_nodes(r, nodes, change, flags & 2, flags & 1);
    registry_destroy(r);
    mem_free(text);
    HOLD(mem_live() == live);
    return 0;
}
