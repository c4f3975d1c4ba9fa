/* Node files: what is read and written out is read again as the same, and as a list on the command line too; what is refused names its line. The first
 * byte says whether names are percent-encoded. */
#include "tests/fuzz/clusters.h"

static void is_told(const char *why, const char *path, const uint8_t *data, size_t size)
{
    unsigned long line = 0, lines = 1;
    const char *at = strstr(why, " line ");
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    HOLD(strstr(why, path) == why);
    if (!strncmp(why + strlen(path), " line ", 6)) {
        line = strtoul(at + 6, NULL, 10);
        HOLD(line >= 1 && line <= lines);
    } else {
        HOLD(strstr(why, "names no node"));
    }
}

/* The list says nothing of attributes. */
static void as_listed(struct registry *r, const struct cluster *c, bool percent)
{
    char why[WHY] = "", *list = as_list(c, percent);
    const struct cluster *again;
    if (percent || *c->node[0].name != '@') {
        HOLD(!cluster_read(r, list, false, &again, why));
        HOLD(again->size == c->size);
        for (uint32_t i = 0; i < c->size; i++)
            HOLD(again->node[i].id == c->node[i].id && again->node[i].weight == c->node[i].weight);
    }
    mem_free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t live = mem_live();
    bool percent = take(&data, &size) & 1;
    char why[WHY] = "", nodes[80];
    const char *path = file_of(data, size);
    const struct cluster *c, *again;
    struct registry *r = registry_create();
    HOLD(r);
    registry_percent(r, percent);
    snprintf(nodes, sizeof nodes, "@%s", path);
    if (refused(cluster_read(r, nodes, false, &c, why), why)) {
        is_told(why, path, data, size);
    } else {
        char *lines = as_lines(c, percent);
        is_cluster(c);
        as_listed(r, c, percent);
        file_of(lines, strlen(lines));
        HOLD(!cluster_read(r, nodes, false, &again, why) && same_nodes(c, again));
        mem_free(lines);
    }
    registry_destroy(r);
    HOLD(mem_live() == live);
    return 0;
}
