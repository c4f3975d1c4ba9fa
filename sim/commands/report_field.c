/* What can be asked of each algorithm is found out by opening it on a few nodes, so that one added to the list appears in the report
 * by itself, in the commands that suit it: exact where it has a map or shares of its own, from keys elsewhere. */
#include "commands/report_field.h"

#include "commands/inner.h"

#include "base/mem.h"
#include "placement/placement.h"

#include <errno.h>
#include <string.h>

enum { PROBED = 4, PROBED_IDS = 16 }; /* nodes to open on; ids of two kinds of default names */

/* 0 or -ENOMEM: *of is what p can be asked for. */
static int traits_of(const struct placement *p, unsigned *of)
{
    static const char *const basic[] = {"modulo", "ring", "slots"};
    char why[WHY];
    double share[PROBED_IDS], unplaced;
    struct map map = {0};
    unsigned is = 0;
    for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
        is |= strcmp(p->strategy->name, basic[i]) ? 0 : FIELD_BASIC;
    int no_shares = placement_shares(p, share, &unplaced, why), no_map = placement_map(p, false, &map, why);
    map_release(&map);
    is |= (no_shares ? 0 : FIELD_SHARES) | (no_map ? 0 : FIELD_MAP);
    is |= p->caps & CAP_FLOOR ? FIELD_FLOOR : 0;
    is |= p->caps & CAP_ANY_REMOVAL ? FIELD_LEAVERS : 0;
    *of = is | (p->caps & CAP_SCANS ? FIELD_SCANS : 0);
    return (no_shares && no_shares != -EINVAL) || (no_map && no_map != -EINVAL) ? -ENOMEM : 0;
}

/* Opens a strategy as it comes; one that refuses the run's hash is none of the field. */
static int probe(struct field *f, const struct strategy *strategy, const struct keyed_hash *hash, struct registry *registry, char why[WHY])
{
    struct spec **spec;
    struct placement *p = NULL;
    const struct cluster *c;
    size_t n;
    int e = catalog_expand(strategy->name, &spec, &n, why);
    if (e)
        return e;
    e = cluster_read(registry, "4", strategy->addresses, &c, why);
    if (!e)
        e = placement_open(&p, spec[0], c, hash, why);
    unsigned is = 0;
    if (!e && traits_of(p, &is))
        e = fail(why, ENOMEM, "no memory for the report");
    if (!e)
        f->row[f->rows++] = (struct field_row){strategy, is};
    placement_close(p);
    for (size_t i = 0; i < n; i++)
        spec_destroy(spec[i]);
    mem_free(spec);
    return e == -EINVAL ? 0 : e;
}

int field_open(struct field *f, const struct args *a, char why[WHY])
{
    struct keyed_hash hash;
    struct registry *registry = registry_create();
    size_t n = 0;
    while (catalog[n])
        n++;
    *f = (struct field){.row = mem_alloc(n, sizeof *f->row)};
    int e = f->row && registry ? hash_parse(a->hash, &hash, why) : fail(why, ENOMEM, "no memory for the report");
    for (size_t i = 0; i < n && !e; i++)
        if (!catalog[i]->version)
            e = probe(f, catalog[i], &hash, registry, why);
    registry_destroy(registry);
    return e;
}

void field_close(struct field *f)
{
    mem_free(f->row);
    *f = (struct field){0};
}

/* Of a mark: which traits are looked at, and what they must be. */
static const struct {
    const char *mark;
    unsigned of, is;
} marks[] = {
    {"$EXACT", FIELD_FLOOR | FIELD_SHARES, FIELD_SHARES},
    {"$DRAWN", FIELD_FLOOR | FIELD_SHARES, 0},
    {"$MAPPED", FIELD_FLOOR | FIELD_MAP, FIELD_MAP},
    {"$UNMAPPED", FIELD_FLOOR | FIELD_MAP, 0},
    {"$MAPPED_LEAVERS", FIELD_FLOOR | FIELD_MAP | FIELD_LEAVERS, FIELD_MAP | FIELD_LEAVERS},
    {"$UNMAPPED_LEAVERS", FIELD_FLOOR | FIELD_MAP | FIELD_LEAVERS, FIELD_LEAVERS},
    {"$OTHERS", FIELD_FLOOR | FIELD_BASIC | FIELD_SCANS, 0},
    {"$SCANNERS", FIELD_FLOOR | FIELD_BASIC | FIELD_SCANS, FIELD_SCANS},
};

bool field_mark(const char *mark, size_t len, size_t *which)
{
    for (*which = 0; *which < sizeof marks / sizeof *marks; ++*which)
        if (strlen(marks[*which].mark) == len && !strncmp(mark, marks[*which].mark, len))
            return true;
    return false;
}

int field_add(const struct field *f, size_t which, struct texts *words)
{
    int e = 0;
    for (size_t i = 0; i < f->rows && !e; i++) {
        const char *name = f->row[i].strategy->name;
        if ((f->row[i].is & marks[which].of) == marks[which].is)
            e = inner_add(words, "-s", 2) || inner_add(words, name, strlen(name)) ? -ENOMEM : 0;
    }
    return e;
}
