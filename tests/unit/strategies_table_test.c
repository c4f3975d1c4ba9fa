/* Copies along a table of cells: runs are stepped over, and nothing is missed. */
#include "tests/stage.h"

#include <string.h>

/* As it is defined: cell by cell. */
static size_t naive(const struct placement *p, uint64_t cells, uint64_t cell, uint32_t *id, size_t k)
{
    size_t found = 0;
    for (uint64_t step = 0; step < cells && found < k; step++) {
        uint32_t owner = p->engine->lookup(p->state, (cell + step) % cells);
        size_t i = 0;
        while (i < found && id[i] != owner)
            i++;
        if (i == found && owner != NO_NODE)
            id[found++] = owner;
    }
    return found;
}

static void against_naive(const char *text, const char *nodes, size_t k)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of(text);
    struct placement *p = open_on_hash(spec, cluster_of(r, nodes), "xxh3");
    uint64_t cells = p->engine->cells(p->state);
    bool same = cells > 0;
    for (uint64_t cell = 0; cell < cells && same; cell += cell < 40 || cell + 40 > cells ? 1 : 29) {
        uint32_t list[16], other[16];
        size_t n = p->engine->replicas(p->state, cell, list, k);
        same = n == naive(p, cells, cell, other, k) && !memcmp(list, other, n * sizeof *list);
    }
    ok(same, "%s on %s: %zu copies as cell by cell", text, nodes, k);
    placement_close(p);
    spec_destroy(spec);
    registry_destroy(r);
}

int main(void)
{
    static const char *const specs[] = {"slots", "slots:count=17", "slots:count=16", "slots:count=5", "slots:count=100", "maglev:table=251"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        against_naive(specs[i], "1", 2);
        against_naive(specs[i], "3", 2);
        against_naive(specs[i], "5", 5);
        against_naive(specs[i], "a,b=90,c", 3);
    }
    return tap_done();
}
